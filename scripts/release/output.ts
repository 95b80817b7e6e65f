import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { readChecksums } from "./checksums.js";

/** Files and directories that a release writes in addition to those in SHA256SUMS. */
const accompanying = ["SHA256SUMS", "NOTES.md", "homebrew", "scoop", "winget"];

/**
 * Returns the names of an earlier release's files in a directory.
 * @param archives paths of archives for the new release; some can be in the directory
 * @throws Error if the directory contains any other file, because the release must not delete that file
 */
export function findFormer(directory: string, archives: readonly string[]): string[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory);
  const sums = join(directory, "SHA256SUMS");
  const former = existsSync(sums)
    ? [...readChecksums(readFileSync(sums, "utf8")).keys(), ...accompanying]
    : [];
  const own = new Set([
    ...former,
    ...archives.filter((path) => isIn(directory, path)).map((path) => basename(path)),
  ]);
  const other = names.find((name) => !own.has(name));
  if (other !== undefined)
    throw new Error(`${directory} contains ${other}, which is not from a release: choose an empty directory`);
  return names;
}

const isIn = (directory: string, path: string) => resolve(path) === join(directory, basename(path));

export function replaceFiles(directory: string, former: readonly string[], draft: string): void {
  for (const name of former) rmSync(join(directory, name), { recursive: true });
  cpSync(draft, directory, { recursive: true });
}
