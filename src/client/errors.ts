/** Did the request change something? `unknown`: its answer was lost. */
export type Outcome = "none" | "done" | "unknown";

/** The code of an answer beyond its bounds (T22): a service that gives one is not out of reach. */
export const tooLargeCode = "answer_too_large";

export interface ErrorDetail {
  path: (string | number)[];
  message: string;
}

/** An answer that became an error, without keys. */
export interface ErrorResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Undefined where it was cut. */
  text: string | undefined;
}

interface ClientErrorFields {
  /**
   * `api`: the service answered with an error; `rate_limit`: it asked to wait longer than allowed;
   * `network`: no usable answer; `configuration`: the profile has no key for this surface.
   */
  type: "api" | "rate_limit" | "network" | "configuration";
  message: string;
  /** The API's code, or ours in snake_case where it sent none. */
  code: string;
  status?: number | undefined;
  /** What the service, or something before it, answered. */
  response?: ErrorResponse | undefined;
  details?: ErrorDetail[] | undefined;
  /** May the very same request be sent again? */
  retryable: boolean;
  outcome: Outcome;
  /** How long the service asked to wait, where waiting would help. */
  retryAfterMilliseconds?: number | undefined;
  /** It was refused because of its assistant's cooldown (public.limits.1), not because a limit is used up. */
  cooldown?: boolean | undefined;
  /** `X-Emulator-Rule`, where an emulator answered. */
  rule?: string | undefined;
  /** A hint on what to do about it, where more can be said than the code does. */
  hint?: string | undefined;
  cause?: unknown;
}

/** Every failure of the client, of whatever surface. */
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
