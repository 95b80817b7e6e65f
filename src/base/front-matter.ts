/** Front matter: the fields of a text, in YAML between two lines of three dashes at its very beginning. */

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
  // After a line feed alone: with the flag m a line would begin after U+2028 as well, which stands within texts.
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
