/** F5: a text in Markdown. The body begins after the line that closes the front matter. */

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
