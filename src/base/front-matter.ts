/** Front matter is YAML between two lines of three dashes at the start of a file. */

/** The parts of a Markdown file. */
export interface MarkdownText {
  /** YAML of the front matter. */
  matter: string;
  /** Start of the YAML in the file, as index and line. */
  matterStart: number;
  bodyStart: number;
  /** The text after the front matter, verbatim. */
  body: string;
}

/** @returns undefined if the file does not start with front matter */
export function splitMarkdown(text: string): MarkdownText | undefined {
  const open = /^\ufeff?---[ \t]*\n/.exec(text);
  if (open === null) return undefined;
  const matterStart = open[0].length;
  // Match only after a line feed. With the `m` flag, a line would also start after U+2028, which the text may contain.
  const close = /(?<=\n)---[ \t]*(?:\n|$)/g;
  close.lastIndex = matterStart;
  const closing = close.exec(text);
  if (closing === null) return undefined;
  const bodyStart = closing.index + closing[0].length;
  return {
    matter: text.slice(matterStart, closing.index),
    matterStart,
    bodyStart,
    body: text.slice(bodyStart),
  };
}
