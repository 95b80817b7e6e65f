/** A bulk run can't start or continue for a reason that the user can fix. Nothing was sent because of it. */
export class BulkError extends Error {
  override readonly name = "BulkError";
  constructor(
    /** snake_case, for scripts. */
    readonly code: string,
    message: string,
    /** A hint on what to do about it. */
    readonly hint?: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
