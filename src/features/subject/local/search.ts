import { open, readdir, realpath, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { type Database, openDatabase } from "../../../base/database.js";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { hasCode } from "../../../base/error-code.js";
import { sqliteMagic } from "../../../base/sqlite-header.js";
import { formatCount } from "../../../base/text.js";
import { BulkError } from "../../../write/errors.js";
import { Journal } from "../../../write/journal/journal.js";
import { byteOrderMark, unmarkedUtf16 } from "../../import/sources/encoding.js";
import { type Certainty, findSurest, type Matcher } from "../matcher.js";
import { type Area, findDataArea, findOwnArea, storedAreas } from "./areas.js";
import { type FoundRow, findRows } from "./database.js";
import { findLines } from "./lines.js";

type StoredContent = { type: "run" | "fleet"; id: string } | { type: "key map"; group: string };

export interface FoundFile {
  area: Area;
  path: string;
  stored?: StoredContent | undefined;
  /** Where the data is: `items (2 rows)`, `line 3`, or `its name` if the file's name contains the data. */
  locations: string[];
  certainty: Certainty;
  rows: FoundRow[];
  /** Numbers of the lines with a certain match. */
  lines: number[];
  /** Locations that remain if only the certain rows or lines are deleted, such as `its name`. */
  uncertain: string[];
}

export interface LocalFindings {
  files: FoundFile[];
  searched: { area: string; files: number }[];
  notSearched: { area: string; path: string; reason: string }[];
}

interface LocalTask {
  folders: { data: string; config: string };
  /** Name of the profile that this command uses. */
  profile: string;
  own: readonly string[];
  /** Content of the store, by the path of its copy. */
  storeCopies: ReadonlyMap<string, StoredContent>;
  matcher: Matcher;
  signal: AbortSignal;
}

/** A temporary copy has the name of its run or key map in the store. */
export function nameOfFile({ path, stored }: Pick<FoundFile, "path" | "stored">): string {
  if (stored === undefined) return path;
  return "id" in stored ? `run ${stored.id}` : `key map of group ${stored.group}`;
}

/** @throws the system's error if one of the user's paths doesn't exist; the signal's reason */
export async function searchLocal({
  folders,
  profile,
  own,
  storeCopies,
  matcher,
  signal,
}: LocalTask): Promise<LocalFindings> {
  const findings: LocalFindings = { files: [], searched: [], notSearched: [] };
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  const look = async (path: string, areaOf: (head: Buffer) => Area | undefined) => {
    signal.throwIfAborted();
    // Search each file only once: a directory of the user may contain voxctl's directory.
    const realPath = await realpath(path).catch(() => path);
    if (seen.has(realPath)) return;
    seen.add(realPath);
    const head = await readHead(path).catch((error: unknown) => ({ error }));
    const area = areaOf("error" in head ? Buffer.alloc(0) : head);
    if (area === undefined) return;
    try {
      if ("error" in head) throw head.error;
      const foundFile = await searchFile(path, area, head, matcher);
      if (foundFile !== undefined) findings.files.push({ ...foundFile, stored: storeCopies.get(path) });
      counts.set(area.name, (counts.get(area.name) ?? 0) + 1);
    } catch (error) {
      // Another process may delete a file, such as a temporary file, while voxctl lists the directory.
      if (hasCode(error, "ENOENT")) return;
      const name = nameOfFile({ path, stored: storeCopies.get(path) });
      findings.notSearched.push({ area: area.name, path: name, reason: describeReason(error) });
    }
  };
  for (const [path, { type }] of storeCopies) await look(path, () => storedAreas[type]);
  for await (const path of listFiles(folders.data))
    await look(path, () => findDataArea(relative(folders.data, path), profile));
  for await (const path of listFiles(folders.config)) await look(path, () => configArea);
  for (const ownPath of own) {
    await stat(ownPath);
    for await (const path of listFiles(ownPath))
      await look(path, (head) => findOwnArea(head.toString("utf8")));
  }
  findings.searched = [...counts].map(([area, files]) => ({ area, files }));
  return findings;
}

const configArea: Area = {
  name: "profiles and aliases",
  way: "leave",
  todo: "find and edit entries that contain the caller's data: `voxctl alias list`, `voxctl profiles list`",
};

const headLength = 4096;

async function searchFile(
  path: string,
  area: Area,
  head: Buffer,
  matcher: Matcher,
): Promise<FoundFile | undefined> {
  const file: FoundFile = {
    area,
    path,
    locations: [],
    certainty: "hint",
    rows: [],
    lines: [],
    uncertain: [],
  };
  const certainties: Certainty[] = [];
  const inName = matcher.find(basename(path));
  if (inName.length > 0) {
    file.locations.push("its name");
    certainties.push(...inName.map(({ certainty }) => certainty));
    if (findSurest(certainties) !== "hint") file.uncertain.push("its name");
  }
  const encoding = byteOrderMark(head) ?? unmarkedUtf16(head);
  const utf16 = encoding === "utf-8" ? undefined : encoding;
  if (head.toString("latin1").startsWith(sqliteMagic)) {
    file.rows = await useDatabase(path, area, (database) => [...findRows(database, matcher)]);
    for (const table of new Set(file.rows.map((row) => row.table))) {
      const count = file.rows.filter((row) => row.table === table).length;
      file.locations.push(`${table} (${formatCount(count, "row")})`);
      const possible = file.rows.filter((row) => row.table === table && row.certainty === "possible").length;
      if (possible > 0) file.uncertain.push(`${table} (${formatCount(possible, "row")})`);
    }
    certainties.push(...file.rows.map(({ certainty }) => certainty));
  } else if (utf16 !== undefined || !head.includes(0) || path.endsWith(".gz")) {
    for await (const { line, certainty } of findLines(path, matcher, utf16)) {
      file.locations.push(`line ${line}`);
      if (certainty === "certain") file.lines.push(line);
      if (certainty === "possible") file.uncertain.push(`line ${line}`);
      certainties.push(certainty);
    }
  } else if (certainties.length === 0)
    throw new BulkError("not_text", "not a text file: only its name was checked");
  if (certainties.length === 0) return undefined;
  return { ...file, certainty: findSurest(certainties) };
}

/**
 * Opens a voxctl database with the lock that voxctl's other commands use, so that a database in use is not
 * changed.
 */
export async function useDatabase<T>(
  path: string,
  { isRun }: Area,
  work: (database: Database, journal?: Journal) => T | Promise<T>,
): Promise<T> {
  if (isRun) {
    const journal = await Journal.open(path, { create: false });
    try {
      return await work(journal.database, journal);
    } finally {
      journal.close();
    }
  }
  const database = await openDatabase(path, { busyMilliseconds: 100 });
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

/** Also yields a path that can't be listed, so that the search reports it. */
async function* listFiles(path: string): AsyncGenerator<string, void> {
  const status = await stat(path).catch(() => undefined);
  if (status === undefined || status.isFile()) yield path;
  if (!status?.isDirectory()) return;
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) yield path;
  for (const entry of (entries ?? []).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    // Skip symbolic links: their targets may not belong to voxctl.
    if (entry.isDirectory()) yield* listFiles(join(path, entry.name));
    else if (entry.isFile()) yield join(path, entry.name);
  }
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const head = Buffer.alloc(headLength);
    const { bytesRead } = await file.read(head, 0, headLength, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function describeReason(error: unknown): string {
  if (error instanceof BulkError) return error.message;
  if (error instanceof Error && /locked|busy/i.test(error.message)) return "in use by another command";
  if (error instanceof Error && "code" in error) return describeFsError(error);
  return "can't be read";
}
