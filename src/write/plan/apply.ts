import type { RunAdapter } from "../engine/adapter.js";
import type { RunContext } from "../engine/context.js";
import { type PlannedRun, runJournaled } from "../engine/lifecycle.js";
import { openRunOf, openUnfinished } from "../engine/open.js";
import type { Rejected } from "../engine/results-file.js";
import type { Outcomes, WriteSummary } from "../engine/summary.js";
import type { RunIdentity } from "../journal/identity.js";
import type { Journal } from "../journal/journal.js";
import { linkJournal } from "../journal/link-journal.js";
import { recordOf } from "../values.js";
import { type ApplyAdapter, applyAdapter } from "./adapter.js";
import { assertNoLock, assertNoSecrets, assertSecrets, assertUsable, unprovable } from "./allowed.js";
import { assertTarget, readExpected } from "./check.js";
import { compareAgain, dropItems } from "./compare.js";
import { findDoubled } from "./doubled.js";
import { createExpectations } from "./expectations.js";
import type { PlanStep } from "./format.js";
import type { PlanNeeds } from "./inspect.js";
import { insertSteps } from "./items.js";
import { learningOf } from "./learning.js";
import { plannedStepOf } from "./planned-steps.js";
import type { PlanSource } from "./read.js";
import {
  catchAlreadyApplied,
  countStepOutcomes,
  findAppliedRun,
  identityOf,
  resultsOf,
  runStateOf,
} from "./results.js";
import type { PlanSecrets } from "./sent.js";
import type { ApplyTask, Learn } from "./task.js";
import { verifySteps } from "./verify.js";

/** The differences between plans of resources and plans of organizations. */
export interface PlanSubject {
  /**
   * Journals the steps of a plan and checks their preconditions.
   * @returns whether they were compared with the current state
   * @throws BulkError `plan_elsewhere`, `plan_unprovable`, PlanOutdated
   */
  plan(context: RunContext, run: PlannedRun, task: ApplyTask<PlanSource>, needs: PlanNeeds): Promise<boolean>;
  adapter(context: RunContext, journal: Journal, secrets: PlanSecrets): ApplyAdapter;
  /** Reads everything that was written once more, and records differences (A9). */
  verify(context: RunContext, journal: Journal): Promise<void>;
  /** Counts the results, if not by steps; the command then lists the rejected items itself. */
  outcomes?(journal: Journal): Outcomes;
  /** Called once the run is finished. */
  finished?(context: RunContext, journal: Journal): void;
}

/**
 * Applies a plan once: an interrupted run is resumed, a finished one is only reported. Locks the plan's
 * groups and checks its preconditions before the first request; each resource is read again right before its
 * step.
 * @param context its client has received a response already
 * @throws BulkError before anything was sent: `plan_elsewhere`, `plan_too_old`, `plan_of_configuration`,
 * `plan_not_allowed`, `plan_secrets`, `plan_unprovable`, PlanOutdated; see `runJournaled`
 */
export async function applyPlan(
  context: RunContext,
  task: ApplyTask<PlanSource>,
  subject: PlanSubject = planResources,
): Promise<WriteSummary> {
  const identity = identityOf(context, task.plan);
  const before = await findAppliedRun(context.folder, identity, task);
  if (before !== undefined) return before;
  await preparePlan(context, task);
  const applied = runSteps(context, task, { identity, once: true, subject });
  return catchAlreadyApplied(applied, context.folder, identity, task);
}

/**
 * Writes the steps of a plan to the journal of a run and applies them.
 * @param run.identity identity of the run; an unfinished run with it is resumed
 * @param run.newRun whether to start a new run even if one exists
 * @param run.once whether to refuse to repeat a finished run
 * @throws see `applyPlan`
 */
export async function runSteps(
  context: RunContext,
  task: ApplyTask<PlanSource>,
  {
    identity,
    newRun = false,
    once,
    subject = planResources,
  }: { identity: RunIdentity; newRun?: boolean; once: boolean; subject?: PlanSubject },
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
      const { config } = plan.header;
      if (config !== undefined) journal.setSetting("config", config);
      isCompared = await subject.plan(context, run, task, needs);
    },
    ...buildApplyTask(context, subject, secrets, { ...task, isCompared: () => isCompared }),
  });
}

