/** F5: a text in Markdown. The body begins after the line that closes the front matter. */

/** A Markdown file in its two parts. */
export interface MarkdownText {
  /** The front matter's YAML. */
  matter: string;
  /** Where it begins in the file, and on which line. */
  matterStart: number;
  bodyStart: number;
  /** As it stands in the file. */
  body: string;
}

/** @returns undefined where the file does not begin with a front matter */
export function splitMarkdown(text: string): MarkdownText | undefined {
  const open = /^\ufeff?---[ \t]*\n/.exec(text);
  if (open === null) return undefined;
  const matterStart = open[0].length;
  const close = /^---[ \t]*(?:\n|$)/gm;
  close.lastIndex = matterStart;
  const found = close.exec(text);
  if (found === null) return undefined;
  const bodyStart = found.index + found[0].length;
  return {
    matter: text.slice(matterStart, found.index),
    matterStart,
    bodyStart,
    body: text.slice(bodyStart),
  };
}

/** The text that a body stands for: the file's one final line feed is not part of it. */
export function textOfBody(body: string, newline: unknown): string {
  const text = body.endsWith("\n") ? body.slice(0, -1) : body;
  return newline === "crlf" ? text.replaceAll("\n", "\r\n") : text;
}

/** How a text stands in a file: in its body, with the members of the front matter that it needs. */
export function bodyOfText(text: string): { body: string; newline?: "crlf"; text?: string } {
  const lines = text.replaceAll("\r\n", "");
  const isCrlf = text.includes("\r\n") && !lines.includes("\n");
  if (lines.includes("\r") || text.includes("\u0000") || (text.includes("\r\n") && !isCrlf))
    return { body: "", text };
  const body = text === "" ? "" : `${isCrlf ? text.replaceAll("\r\n", "\n") : text}\n`;
  return isCrlf ? { body, newline: "crlf" } : { body };
}
