import { splitMarkdown } from "../../base/front-matter.js";

/** A knowledge item as a file holds it. */
export interface Document {
  name: string;
  text: string;
}

/** What a file's content was read as. */
export interface ReadDocument extends Document {
  /** It begins as a front matter does, but that part holds no title: it is part of the text. */
  beginsWithRule: boolean;
}

/** Why a file's content can't be read, and where. */
export interface DocumentProblem {
  /** In the file, from 1. */
  line: number;
  problem: string;
}

const opening = /^---[ \t]*(?:\n|$)/;
const fieldLine = /^(?:"[^"]*"|'[^']*'|[\p{L}_][\p{L}\p{N}_-]*)[ \t]*:(?:\s|$)/u;
const titleLine = /^["']?title["']?[ \t]*:/im;
const asText = "or, where --- is a rule of the text, put an empty line before it";

/**
 * Name and text of a file's content. The name is the `title` of a front matter, else a Markdown file's heading at its
 * very start, else the file's own. The front matter is no part of the text, the heading is.
 *
 * A text may begin with a rule, too: where nothing between two such lines is a title, it is text. Where fields were
 * meant and can't be read the file is refused, since its text would be imported with them, under another name.
 */
export async function readDocument(
  content: string,
  file: { fileName: string; isMarkdown: boolean },
): Promise<ReadDocument | DocumentProblem> {
  const beginsWithRule = opening.test(content);
  if (beginsWithRule) {
    const parts = splitMarkdown(content);
    const title =
      parts === undefined ? problemOfOpen(content) : await titleOf(parts.matter.replace(/\n$/, ""));
    if (typeof title === "object") return title;
    if (title !== undefined && parts !== undefined)
      return { name: title, text: parts.body.replace(/^\n/, ""), beginsWithRule: false };
  }
  const heading = file.isMarkdown ? /^\s*#[ \t]+(.+?)[ \t]*#*[ \t]*(?:\n|$)/.exec(content)?.[1] : undefined;
  return { name: (heading ?? file.fileName).normalize("NFC").trim(), text: content, beginsWithRule };
}

/** A line --- without a second one: a rule, unless a field follows. */
function problemOfOpen(content: string): DocumentProblem | undefined {
  const [, first = ""] = content.split("\n", 2);
  if (!fieldLine.test(first) && !titleLine.test(first)) return undefined;
  return {
    line: 1,
    problem: `the front matter is not closed: put a line --- behind its last field, ${asText}`,
  };
}

/** @returns the title, nothing where no fields are meant, or why they can't be read */
async function titleOf(matter: string): Promise<string | DocumentProblem | undefined> {
  const { readTexts } = await import("./yaml.js");
  const read = readTexts(matter);
  const value = "value" in read ? read.value : undefined;
  const title: unknown =
    typeof value === "object" && value !== null && "title" in value ? value.title : undefined;
  if (typeof title === "string" && title.trim() !== "") return title.trim();
  // Behind the line that opens it.
  const titleAt = titleLine.exec(matter);
  const line = 1 + matter.slice(0, titleAt?.index ?? 0).split("\n").length;
  if ("error" in read) {
    const [first = ""] = matter.split("\n").filter((text) => text.trim() !== "" && !text.startsWith("#"));
    if (titleAt === null && !fieldLine.test(first)) return undefined;
    return {
      line: 1 + read.line,
      problem: `the front matter is no valid YAML: ${read.error}; mend that line, ${asText}`,
    };
  }
  if (titleAt === null) return undefined;
  return {
    line,
    problem: `the front matter has no title that can be read: write it as one text, title: "…", ${asText}`,
  };
}

/**
 * The content of a file that `readDocument` reads as this document again: the text alone where that will do, else
 * with its name in a front matter.
 */
export async function writeDocument(document: Document, fileName: string): Promise<string> {
  const alone = await readDocument(document.text, { fileName, isMarkdown: true });
  // An empty file is none: a copying that went wrong leaves such.
  const isEmpty = document.text.trim() === "";
  const isSame =
    "name" in alone && !alone.beginsWithRule && alone.name === document.name && alone.text === document.text;
  if (!isEmpty && isSame) return document.text;
  return `---\ntitle: ${JSON.stringify(document.name)}\n---\n\n${document.text}`;
}
