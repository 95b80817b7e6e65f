import { rm } from "node:fs/promises";
import { makePrivateFolder } from "../../base/private-file.js";
import { BulkError } from "../errors.js";
import { pathOf, resultsPathOf } from "./folder.js";
import { prefixOf, type RunIdentity } from "./identity.js";
import { Journal, type Step } from "./journal.js";
import { listRunIds, readRun } from "./read.js";

export interface OpenRun {
  readonly id: string;
  readonly journal: Journal;
  /** Whether an earlier process planned the run. Only unfinished items then remain. */
  readonly resumed: boolean;
}

interface OpenOptions {
  folder: string;
  identity: RunIdentity;
  /** Current time by this machine's clock, in milliseconds since the epoch. */
  now: number;
  newRun: boolean;
  /** Whether to refuse to repeat a finished run. */
  once: boolean;
  /** Whether to resume a run even if all its items are finished, because its last step may be missing. */
  concludes?: boolean;
  /** See `Journal.open`. */
  durable: boolean;
  shared?: boolean;
  onStep?: ((step: Step) => void) | undefined;
}

/** Maximum number of attempts. An attempt fails if another process removes the run's file in the meantime. */
const mostAttempts = 20;

async function retryOpen(open: () => Promise<OpenRun>): Promise<OpenRun> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open();
    } catch (error) {
      const isGone = error instanceof BulkError && error.code === "run_not_found";
      if (!isGone || attempt === mostAttempts) throw error;
    }
  }
}

/**
 * Opens the unfinished run with this identity, or a new run.
 * @throws BulkError if another process uses the run, or if the run is finished and must not be repeated
 */
export async function openRun(options: OpenOptions): Promise<OpenRun> {
  await makePrivateFolder(options.folder);
  return retryOpen(() => findOrMakeRun(options));
}

async function findOrMakeRun(options: OpenOptions): Promise<OpenRun> {
  const { folder, identity, durable, shared, onStep } = options;
  const prefix = prefixOf(identity);
  const numbers = await numbersOf(folder, prefix);
  const last = numbers.at(-1);
  if (last !== undefined && !options.newRun) {
    const id = runId(prefix, last);
    const journal = await Journal.open(pathOf(folder, id), { create: false, durable, shared, onStep });
    const undone = journal.setting("undone_at") !== undefined;
    const planned = journal.setting("planned_at") !== undefined;
    let finished = journal.setting("finished_at") !== undefined;
    if (!finished && planned) {
      const open = journal.count("planned") + journal.count("sent") + journal.count("unknown");
      if (open > 0 || options.once || options.concludes === true) return { id, journal, resumed: true };
      // All items are finished, but the process ended while writing results. The group may have changed, so a
      // new run must compare again.
      journal.setSetting("finished_at", options.now);
      finished = true;
    }
    if (!finished) return restartRun(folder, { id, journal }, identity, options.now);
    journal.close();
    if (options.once && !undone) {
      throw new BulkError(
        "run_finished",
        "this file was already imported into this group, and --on-match create would import every row again",
        `if this is intended, use --new-run (finished run: ${id})`,
      );
    }
  }
  const id = runId(prefix, (last ?? 0) + 1);
  const journal = await Journal.open(pathOf(folder, id), { create: true, durable, shared, onStep });
  return startRun({ id, journal }, identity, options.now);
}

function startRun(run: Omit<OpenRun, "resumed">, identity: RunIdentity, now: number): OpenRun {
  const { id, journal } = run;
  try {
    journal.setSetting("id", id);
    journal.setSetting("identity", identity);
    journal.setSetting("started_at", now);
  } catch (error) {
    // Close the journal, so that the next attempt doesn't find it locked.
    journal.close();
    throw error;
  }
  return { ...run, resumed: false };
}

/** Restarts a run whose process was killed during planning. That process sent no requests. */
async function restartRun(
  folder: string,
  run: Omit<OpenRun, "resumed">,
  identity: RunIdentity,
  now: number,
): Promise<OpenRun> {
  await rm(resultsPathOf(folder, run.id), { force: true });
  run.journal.clear();
  return startRun(run, identity, now);
}

/**
 * Finds the unfinished run with this identity. Returns undefined if the last run is finished or has no
 * complete plan.
 * @param read reads from the run's journal
 * @throws BulkError `run_busy` if another process uses the run
 */
export async function findUnfinishedRun<T>(
  folder: string,
  identity: RunIdentity,
  read: (journal: Journal) => T,
): Promise<{ id: string; read: T } | undefined> {
  return readLastRun(folder, identity, (journal, id) => {
    const isUnfinished =
      journal.setting("planned_at") !== undefined && journal.setting("finished_at") === undefined;
    return isUnfinished ? { id, read: read(journal) } : undefined;
  });
}

/**
 * Returns undefined if no run has this identity.
 * @throws BulkError `run_busy` if another process uses the run
 */
export async function readLastRun<T>(
  folder: string,
  identity: RunIdentity,
  read: (journal: Journal, id: string) => T,
): Promise<T | undefined> {
  const prefix = prefixOf(identity);
  const last = (await numbersOf(folder, prefix)).at(-1);
  if (last === undefined) return undefined;
  const id = runId(prefix, last);
  return readRun(folder, id, (journal) => read(journal, id));
}

export async function nextRunId(folder: string, identity: RunIdentity): Promise<string> {
  const prefix = prefixOf(identity);
  return runId(prefix, ((await numbersOf(folder, prefix)).at(-1) ?? 0) + 1);
}

/** Returns the IDs of a run's undos, oldest first. */
export async function undosOf(folder: string, id: string): Promise<string[]> {
  const prefix = `${id}-undo`;
  return (await numbersOf(folder, prefix)).map((number) => runId(prefix, number));
}

export async function openUndo(options: {
  folder: string;
  id: string;
  identity: RunIdentity;
  now: number;
  durable: boolean;
  shared?: boolean;
  onStep?: ((step: Step) => void) | undefined;
}): Promise<OpenRun> {
  return retryOpen(async () => {
    const { folder, durable, shared, onStep, now } = options;
    const identity = { ...options.identity, kind: `${options.identity.kind}.undo` };
    const undos = await undosOf(folder, options.id);
    const last = undos.at(-1);
    if (last !== undefined) {
      const journal = await Journal.open(pathOf(folder, last), { create: false, durable, shared, onStep });
      const isPlanned = journal.setting("planned_at") !== undefined;
      const isFinished = journal.setting("finished_at") !== undefined;
      if (isPlanned && !isFinished) return { id: last, journal, resumed: true };
      if (!isPlanned) return restartRun(folder, { id: last, journal }, identity, now);
      journal.close();
    }
    const id = runId(`${options.id}-undo`, undos.length + 1);
    const journal = await Journal.open(pathOf(folder, id), { create: true, durable, shared, onStep });
    return startRun({ id, journal }, identity, now);
  });
}

export function runId(prefix: string, number: number): string {
  return number === 1 ? prefix : `${prefix}-${number}`;
}

async function numbersOf(folder: string, prefix: string): Promise<number[]> {
  const numbers: number[] = [];
  for (const id of await listRunIds(folder)) {
    const match = new RegExp(`^${prefix}(?:-(\\d+))?$`).exec(id);
    if (match) numbers.push(Number(match[1] ?? 1));
  }
  return numbers.sort((left, right) => left - right);
}
