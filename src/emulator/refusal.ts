/** An entry in the details of a `validation_failed` error (public.errors.1). */
export interface RefusalDetail {
  path: (string | number)[];
  message: string;
}

/**
 * A refused request. Thrown when an API rule refuses the request; a request stage converts it to the API's error body. `code` is one of the
 * API's error codes (src/contract/errors.ts), and `rule` is the ID of the API rule or decision.
 */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly rule: string,
    message: string,
    readonly details: RefusalDetail[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
    /** Status, such as 416, if it differs from the code's status (D-recording). */
    readonly status?: number,
  ) {
    super(message);
  }
}

/**
 * Creates the refusal for a missing resource. The response is the same if the resource belongs to another organization (public.errors.4).
 */
export function notFound(what: string, rule = "public.errors.4"): Refusal {
  return new Refusal("not_found", rule, `${what} does not exist`);
}

export function conflict(rule: string, message: string): Refusal {
  return new Refusal("conflict", rule, message);
}

export function invalid(rule: string, details: RefusalDetail[]): Refusal {
  const first = details[0];
  const where = first && first.path.length > 0 ? `${first.path.join(".")} ` : "";
  return new Refusal(
    "validation_failed",
    rule,
    first ? `${where}${first.message}` : "the request is invalid",
    details,
  );
}

/**
 * Returns a refusal for a request with an `Origin` header, which a web page sent (emulator.control). The server has already removed allowed
 * origins from the headers.
 */
export function checkOrigin({ origin }: Readonly<Record<string, string | undefined>>): Refusal | undefined {
  if (origin === undefined) return undefined;
  return new Refusal("forbidden", "emulator.control", "requests from other origins are refused");
}
