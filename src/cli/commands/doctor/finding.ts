export interface Check {
  check: string;
  state: "ok" | "warning" | "failed" | "skipped";
  message: string;
  details: Readonly<Record<string, unknown>>[];
}

export interface Finding extends Omit<Check, "details"> {
  details?: Check["details"];
  /** Error that sets the command's exit code. */
  error?: unknown;
}
