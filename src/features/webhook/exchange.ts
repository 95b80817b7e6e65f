/** A header's name and value. Received headers keep their order, case and repetitions. */
export type Header = readonly [name: string, value: string];

/** A request as received. */
export interface Received {
  /** ISO 8601. */
  at: string;
  method: string;
  /** Path with the query. */
  path: string;
  headers: readonly Header[];
  body: Buffer;
}

/** A response as sent. */
export interface WebhookResponse {
  status: number;
  headers: readonly Header[];
  body: Buffer;
}

/** The result of checking one property of a request. */
export interface Check {
  name: "method" | "auth" | "header" | "content type" | "body";
  ok: boolean;
  /** Result for the user, without secrets. */
  result: string;
  /** Status with which to refuse the request if the check fails; undefined if a failure is only reported. */
  refusal?: 400 | 401 | 405;
}

/** A request, its checks and the response. */
export interface Exchange {
  /** Number of the exchange, which continues after the captures in the directory. */
  number: number;
  request: Received;
  checks: readonly Check[];
  /** Undefined if a fault closed the connection. */
  response: WebhookResponse | undefined;
  /** Source of the response, such as `rule 1`, `default`, `refused`, `forwarded` or `fail: status=500`. */
  from: string;
  warnings: readonly string[];
  milliseconds: number;
}

/** Returns the first value of a header. Ignores the case of the name. */
export function findHeader(headers: readonly Header[], name: string): string | undefined {
  const lowerName = name.toLowerCase();
  return headers.find(([headerName]) => headerName.toLowerCase() === lowerName)?.[1];
}

/** Returns all values of a header. Ignores the case of the name. */
export function findHeaders(headers: readonly Header[], name: string): string[] {
  const lowerName = name.toLowerCase();
  return headers.filter(([headerName]) => headerName.toLowerCase() === lowerName).map(([, value]) => value);
}
