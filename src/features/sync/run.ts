import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Random } from "../../base/random.js";
import type { RunContext } from "../../write/engine/context.js";
import { countOutcomes, countRows, type WriteSummary } from "../../write/engine/summary.js";
import { BulkError } from "../../write/errors.js";
import { discardUnsent, withTemporaryJournal } from "../../write/journal/folder.js";
import type { RunIdentity } from "../../write/journal/identity.js";
import { findUnfinishedRun } from "../../write/journal/runs.js";
import type { FileRow, GroupKeys, PlanStep } from "../../write/plan/format.js";
import { draftPlan, resumeApply, runSteps, sealPlan } from "../../write/plan/index.js";
import type { Learn, Learning } from "../../write/plan/task.js";
import { positionsOf } from "../import/contacts/headers.js";
import { errorOf } from "../import/imports/import.js";
import { type KeyMap, keyMapPath, openKeyMap } from "./key-map.js";
import type { KeyMapStore } from "./key-map-store.js";
import { assertKeyMapOf, createLearner } from "./learn.js";
import { type LaterKeys, planSync, type SyncPlan } from "./plan.js";
import { finalSummary, type PlannedSync, summaryOf, writeResults } from "./results.js";
import { fileRowsOf, keysOfPlan, stepsOf } from "./steps.js";
import type { SyncTask } from "./task.js";

/** The options of a synchronization. */
export interface SyncOptions {
  store: KeyMapStore;
  /** The key map file of the user: path as typed, its base directory, and the full path. */
  stateFile: { given: string; directory: string; path: string } | undefined;
  /** `sync/` of the data directory. */
  folder: string;
  profile: string;
  /** Command as typed, for the plan. */
  command: string[];
  madeBy: string;
  random: Random;
  resultsPath: string;
  dryRun: boolean;
  /** The group was created for this run, so its undo deletes it. */
  groupIsMade?: boolean;
  /** For a group that doesn't exist yet: creates it once the plan is accepted. */
  createGroup?: (() => Promise<CreatedGroup>) | undefined;
  /** Path of the plan file to write instead of sending the plan. */
  planPath: string | undefined;
  force: boolean;
  /** Encrypts the plan file at `planPath`. */
  passphrase?: string | undefined;
  writeRejects: ((errorOf: (number: number) => string | undefined) => Promise<void>) | undefined;
  /** Called with the decisions, also in a dry run. */
  planned(planned: PlannedSync): void;
  /** Asks for confirmation. */
  confirm(planned: PlannedSync): Promise<void>;
  /** An unfinished run of this group is resumed first. */
  goingOn(planId: string): void;
  /** The note about the keys. */
  remark(text: string): void;
}

/** A group that was created for a run, with its key map. */
interface CreatedGroup {
  groupId: string;
  groupName: string;
  groupIsMade: boolean;
  store: KeyMapStore;
}

/**
 * Updates a group to match a file: decides, checks, and applies the decision as a run. Resumes an unfinished
 * earlier run first.
 * @throws BulkError before anything was sent; see `runSteps`
 */
export async function runSync(
  context: RunContext,
  task: SyncTask,
  options: SyncOptions,
): Promise<WriteSummary> {
  const { store, folder, dryRun, planPath } = options;
  const isSending = !dryRun && planPath === undefined;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await mkdir(context.folder, { recursive: true, mode: 0o700 });
  const hasGroup = task.groupId !== "";
  if (isSending && hasGroup) await context.locks.hold({ id: task.groupId });
  try {
    const kept = hasGroup ? await store.load() : await openKeyMap(":memory:");
    const learn = learnerOf(context, task, options, kept);
    const former = isSending && hasGroup ? await resumeUnfinished(context, task, options, learn) : undefined;
    const summary = await syncOnce(context, task, options, {
      ...(await knownKeys(kept, task, options)),
      learn,
    });
    return former === undefined ? summary : addFormerCounts(summary, former);
  } finally {
    store.release();
  }
}

/**
 * Returns the resources that the run knows by keys. Keys of another column are ignored, unless the file lacks
 * that column: then the column was renamed (K5 checks whether the keys still match). Without `--key` they are
 * kept for later.
 */
