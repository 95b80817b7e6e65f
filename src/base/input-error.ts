export class InputError extends Error {
  override readonly name = "InputError";
  readonly details: { path: (string | number)[]; message: string }[];
  readonly hint: string | undefined;

  constructor(
    message: string,
    more: { details?: InputError["details"]; hint?: string; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.details = more.details ?? [];
    this.hint = more.hint;
  }
}
