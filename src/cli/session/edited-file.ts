const commentSuffix = "; removing a line keeps its field unchanged";

export function formatEditComment(noun: string, id: string): string {
  return `${noun} ${id}${commentSuffix}`;
}

export function findEditedId(content: string): string | undefined {
  const [first = "", second = ""] = content.replace(/^\ufeff/, "").split(/\r?\n/, 2);
  const line = first === "---" ? second : first;
  if (!line.startsWith("# ") || !line.endsWith(commentSuffix)) return undefined;
  return line.slice(0, -commentSuffix.length).split(" ").at(-1);
}
