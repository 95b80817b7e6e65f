/** Error that the user must fix before a bulk run can start or continue. */
export class BulkError extends Error {
  override readonly name = "BulkError";
  /** Flag that the hint suggests, for commands that lack the flag and need another hint. */
  readonly hintFlag: string | undefined;
  constructor(
    /** Code for scripts, in snake_case. */
    readonly code: string,
    message: string,
    readonly hint?: string,
    { hintFlag, ...options }: { cause?: unknown; hintFlag?: string | undefined } = {},
  ) {
    super(message, options);
    this.hintFlag = hintFlag;
  }
}
