/** Takes a caller out of the files of this machine, as far as a part of each can be taken out. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../base/database.js";
import type { Waiting } from "../../base/file-target.js";
import { BulkError } from "../../bulk/errors.js";
import { certain, type Matcher } from "../matcher.js";
import { deleteRows, findRows } from "./database.js";
import { deleteLines } from "./lines.js";
import { type FoundFile, type LocalFindings, useDatabase } from "./search.js";

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

/** Foresees what would be done to each file: nothing is erased by a name alone. */
export function previewLocalErasure({ files, notSearched }: LocalFindings): LocalErased {
  const preview: LocalErased = { erased: [], remains: notSearched.map(toRemain) };
  for (const file of files) {
    const { area, path, locations } = file;
    if (file.certainty === "hint") continue;
    if (file.certainty !== certain || area.way === "leave")
      preview.remains.push({
        ...{ area: area.name, path, what: locations.slice(0, 5).join(", ") },
        todo: area.way === "leave" ? area.todo : "may be the caller's: look at it",
      });
    else preview.erased.push({ area: area.name, path, what: describeErased(file) });
  }
  return preview;
}

const toRemain = ({ area, path, reason }: LocalFindings["notSearched"][number]): LocalRemain => ({
  ...{ area, path, what: "was not searched" },
  todo: `${reason}: give the command again when it is free, or look at it`,
});

function describeErased({ area, rows, lines }: FoundFile): string {
  if (area.way === "file") return "the file";
  const count = area.way === "rows" ? rows.filter((row) => row.certainty === certain).length : lines.length;
  const noun = area.way === "rows" ? "row" : "line";
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

interface LocalTask {
  dataFolder: string;
  matcher: Matcher;
  waiting: Waiting;
}

/** Erases what `foreseeLocal` says. What goes wrong with one file is told of it, and the others go on. */
export async function eraseLocal(findings: LocalFindings, task: LocalTask): Promise<LocalErased> {
  const preview = previewLocalErasure(findings);
  const result: LocalErased = { erased: [], remains: preview.remains };
  for (const planned of preview.erased) {
    const file = findings.files.find(({ path }) => path === planned.path);
    if (file === undefined) continue;
    try {
      const left = await eraseFile(file, task);
      result.erased.push(planned);
      if (left !== undefined) result.remains.push({ ...planned, ...left });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      result.remains.push({ ...planned, todo: `${reason.replace(/\.$/, "")}; it was left as it is` });
    }
  }
  return result;
}

/** @returns what stays of it */
async function eraseFile(
  { area, path, lines }: FoundFile,
  { dataFolder, matcher, waiting }: LocalTask,
): Promise<Pick<LocalRemain, "what" | "todo"> | undefined> {
  if (area.way === "file") {
    await rm(path);
    return undefined;
  }
  if (area.name === "maps of keys") await assertNoRun(dataFolder);
  if (area.way === "lines") {
    await deleteLines(path, new Set(lines), waiting);
    return undefined;
  }
  const left = await useDatabase(path, area, (database) => {
    if (area.name === "runs") assertFinished(database);
    // Read anew: between the search and now others may have written.
    const rows = [...findRows(database, matcher)].filter(({ certainty }) => certainty === certain);
    return deleteRows(database, rows);
  });
  if (left.length === 0) return undefined;
  return {
    what: "the command line that made it",
    todo: area.name === "runs" ? "voxctl runs discard forgets the whole run" : "delete the file",
  };
}

/** @throws BulkError for a run that is to go on: what it is to send can't be taken out of it */
function assertFinished(database: Database): void {
  const isFinished = database.prepare("SELECT 1 AS one FROM settings WHERE name = 'finished_at'").get();
  if (isFinished !== undefined) return;
  throw new BulkError("run_unfinished", "the run is unfinished: voxctl runs resume or discard ends it");
}

/** @throws BulkError while a run is under way, which would write what it has read of a map */
async function assertNoRun(dataFolder: string): Promise<void> {
  const names = await readdir(join(dataFolder, "runs")).catch((): string[] => []);
  if (names.some((name) => name.endsWith(".about.json")))
    throw new BulkError(
      "run_busy",
      "a run is under way, or was killed: give the command again when it has ended",
    );
}
