import { countForeignChanges } from "../answered.js";
import type { RunContext } from "../engine/context.js";
import { type Outcomes, summaryOf, type WriteSummary } from "../engine/summary.js";
import { BulkError } from "../errors.js";
import { findResultsPath } from "../journal/folder.js";
import type { RunIdentity } from "../journal/identity.js";
import type { Journal } from "../journal/journal.js";
import { countItems, eachIn } from "../journal/outcome.js";
import { findUnfinishedRun, readLastRun } from "../journal/runs.js";
import { recordOf } from "../values.js";
import { outcomeOf } from "./items.js";
import { planApiOf } from "./plan-api.js";
import { plannedStepOf } from "./planned-steps.js";
import type { PlanSource } from "./read.js";
import type { ApplyTask, StepResult } from "./task.js";

/** Returns the identity by which a later command finds the plan's run. */
export function identityOf(
  { baseUrl, requestStats }: { baseUrl: string; requestStats: { readonly emulatorId: string | null } },
  { id, header }: Pick<PlanSource, "id" | "header">,
): RunIdentity {
  return {
    // Runs for organizations are resumed and undone like `orgs provision`.
    kind: planApiOf(header) === "public" ? "apply" : "provisioning",
    base_url: baseUrl,
    world: requestStats.emulatorId,
    group_id: "",
    digest: id,
    options: null,
  };
}

/**
 * Returns the result of an already applied plan; undefined if the plan must be applied or resumed.
 * @param identity identity of the run, with the ID of the emulator state if known
 */
export async function findAppliedRun(
  folder: string,
  identity: RunIdentity,
  { retry = false }: Pick<ApplyTask, "retry">,
): Promise<WriteSummary | undefined> {
  return readLastRun(folder, identity, (journal, id) => {
    const isFinished = journal.setting("finished_at") !== undefined;
    if (!isFinished || journal.setting("undone_at") !== undefined) return undefined;
    if (retry && reopenFailed(journal) > 0) {
      journal.removeSetting("finished_at");
      return undefined;
    }
    return {
      ...summaryOf(journal, { id, report: findResultsPath(journal, folder, id) }, countStepOutcomes(journal)),
      applied_before: true,
      requests: 0,
      rate_limited: 0,
    };
  });
}

/**
 * While `work` waits for locks, another process may apply the plan. If so, returns the result of that
 * process's run.
 */
export async function catchAlreadyApplied(
  work: Promise<WriteSummary>,
  ...args: Parameters<typeof findAppliedRun>
): Promise<WriteSummary> {
  return work.catch(async (error: unknown) => {
    const isDone = error instanceof BulkError && error.code === "run_finished";
    const meanwhile = isDone ? await findAppliedRun(...args) : undefined;
    if (meanwhile === undefined) throw error;
    return meanwhile;
  });
}

/**
 * For commands that start no run; see `findAppliedRun`.
 * @param service `emulatorId` is null for a deployment, and for an emulator that hasn't responded yet
 */
export function findAppliedRunAt(
  folder: string,
  { baseUrl, emulatorId }: { baseUrl: string; emulatorId: string | null },
  plan: Pick<PlanSource, "id" | "header">,
): Promise<WriteSummary | undefined> {
  return findAppliedRun(folder, identityOf({ baseUrl, requestStats: { emulatorId } }, plan), {});
}

/** Returns the ID of the plan's unfinished run; see `findAppliedRunAt`. */
export async function findUnfinishedRunAt(
  folder: string,
  { baseUrl, emulatorId }: { baseUrl: string; emulatorId: string | null },
  plan: Pick<PlanSource, "id" | "header">,
): Promise<string | undefined> {
  const identity = identityOf({ baseUrl, requestStats: { emulatorId } }, plan);
  return (await findUnfinishedRun(folder, identity, () => {}))?.id;
}

function reopenFailed(journal: Journal): number {
  let count = 0;
  for (const state of ["rejected", "skipped"] as const) {
    for (const item of eachIn(journal, state)) {
      journal.reopen(item.number, outcomeOf(plannedStepOf(journal, item).step, item.action));
      count += 1;
    }
  }
  return count;
}

/** A `new` plan must be checked and confirmed before it is applied. */
export async function runStateOf(
  context: RunContext,
  plan: Pick<PlanSource, "id" | "header">,
): Promise<"new" | "unfinished" | "finished"> {
  const state = await readLastRun(context.folder, identityOf(context, plan), (journal) => {
    if (journal.setting("planned_at") === undefined || journal.setting("undone_at") !== undefined)
      return "new";
    return journal.setting("finished_at") === undefined ? "unfinished" : "finished";
  });
  return state ?? "new";
}

/** Returns the completed steps of a plan's run; undefined if there is no such run. */
export function findResults(
  folder: string,
  identity: RunIdentity,
  planId: string,
): Promise<StepResult[] | undefined> {
  return readLastRun(folder, identity, (journal) => {
    const isApplied = journal.setting("plan_id") === planId && journal.setting("undone_at") === undefined;
    return isApplied ? [...resultsOf(journal)] : undefined;
  });
}

export function* resultsOf(journal: Journal): Generator<StepResult, void> {
  for (const item of eachIn(journal, "done")) {
    const { step } = plannedStepOf(journal, item);
    const data = item.answer === undefined ? undefined : recordOf(item.answer);
    yield { step, id: item.target ?? "", data };
  }
}

/** Outcomes, highest precedence first. An organization's step may have several items, one per license. */
const stepOutcomes = ["unknown", "failed", "blocked", "drifted", "skipped", "done"] as const;

/**
 * Counts steps by outcome, and resources by change. `stored_otherwise`: the service normalized values.
 * `changed_elsewhere`: another user also changed the resource. `verified`: --verify read the resource again.
 */
export function countStepOutcomes(journal: Journal): Outcomes {
  const outcomes: Record<string, number> = {
    stored_otherwise: countItems(
      journal,
      "state = 'done' AND json_array_length(detail, '$.stored_otherwise') > 0",
    ),
    changed_elsewhere: countForeignChanges(journal),
    ...(journal.setting("verified") === undefined ? {} : { verified: journal.numberOf("verified") }),
  };
  for (const { state, outcome, count } of journal.counts())
    if (state === "done") outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
  const rows = journal.database
    .prepare(
      `SELECT first, count(*) AS n FROM (SELECT min(CASE state WHEN 'done' THEN 5 WHEN 'skipped' THEN iif(outcome = 'skipped', 4, 3)
         WHEN 'rejected' THEN CASE outcome WHEN 'drifted' THEN 3 WHEN 'blocked' THEN 2 ELSE 1 END ELSE 0 END) AS first
       FROM items GROUP BY line) GROUP BY first`,
    )
    .all();
  for (const row of rows) outcomes[stepOutcomes[Number(row["first"])] ?? "unknown"] = Number(row["n"]);
  return outcomes;
}
