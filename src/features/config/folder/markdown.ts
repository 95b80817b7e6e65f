/** Returns the text in a Markdown body, without the file's final line feed. */
export function textOfBody(body: string, newline: unknown): string {
  const text = body.endsWith("\n") ? body.slice(0, -1) : body;
  return newline === "crlf" ? text.replaceAll("\n", "\r\n") : text;
}

/** Converts a text to a Markdown body and front matter. `textOfBody` restores the text. */
export function bodyOfText(text: string): { body: string; newline?: "crlf"; text?: string } {
  const lines = text.replaceAll("\r\n", "");
  const isCrlf = text.includes("\r\n") && !lines.includes("\n");
  if (lines.includes("\r") || text.includes("\u0000") || (text.includes("\r\n") && !isCrlf))
    return { body: "", text };
  const body = text === "" ? "" : `${isCrlf ? text.replaceAll("\r\n", "\n") : text}\n`;
  return isCrlf ? { body, newline: "crlf" } : { body };
}