async function knownKeys(
  kept: KeyMap,
  { keyColumn, subject, file }: SyncTask,
  { remark }: SyncOptions,
): Promise<{ keyMap: KeyMap; laterKeys?: LaterKeys }> {
  const former = kept.header()?.key ?? null;
  if (former === (keyColumn ?? null) || former === null) return { keyMap: kept };
  if (keyColumn !== undefined && positionsOf(subject.names, former).length === 0) {
    remark(`Using column “${keyColumn}” for the known keys, because ${file} has no column “${former}”`);
    return { keyMap: kept };
  }
  const keyMap = await openKeyMap(":memory:");
  keyMap.replaceWith(kept);
  keyMap.dropKeys();
  if (keyColumn !== undefined) {
    remark(`Replacing the known keys of column “${former}” with keys of “${keyColumn}”`);
    return { keyMap };
  }
  remark(`Without --key, column “${former}” is not used to match rows; its keys are kept`);
  return { keyMap, laterKeys: { column: former, keyOf: (id) => kept.byId(id)?.key ?? undefined } };
}

/** @throws BulkError `state_of_other_group` */
function learnerOf(
  { baseUrl, machineClock }: RunContext,
  { groupId, groupName }: SyncTask,
  { store, folder }: SyncOptions,
  table: KeyMap,
): Learn {
  assertKeyMapOf(table, baseUrl, groupId, groupName);
  return createLearner({ baseUrl, folder, now: () => machineClock.now() }, { store, table });
}

async function syncOnce(
  context: RunContext,
  task: SyncTask,
  options: SyncOptions,
  { keyMap, laterKeys, learn }: { keyMap: KeyMap; laterKeys?: LaterKeys; learn: Learn },
): Promise<WriteSummary> {
  const { dryRun, planPath, resultsPath } = options;
  return withTemporaryJournal(context.folder, "voxctl-", async (journal) => {
    const plan = await planSync(context, task, journal, keyMap, laterKeys);
    const planned = await writeResults(context, plan, resultsPath);
    await options.writeRejects?.((number) => errorOf(journal, number));
    plan.assertAllowed(resultsPath);
    const renamed = renamedText(plan);
    if (renamed !== undefined) options.remark(renamed);
    options.planned(planned);
    const summary = summaryOf(plan, task, planned, resultsPath);
    const { created = 0, updated = 0, deleted = 0 } = summary.outcomes;
    const writes = created + updated + deleted;
    if (dryRun) return { ...summary, requests: writes };
    if (planPath !== undefined) {
      const plan_id = await seal(context, task, options, plan, planPath);
      return { ...summary, plan_id, requests: 0 };
    }
    if (writes > 0) await options.confirm(planned);
    const change = async (into: SyncTask, changing: SyncOptions, learner: Learn): Promise<WriteSummary> => {
      const ofGroup = { ...summary, group_id: into.groupId };
      if (writes > 0) {
        const applied = await applyChanges(context, into, changing, { plan, planned }, learner);
        return finalSummary(ofGroup, applied, resultsPath);
      }
      await learner.applied(learningOf(into, changing, plan));
      return ofGroup;
    };
    const newGroup = await options.createGroup?.();
    if (newGroup === undefined) return change(task, options, learn);
    const { store, groupIsMade, ...group } = newGroup;
    try {
      const into = { ...task, ...group };
      const changing = { ...options, store, groupIsMade };
      return await change(into, changing, learnerOf(context, into, changing, await store.load()));
    } finally {
      store.release();
    }
  });
}

/** Returns the text about contacts that continue under other keys. */
function renamedText(plan: SyncPlan): string | undefined {
  let count = 0;
  let example = "";
  for (const { former, key } of plan.renamedKeys()) {
    count += 1;
    if (count === 1) example = `“${former}” is now “${key}”`;
  }
  if (count === 0) return undefined;
  return count === 1
    ? `1 contact has a new key: ${example}`
    : `${count} contacts have new keys, such as ${example}`;
}

async function seal(
  context: RunContext,
  task: SyncTask,
  options: SyncOptions,
  plan: SyncPlan,
  path: string,
): Promise<string> {
  const { force, passphrase, random, command, madeBy } = options;
  const keys = keysOf(task, options, plan);
  const sealing = { path, force, passphrase, random, command, madeBy, keys };
  return (await sealPlan(context, sealing, linesOf(plan, task))).id;
}

function* linesOf(plan: SyncPlan, { groupId }: SyncTask): Generator<PlanStep | FileRow, void> {
  const numbers = new Map<number, number>();
  yield* stepsOf(plan, groupId, (row, step) => void numbers.set(row, step));
  yield* fileRowsOf(plan, (row) => numbers.get(row));
}

function keysOf(task: SyncTask, { stateFile }: SyncOptions, plan: SyncPlan): GroupKeys {
  const { invalid = 0 } = countOutcomes(plan.journal);
  const file = { rows: countRows(plan.journal), invalid, line_end: task.subject.endsWithLineEnd };
  return keysOfPlan(plan, { ...task, file }, stateFile);
}

