/** Received headers keep their order, case and repetitions. */
export type Header = readonly [name: string, value: string];

export interface Received {
  /** ISO 8601. */
  at: string;
  method: string;
  /** Path with the query. */
  path: string;
  headers: readonly Header[];
  body: Buffer;
}

export interface WebhookResponse {
  status: number;
  headers: readonly Header[];
  body: Buffer;
}

export interface Check {
  name: "method" | "auth" | "header" | "content type" | "body";
  ok: boolean;
  /** Contains no secrets. */
  result: string;
  /** Response status if the check fails; undefined if a failed check is only reported. */
  refusal?: 400 | 401 | 405;
}

export interface Exchange {
  /** Numbering continues after existing captures in the directory. */
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

/** Header names are case-insensitive. */
export function findHeader(headers: readonly Header[], name: string): string | undefined {
  const lowerName = name.toLowerCase();
  return headers.find(([headerName]) => headerName.toLowerCase() === lowerName)?.[1];
}

/** Header names are case-insensitive. */
export function findHeaders(headers: readonly Header[], name: string): string[] {
  const lowerName = name.toLowerCase();
  return headers.filter(([headerName]) => headerName.toLowerCase() === lowerName).map(([, value]) => value);
}
