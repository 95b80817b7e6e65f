/** Whether the request changed data. `unknown`: no response shows whether data was changed. */
export type Outcome = "none" | "done" | "unknown";

export const tooLargeCode = "answer_too_large";

export interface ErrorDetail {
  path: (string | number)[];
  message: string;
}

/** API keys in the response are masked. */
export interface ErrorResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body as text; undefined if it was truncated. */
  text: string | undefined;
}

interface ClientErrorFields {
  /**
   * `api`: the service responded with an error. `rate_limit`: the required wait is longer than allowed.
   * `network`: no usable response arrived. `configuration`: the client can't send the request, for example
   * because the profile has no key.
   */
  type: "api" | "rate_limit" | "network" | "configuration";
  message: string;
  /** Error code from the response; if it contains no code, a snake_case code from voxctl. */
  code: string;
  status?: number | undefined;
  response?: ErrorResponse | undefined;
  details?: ErrorDetail[] | undefined;
  /** Whether it is safe and useful to send the same request again. */
  retryable: boolean;
  outcome: Outcome;
  /** How long the client must wait; undefined if waiting does not help. */
  retryAfterMilliseconds?: number | undefined;
  /** Whether the request was refused because of the assistant's cooldown (public.limits.1). */
  cooldown?: boolean | undefined;
  /** Value of the `X-Emulator-Rule` header, if an emulator responded. */
  rule?: string | undefined;
  hint?: string | undefined;
  cause?: unknown;
}

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
