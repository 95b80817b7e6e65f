import { createAdapter } from "../adapter.js";
import type { RunContext } from "../engine/context.js";
import { runJournaled } from "../engine/lifecycle.js";
import { openRunOf, openUnfinished } from "../engine/open.js";
import type { Rejected } from "../engine/results-file.js";
import type { WriteSummary } from "../engine/summary.js";
import type { RunIdentity } from "../journal/identity.js";
import type { Journal } from "../journal/journal.js";
import { linkJournal } from "../journal/link-journal.js";
import { resources } from "../resources.js";
import type { Subject } from "../subject.js";
import { assertNoLock, assertNoSecrets, assertSecrets, assertUsable } from "./allowed.js";
import { learningOf } from "./learning.js";
import { holdGroups } from "./plan-steps.js";
import type { PlanSource } from "./read.js";
import {
  catchAlreadyApplied,
  countStepOutcomes,
  findAppliedRun,
  identityOf,
  resultsOf,
  runStateOf,
} from "./results.js";
import { assertSameOrganization, assertSameOrganizationOf, keepAnchors } from "./same-organization.js";
import type { PlanSecrets } from "./sent.js";
import type { ApplyTask, Learn } from "./task.js";
import { verifyItems } from "./verify.js";

/**
 * Applies a plan once. Resumes an interrupted run, but only reports a finished one. Checks all preconditions
 * before the first request, and reads each resource again before its step.
 * @param context its client must have received a response already
 * @throws BulkError before the first request: `plan_elsewhere`, `plan_too_old`, `plan_of_configuration`,
 *   `plan_not_allowed`, `plan_secrets`, `plan_unprovable`, PlanOutdated; see `runJournaled`
 */
export async function applyPlan(
  context: RunContext,
  task: ApplyTask<PlanSource>,
  subject: Subject = resources,
): Promise<WriteSummary> {
  const identity = identityOf(context, task.plan);
  const before = await findAppliedRun(context.folder, identity, task);
  if (before !== undefined) return before;
  await assertSameOrganization(context, identity);
  await preparePlan(context, task);
  const applied = runSteps(context, task, { identity, once: true, subject });
  return catchAlreadyApplied(applied, context.folder, identity, task);
}

/**
 * Writes a plan's steps to the journal of a run and applies them.
 * @param run.identity an unfinished run with this identity is resumed
 * @param run.newRun whether to start a new run even if one exists
 * @param run.once whether to refuse to repeat a finished run
 * @param run.anchors IDs that identify the organization; by default, those of the plan
 * @throws see `applyPlan`
 */
export async function runSteps(
  context: RunContext,
  task: ApplyTask<PlanSource>,
  {
    identity,
    newRun = false,
    once,
    anchors = task.plan.header.target.anchors,
    subject = resources,
  }: {
    identity: RunIdentity;
    newRun?: boolean;
    once: boolean;
    anchors?: readonly string[];
    subject?: Subject;
  },
): Promise<WriteSummary> {
  const { plan, secrets = new Map(), verify = false } = task;
  const needs = plan.needs();
  const { keys } = plan.header;
  if (keys !== undefined) {
    const groupId = typeof keys.group_id === "string" ? keys.group_id : undefined;
    await task.learn?.check({ groupId, stateFile: task.stateFile });
  }
  await holdGroups(context, needs, []);
  let isCompared = false;
  return runJournaled(context, {
    open: () => openRunOf(context, identity, { newRun, once }),
    ...(task.resultsPath === undefined ? {} : { resultsPath: () => task.resultsPath ?? "" }),
    async plan(run) {
      const { journal } = run;
      journal.setSetting("file", task.file);
      journal.setSetting("profile", task.profile);
      journal.setSetting("plan_id", plan.id);
      journal.setSetting("verify", verify);
      journal.setSetting("command", task.command ?? null);
      journal.setSetting("group_name", task.groupName ?? null);
      journal.setSetting("keys", keys ?? null);
      journal.setSetting("state_file", task.stateFile ?? null);
      journal.setSetting("intent", task.intent ?? null);
      keepAnchors(journal, anchors);
      const { config } = plan.header;
      if (config !== undefined) journal.setSetting("config", config);
      isCompared = await subject.plan(context, run, task, needs);
    },
    ...buildApplyTask(context, subject, secrets, { ...task, isCompared: () => isCompared }),
  });
}

/**
 * Checks a plan before any request is sent.
 * @returns `new` if the plan must be confirmed; otherwise, its existing run is resumed or reported
 * @throws BulkError if the plan can't be applied; see `applyPlan`
 */
export async function preparePlan(
  context: RunContext,
  task: ApplyTask<PlanSource>,
): Promise<"new" | "begun"> {
  const needs = task.plan.needs();
  const isNew = (await runStateOf(context, task.plan)) === "new";
  if (isNew) assertUsable(context, task, needs);
  assertSecrets(task, needs);
  return isNew ? "new" : "begun";
}

/**
 * Stores the journal of a plan's run in the user's file.
 * @throws BulkError
 */
export function linkPlanJournal(
  context: RunContext,
  plan: Pick<PlanSource, "id" | "header">,
  path: string,
): Promise<void> {
  return linkJournal(context.folder, identityOf(context, plan), path);
}

/**
 * Resumes a plan's run without the plan file.
 * @throws BulkError `plan_secrets` if the plan requires secrets, which only `applyPlan` receives; see
 *   `runJournaled`
 */
export async function resumeApply(
  context: RunContext,
  id: string,
  { learn, subject = resources }: { learn?: Learn; subject?: Subject } = {},
): Promise<WriteSummary> {
  return runJournaled(context, {
    async open() {
      const run = await openUnfinished(context, id);
      try {
        assertNoLock(run.journal);
        assertNoSecrets(run.journal);
        await assertSameOrganizationOf(context, id, run.journal);
      } catch (error) {
        run.journal.close();
        throw error;
      }
      return run;
    },
    plan: async () => {},
    ...buildApplyTask(context, subject, new Map(), { isCompared: () => false, learn }),
  });
}

function buildApplyTask(
  context: RunContext,
  subject: Subject,
  secrets: PlanSecrets,
  task: Pick<ApplyTask, "learn" | "results" | "ended" | "done"> & { isCompared(): boolean },
) {
  return {
    adapter: (journal: Journal) =>
      // If this process has just planned the run, don't compare again.
      createAdapter(context, journal, subject, { secrets, done: task.done, isCompared: task.isCompared() }),
    async conclude(journal: Journal) {
      await subject.sent?.(context, journal);
      if (journal.setting("verify") === true) await verifyItems(context, journal, subject);
      const learning = learningOf(journal);
      if (learning !== undefined) await task.learn?.applied(learning);
      task.results?.(resultsOf(journal), journal);
    },
    ended: (journal: Journal) => task.ended?.(resultsOf(journal)),
    rejected(rejected: Rejected) {
      if (subject.outcomes === undefined) context.listener.rejected(rejected);
    },
    finished: (journal: Journal) => subject.finished?.(context, journal),
    outcomes: subject.outcomes ?? countStepOutcomes,
  };
}
