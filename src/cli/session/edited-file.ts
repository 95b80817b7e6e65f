/** The line at the head of a file that `edit` opens: it tells the file from a text, and of which thing it is. */
const rest = "; a line that is taken out leaves its field as it is";

export function editComment(noun: string, id: string): string {
  return `${noun} ${id}${rest}`;
}

/** The id of the thing that a file was opened for by `edit`; undefined for any other file. */
export function editedId(content: string): string | undefined {
  const [first = "", second = ""] = content.replace(/^\ufeff/, "").split(/\r?\n/, 2);
  const line = first === "---" ? second : first;
  if (!line.startsWith("# ") || !line.endsWith(rest)) return undefined;
  return line.slice(0, -rest.length).split(" ").at(-1);
}
