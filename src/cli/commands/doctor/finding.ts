/** One examined part, and its condition. */
export interface Check {
  check: string;
  state: "ok" | "warning" | "failed" | "skipped";
  message: string;
  details: Readonly<Record<string, unknown>>[];
}

export interface Finding extends Omit<Check, "details"> {
  details?: Check["details"];
  /** Ends the command with its code. */
  error?: unknown;
}

/** An error in one line, of whatever class it is. */
export function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
