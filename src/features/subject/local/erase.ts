import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Database } from "../../../base/database.js";
import { messageOf } from "../../../base/error-code.js";
import type { Waiting } from "../../../base/file-target.js";
import { formatCount, trimPeriod } from "../../../base/text.js";
import { BulkError } from "../../../write/errors.js";
import { keepWrites } from "../../../write/journal/kept-writes.js";
import { certain, type Matcher } from "../matcher.js";
import { deleteRows, findRows } from "./database.js";
import { deleteLines } from "./lines.js";
import { type FoundFile, type LocalFindings, nameOfFile, useDatabase } from "./search.js";

interface LocalRemain {
  area: string;
  path: string;
  what: string;
  todo: string;
}

export interface LocalErased {
  erased: { area: string; path: string; what: string }[];
  remains: LocalRemain[];
}

/** Returns what `eraseLocal` will do with each file. A match by name alone never causes an erasure. */
export function previewLocalErasure({ files, notSearched }: LocalFindings): LocalErased {
  const preview: LocalErased = { erased: [], remains: notSearched.map(toRemain) };
  for (const file of files) {
    const { area, locations } = file;
    const path = nameOfFile(file);
    if (file.certainty === "hint") continue;
    const remain = (what: readonly string[], todo: string) =>
      preview.remains.push({ area: area.name, path, what: what.slice(0, 5).join(", "), todo });
    const check = "check whether this data belongs to the caller";
    if (area.way === "leave") remain(locations, file.stored === undefined ? area.todo : formatDiscard(file));
    else if (file.certainty !== certain) remain(locations, check);
    else {
      const what = describeErased(file);
      if (what !== undefined) preview.erased.push({ area: area.name, path, what });
      if (area.way !== "file" && file.uncertain.length > 0) remain(file.uncertain, check);
    }
  }
  return preview;
}

const toRemain = ({ area, path, reason }: LocalFindings["notSearched"][number]): LocalRemain => ({
  ...{ area, path, what: "was not searched" },
  todo: `${reason}; run the command again later, or check the file manually`,
});

/** @returns undefined if only the file's name matches: deleting rows or lines doesn't change the name */
function describeErased({ area, rows, lines }: FoundFile): string | undefined {
  if (area.way === "file") return "the file";
  const count = area.way === "rows" ? rows.filter((row) => row.certainty === certain).length : lines.length;
  return count === 0 ? undefined : formatCount(count, area.way === "rows" ? "row" : "line");
}

interface LocalTask {
  dataFolder: string;
  matcher: Matcher;
  waiting: Waiting;
  /** Replaces a run or a key map in the store with the changed copy at this path. */
  replaceStored(path: string): Promise<void>;
}

/** Erases the data that `previewLocalErasure` lists. Reports files that can't be changed, and continues. */
export async function eraseLocal(findings: LocalFindings, task: LocalTask): Promise<LocalErased> {
  const preview = previewLocalErasure(findings);
  const result: LocalErased = { erased: [], remains: preview.remains };
  for (const planned of preview.erased) {
    const file = findings.files.find((found) => nameOfFile(found) === planned.path);
    if (file === undefined) continue;
    try {
      const left = await eraseFile(file, task);
      if (file.stored !== undefined) await task.replaceStored(file.path);
      result.erased.push(planned);
      if (left !== undefined) result.remains.push({ ...planned, ...left });
    } catch (error) {
      const reason = messageOf(error);
      result.remains.push({ ...planned, todo: `${trimPeriod(reason)}; the file was not changed` });
    }
  }
  return result;
}

/** @returns the data that remains in the file, and what the user can do; undefined if no data remains */
async function eraseFile(
  { area, path, stored, lines }: FoundFile,
  { dataFolder, matcher, waiting }: LocalTask,
): Promise<Pick<LocalRemain, "what" | "todo"> | undefined> {
  if (area.way === "file") {
    await rm(path);
    return undefined;
  }
  if (area.name === "key maps") await assertNoRun(dataFolder);
  if (area.way === "lines") {
    await deleteLines(path, new Set(lines), waiting);
    return undefined;
  }
  const left = await useDatabase(path, area, async (database, journal) => {
    if (area.isRun) assertFinished(database);
    // For audits, keep the list of who changed what. A shared store keeps its own list.
    if (journal !== undefined && stored === undefined) await keepWrites(dirname(path), journal);
    // Another process may have written since the search, so read the rows again.
    const rows = [...findRows(database, matcher)].filter(({ certainty }) => certainty === certain);
    return deleteRows(database, rows);
  });
  if (left.length === 0) return undefined;
  return {
    what: "the command line that created the file",
    todo: area.isRun ? formatDiscard({ path, stored }) : "delete the file",
  };
}

function formatDiscard({ path, stored }: Pick<FoundFile, "path" | "stored">): string {
  const id = stored !== undefined && "id" in stored ? stored.id : basename(path, ".sqlite");
  return `delete the run with \`voxctl runs discard ${id}\``;
}

/** @throws BulkError for an unfinished run: a resumed run still needs its data */
function assertFinished(database: Database): void {
  const isFinished = database.prepare("SELECT 1 AS one FROM settings WHERE name = 'finished_at'").get();
  if (isFinished !== undefined) return;
  throw new BulkError("run_unfinished", "the run is unfinished: resume or discard it with `voxctl runs`");
}

/** @throws BulkError if a run is in progress, because it could write the data again */
async function assertNoRun(dataFolder: string): Promise<void> {
  const names = await readdir(join(dataFolder, "runs")).catch((): string[] => []);
  if (names.some((name) => name.endsWith(".about.json")))
    throw new BulkError(
      "run_busy",
      "a run is in progress or was killed: wait until it ends, or resume it, then run this command again",
    );
}
