import { splitMarkdown } from "../../../base/front-matter.js";

export interface Document {
  name: string;
  text: string;
  /** Whether the item is active; undefined if the document doesn't specify it. */
  active?: boolean | undefined;
}

export interface ReadDocument extends Document {
  /** Whether the content starts with a --- line that is a horizontal rule, not the start of front matter. */
  beginsWithRule: boolean;
}

export interface DocumentProblem {
  /** Line in the file, starting at 1. */
  line: number;
  problem: string;
}

const opening = /^---[ \t]*(?:\n|$)/;
const fieldLine = /^(?:"[^"]*"|'[^']*'|[\p{L}_][\p{L}\p{N}_-]*)[ \t]*:(?:\s|$)/u;
const titleLine = /^["']?title["']?[ \t]*:/im;
const activeLine = /^["']?active["']?[ \t]*:/m;
const asText = "or, if --- is a horizontal rule, add an empty line before it";

/**
 * Reads a file as a name and a text. The name comes from the front matter's `title`, the Markdown heading at
 * the start, or the file name. Returns a problem for invalid front matter, so that it isn't imported as text.
 */
export async function readDocument(
  content: string,
  file: { fileName: string; isMarkdown: boolean },
): Promise<ReadDocument | DocumentProblem> {
  const beginsWithRule = opening.test(content);
  if (beginsWithRule) {
    const parts = splitMarkdown(content);
    const read =
      parts === undefined ? problemOfOpen(content) : await readMatter(parts.matter.replace(/\n$/, ""));
    if (read !== undefined && "problem" in read) return read;
    if (read !== undefined && parts !== undefined)
      return { ...read, text: parts.body.replace(/^\n/, ""), beginsWithRule: false };
  }
  const heading = file.isMarkdown
    ? /^\s*#[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*(?:\n|$)/.exec(content)?.[1]
    : undefined;
  return { name: (heading ?? file.fileName).normalize("NFC").trim(), text: content, beginsWithRule };
}

/**
 * Returns the problem of front matter that is not closed. If the line after the --- contains no field, the
 * --- is a horizontal rule, and the function returns undefined.
 */
function problemOfOpen(content: string): DocumentProblem | undefined {
  const [, first = ""] = content.split("\n", 2);
  if (!fieldLine.test(first) && !titleLine.test(first)) return undefined;
  return {
    line: 1,
    problem: `the front matter is not closed: add a line that contains only --- after its last field, ${asText}`,
  };
}

/** @returns the fields, or the problem; undefined if the block is not front matter */
async function readMatter(
  matter: string,
): Promise<Pick<Document, "name" | "active"> | DocumentProblem | undefined> {
  const { readTexts } = await import("./yaml.js");
  const read = readTexts(matter);
  const value = "value" in read ? read.value : undefined;
  const title: unknown =
    typeof value === "object" && value !== null && "title" in value ? value.title : undefined;
  if (typeof title === "string" && title.trim() !== "") {
    const active: unknown =
      typeof value === "object" && value !== null && "active" in value ? value.active : undefined;
    const name = title.trim();
    if (active === undefined) return { name };
    if (active === "true" || active === "false") return { name, active: active === "true" };
    const before = matter.slice(0, activeLine.exec(matter)?.index ?? 0);
    return {
      line: 1 + before.split("\n").length,
      problem: "in the front matter, active must be true or false",
    };
  }
  // The front matter starts on the line after the opening ---.
  const titleAt = titleLine.exec(matter);
  const line = 1 + matter.slice(0, titleAt?.index ?? 0).split("\n").length;
  if ("error" in read) {
    const [first = ""] = matter.split("\n").filter((text) => text.trim() !== "" && !text.startsWith("#"));
    if (titleAt === null && !fieldLine.test(first)) return undefined;
    return {
      line: 1 + read.line,
      problem: `the front matter is not valid YAML: ${read.error}; fix this line, ${asText}`,
    };
  }
  if (titleAt === null) return undefined;
  return {
    line,
    problem: `the front matter has no valid title: add title: "…", ${asText}`,
  };
}

/** Adds front matter only if the text alone would be read as a different document, or for an inactive item. */
export async function writeDocument(document: Document, fileName: string): Promise<string> {
  const alone = await readDocument(document.text, { fileName, isMarkdown: true });
  // Never write an empty file, because imports skip empty files.
  const isEmpty = document.text.trim() === "";
  const isSame =
    "name" in alone && !alone.beginsWithRule && alone.name === document.name && alone.text === document.text;
  const isInactive = document.active === false;
  if (!isEmpty && isSame && !isInactive) return document.text;
  const active = isInactive ? "active: false\n" : "";
  return `---\ntitle: ${JSON.stringify(document.name)}\n${active}---\n\n${document.text}`;
}
