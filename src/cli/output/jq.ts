import type { Io } from "../../base/io.js";
import { withoutSignalListeners } from "../../base/signals.js";
import { escapeControl } from "../../base/text.js";
import { type CliError, usageError } from "../errors/errors.js";

/** jq receives documents as text, so that numbers keep all digits. */
export interface JqQuery {
  /**
   * Returns the results for a document as text. Strings are quoted only with the option `lines` of `openJq`.
   * @throws usage error (2) if the expression fails
   */
  run(document: string): string;
}

/**
 * Loads jq, compiled for WebAssembly.
 * @param lines whether to print one compact line per result, with strings in quotes
 * @param io source of the values in `$ENV`
 * @throws usage error (2) for an invalid expression, before any input is read or any request is sent
 */
export async function openJq(
  expression: string,
  { lines, io }: { lines: boolean; io: Pick<Io, "env"> },
): Promise<JqQuery> {
  const { loadJq } = await import("jq-wasm/inline");
  const jq = await loadJq();
  if (jq.raw("null", `empty | (${expression}\n)`).exitCode !== 0) {
    const { exitCode, stderr } = jq.raw("null", expression, ["-n"]);
    if (exitCode !== 0) throw usageError(`--jq: ${reasonOf(stderr)}`, { hint: manualHint });
  }
  const program = withEnvironment(`"${mark}", (${expression}\n), "${mark}"`, io.env);
  return {
    run(document) {
      let result: ReturnType<typeof jq.raw>;
      try {
        // Without signal listeners, a signal ends even an endless expression.
        result = withoutSignalListeners(() => jq.raw(document, program, lines ? ["-c"] : []));
      } catch (error) {
        throw usageError(
          `--jq: ${Math.ceil(document.length / 1e6)} MB of JSON exceed jq's memory; select less data, or use -o ndjson with an installed jq`,
          { cause: error },
        );
      }
      if (result.exitCode !== 0) throw failure(reasonOf(result.stderr));
      const results = betweenMarks(result.stdout);
      return (lines ? results : results.map(toRaw)).map((line) => `${line}\n`).join("");
    },
  };
}

/** Without markers, the library would remove spaces and empty lines at the ends, even from a string. */
const mark = "#";

function betweenMarks(printed: string): string[] {
  const lines = printed.split("\n").slice(1);
  // `halt` ends the program before the second marker.
  return lines.at(-1) === JSON.stringify(mark) ? lines.slice(0, -1) : lines;
}

/** A line starts with a quote only if it contains a string. */
function toRaw(line: string): string {
  return line.startsWith('"') ? String(JSON.parse(line)) : escapeControl(line);
}

/** Adds definitions of `$ENV` and `env` to an expression, because WebAssembly has no environment. */
function withEnvironment(expression: string, env: Io["env"]): string {
  if (!/\b(?:ENV|env)\b/.test(expression)) return expression;
  return `${JSON.stringify(env)} as $ENV | def env: $ENV; ${expression}`;
}

const manualHint = "the expression applies to the output of -o json; see the jq manual";

function failure(reason: string): CliError {
  const [, field] = /^Cannot index array with string \("?(.+?)"?\)$/.exec(reason) ?? [];
  return usageError(`--jq: ${reason}`, {
    hint: field === undefined ? manualHint : `the output is an array: use .[].${field}`,
  });
}

function reasonOf(stderr: string): string {
  const [first = "it failed"] = stderr.split("\n");
  return first.replace(/^jq: error(?: \(at [^)]*\))?: /, "");
}
