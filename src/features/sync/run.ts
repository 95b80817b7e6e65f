import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { makePrivateFolder } from "../../base/private-file.js";
import type { Random } from "../../base/random.js";
import type { RunContext } from "../../write/engine/context.js";
import { countOutcomes, countRows, type WriteSummary } from "../../write/engine/summary.js";
import { withTemporaryJournal } from "../../write/journal/folder.js";
import { findUnfinishedRun } from "../../write/journal/runs.js";
import type { GroupKeys } from "../../write/plan/format.js";
import { draftPlan, resumeApply, runSteps, sealPlan } from "../../write/plan/index.js";
import type { Learn, Learning } from "../../write/plan/task.js";
import { errorOf } from "../import/imports/import.js";
import { keyMapPath } from "./key-map.js";
import type { KeyMapStore } from "./key-map-store.js";
import { findKnownKeys, type KnownKeyMap, reportLostColumns, reportRenamedKeys } from "./known-keys.js";
import { assertKeyMapOf, createLearner } from "./learn.js";
import { withMarkedDeletions } from "./mark-deletions.js";
import { keyPosition, planSync, type SyncPlan } from "./plan.js";
import { finalSummary, markDeleted, type PlannedSync, summaryOf, writeResults } from "./results.js";
import { fileLinesOf, fileRowsOf, keysOfPlan, planLinesOf } from "./steps.js";
import type { SyncTask } from "./task.js";
import { assertNoUnfinishedImport, discardOrRefuse, syncIdentityOf } from "./unfinished.js";

export interface SyncOptions {
  store: KeyMapStore;
  /** Key map file from --state: path as typed, base directory and full path. */
  stateFile: { given: string; directory: string; path: string } | undefined;
  folder: string;
  profile: string;
  /** Command as typed, for the plan file. */
  command: string[];
  madeBy: string;
  random: Random;
  resultsPath: string;
  dryRun: boolean;
  /** Path of a plan file to write instead of making the changes. */
  planPath: string | undefined;
  force: boolean;
  passphrase?: string | undefined;
  writeRejects: ((errorOf: (number: number) => string | undefined) => Promise<void>) | undefined;
  /** Called with the planned changes, also in a dry run. */
  planned(planned: PlannedSync): void;
  confirm(planned: PlannedSync): Promise<void>;
  goingOn(planId: string): void;
  remark(text: string): void;
}

/**
 * Resumes the group's unfinished run first.
 * @throws BulkError if a safety check fails; the errors of `runSteps`
 */
export async function runSync(
  context: RunContext,
  task: SyncTask,
  options: SyncOptions,
): Promise<WriteSummary> {
  const { store, folder, dryRun, planPath } = options;
  const isSending = !dryRun && planPath === undefined;
  await makePrivateFolder(folder);
  await makePrivateFolder(context.folder);
  if (isSending) await context.locks.hold({ id: task.groupId });
  try {
    const kept = await store.load();
    assertKeyMapOf(kept, context.baseUrl, task.groupId, task.groupName);
    const now = () => context.machineClock.now();
    const learn = createLearner({ baseUrl: context.baseUrl, folder, now }, { store, table: kept });
    const former = isSending ? await resumeUnfinished(context, task, options, learn) : undefined;
    if (task.keyColumn !== undefined) keyPosition(task, task.keyColumn);
    const keys = await findKnownKeys(kept, task, options.remark);
    reportLostColumns(kept, task, options.remark);
    const summary = await syncOnce(context, task, options, { ...keys, learn });
    return former === undefined ? summary : addFormerCounts(summary, former);
  } finally {
    store.release();
  }
}

async function syncOnce(
  context: RunContext,
  task: SyncTask,
  options: SyncOptions,
  { keyMap, laterKeys, learn }: KnownKeyMap & { learn: Learn },
): Promise<WriteSummary> {
  const { dryRun, planPath, resultsPath } = options;
  return withTemporaryJournal(context.folder, "voxctl-", async (journal) => {
    const plan = await planSync(context, task, journal, keyMap, laterKeys);
    const planned = await writeResults(context, plan, resultsPath);
    await options.writeRejects?.((number) => errorOf(journal, number));
    plan.assertAllowed(resultsPath);
    reportRenamedKeys(plan.renamedKeys(), options.remark);
    options.planned(planned);
    const summary = summaryOf(plan, task, planned, resultsPath);
    const { created = 0, updated = 0, deleted = 0 } = summary.outcomes;
    const writes = created + updated + deleted;
    if (dryRun) return { ...summary, requests: writes };
    if (planPath !== undefined) {
      const plan_id = await seal(context, task, options, plan, planPath);
      return { ...summary, plan_id, requests: writes };
    }
    if (writes > 0) {
      await options.confirm(planned);
      const toFileLine = fileLinesOf(plan, task.groupId);
      const listener: RunContext["listener"] = {
        ...context.listener,
        rejected: (rejected) =>
          context.listener.rejected({ ...rejected, first: rejected.first.map(toFileLine) }),
      };
      const changes = { plan, planned };
      const applied = await applyChanges({ ...context, listener }, task, options, changes, learn);
      return finalSummary({ planned: summary, applied }, resultsPath, toFileLine);
    }
    await learn.applied(learningOf(task, options, plan));
    return summary;
  });
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
  return (await sealPlan(context, sealing, planLinesOf(plan, task.groupId))).id;
}

