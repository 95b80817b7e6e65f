/** End of the first line in a file that `edit` opens. The line marks such a file and contains the ID. */
const commentSuffix = "; removing a line keeps its field unchanged";

export function formatEditComment(noun: string, id: string): string {
  return `${noun} ${id}${commentSuffix}`;
}

/** Returns the resource's ID from a file that `edit` created; undefined for any other file. */
export function findEditedId(content: string): string | undefined {
  const [first = "", second = ""] = content.replace(/^\ufeff/, "").split(/\r?\n/, 2);
  const line = first === "---" ? second : first;
  if (!line.startsWith("# ") || !line.endsWith(commentSuffix)) return undefined;
  return line.slice(0, -commentSuffix.length).split(" ").at(-1);
}
