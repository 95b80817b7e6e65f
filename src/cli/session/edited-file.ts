/** End of the first line in a file that `edit` opens. The ID precedes this text. */
const commentSuffix = "; removing a line keeps its field unchanged";

export function formatEditComment(noun: string, id: string): string {
  return `${noun} ${id}${commentSuffix}`;
}

/** Returns the ID in an edited file; undefined for a file that `edit` did not create. */
export function findEditedId(content: string): string | undefined {
  const [first = "", second = ""] = content.replace(/^\ufeff/, "").split(/\r?\n/, 2);
  const line = first === "---" ? second : first;
  if (!line.startsWith("# ") || !line.endsWith(commentSuffix)) return undefined;
  return line.slice(0, -commentSuffix.length).split(" ").at(-1);
}
