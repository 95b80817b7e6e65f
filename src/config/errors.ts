/** Something wrong in a folder's file, and where. */
export interface Problem {
  /** Relative to the folder. */
  file: string;
  /** From 1; undefined where the file as a whole is meant. */
  line?: number | undefined;
  /** The path in the file: `pre_call_webhook.url`. */
  field?: string | undefined;
  message: string;
}

type ConfigErrorCode =
  /** A file, a flag or a reference that is wrong: 2. */
  | "config_invalid"
  /** The organization or the lock is another one's, a gate or a threshold is in the way: 12. */
  | "config_refused"
  /** Drift, a conflict, an adoption or an unclear move is in the way: 10. */
  | "config_differs"
  /** A secret that has to be sent can't be had: 2. */
  | "config_secrets"
  /** A key that the folder or the lock does not have: 4. */
  | "config_not_found";

/** A command on a configuration folder that can't go on, for a reason that its user can mend. Nothing was sent. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(
    readonly code: ConfigErrorCode,
    message: string,
    readonly hint?: string,
    readonly problems: readonly Problem[] = [],
  ) {
    super(message);
  }
}

/** `prompts/empfang.md, line 3: kind: must be text` */
export function problemText({ file, line, field, message }: Problem): string {
  const place = line === undefined ? file : `${file}, line ${line}`;
  return [place, ...(field === undefined || field === "" ? [] : [field]), message].join(": ");
}

/** @throws ConfigError where there is any */
export function assertNoProblems(problems: readonly Problem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const message =
    problems.length === 1
      ? problemText(first)
      : `the folder has ${problems.length} mistakes; nothing was sent`;
  throw new ConfigError("config_invalid", message, undefined, problems);
}
