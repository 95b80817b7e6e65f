import type { RunContext } from "../engine/context.js";
import { runJournaled } from "../engine/lifecycle.js";
import { openRunOf, openUnfinished } from "../engine/open.js";
import type { Rejected } from "../engine/report.js";
import { costsOf } from "../engine/summary.js";
import { BulkError } from "../errors.js";
import { pathOf, reportPlace } from "../journal/folder.js";
import type { RunIdentity } from "../journal/identity.js";
import { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { lastRunOf } from "../journal/runs.js";
import { recordOf } from "../values.js";
import { applyAdapter, type PlanSecrets } from "./adapter.js";
import { assertTarget, readExpected } from "./check.js";
import { createExpectations, type Expectations, type Failure } from "./expectations.js";
import type { PlanStep } from "./format.js";
import { inspectPlan, type PlanNeeds } from "./inspect.js";
import { insertSteps, outcomeOf, plannedStepOf } from "./items.js";
import type { Plan } from "./read.js";
import { secretsIn } from "./references.js";
import { verifySteps } from "./verify.js";

/** A plan that is to be carried out, and how. */
export interface ApplyTask {
  plan: Plan;
  /** Its file, as the user gave it; of a plan that a command made for itself, the command's own input. */
  file: string;
  /** The profile's name, to find the way back to the service. */
  profile: string;
  /** By the names that the plan has for them. */
  secrets?: PlanSecrets;
  /** Words for steps that want one of their own (A8). `all`: whoever made the plan in this process answers for it. */
  allow?: ReadonlySet<string> | "all";
  /** Calls at most; has to be given where the plan makes any. */
  maxCalls?: number | undefined;
  /** Refuse a plan that is older (A1). */
  maxAgeMilliseconds?: number | undefined;
  /** Leave out the steps whose preconditions don't hold, with all that need them; else none is sent. */
  skipDrifted?: boolean;
  /** Of a plan that was applied before: try again what came to nothing. */
  retry?: boolean;
  /** Apply a plan of which nothing tells whether it was applied before. */
  again?: boolean;
  /** Read everything that was written once more at the end. */
  verify?: boolean;
  reportPath?: string | undefined;
  /** Told what each step that was done came to, in the order of the plan, before the run is finished. */
  results?(results: Iterable<StepResult>): void;
}

/** What a step that was done came to. */
interface StepResult {
  step: PlanStep;
  /** Of what it made, changed or deleted. */
  id: string;
  /** The thing as the answer showed it; undefined of a delete. */
  answer: Readonly<Record<string, unknown>> | undefined;
}

/** What `apply -o json` prints. */
export interface ApplySummary {
  run_id: string;
  plan_id: string;
  file: string;
  /** It was applied before, and nothing was sent. */
  applied_before: boolean;
  created: number;
  updated: number;
  deleted: number;
  steps: {
    done: number;
    drifted: number;
    blocked: number;
    rejected: number;
    unknown: number;
    skipped: number;
  };
  /** Things that the service stored otherwise than they were sent. */
  stored_otherwise: number;
  requests: number;
  rate_limited: number;
  /** Of the service's clock. */
  seconds: number;
  report: string;
}

/** Preconditions that don't hold: nothing was sent. */
class PlanOutdated extends BulkError {
  constructor(
    id: string,
    readonly failures: readonly Failure[],
    readonly count: number,
  ) {
    const [first] = failures;
    const example = first === undefined ? "" : `: step ${first.step} ${first.thing} ${first.reason}`;
    super(
      "plan_outdated",
      `${count} of the preconditions of the plan ${id} ${count === 1 ? "does" : "do"} not hold${example}; nothing was sent`,
      "make a new plan, or leave these steps out with --skip-drifted",
    );
  }
}

/** So many differences are kept for the message. */
const failuresKept = 100;

/**
 * Carries a plan out, once (A2): a run of it that was interrupted goes on, one that is finished is only told of. Its
 * groups' locks are taken, its preconditions are read, and only then it sends; whatever it is about is read again right
 * before (A4).
 * @param context its client has seen an answer already
 * @throws BulkError before anything was sent: `plan_elsewhere`, `plan_too_old`, `plan_of_configuration`,
 *   `plan_not_allowed`, `plan_secrets`, `plan_unprovable`, PlanOutdated; as `runJournaled`
 */
export async function applyPlan(context: RunContext, task: ApplyTask): Promise<ApplySummary> {
  const { plan, secrets = new Map(), verify = false } = task;
  const identity = identityOf(context, plan.id);
  const before = await appliedBefore(context.folder, identity, task);
  if (before !== undefined) return before;
  const needs = await inspectPlan(plan);
  await preparePlan(context, task, needs);
  await holdGroups(context, needs, []);
  let isCompared = false;
  return runJournaled(context, {
    open: () => openRunOf(context, identity, { newRun: false, once: true }),
    ...(task.reportPath === undefined ? {} : { reportPath: () => task.reportPath ?? "" }),
    async plan({ journal }) {
      if (needs.unprovable !== undefined && task.again !== true) throw unprovable(plan.id, needs.unprovable);
      journal.setSetting("file", task.file);
      journal.setSetting("profile", task.profile);
      journal.setSetting("plan_id", plan.id);
      journal.setSetting("verify", verify);
      await assertTarget(plan, context);
      const { database } = journal;
      await inTransaction(journal, () => insertSteps(journal, plan));
      const expectations = createExpectations(database);
      await inTransaction(journal, async () => {
        for await (const entry of plan.entries()) if (entry.type === "step") expectations.add(entry.step);
      });
      await readExpected(context, expectations);
      const unknownGroups = expectations.groups().filter((id) => !needs.groups.has(id));
      if (unknownGroups.length > 0 && (await holdGroups(context, needs, unknownGroups))) {
        // Another run wrote into one of them meanwhile.
        expectations.clear();
        for await (const entry of plan.entries()) if (entry.type === "step") expectations.add(entry.step);
        await readExpected(context, expectations);
      }
      leaveOut(journal, plan, expectations, task.skipDrifted === true);
      isCompared = true;
    },
    ...carryingOut(context, secrets, { ...task, isCompared: () => isCompared }),
  });
}

/**
 * What is known of a plan's run before anything is read for it.
 * @returns `begun`: it is there, and is gone on with or only told of; `new`: it is yet to be confirmed
 * @throws BulkError as `applyPlan` for a plan that is not to be applied as things are
 */
export async function preparePlan(
  context: RunContext,
  task: ApplyTask,
  needs: PlanNeeds,
): Promise<"new" | "begun"> {
  const { folder } = context;
  const id = await lastRunOf(folder, identityOf(context, task.plan.id));
  if (id !== undefined) {
    const journal = await Journal.open(pathOf(folder, id), { create: false });
    const isPlanned = journal.setting("planned_at") !== undefined;
    const isUndone = journal.setting("undone_at") !== undefined;
    journal.close();
    if (isPlanned && !isUndone) {
      assertSecrets(task, needs);
      return "begun";
    }
  }
  assertUsable(context, task, needs);
  assertSecrets(task, needs);
  return "new";
}

/**
 * Goes on with a run of a plan by its id; the plan is in the journal.
 * @throws BulkError `plan_secrets` where the plan wants secrets: only `applyPlan` is given them; as `runJournaled`
 */
export async function resumeApply(context: RunContext, id: string): Promise<ApplySummary> {
  return runJournaled(context, {
    async open() {
      const run = await openUnfinished(context, id);
      try {
        assertNoSecrets(run.journal);
      } catch (error) {
        run.journal.close();
        throw error;
      }
      return run;
    },
    plan: async () => {},
    ...carryingOut(context, new Map(), { isCompared: () => false }),
  });
}

/** What a run of a plan does once it is planned. */
function carryingOut(
  context: RunContext,
  secrets: PlanSecrets,
  task: Pick<ApplyTask, "results"> & { isCompared(): boolean },
) {
  return {
    adapter: (journal: Journal) => ({
      ...applyAdapter(context, journal, secrets),
      async compareAgain() {
        // T21: a run that was planned by this process was compared a moment ago.
        if (!task.isCompared()) await compareAgain(context, journal);
      },
    }),
    async conclude(journal: Journal) {
      if (journal.setting("verify") === true) await verifySteps(context, journal);
      task.results?.(resultsOf(journal));
    },
    rejected: (rejected: Rejected) => context.listener.rejected(rejected),
    summarize: summaryOf,
  };
}

function identityOf({ baseUrl, requestStats }: RunContext, planId: string): RunIdentity {
  return {
    kind: "apply",
    base_url: baseUrl,
    world: requestStats.world,
    group_id: "",
    digest: planId,
    options: null,
  };
}

/**
 * A2: what a plan came to that was applied before; undefined where it is to be carried out, or gone on with.
 * @param world of the service where it is known
 */
async function appliedBefore(
  folder: string,
  identity: RunIdentity,
  { retry = false }: Pick<ApplyTask, "retry">,
): Promise<ApplySummary | undefined> {
  const id = await lastRunOf(folder, identity);
  if (id === undefined) return undefined;
  const journal = await Journal.open(pathOf(folder, id), { create: false });
  try {
    const isFinished = journal.setting("finished_at") !== undefined;
    if (!isFinished || journal.setting("undone_at") !== undefined) return undefined;
    if (retry && reopenFailed(journal) > 0) {
      journal.removeSetting("finished_at");
      return undefined;
    }
    return {
      ...summaryOf(journal, { id, report: reportPlace(journal, folder, id) }),
      applied_before: true,
      requests: 0,
      rate_limited: 0,
    };
  } finally {
    journal.close();
  }
}

/** The same where the world is not known yet, since nothing was asked: a deployment has none. */
export function appliedBeforeAt(
  folder: string,
  baseUrl: string,
  planId: string,
): Promise<ApplySummary | undefined> {
  const identity = {
    kind: "apply",
    base_url: baseUrl,
    world: null,
    group_id: "",
    digest: planId,
    options: null,
  };
  return appliedBefore(folder, identity, {});
}

function reopenFailed(journal: Journal): number {
  let count = 0;
  for (const state of ["rejected", "skipped"] as const) {
    for (const item of eachIn(journal, state)) {
      journal.reopen(item.number, outcomeOf(plannedStepOf(item).step));
      count += 1;
    }
  }
  return count;
}

/** @throws BulkError for a plan that is not to be applied as things are */
function assertUsable(
  { machineClock }: RunContext,
  { plan, allow = new Set(), maxCalls, maxAgeMilliseconds }: ApplyTask,
  needs: PlanNeeds,
): void {
  const { header, id } = plan;
  if (header.config !== undefined) {
    throw new BulkError(
      "plan_of_configuration",
      `the plan ${id} is one of the configuration project ${header.config.project}`,
      `voxctl config apply --target ${header.config.target} applies it`,
    );
  }
  const age = machineClock.now() - Date.parse(header.made_at);
  if (maxAgeMilliseconds !== undefined && age > maxAgeMilliseconds) {
    throw new BulkError(
      "plan_too_old",
      `the plan ${id} was made ${header.made_at}, longer ago than --max-age allows; nothing was sent`,
      "make a new plan, or allow more with --max-age",
    );
  }
  if (allow === "all") return;
  const unsaid = [...needs.words.keys()].filter((word) => !allow.has(word)).sort();
  const calls = needs.words.get("calls:create") ?? 0;
  const bound = calls > 0 && maxCalls === undefined ? [`--max-calls ${calls}`] : [];
  if (unsaid.length + bound.length > 0) {
    const said = unsaid.map((word) => `${needs.words.get(word)} × ${word}`);
    throw new BulkError(
      "plan_not_allowed",
      `the plan ${id} does what wants a word of its own: ${[...said, ...(unsaid.length === 0 ? ["calls"] : [])].join(", ")}; nothing was sent`,
      [...unsaid.map((word) => `--allow ${word}`), ...bound].join(" "),
    );
  }
  if (calls > (maxCalls ?? 0)) {
    throw new BulkError(
      "plan_not_allowed",
      `the plan ${id} makes ${calls} calls, more than --max-calls ${maxCalls} allows; nothing was sent`,
    );
  }
}

/** @throws BulkError `plan_secrets` */
function assertSecrets({ plan: { id }, secrets }: ApplyTask, needs: PlanNeeds): void {
  const missing = [...needs.secrets].filter((name) => secrets?.has(name) !== true);
  if (missing.length > 0) {
    throw new BulkError(
      "plan_secrets",
      `the plan ${id} wants ${missing.length === 1 ? "a secret" : `${missing.length} secrets`}: ${missing.join(", ")}`,
      missing.map((name) => `--secret ${name}=env:VARIABLE`).join(" "),
    );
  }
}

function unprovable(id: string, step: number): BulkError {
  return new BulkError(
    "plan_unprovable",
    `nothing would tell whether step ${step} of the plan ${id} was done before; nothing was sent`,
    "--again applies it, where you know that it was not",
  );
}

/** @throws BulkError `plan_secrets` */
function assertNoSecrets(journal: Journal): void {
  for (const item of eachIn(journal, "planned")) {
    const [name] = secretsIn(item.body);
    if (name === undefined) continue;
    throw new BulkError(
      "plan_secrets",
      `what is left to do wants the secret ${name}`,
      `voxctl apply ${String(journal.setting("file"))} --secret ${name}=env:VARIABLE goes on`,
    );
  }
}

/**
 * T20: no other run of this folder writes into these groups meanwhile. Taken in one order by everybody.
 * @param more groups of things whose plan does not say where they lie
 * @returns whether another run was waited for
 */
async function holdGroups(
  { locks }: RunContext,
  { groups, newGroups }: PlanNeeds,
  more: readonly string[],
): Promise<boolean> {
  // One that is held would be taken out of order.
  if (more.length > 0) await locks.release();
  let hasWaited = false;
  for (const id of [...new Set([...groups, ...more])].sort()) if (await locks.hold({ id })) hasWaited = true;
  const named = newGroups.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  for (const group of named) if (await locks.hold(group)) hasWaited = true;
  return hasWaited;
}

/**
 * A3: steps whose preconditions don't hold are left out with all that need them, or nothing is sent.
 * @throws PlanOutdated
 */
function leaveOut(journal: Journal, plan: Plan, expectations: Expectations, isSkipping: boolean): void {
  const kept: Failure[] = [];
  let count = 0;
  const skipped = new Set<number>();
  for (const failure of expectations.failures()) {
    count += 1;
    if (kept.length < failuresKept) kept.push(failure);
    if (isSkipping) skipped.add(failure.step);
  }
  if (count === 0) return;
  if (!isSkipping) throw new PlanOutdated(plan.id, kept, count);
  const reasons = new Map(kept.map(({ step, reason }) => [step, reason]));
  journal.database.transaction(() => {
    for (const item of eachIn(journal, "planned")) {
      const { number } = item;
      const needed = plannedStepOf(item).requires.find((required) => skipped.has(required));
      if (!skipped.has(number) && needed === undefined) continue;
      skipped.add(number);
      const reason = reasons.get(number) ?? (needed === undefined ? "drifted" : `it needs step ${needed}`);
      const detail = { ...recordOf(item.detail), reason };
      journal.apply({ number, state: "skipped", outcome: "skipped", detail });
    }
  });
}

/** What a run that goes on finds otherwise than its plan expects is not sent (A3); its own things are no news. */
async function compareAgain(context: RunContext, journal: Journal): Promise<void> {
  const expectations = createExpectations(journal.database, (id) => journal.knowsTarget(id));
  expectations.clear();
  for (const item of eachIn(journal, "planned")) {
    const { step, resource, previous } = plannedStepOf(item);
    // What this run has changed is compared with its answers right before it is sent.
    if (item.attempts > 0 || previous !== undefined) continue;
    if (step.op.endsWith(".create") || resource === "calls") expectations.add(step);
  }
  await readExpected(context, expectations);
  for (const { step, reason } of expectations.failures()) {
    const item = journal.item(step);
    if (item?.state !== "planned") continue;
    const detail = { ...recordOf(item.detail), reason };
    journal.record([{ number: step, state: "rejected", outcome: "drifted", detail }], []);
  }
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

function* resultsOf(journal: Journal): Generator<StepResult, void> {
  for (const item of eachIn(journal, "done")) {
    const { step } = plannedStepOf(item);
    const answer = item.answer === undefined ? undefined : recordOf(item.answer);
    yield { step, id: item.target ?? "", answer };
  }
}

const stepNames: Readonly<Record<string, "drifted" | "blocked" | "skipped">> = {
  drifted: "drifted",
  blocked: "blocked",
  skipped: "skipped",
};

function summaryOf(journal: Journal, { id, report }: { id: string; report: string }): ApplySummary {
  const steps = { done: 0, drifted: 0, blocked: 0, rejected: 0, unknown: 0, skipped: 0 };
  const written = { created: 0, updated: 0, deleted: 0 };
  const isWritten = (outcome: string): outcome is keyof typeof written => Object.hasOwn(written, outcome);
  for (const { state, outcome, count } of journal.counts()) {
    if (state === "done") {
      steps.done += count;
      if (isWritten(outcome)) written[outcome] += count;
    } else if (state === "rejected" || state === "skipped") steps[stepNames[outcome] ?? "rejected"] += count;
    else steps.unknown += count;
  }
  return {
    run_id: id,
    plan_id: String(journal.setting("plan_id")),
    file: String(journal.setting("file")),
    applied_before: false,
    ...written,
    steps,
    stored_otherwise: countStoredOtherwise(journal),
    ...costsOf(journal),
    report,
  };
}

function countStoredOtherwise({ database }: Journal): number {
  const row = database
    .prepare(
      "SELECT count(*) AS n FROM items WHERE state = 'done' AND json_array_length(detail, '$.stored_otherwise') > 0",
    )
    .get();
  return Number(row?.["n"] ?? 0);
}
