/** A knowledge item as a file holds it. */
export interface Document {
  name: string;
  text: string;
}

const frontMatter = /^---\n([\s\S]*?)\n---(?:\n\n?|$)/;

/**
 * Name and text of a file's content. The name is the `title` of a front matter, else a Markdown file's heading at its
 * very start, else the file's own. The front matter is no part of the text, the heading is.
 */
export async function readDocument(
  content: string,
  file: { fileName: string; isMarkdown: boolean },
): Promise<Document> {
  const matter = frontMatter.exec(content);
  if (matter) {
    const title = await titleOf(matter[1] ?? "");
    if (title !== undefined) return { name: title, text: content.slice(matter[0].length) };
  }
  const heading = file.isMarkdown ? /^\s*#[ \t]+(.+?)[ \t]*#*[ \t]*(?:\n|$)/.exec(content)?.[1] : undefined;
  return { name: (heading ?? file.fileName).normalize("NFC").trim(), text: content };
}

async function titleOf(matter: string): Promise<string | undefined> {
  const { parseYaml } = await import("./yaml.js");
  try {
    const value: unknown = parseYaml(matter);
    const title: unknown = typeof value === "object" && value !== null && "title" in value ? value.title : "";
    const text = typeof title === "string" || typeof title === "number" ? String(title).trim() : "";
    return text === "" ? undefined : text;
  } catch {
    // Two rules with text between them are no front matter.
    return undefined;
  }
}

/**
 * The content of a file that `readDocument` reads as this document again: the text alone where that will do, else
 * with its name in a front matter.
 */
export async function writeDocument(document: Document, fileName: string): Promise<string> {
  const alone = await readDocument(document.text, { fileName, isMarkdown: true });
  // An empty file is none: a copying that went wrong leaves such.
  const isEmpty = document.text.trim() === "";
  if (!isEmpty && alone.name === document.name && alone.text === document.text) return document.text;
  return `---\ntitle: ${JSON.stringify(document.name)}\n---\n\n${document.text}`;
}
