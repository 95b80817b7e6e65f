/** Error that prevents a bulk run from starting or continuing and that the user can fix. */
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
