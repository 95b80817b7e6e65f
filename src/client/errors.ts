/** Whether the request changed data. `unknown`: it got no response. */
export type Outcome = "none" | "done" | "unknown";

/** The code of a response beyond its bounds: the service that sent it is reachable. */
export const tooLargeCode = "answer_too_large";

export interface ErrorDetail {
  path: (string | number)[];
  message: string;
}

/** The response of an error, with keys masked. */
export interface ErrorResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Undefined if it was truncated. */
  text: string | undefined;
}

interface ClientErrorFields {
  /**
   * `api`: the service responded with an error; `rate_limit`: it required a longer wait than allowed;
   * `network`: no usable response; `configuration`: the profile has no key for this API.
   */
  type: "api" | "rate_limit" | "network" | "configuration";
  message: string;
  /** The API's code, or voxctl's own in snake_case if the API sent none. */
  code: string;
  status?: number | undefined;
  /** The response of the service or of a gateway. */
  response?: ErrorResponse | undefined;
  details?: ErrorDetail[] | undefined;
  /** Whether the same request may be sent again. */
  retryable: boolean;
  outcome: Outcome;
  /** The wait that the service requires, in milliseconds, if a wait helps. */
  retryAfterMilliseconds?: number | undefined;
  /** Whether the assistant's cooldown caused the refusal (public.limits.1), not a used-up limit. */
  cooldown?: boolean | undefined;
  /** `X-Emulator-Rule`, if the response comes from an emulator. */
  rule?: string | undefined;
  /** A hint for this error, if it is more specific than the hint for its code. */
  hint?: string | undefined;
  cause?: unknown;
}

/** Every failure of the client, of any API. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly type: ClientErrorFields["type"];
  readonly code: string;
  readonly status: number | undefined;
  readonly response: ErrorResponse | undefined;
  readonly details: ErrorDetail[];
  readonly retryable: boolean;
  readonly outcome: Outcome;
  readonly retryAfterMilliseconds: number | undefined;
  readonly cooldown: boolean;
  readonly rule: string | undefined;
  readonly hint: string | undefined;

  constructor(fields: ClientErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.type = fields.type;
    this.code = fields.code;
    this.status = fields.status;
    this.response = fields.response;
    this.details = fields.details ?? [];
    this.retryable = fields.retryable;
    this.outcome = fields.outcome;
    this.retryAfterMilliseconds = fields.retryAfterMilliseconds;
    this.cooldown = fields.cooldown ?? false;
    this.rule = fields.rule;
    this.hint = fields.hint;
  }
}
