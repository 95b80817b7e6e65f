/** One entry of a `validation_failed` error's details (public.errors.1). */
export interface RefusalDetail {
  path: (string | number)[];
  message: string;
}

/**
 * A refused request. It is thrown where an API rule refuses, and converted to the API's error body by a stage of the request. `code` is an
 * error code of the API (src/contract/errors.ts), and `rule` is the id of the API rule or decision.
 */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly rule: string,
    message: string,
    readonly details: RefusalDetail[] = [],
    /** Additional headers. */
    readonly headers: Readonly<Record<string, string>> = {},
    /** The status if it differs from the status of the code, such as 416 (D-recording). */
    readonly status?: number,
  ) {
    super(message);
  }
}

/**
 * Creates the refusal for a resource that is missing or belongs to another organization. The response doesn't distinguish these cases
 * (public.errors.4).
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

/** Returns a refusal for control requests from pages of other origins (emulator.control). Undefined if the origin is allowed. */
export function checkOrigin({ origin }: Readonly<Record<string, string | undefined>>): Refusal | undefined {
  if (origin === undefined) return undefined;
  return new Refusal("forbidden", "emulator.control", "requests from other origins are refused");
}
