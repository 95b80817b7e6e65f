import type { RunContext } from "../engine/context.js";
import type { PlannedRun } from "../engine/lifecycle.js";
import type { Journal } from "../journal/journal.js";
import { findOldestGroup } from "../oldest-group.js";
import { unprovable } from "./allowed.js";
import { assertTarget, readExpected } from "./check.js";
import { dropItems } from "./compare.js";
import { createExpectations } from "./expectations.js";
import type { PlanStep } from "./format.js";
import type { PlanNeeds } from "./inspect.js";
import { insertSteps } from "./items.js";
import type { PlanSource } from "./read.js";
import type { ApplyTask } from "./task.js";

export async function planSteps(
  context: RunContext,
  { journal }: PlannedRun,
  task: ApplyTask<PlanSource>,
  needs: PlanNeeds,
): Promise<boolean> {
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
    // Another run may have changed a group after the resources were read, so read them again.
    expectations.clear();
    for await (const entry of plan.entries()) if (entry.type === "step") expect(entry.step);
    await readExpected(context, expectations);
  }
  await dropItems(journal, plan, expectations.failures(), task);
  if (needs.unprovable !== undefined && task.again !== true) throw unprovable(plan.id, needs.unprovable);
  return true;
}

/**
 * Locks a plan's groups against other runs. All runs lock groups in the same order, to prevent deadlocks.
 * @param more groups whose resources the plan changes without naming the group
 * @returns whether it waited for another run
 */
export async function holdGroups(
  { client, signal, locks }: RunContext,
  { groups, newGroups }: PlanNeeds,
  more: readonly string[],
): Promise<boolean> {
  // Release the locks first, so that all are acquired in order.
  if (more.length > 0) await locks.release();
  let hasWaited = false;
  for (const id of [...new Set([...groups, ...more])].sort()) if (await locks.hold({ id })) hasWaited = true;
  const named = newGroups.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const oldestGroup = named.length === 0 ? null : await findOldestGroup({ client, signal });
  for (const group of named) if (await locks.hold({ ...group, oldestGroup })) hasWaited = true;
  return hasWaited;
}

async function inTransaction(journal: Journal, work: () => Promise<void>): Promise<void> {
  journal.database.begin();
  try {
    await work();
  } finally {
    // Commit even after an error: incomplete steps do no harm, because the caller then removes the run.
    journal.database.commit();
  }
}
