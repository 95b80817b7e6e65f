export interface MarkdownText {
  matter: string;
  matterStart: number;
  bodyStart: number;
  body: string;
}

/**
 * Splits a Markdown file into its YAML front matter (between two lines of three dashes) and its body.
 * @returns undefined if the file does not start with front matter
 */
export function splitMarkdown(text: string): MarkdownText | undefined {
  const open = /^\ufeff?---[ \t]*\n/.exec(text);
  if (open === null) return undefined;
  const matterStart = open[0].length;
  // Don't use `^` with the flag `m`: it also matches after U+2028, and the text can contain that character.
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