const planResources: PlanSubject = {
  async plan(context, { journal }, task, needs) {
    const { plan } = task;
    await assertTarget(plan, context);
    const expectations = createExpectations(journal.database);
    const { existing } = plan;
    const expect = (step: PlanStep) => {
      if (existing === undefined || !step.op.endsWith(".create")) expectations.add(step);
    };
    await inTransaction(journal, async () => {
      await insertSteps(journal, plan, expect);
      for (const id of existing?.() ?? []) expectations.keepAlike(id);
    });
    await readExpected(context, expectations);
    const unknownGroups = expectations.groups().filter((id) => !needs.groups.has(id));
    if (unknownGroups.length > 0 && (await holdGroups(context, needs, unknownGroups))) {
      // Another run has written into one of the groups since then.
      expectations.clear();
      for await (const entry of plan.entries()) if (entry.type === "step") expect(entry.step);
      await readExpected(context, expectations);
    }
    dropItems(journal, plan, expectations.failures(), task);
    if (needs.unprovable !== undefined && task.again !== true) throw unprovable(plan.id, needs.unprovable);
    return true;
  },
  adapter: (context, journal, secrets) => ({
    ...applyAdapter(context, journal, secrets),
    compareAgain: () => compareAgain(context, journal),
  }),
  verify: verifySteps,
};

/**
 * Returns what is known about a plan's run before anything is read for it.
 * @returns `new` if the plan must be confirmed, otherwise a run exists and is resumed or only reported
 * @throws BulkError see `applyPlan`, for a plan that can't be applied in the current state
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
 * Makes the run of a plan store its journal in the user's file.
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
 * Resumes a run of a plan by its id, from the journal.
 * @throws BulkError `plan_secrets` if the plan requires secrets, which only `applyPlan` receives; see `runJournaled`
 */
export async function resumeApply(
  context: RunContext,
  id: string,
  { learn, subject = planResources }: { learn?: Learn; subject?: PlanSubject } = {},
): Promise<WriteSummary> {
  return runJournaled(context, {
    async open() {
      const run = await openUnfinished(context, id);
      try {
        assertNoLock(run.journal);
        assertNoSecrets(run.journal);
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

/** Builds the part of a run that follows planning. */
function buildApplyTask(
  context: RunContext,
  subject: PlanSubject,
  secrets: PlanSecrets,
  task: Pick<ApplyTask, "learn" | "results" | "done"> & { isCompared(): boolean },
) {
  return {
    adapter(journal: Journal) {
      const { compareAgain: compare, ...adapter } = subject.adapter(context, journal, secrets);
      const reporting = withDone(adapter, journal, task.done);
      // A run that this process planned was compared a moment ago (T21).
      return task.isCompared() || compare === undefined ? reporting : { ...reporting, compareAgain: compare };
    },
    async conclude(journal: Journal) {
      if (subject === planResources) await findDoubled(context, journal);
      if (journal.setting("verify") === true) await subject.verify(context, journal);
      const learning = learningOf(journal);
      if (learning !== undefined) await task.learn?.applied(learning);
      task.results?.(resultsOf(journal));
    },
    rejected(rejected: Rejected) {
      if (subject.outcomes === undefined) context.listener.rejected(rejected);
    },
    finished: (journal: Journal) => subject.finished?.(context, journal),
    outcomes: subject.outcomes ?? countStepOutcomes,
  };
}

/** Reports each step once its response is complete. */
function withDone(adapter: ApplyAdapter, journal: Journal, done: ApplyTask["done"]): RunAdapter {
  if (done === undefined) return adapter;
  return {
    ...adapter,
    completes: () => true,
    async complete(item) {
      const fields = adapter.completes?.(item) === false ? undefined : await adapter.complete?.(item);
      const { step } = plannedStepOf(journal, item);
      const hidden = adapter.takeHidden?.(item.number);
      const data = item.answer === undefined ? undefined : { ...recordOf(item.answer), ...fields, ...hidden };
      await done({ step, id: item.target ?? "", data });
      return fields;
    },
  };
}

/**
 * Locks the groups, so that no other run of this directory writes into them concurrently (T20). Every run
 * locks them in the same order.
 * @param more groups of resources for which the plan does not name a group
 * @returns whether it waited for another run
 */
async function holdGroups(
  { locks }: RunContext,
  { groups, newGroups }: PlanNeeds,
  more: readonly string[],
): Promise<boolean> {
  // A lock that is already held would break the order.
  if (more.length > 0) await locks.release();
  let hasWaited = false;
  for (const id of [...new Set([...groups, ...more])].sort()) if (await locks.hold({ id })) hasWaited = true;
  const named = newGroups.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  for (const group of named) if (await locks.hold(group)) hasWaited = true;
  return hasWaited;
}

async function inTransaction(journal: Journal, work: () => Promise<void>): Promise<void> {
  journal.database.begin();
  try {
    await work();
  } finally {
    // Half a plan is forgotten with its run.
    journal.database.commit();
  }
}
