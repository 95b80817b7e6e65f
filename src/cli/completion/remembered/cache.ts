import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Folders } from "../../profiles/folders.js";

export interface Remembered {
  id: string;
  name?: string;
  /** Set only if the list contains several types. */
  type?: string;
}

const most = 500;

function fileOf(folders: Folders, profile: string): string {
  return join(folders.data, "completion", `${encodeURIComponent(profile)}.json`);
}

export function readRemembered(folders: Folders, profile: string): Record<string, Remembered[]> {
  try {
    const content: unknown = JSON.parse(readFileSync(fileOf(folders, profile), "utf8"));
    if (typeof content !== "object" || content === null) return {};
    return Object.fromEntries(
      Object.entries(content).map(([list, rows]) => [
        list,
        Array.isArray(rows) ? rows.filter(isRemembered) : [],
      ]),
    );
  } catch {
    return {};
  }
}

function isRemembered(row: unknown): row is Remembered {
  return (
    typeof row === "object" &&
    row !== null &&
    "id" in row &&
    typeof row.id === "string" &&
    (!("name" in row) || typeof row.name === "string") &&
    (!("type" in row) || typeof row.type === "string")
  );
}

/**
 * Keeps a few hundred rows per list, newest first. Ignores failed writes, because completion is optional.
 * @param options.isWhole whether `rows` is the complete list, which replaces the stored rows
 */
export function remember(
  folders: Folders,
  profile: string,
  list: string,
  rows: readonly Remembered[],
  { isWhole }: { isWhole: boolean },
): void {
  if (rows.length === 0 && !isWhole) return;
  try {
    const known = readRemembered(folders, profile);
    const ids = new Set(rows.map(({ id }) => id));
    const older = isWhole ? [] : (known[list] ?? []).filter(({ id }) => !ids.has(id));
    const merged = [...rows, ...older].slice(0, most);
    if (JSON.stringify(merged) === JSON.stringify(known[list])) return;
    const file = fileOf(folders, profile);
    mkdirSync(join(folders.data, "completion"), { recursive: true, mode: 0o700 });
    // Lists contain customers' names: make the file private.
    writeFileSync(`${file}.${process.pid}`, JSON.stringify({ ...known, [list]: merged }), { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // If the write fails, the next `list` command tries again.
  }
}

/** Deletes the stored lists of a profile that was deleted, because they contain customers' names. */
export function forgetRemembered(folders: Folders, profile: string): void {
  try {
    rmSync(fileOf(folders, profile), { force: true });
  } catch {
    // Ignore the error. If voxctl can't delete in this directory, it could not write the cache either.
  }
}