function keysOf(task: SyncTask, { stateFile }: SyncOptions, plan: SyncPlan): GroupKeys {
  const { invalid = 0 } = countOutcomes(plan.journal);
  const file = { rows: countRows(plan.journal), invalid, line_end: task.subject.endsWithLineEnd };
  return keysOfPlan(plan, { ...task, file }, stateFile);
}

function learningOf(task: SyncTask, options: SyncOptions, plan: SyncPlan): Learning {
  return {
    planId: "",
    keys: keysOf(task, options, plan),
    stateFile: options.stateFile?.path,
    rows: () => fileRowsOf(plan, () => undefined),
    results: () => [],
  };
}

/**
 * Resumes the group's unfinished run, so that no request is sent twice. If the run used a different file or
 * different flags, discards it or throws.
 */
async function resumeUnfinished(
  context: RunContext,
  task: SyncTask,
  options: SyncOptions,
  learn: Learn,
): Promise<WriteSummary | undefined> {
  const { folder } = context;
  const target = targetOf(context, task);
  await assertNoUnfinishedImport(target, "", { folder, remark: options.remark });
  const run = await findUnfinishedRun(folder, syncIdentityOf(target), (journal) => ({
    intent: journal.setting("intent"),
    planId: String(journal.setting("plan_id")),
  }));
  if (run === undefined) return undefined;
  const { id, read } = run;
  if (read.intent === intentOf(task)) {
    options.goingOn(read.planId);
    // Don't report rejected steps: the next plan checks the same rows again and reports their rows and lines.
    const listener: RunContext["listener"] = { ...context.listener, rejected: () => {} };
    return resumeApply({ ...context, listener }, id, { learn });
  }
  await discardOrRefuse(id, { folder, remark: options.remark });
  return undefined;
}

function targetOf({ baseUrl, requestStats }: RunContext, { groupId }: SyncTask) {
  return { base_url: baseUrl, world: requestStats.emulatorId, group_id: groupId };
}

/** Returns a digest of everything that determines what a run changes, such as the file and the flags. */
function intentOf({ subject, madeAt: _, protectFile, file: __, groupName: ___, ...flags }: SyncTask): string {
  const files = { digest: subject.digest, protect: protectFile?.digest };
  return createHash("sha256")
    .update(JSON.stringify({ ...flags, ...files }))
    .digest("hex");
}

/**
 * Adds the changes of the resumed run to the summary, because the new plan counts these rows as unchanged.
 */
function addFormerCounts(summary: WriteSummary, former: WriteSummary): WriteSummary {
  const { created = 0, updated = 0, deleted = 0 } = former.outcomes;
  const { outcomes } = summary;
  return {
    ...summary,
    run_id: summary.run_id ?? former.run_id,
    plan_id: summary.plan_id ?? former.plan_id,
    doubled: summary.doubled ?? former.doubled,
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
  const lines = () => planLinesOf(plan, groupId);
  const keys = keysOf(task, options, plan);
  // Reuse the list of contacts from planning. If contacts will be deleted, read it again, because the user
  // may have confirmed the deletions much later.
  const existing = planned.deleted > 0 ? undefined : () => plan.workspace.shownIds();
  const run = {
    plan: draftPlan(context, { lines, keys, groups: [groupId], existing }, options.random),
    ...{ file: task.file, profile: options.profile, groupName: task.groupName },
    command: options.command.slice(0, 2).join(" "),
    allow: "all" as const,
    // Keep resources that other users have changed since planning.
    skipDrifted: true,
    stateFile: options.stateFile?.path,
    learn,
    intent: intentOf(task),
  };
  const identity = syncIdentityOf(targetOf(context, task));
  return withMarkedDeletions(
    (ended) => runSteps(context, { ...run, ended }, { identity, once: false }),
    (deletedIds) => markDeleted(context, options.resultsPath, deletedIds),
  );
}

export function syncResultsPath(folder: string, baseUrl: string, groupId: string): string {
  return keyMapPath({ baseUrl, groupId, folder: join(dirname(folder), "sync") }, "report.ndjson");
}
