import { type FileHandle, mkdir, open, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { hasCode } from "../../../base/error-code.js";
import { replaceByRename } from "../../../base/temporary-file.js";
import { decodeUtf8 } from "../../../base/utf8.js";
import { NotUtf8Error } from "../../../base/utf8-error.js";
import { ConfigError, type Problem } from "../errors.js";
import type { FolderFile } from "./source.js";

const passedOver = new Set(["node_modules", "locks"]);

/**
 * Reads all YAML and Markdown files, sorted by path.
 * @throws ConfigError if the directory can't be read
 */
export async function readFolderFiles(root: string): Promise<{ files: FolderFile[]; problems: Problem[] }> {
  const paths: string[] = [];
  const walk = async (inner: string): Promise<void> => {
    const entries = await readdir(join(root, inner), { withFileTypes: true }).catch((error: unknown) => {
      throw new ConfigError(
        "config_invalid",
        `${join(root, inner)} can't be read: ${describeFsError(error)}`,
      );
    });
    for (const entry of entries) {
      const path = inner === "" ? entry.name : `${inner}/${entry.name}`;
      if (entry.name.startsWith(".")) continue;
      if (entry.isDirectory()) {
        if (!(inner === "" && passedOver.has(entry.name))) await walk(path);
      } else if (/\.(?:ya?ml|md)$/.test(entry.name)) paths.push(path);
    }
  };
  await walk("");
  const problems: Problem[] = [];
  const files: FolderFile[] = [];
  for (const path of paths.sort()) {
    const bytes = await readFile(join(root, path)).catch((error: unknown) => {
      throw new ConfigError("config_invalid", `${path} can't be read: ${describeFsError(error)}`);
    });
    try {
      files.push({ path, text: decodeUtf8(bytes, path, { keepsMark: true }) });
    } catch (error) {
      if (!(error instanceof NotUtf8Error)) throw error;
      problems.push({ file: path, line: error.line, message: "invalid UTF-8" });
    }
  }
  return { files, problems };
}

/** Replaces a file by renaming a complete new file, so that readers never see an incomplete file. */
export async function replaceFile(path: string, text: string | Uint8Array): Promise<void> {
  const create = (draft: string) => open(draft, "wx");
  const write = (file: FileHandle) => file.writeFile(text);
  await replaceByRename(path, create, write).catch(async (error: unknown) => {
    if (!hasCode(error, "ENOENT")) throw error;
    await mkdir(dirname(path), { recursive: true });
    await replaceByRename(path, create, write);
  });
}
