/** One invalid field in a `validation_failed` error (public.errors.1). */
export interface RefusalDetail {
  path: (string | number)[];
  message: string;
}

/** `rule` is the ID of an API rule or decision. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly rule: string,
    message: string,
    readonly details: RefusalDetail[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
    /** HTTP status, such as 416 (D-recording). Default: the status of the error code. */
    readonly status?: number,
  ) {
    super(message);
  }
}

/** Also used for another organization's resource, so that the responses are equal (public.errors.4). */
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

export function describeDetails(details: readonly RefusalDetail[]): string {
  const text = details.map(({ path, message }) => `${path.join(".")} ${message}`.trim()).join("; ");
  return text || "the request is invalid";
}

/**
 * Returns a refusal if the request is from a web page: only web pages send `Origin`. The server has already
 * removed an allowed `Origin` (emulator.control).
 */
export function checkOrigin({ origin }: Readonly<Record<string, string | undefined>>): Refusal | undefined {
  if (origin === undefined) return undefined;
  return new Refusal("forbidden", "emulator.control", "requests from other origins are refused");
}
