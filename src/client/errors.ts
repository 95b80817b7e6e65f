/** Whether the request changed data; `unknown` if the response is missing or does not show this. */
export type Outcome = "none" | "done" | "unknown";

/** Error code for a response that exceeds a bound. The service that sent such a response is reachable. */
export const tooLargeCode = "answer_too_large";

export interface ErrorDetail {
  path: (string | number)[];
  message: string;
}

/** The response that caused an error, with masked keys. */
export interface ErrorResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body as text; undefined if it was truncated. */
  text: string | undefined;
}

interface ClientErrorFields {
  /**
   * `api` means that the service responded with an error. `rate_limit` means that it required a longer wait than allowed. `network` means
   * that no usable response arrived. `configuration` means that the profile lacks a key or can't be used for this request.
   */
  type: "api" | "rate_limit" | "network" | "configuration";
  message: string;
  /** The API's error code, or voxctl's own code in snake_case if the API sent none. */
  code: string;
  status?: number | undefined;
  /** The response from the service or a gateway. */
  response?: ErrorResponse | undefined;
  details?: ErrorDetail[] | undefined;
  /** Whether the same request may be sent again. */
  retryable: boolean;
  outcome: Outcome;
  /** The wait that the service requires, in milliseconds; undefined if waiting does not help. */
  retryAfterMilliseconds?: number | undefined;
  /** Whether the assistant's cooldown caused the refusal (public.limits.1), not a used-up limit. */
  cooldown?: boolean | undefined;
  /** Value of `X-Emulator-Rule` if the response comes from an emulator. */
  rule?: string | undefined;
  /** Hint for this error, if more specific than the hint for its code. */
  hint?: string | undefined;
  cause?: unknown;
}

/** The error that the client throws for every failure, for any API. */
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
