/** The line at the head of a file that `edit` opens: it tells the file from a text, and of which thing it is. */
const commentSuffix = "; a line that is taken out leaves its field as it is";

export function formatEditComment(noun: string, id: string): string {
  return `${noun} ${id}${commentSuffix}`;
}

/** The id of the thing that a file was opened for by `edit`; undefined for any other file. */
export function findEditedId(content: string): string | undefined {
  const [first = "", second = ""] = content.replace(/^\ufeff/, "").split(/\r?\n/, 2);
  const line = first === "---" ? second : first;
  if (!line.startsWith("# ") || !line.endsWith(commentSuffix)) return undefined;
  return line.slice(0, -commentSuffix.length).split(" ").at(-1);
}
