/** A bulk run can't start or continue until the user fixes this error. */
export class BulkError extends Error {
  override readonly name = "BulkError";
  constructor(
    /** Code for scripts, in snake_case. */
    readonly code: string,
    message: string,
    readonly hint?: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