/** Result to record if nothing was sent. */
function learningOf(task: SyncTask, options: SyncOptions, plan: SyncPlan): Learning {
  return {
    planId: "",
    keys: keysOf(task, options, plan),
    stateFile: options.stateFile?.path,
    rows: () => fileRowsOf(plan, () => undefined),
    results: () => [],
  };
}

/** Completes an unfinished run of this group, so that none of its requests is sent twice. */
async function resumeUnfinished(
  context: RunContext,
  task: SyncTask,
  options: SyncOptions,
  learn: Learn,
): Promise<WriteSummary | undefined> {
  const { folder } = context;
  const run = await findUnfinishedRun(folder, identityOf(context, task), (journal) => ({
    intent: journal.setting("intent"),
    planId: String(journal.setting("plan_id")),
  }));
  if (run === undefined) return undefined;
  const { id, read } = run;
  if (read.intent === intentOf(task)) {
    options.goingOn(read.planId);
    return resumeApply(context, id, { learn });
  }
  // An unsent run counts as ended: the next file doesn't have to wait for it.
  if (await discardUnsent(folder, id)) {
    options.remark(`Discarded run ${id}, which was interrupted before its first request`);
    return undefined;
  }
  throw new BulkError(
    "sync_unfinished",
    `run ${id} of this group was interrupted and used another file or other flags`,
    `finish it with \`voxctl runs resume ${id}\` or revert it with \`voxctl runs undo ${id}\`, then run this command again`,
  );
}

/** Returns the identity of the runs that update a group to match a file. Only the last of them is unfinished. */
function identityOf({ baseUrl, requestStats }: RunContext, { groupId }: SyncTask): RunIdentity {
  return {
    kind: "apply",
    base_url: baseUrl,
    world: requestStats.emulatorId,
    group_id: "",
    digest: `sync ${groupId}`,
    options: null,
  };
}

/** Returns the digest of a run's intent: the file, and the flags that decide what it changes. */
function intentOf({ subject, madeAt: _, protectFile, file: __, groupName: ___, ...flags }: SyncTask): string {
  const files = { digest: subject.digest, protect: protectFile?.digest };
  return createHash("sha256")
    .update(JSON.stringify({ ...flags, ...files }))
    .digest("hex");
}

/** Adds the changes of the resumed run to a summary; for the planning after it, they are already made. */
function addFormerCounts(summary: WriteSummary, former: WriteSummary): WriteSummary {
  const { created = 0, updated = 0, deleted = 0 } = former.outcomes;
  const { outcomes } = summary;
  return {
    ...summary,
    run_id: summary.run_id ?? former.run_id,
    plan_id: summary.plan_id ?? former.plan_id,
    outcomes: {
      ...outcomes,
      created: (outcomes["created"] ?? 0) + created,
      updated: (outcomes["updated"] ?? 0) + updated,
      deleted: (outcomes["deleted"] ?? 0) + deleted,
      unchanged: Math.max(0, (outcomes["unchanged"] ?? 0) - created - updated),
    },
    requests: summary.requests + former.requests,
    rate_limited: summary.rate_limited + former.rate_limited,
    seconds: summary.seconds + former.seconds,
  };
}

function applyChanges(
  context: RunContext,
  task: SyncTask,
  options: SyncOptions,
  { plan, planned }: { plan: SyncPlan; planned: PlannedSync },
  learn: Learn,
): Promise<WriteSummary> {
  const { groupId } = task;
  const lines = () => linesOf(plan, task);
  const keys = keysOf(task, options, plan);
  // The group was read right before, unless the user was asked in between.
  const existing = planned.deleted > 0 ? undefined : () => plan.workspace.shownIds();
  const run = {
    plan: draftPlan(context, { lines, keys, groups: [groupId], existing }, options.random),
    ...{ file: task.file, profile: options.profile, groupName: task.groupName },
    command: options.command.slice(0, 2).join(" "),
    madeGroupId: options.groupIsMade === true ? groupId : undefined,
    allow: "all" as const,
    // Changes by others since planning are kept and listed (S3).
    skipDrifted: true,
    stateFile: options.stateFile?.path,
    learn,
    intent: intentOf(task),
  };
  return runSteps(context, run, { identity: identityOf(context, task), once: false });
}

/** The default path of the results file. */
export function syncResultsPath(folder: string, baseUrl: string, groupId: string): string {
  return keyMapPath({ baseUrl, groupId, folder: join(dirname(folder), "sync") }, "report.ndjson");
}
