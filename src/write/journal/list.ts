import * as z from "zod";
import { BulkError } from "../errors.js";
import { normalizedText } from "../fields.js";
import { findResultsPath } from "./folder.js";
import { isSameService, type RunIdentity } from "./identity.js";
import type { Journal } from "./journal.js";
import { originOf, type RunOrigin, readOrigin } from "./origin.js";
import { eachJournal, listRunIds } from "./read.js";

export interface RunInfo extends RunOrigin {
  id: string;
  /** `running`: another process uses the run, so its progress can't be read. */
  state: "running" | "unfinished" | "finished" | "undone";
  /** Number of successful items. `rejected` counts refused and invalid items; `open` counts pending items. */
  done: number | null;
  rejected: number | null;
  /**
   * Number of steps that were not sent because their resource had changed or a required step was not done.
   * Missing if the number is 0.
   */
  skipped?: number | undefined;
  /** Number of resources that an undo kept. Missing if the number is 0. */
  kept?: number | undefined;
  failed?: number | undefined;
  open: number | null;
  finished_at: string | null;
  /** Path of the run's results file; null if the file doesn't exist. */
  report: string | null;
}

/**
 * Returns the directory's runs, newest first.
 * @param except IDs of runs to omit
 */
export async function listRuns(folder: string, except: readonly string[] = []): Promise<RunInfo[]> {
  const runs = await readRuns(
    folder,
    (await listRunIds(folder)).filter((id) => !except.includes(id)),
  );
  const time = ({ started_at }: RunInfo) => started_at ?? "9";
  return runs.sort((left, right) => (time(left) < time(right) ? 1 : time(left) > time(right) ? -1 : 0));
}

/**
 * Opens only this run's journal, so that the journals of other runs stay unlocked for other commands.
 * @returns undefined if the run doesn't exist
 */
export async function findRun(folder: string, id: string): Promise<RunInfo | undefined> {
  if (!(await listRunIds(folder)).includes(id)) return undefined;
  const [run] = await readRuns(folder, [id]);
  // If the origin is unknown, another command may have locked the journal only to list runs.
  if (run?.state !== "running" || run.kind !== null) return run;
  return (await readRuns(folder, [id], { waits: true }))[0];
}

async function readRuns(
  folder: string,
  ids: readonly string[],
  options: { waits?: boolean } = {},
): Promise<RunInfo[]> {
  const runs: RunInfo[] = [];
  const addRunning = async (id: string, error: unknown) => {
    if (!(error instanceof BulkError) || error.code !== "run_busy") throw error;
    runs.push({ ...unknownRun, ...(await readOrigin(folder, id)), id, state: "running" });
  };
  for await (const { id, journal } of eachJournal(folder, ids, addRunning, options))
    runs.push(runInfo(folder, id, journal));
  return runs;
}

/**
 * Returns runs with this type and group, newest first.
 * @param ownId ID of the current run, whose file this process has locked
 */
export async function runsInto(folder: string, identity: RunIdentity, ownId: string): Promise<RunInfo[]> {
  const runs = await runsAndUndosInto(folder, identity, ownId);
  return runs.filter(({ kind }) => kind === identity.kind);
}

/** Returns the runs with this type and group, and their undos. */
export async function runsAndUndosInto(
  folder: string,
  identity: RunIdentity,
  ownId: string,
): Promise<RunInfo[]> {
  const { kind, group_id } = identity;
  const runs = await listRuns(folder, [ownId]);
  return runs.filter(
    (run) =>
      (run.kind === kind || run.kind === `${kind}.undo`) &&
      (run.group_id ?? "") === group_id &&
      isSameService(run, identity),
  );
}

/**
 * Returns the IDs of the groups with this name that runs wrote to, newest run first. Ignores case and white
 * space in the name.
 */
export async function groupsWrittenTo(folder: string, baseUrl: string, name: string): Promise<string[]> {
  const form = normalizedText(name);
  const runs = (await listRuns(folder)).filter(
    (run) => run.base_url === baseUrl && run.group !== null && normalizedText(run.group) === form,
  );
  return [...new Set(runs.flatMap(({ group_id }) => group_id ?? []))];
}

function runInfo(folder: string, id: string, journal: Journal): RunInfo {
  const time = (name: string) => {
    const value = journal.setting(name);
    return typeof value === "number" ? new Date(value).toISOString() : null;
  };
  const finished = time("finished_at");
  const { started_at, ...origin } = originOf(journal);
  return {
    id,
    state: time("undone_at") ? "undone" : finished ? "finished" : "unfinished",
    ...origin,
    ...countProgress(journal),
    started_at,
    finished_at: finished,
    report: finished ? findResultsPath(journal, folder, id) : null,
  };
}

export const Progress = z.object({
  ...{ done: z.number(), rejected: z.number(), open: z.number() },
  ...{ skipped: z.number().optional(), kept: z.number().optional(), failed: z.number().optional() },
});
export type Progress = z.output<typeof Progress>;

/** Outcomes of rows that are not sent, because they are invalid. */
const invalidOutcomes = new Set(["invalid", "ambiguous"]);

/** Outcomes of steps whose resource has changed, and of the steps that depend on them. */
const skippedOutcomes = new Set(["skipped", "drifted", "blocked"]);

/** Outcomes of resources that an undo keeps. */
const keptOutcomes = new Set(["changed", "kept", "matched", "not_undoable"]);

/** For a fleet run, returns the stored counts of its members. */
export function countProgress(journal: Journal): Progress {
  const stored = Progress.safeParse(journal.setting("progress"));
  if (stored.success) return stored.data;
  const progress = { done: 0, rejected: 0, open: 0 };
  let [skipped, kept] = [0, 0];
  for (const { state, outcome, count } of journal.counts()) {
    const isEnded = state === "rejected" || state === "skipped";
    if (state === "done") progress.done += count;
    else if (!isEnded) progress.open += count;
    else if (keptOutcomes.has(outcome)) kept += count;
    else if (skippedOutcomes.has(outcome)) skipped += count;
    else if (state === "rejected" ? outcome !== "gone" : invalidOutcomes.has(outcome))
      progress.rejected += count;
  }
  return { ...progress, ...(skipped === 0 ? {} : { skipped }), ...(kept === 0 ? {} : { kept }) };
}

const unknownRun: Omit<RunInfo, "id" | "state"> = {
  kind: null,
  command: null,
  started_with: null,
  file: null,
  group: null,
  group_id: null,
  profile: null,
  member: null,
  base_url: null,
  world: null,
  done: null,
  rejected: null,
  open: null,
  started_at: null,
  finished_at: null,
  report: null,
};
