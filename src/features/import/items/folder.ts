import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, extname, join, relative, sep } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { BulkError } from "../../../write/errors.js";
import type { InputRow } from "../../../write/input-row.js";
import { byteOrderMark, decodeText, detectEncoding, watchUtf8 } from "../sources/encoding.js";
import { garbledAt, garbledReason } from "../sources/garbled.js";
import type { Encoding } from "../sources/types.js";
import { readDocument } from "./document.js";

const endings = new Set([".md", ".markdown", ".txt"]);
/** Maximum file size: far above the service's limit, but small enough for memory. */
const maximumBytes = 16 * 1024 * 1024;

export interface Folder {
  rows(): AsyncIterable<InputRow>;
  /** SHA-256 of the names and contents, in hexadecimal. */
  digest: string;
  /** Number of files that are not empty. */
  files: number;
  /** Number of files that were skipped because of their extension. */
  passedOver: number;
  /** Empty files. They are skipped, because a failed copy may leave an empty file. */
  empty: readonly string[];
  /** Files with a title but no text. They are imported. */
  withoutText: readonly string[];
  /** Files that start with --- but have no title. Their whole content is the text. */
  beginningWithRule: readonly string[];
  /** Latest time at which a file or directory was modified, in milliseconds since the epoch. */
  newestAt: number;
}

/**
 * Includes subdirectories, but skips hidden files.
 * @throws BulkError if the directory can't be read or contains no text
 */
export async function readFolder(path: string, name: string): Promise<Folder> {
  const { files, skipped, folders } = await filesIn(path, name);
  if (files.length === 0) {
    throw new BulkError("empty_folder", `${name} contains no Markdown or text files (.md, .markdown, .txt)`);
  }
  const digest = createHash("sha256");
  const rows: InputRow[] = [];
  const empty: string[] = [];
  const withoutText: string[] = [];
  const beginningWithRule: string[] = [];
  for (const file of files) {
    const relativePath = relative(path, file).split(sep).join("/");
    const bytes = await readFile(file).catch((error: unknown) => describeFsError(error));
    const unreadable = typeof bytes === "string";
    digest.update(JSON.stringify([relativePath, unreadable ? null : bytes.byteLength]));
    if (!unreadable) digest.update(bytes);
    const row = unreadable
      ? problemOf(relativePath, `can't be read: ${bytes}`)
      : await rowOf(bytes, relativePath);
    if (!row) {
      empty.push(relativePath);
      continue;
    }
    const { read, line = 1 } = row;
    if (row.beginsWithRule === true) beginningWithRule.push(relativePath);
    // The service accepts an item without text (D-text).
    if ("fields" in read && String(read.fields["text"]).trim() === "") withoutText.push(relativePath);
    rows.push({ number: rows.length + 1, line, read, detail: { file: relativePath } });
  }
  if (rows.length === 0) {
    throw new BulkError(
      "empty_folder",
      `${name} contains no text: ${empty.join(", ").slice(0, 200)} ${empty.length === 1 ? "is" : "are"} empty`,
    );
  }
  const times = await Promise.all(
    [path, ...folders, ...files].map((entryPath) => stat(entryPath).then(({ mtimeMs }) => mtimeMs)),
  );
  return {
    newestAt: times.reduce((newest, time) => Math.max(newest, time), 0),
    rows: () => each(rows),
    digest: digest.digest("hex"),
    files: rows.length,
    passedOver: skipped,
    empty,
    withoutText,
    beginningWithRule,
  };
}

interface FileRow extends Pick<InputRow, "read"> {
  line?: number;
  beginsWithRule?: boolean;
}

async function filesIn(
  path: string,
  name: string,
): Promise<{ files: string[]; skipped: number; folders: string[] }> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    throw new BulkError(
      "folder_not_readable",
      `${name} can't be read: ${describeFolderError(cause)}`,
      undefined,
      {
        cause,
      },
    );
  });
  const files: string[] = [];
  const folders: string[] = [];
  let skipped = 0;
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const isHidden = relative(path, file)
      .split(sep)
      .some((part) => part.startsWith("."));
    if (isHidden) continue;
    if (entry.isDirectory()) folders.push(file);
    if (!entry.isFile() && !(entry.isSymbolicLink() && (await leadsToFile(file)))) continue;
    if (endings.has(extname(entry.name).toLowerCase())) files.push(file);
    else skipped += 1;
  }
  return { files: files.sort(), skipped, folders };
}

/**
 * Returns whether a symbolic link leads to a file.
 * @throws BulkError for a link to a directory and for a broken link to a text file: if voxctl skipped the link,
 * the linked files would look deleted
 */
async function leadsToFile(link: string): Promise<boolean> {
  const target = await stat(link).catch(() => undefined);
  if (target?.isDirectory() !== true && (target !== undefined || !endings.has(extname(link).toLowerCase())))
    return target?.isFile() === true;
  throw new BulkError(
    "folder_not_readable",
    target === undefined
      ? `${link} is a broken symbolic link`
      : `${link} is a symbolic link to a directory, which voxctl doesn't follow: move its files into this directory, or import the other directory separately`,
  );
}

function describeFolderError(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ENOENT") return "the directory does not exist";
  return code === "ENOTDIR" ? "it is a file, not a directory" : describeFsError(cause);
}

function problemOf(relativePath: string, reason: string, line = 1): FileRow {
  return { line, read: { problems: [{ field: "text", value: relativePath, reason }] } };
}

async function rowOf(bytes: Uint8Array, relativePath: string): Promise<FileRow | undefined> {
  const problem = (reason: string) => problemOf(relativePath, reason);
  if (bytes.byteLength > maximumBytes) return problem("is larger than 16 MiB");
  const noText = "is not a text file: it contains NUL bytes";
  // Only UTF-16 text contains NUL bytes.
  if (byteOrderMark(bytes)?.startsWith("utf-16") !== true && bytes.includes(0)) return problem(noText);
  const utf8 = watchUtf8();
  utf8.feed(bytes);
  let content = "";
  let encoding: Encoding;
  try {
    encoding = await detectEncoding(bytes.subarray(0, 4096), utf8.isUtf8(), each([bytes]), relativePath);
    for await (const piece of decodeText(each([bytes]), encoding)) content += piece;
  } catch (error) {
    if (!(error instanceof BulkError)) throw error;
    return problem(error.message);
  }
  if (content.trim() === "") return undefined;
  if (content.includes("\0")) return problem(noText);
  const garbled = garbledIn(content, encoding);
  if (garbled !== undefined) return problemOf(relativePath, garbled.reason, garbled.line);
  const isMarkdown = extname(relativePath).toLowerCase() !== ".txt";
  const document = await readDocument(content, {
    fileName: basename(relativePath, extname(relativePath)),
    isMarkdown,
  });
  if ("problem" in document)
    return problemOf(relativePath, `line ${document.line}: ${document.problem}`, document.line);
  const { name, text, active, beginsWithRule } = document;
  return { read: { fields: { name, text, ...(active === undefined ? {} : { active }) } }, beginsWithRule };
}

function garbledIn(content: string, encoding: Encoding): { line: number; reason: string } | undefined {
  const at = garbledAt(content, encoding);
  if (at === undefined) return undefined;
  const line = content.slice(0, at).split("\n").length;
  const before = /\S{0,30}$/.exec(content.slice(Math.max(0, at - 30), at))?.[0] ?? "";
  const word = before + (/^\S{0,30}/.exec(content.slice(at, at + 30))?.[0] ?? "");
  return { line, reason: `line ${line}: ${JSON.stringify(word)} is not a word; ${garbledReason(encoding)}` };
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T, void> {
  yield* values;
}
