import type { Io } from "../../base/io.js";
import { escapeCharacter, escapeLines } from "../../base/text.js";

/** Returns whether voxctl runs on GitHub Actions, where the runner executes certain lines of output. */
export function isRead({ env }: Pick<Io, "env">): boolean {
  return env.GITHUB_ACTIONS === "true";
}

const lineBreak = "\\n\\r\\v\\f\\u0085\\u2028\\u2029";
/** Characters that can precede a command in a line: blanks, invisible characters and voxctl's colors. */
const blank = "(?:[\\s\\p{Cf}]|\\u001b\\[\\d+m)*";

/**
 * Last character of a command's prefix: `::` at the start of a line, or `##[` anywhere.
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
const opening = new RegExp(`(?<=(?:^|[${lineBreak}])${blank}:\\p{Cf}*):|(?<=#\\p{Cf}*#\\p{Cf}*)\\[`, "gu");
const afterLastBreak = new RegExp(`[^${lineBreak}]*$`, "u");

const longestTail = 256;

/**
 * Returns a function that escapes `::` and `##[`, so that a runner doesn't execute the text. Escaped JSON
 * stays valid. Call the function for each part of a stream.
 */
export function createCommandGuard(): (text: string) => string {
  let tail = "";
  const disarm = (text: string) => text.replace(opening, escapeCharacter);
  return (text) => {
    // Escape the part alone and together with the text before it: in a log that combines two streams, any part
    // can start a line.
    const written = disarm(tail + disarm(text)).slice(tail.length);
    const line = afterLastBreak.exec(tail + written)?.[0] ?? "";
    tail = line.length > longestTail ? `…${line.slice(-8)}` : line;
    return written;
  };
}

/** Returns whether a runner would execute a line of this text, if the text starts on a new line. */
export function holdsCommand(text: string): boolean {
  return text.search(opening) !== -1;
}

/** A line that makes the CI runner show an annotation. Only this file creates such lines. */
export type WorkflowCommand = AnnotationLine;

class AnnotationLine {
  readonly #line: string;

  constructor(line: string) {
    this.#line = line;
  }

  toString(): string {
    return this.#line;
  }
}

/** Creates an annotation: https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
export function createAnnotation(
  level: "error" | "notice",
  properties: Readonly<Record<string, string>>,
  text: string,
): WorkflowCommand {
  const listed = Object.entries(properties).map(([name, value]) => `${name}=${encodeProperty(value)}`);
  return new AnnotationLine(`::${level} ${listed.join(",")}::${encodeData(text)}`);
}

function encodeData(text: string): string {
  return escapeLines(text).replace(/##\[/g, "##\\u005b").replaceAll("%", "%25").replaceAll("\n", "%0A");
}

function encodeProperty(text: string): string {
  return encodeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
