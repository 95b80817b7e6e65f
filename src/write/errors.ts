/** Error that the user must fix before a bulk run can start or continue. */
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
