import type { Io } from "../../base/io.js";
import { escapeControl } from "../../base/text.js";
import { type CliError, usageError } from "../errors/errors.js";

/** One expression of jq, applied to documents as text, so that numbers keep their digits (T9). */
export interface JqQuery {
  /**
   * Its results for a document, as text: one after the other, texts without their quotes.
   * @throws usage error (2) where the expression fails on it
   */
  run(document: string): string;
}

/**
 * jq itself, compiled for WebAssembly and loaded here only.
 * @param lines one compact line per result, texts in their quotes
 * @param io whose environment `$ENV` is, and who hears no signal while an expression runs that may never end
 * @throws usage error (2) for what is no expression: before anything is read or sent
 */
export async function openJq(
  expression: string,
  { lines, io }: { lines: boolean; io: Pick<Io, "env" | "whileDeaf"> },
): Promise<JqQuery> {
  const { loadJq } = await import("jq-wasm/inline");
  const jq = await loadJq();
  // Compiled, and never run.
  if (jq.raw("null", `empty | (${expression}\n)`).exitCode !== 0) {
    const { exitCode, stderr } = jq.raw("null", expression, ["-n"]);
    if (exitCode !== 0) throw usageError(`--jq: ${reasonOf(stderr)}`, { hint: manualHint });
  }
  const program = withEnvironment(`"${mark}", (${expression}\n), "${mark}"`, io.env);
  return {
    run(document) {
      let result: ReturnType<typeof jq.raw>;
      try {
        result = io.whileDeaf(() => jq.raw(document, program, lines ? ["-c"] : []));
      } catch (error) {
        throw usageError(
          `--jq: ${Math.ceil(document.length / 1e6)} MB are more than it takes at once; select less, or -o ndjson and a jq of your own`,
          { cause: error },
        );
      }
      if (result.exitCode !== 0) throw failure(reasonOf(result.stderr));
      const results = betweenMarks(result.stdout);
      return (lines ? results : results.map(toRaw)).map((line) => `${line}\n`).join("");
    },
  };
}

/**
 * The library takes blanks and empty lines away from both ends of what jq prints, which may be texts that the expression
 * made: so something stands before and behind them.
 */
const mark = "#";

function betweenMarks(printed: string): string[] {
  return printed.split("\n").slice(1, -1);
}

/** A line that starts with a quote is a text, since the lines of objects and arrays are indented or start otherwise. */
function toRaw(line: string): string {
  return line.startsWith('"') ? String(JSON.parse(line)) : escapeControl(line);
}

/** In WebAssembly `$ENV` and `env` would show an environment that is made up. */
function withEnvironment(expression: string, env: Io["env"]): string {
  if (!/\b(?:ENV|env)\b/.test(expression)) return expression;
  return `${JSON.stringify(env)} as $ENV | def env: $ENV; ${expression}`;
}

const manualHint = "The expression is applied to what -o json prints; jq's manual says what it can be";

function failure(reason: string): CliError {
  const [, field] = /^Cannot index array with string \("?(.+?)"?\)$/.exec(reason) ?? [];
  return usageError(`--jq: ${reason}`, {
    hint: field === undefined ? manualHint : `A list is an array: .[].${field} is the field of each`,
  });
}

/** The first line of jq's own words. */
function reasonOf(stderr: string): string {
  const [first = "it failed"] = stderr.split("\n");
  return first.replace(/^jq: error(?: \(at [^)]*\))?: /, "");
}
