import truncatedWidth from "fast-string-truncated-width";

/** Cells that a text takes on a terminal: wide characters count two, combining ones none. */
export function displayWidth(text: string): number {
  return truncatedWidth(text).width;
}

/** The text in at most `width` cells: cut with an ellipsis where it is longer. */
export function cutToCells(text: string, width: number): string {
  const { index, truncated } = truncatedWidth(text, { limit: width, ellipsis: "…", ellipsisWidth: 1 });
  return truncated ? `${text.slice(0, index)}…` : text;
}

/** The text padded to `width` cells. */
export function padToCells(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}
