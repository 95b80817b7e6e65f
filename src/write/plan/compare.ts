import { quoteWord } from "../../base/shell-words.js";
import type { RunContext } from "../engine/context.js";
import { BulkError } from "../errors.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { recordOf } from "../values.js";
import { scopeOf } from "./canonical.js";
import { readExpected } from "./check.js";
import { createExpectations, type Failure } from "./expectations.js";
import type { PlanHeader, PlanStep } from "./format.js";
import { type PlannedStep, plannedStepOf } from "./planned-steps.js";
import type { PlanSource } from "./read.js";
import { sentOf } from "./sent.js";
import { type FailedStep, withSteps } from "./sorted.js";
import type { ApplyTask } from "./task.js";

/** Error for a plan with failed preconditions. No step was sent. */
class PlanOutdated extends BulkError {
  constructor(
    plan: PlanSource,
    readonly failures: readonly FailedStep[],
    readonly count: number,
    skipCommand: string | undefined,
  ) {
    const [first] = failures;
    const example =
      first === undefined
        ? ""
        : `; step ${first.step} (${first.shown.label || first.resource}): ${first.reason}`;
    super(
      "plan_outdated",
      `plan ${plan.id} is outdated: ${count} ${count === 1 ? "step no longer applies" : "steps no longer apply"}${example}`,
      formatOutdatedHint(plan.header, skipCommand),
    );
  }
}

/** A new rehearsal requires a refreshed mirror, because the old mirror would lead to the same plan. */
export function formatRenewal({ base }: Pick<PlanHeader, "base">): string {
  return base === undefined
    ? "create a new plan"
    : `rehearse the command again after \`voxctl mirror refresh ${quoteWord(base.mirror)}\``;
}

/** @param skipCommand see `ApplyTask` */
export function formatOutdatedHint(
  header: Pick<PlanHeader, "base">,
  skipCommand: string | undefined,
): string {
  const skip = skipCommand === undefined ? "" : `, or skip the outdated steps with \`${skipCommand}\``;
  return `${formatRenewal(header)}${skip}`;
}

const failuresKept = 100;

/**
 * Skips steps with failed preconditions, and all steps that need them.
 * @throws PlanOutdated
 */
export async function dropItems(
  journal: Journal,
  plan: PlanSource,
  failures: Iterable<Failure>,
  { skipDrifted, skipCommand, differs }: Pick<ApplyTask, "skipDrifted" | "skipCommand" | "differs">,
): Promise<void> {
  const kept: FailedStep[] = [];
  let count = 0;
  const failed = new Set<number>();
  for await (const failure of withSteps(plan, failures)) {
    count += 1;
    differs?.(failure);
    if (kept.length < failuresKept) kept.push(failure);
    if (skipDrifted) failed.add(failure.step);
  }
  if (count === 0) return;
  if (!skipDrifted) throw new PlanOutdated(plan, kept, count, skipCommand);
  const reasons = new Map(kept.map(({ step, reason }) => [step, reason]));
  const skipped = new Map<number, number>();
  journal.database.transaction(() => {
    for (const item of eachIn(journal, "planned")) {
      const { number, line } = item;
      const needed = plannedStepOf(journal, item).requires.find((required) => skipped.has(required));
      if (!failed.has(line) && needed === undefined) continue;
      skipped.set(number, line);
      const reason =
        reasons.get(line) ?? (needed === undefined ? "drifted" : `requires step ${skipped.get(needed)}`);
      const detail = { ...recordOf(item.detail), reason };
      journal.apply({ number, state: "skipped", outcome: "skipped", detail });
    }
  });
}

/**
 * Skips a resumed run's steps if their resource has changed since the plan was created. Ignores the run's own
 * changes.
 */
export async function compareAgain(context: RunContext, journal: Journal): Promise<void> {
  const expectations = createExpectations(journal.database, (id) => journal.knowsTarget(id));
  expectations.clear();
  for (const item of eachIn(journal, "planned")) {
    const planned = plannedStepOf(journal, item);
    const { step, resource, previous } = planned;
    // The run itself has changed this resource. The next request is compared with the run's own responses.
    if (item.attempts > 0 || previous !== undefined) continue;
    if (step.op.endsWith(".create") || resource === "calls")
      expectations.add(withCreatedGroup(journal, planned));
  }
  await readExpected(context, expectations);
  for (const { step, reason } of expectations.failures()) {
    const item = journal.item(step);
    if (item?.state !== "planned") continue;
    const detail = { ...recordOf(item.detail), reason };
    journal.record([{ number: step, state: "rejected", outcome: "drifted", detail }], []);
  }
}

/**
 * Adds a precondition for a step whose group the run has created: the group must contain no equal resource. The
 * plan has no such precondition, because the group doesn't exist before the run.
 */
function withCreatedGroup(journal: Journal, planned: PlannedStep): PlanStep {
  const { step, resource } = planned;
  const { group_id } = sentOf(journal, planned).body ?? {};
  const scope = scopeOf(resource, { group_id });
  if (typeof group_id !== "string" || group_id === step.body?.["group_id"] || scope === undefined)
    return step;
  return { ...step, if: { ...step.if, absent: { in: scope } } };
}
