import { createHash } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { BulkError } from "../errors.js";
import { Journal, type Step } from "./journal.js";

/**
 * What makes two runs the same: the same rows for the same place. Kept in the journal, too, to tell a person what a
 * run was.
 */
export interface RunIdentity {
  /** `contacts` … */
  kind: string;
  base_url: string;
  /** An emulator's world; null of a deployment. New after a reset, so that its runs don't go on in another world. */
  world: string | null;
  group_id: string;
  /** SHA-256 of the input. */
  digest: string;
  /** Those that change what is done with a row. */
  options: unknown;
}

const Identity = z.object({
  kind: z.string(),
  base_url: z.string(),
  world: z.string().nullable(),
  group_id: z.string(),
  digest: z.string(),
  options: z.unknown(),
});

/** What a run was of, as its journal has it; undefined where that was never written. */
export function identityOf(journal: Journal): RunIdentity | undefined {
  return Identity.safeParse(journal.setting("identity")).data;
}

/** What the ids of runs of the same identity begin with. */
export function prefixOf(identity: object): string {
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 12);
}

export interface OpenRun {
  readonly id: string;
  readonly journal: Journal;
  /** It was planned by an earlier process: only what is open is left to do. */
  readonly resumed: boolean;
}

const dayMilliseconds = 24 * 60 * 60 * 1000;
const keepFinishedMilliseconds = 30 * dayMilliseconds;
const keepLeftMilliseconds = 7 * dayMilliseconds;

interface OpenOptions {
  folder: string;
  identity: RunIdentity;
  /** Milliseconds since the epoch, of the machine. */
  now: number;
  /** Start afresh, whatever there is. */
  newRun: boolean;
  /** Refuse to do it again once it is finished. */
  once: boolean;
  /** As of `Journal.open`. */
  durable: boolean;
  onStep?: ((step: Step) => void) | undefined;
}

/**
 * The unfinished run of this identity, or a new one.
 * @throws BulkError when another process drives it, or it is finished and must not be repeated
 */
export async function openRun(options: OpenOptions): Promise<OpenRun> {
  const { folder, identity, durable, onStep } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const prefix = prefixOf(identity);
  const numbers = await numbersOf(folder, prefix);
  const last = numbers.at(-1);
  let next = (last ?? 0) + 1;
  let groupMade: unknown;
  if (last !== undefined && !options.newRun) {
    const id = runId(prefix, last);
    const journal = await Journal.open(pathOf(folder, id), { create: false, durable, onStep });
    const undone = journal.setting("undone_at") !== undefined;
    const planned = journal.setting("planned_at") !== undefined;
    let finished = journal.setting("finished_at") !== undefined;
    if (!finished && planned) {
      const open = journal.count("planned") + journal.count("sent") + journal.count("unknown");
      if (open > 0 || options.once) return { id, journal, resumed: true };
      // Everything was through, and it ended while its report was written: what the group holds now may be another
      // thing, so a new run compares.
      journal.setSetting("finished_at", options.now);
      finished = true;
    }
    const half = journal.setting("group_made");
    journal.close();
    // Killed while it was planned: nothing was sent, and half a plan is none. The group that it made is there.
    if (!finished) {
      groupMade = half;
      await removeRun(folder, id, { report: true });
      next = last;
    } else if (options.once && !undone) {
      throw new BulkError(
        "run_finished",
        "this file was imported into this group before, and with --on-match create every row would be created again",
        `to do that: --new-run (the finished run is ${id})`,
      );
    }
  }
  const id = runId(prefix, next);
  const journal = await Journal.open(pathOf(folder, id), { create: true, durable, onStep });
  journal.setSetting("id", id);
  journal.setSetting("identity", identity);
  journal.setSetting("started_at", options.now);
  if (groupMade === true) journal.setSetting("group_made", true);
  return { id, journal, resumed: false };
}

export function undoIdOf(id: string): string {
  return `${id}-undo`;
}

/** The run that undoes another: its unfinished one, or a new one. */
export async function openUndo(options: {
  folder: string;
  /** The run to undo. */
  id: string;
  identity: RunIdentity;
  now: number;
  durable: boolean;
  onStep?: ((step: Step) => void) | undefined;
}): Promise<OpenRun> {
  const { folder, durable, onStep } = options;
  const id = undoIdOf(options.id);
  const path = pathOf(folder, id);
  if (await stat(path).catch(() => undefined)) {
    const journal = await Journal.open(path, { create: false, durable, onStep });
    if (journal.setting("planned_at") !== undefined) return { id, journal, resumed: true };
    journal.close();
    await removeRun(folder, id, { report: true });
  }
  const journal = await Journal.open(path, { create: true, durable, onStep });
  journal.setSetting("id", id);
  journal.setSetting("identity", { ...options.identity, kind: `${options.identity.kind}.undo` });
  journal.setSetting("started_at", options.now);
  return { id, journal, resumed: false };
}

function runId(prefix: string, number: number): string {
  return number === 1 ? prefix : `${prefix}-${number}`;
}

export function pathOf(folder: string, id: string): string {
  return join(folder, `${id}.sqlite`);
}

async function numbersOf(folder: string, prefix: string): Promise<number[]> {
  const numbers: number[] = [];
  for (const name of await readdir(folder)) {
    const match = new RegExp(`^${prefix}(?:-(\\d+))?\\.sqlite$`).exec(name);
    if (match) numbers.push(Number(match[1] ?? 1));
  }
  return numbers.sort((one, other) => one - other);
}

/** Forgets a run. What it did stays done. */
export async function removeRun(folder: string, id: string, { report }: { report: boolean }): Promise<void> {
  const path = pathOf(folder, id);
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) await rm(file, { force: true });
  if (report) await rm(reportPathOf(folder, id), { force: true });
}

/** Where a run's report lies unless told otherwise. */
export function reportPathOf(folder: string, id: string): string {
  return join(folder, `${id}.report.ndjson`);
}

/** Removes runs, and reports, that were finished 30 days ago: they hold personal data. Unfinished ones stay. */
export async function removeOldRuns(folder: string, now: number): Promise<void> {
  const names: string[] = await readdir(folder).catch(() => []);
  for (const name of names) {
    const status = await stat(join(folder, name)).catch(() => undefined);
    if (status === undefined) continue;
    if (status.isDirectory()) {
      // What a dry run, or an input that was kept while it was read, left when its process was killed.
      const left = /^(?:dry-run|voxctl)-/.test(name) && now - status.mtimeMs >= keepLeftMilliseconds;
      if (left) await rm(join(folder, name), { recursive: true, force: true });
      continue;
    }
    if (now - status.mtimeMs < keepFinishedMilliseconds) continue;
    const id = /^(.+)\.(?:sqlite|report\.ndjson)$/.exec(name)?.[1];
    if (id === undefined) continue;
    if (!names.includes(`${id}.sqlite`)) {
      await rm(join(folder, name), { force: true });
      continue;
    }
    const journal = await Journal.open(pathOf(folder, id), { create: false }).catch(() => undefined);
    const finished = journal?.setting("finished_at");
    journal?.close();
    const old = typeof finished === "number" && now - finished >= keepFinishedMilliseconds;
    if (old) await removeRun(folder, id, { report: true });
  }
}
