export interface Problem {
  /** Relative to the configuration directory. */
  file: string;
  /** Line number, counted from 1; undefined for a problem of the whole file. */
  line?: number | undefined;
  field?: string | undefined;
  message: string;
  /**
   * Set if the problem is a source that the directory must not use. `source` is set if the user can allow the
   * source.
   */
  refused?: { source?: string };
}

type ConfigErrorCode =
  /** Invalid file, flag or reference; exit code 2. */
  | "config_invalid"
  /**
   * Wrong organization or lock file, an exceeded limit, a closed gate or a source that is not allowed; exit code 12.
   */
  | "config_refused"
  /** Drift, a conflict, a missing binding or an unclear move; exit code 10. */
  | "config_differs"
  /** A required secret is not available; exit code 2. */
  | "config_secrets"
  /** Key not found in the directory or the lock; exit code 4. */
  | "config_not_found";

/** An error that the user can fix. It stops a `config` command before any write. */
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

export function problemText({ file, line, field, message }: Problem): string {
  const location = line === undefined ? file : `${file}, line ${line}`;
  return [location, ...(field === undefined || field === "" ? [] : [field]), message].join(": ");
}

/**
 * @param advice hint that explains how to allow sources
 * @throws ConfigError if there are problems. If sources were refused, the error lists only these sources.
 */
export function assertNoProblems(
  problems: readonly Problem[],
  advice: (sources: readonly string[]) => string = () => "",
): void {
  const refused = problems.filter((problem) => problem.refused !== undefined);
  if (refused.length > 0) throw refusedSources(refused, advice);
  const [first] = problems;
  if (first === undefined) return;
  const isOneFile = problems.every(({ file }) => file === first.file);
  const message =
    problems.length === 1
      ? problemText(first)
      : `${isOneFile ? first.file : "the directory"} has ${problems.length} errors`;
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
      : `${refused.length} fields use sources that are not allowed`;
  return new ConfigError(
    "config_refused",
    message,
    sources.length === 0 ? undefined : advice(sources),
    refused,
  );
}
