/** Something wrong in a folder's file, and where. */
export interface Problem {
  /** Relative to the folder. */
  file: string;
  /** From 1; undefined where the file as a whole is meant. */
  line?: number | undefined;
  /** The path in the file: `pre_call_webhook.url`. */
  field?: string | undefined;
  message: string;
  /** It is not the file that is wrong: the user has to allow this source, or none may be used here. */
  refused?: { source?: string };
}

type ConfigErrorCode =
  /** A file, a flag or a reference that is wrong: 2. */
  | "config_invalid"
  /** The organization or the lock is another one's, a gate, a threshold or a source is in the way: 12. */
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
  const location = line === undefined ? file : `${file}, line ${line}`;
  return [location, ...(field === undefined || field === "" ? [] : [field]), message].join(": ");
}

/**
 * @param advice how the user allows sources, for a hint
 * @throws ConfigError where there is any: one about what is refused goes before one about mistakes
 */
export function assertNoProblems(
  problems: readonly Problem[],
  advice: (sources: readonly string[]) => string = () => "",
): void {
  const refused = problems.filter((problem) => problem.refused !== undefined);
  if (refused.length > 0) throw refusedSources(refused, advice);
  const [first] = problems;
  if (first === undefined) return;
  const message =
    problems.length === 1
      ? problemText(first)
      : `the folder has ${problems.length} mistakes; nothing was sent`;
  throw new ConfigError("config_invalid", message, undefined, problems);
}

function refusedSources(
  refused: readonly Problem[],
  advice: (sources: readonly string[]) => string,
): ConfigError {
  const sources = [...new Set(refused.flatMap((problem) => problem.refused?.source ?? []))];
  const [first] = refused;
  const message =
    refused.length === 1 && first !== undefined
      ? problemText(first)
      : `${refused.length} fields of the folder are refused`;
  return new ConfigError(
    "config_refused",
    `${message}; nothing was sent`,
    sources.length === 0 ? undefined : advice(sources),
    refused,
  );
}
