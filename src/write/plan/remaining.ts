import { resourceOf } from "./canonical.js";
import { createInspection } from "./inspect.js";
import type { Plan } from "./read.js";
import { referencesOf } from "./references.js";
import { findResourceKey } from "./steps.js";

/** Inspects a plan without its outdated steps and the steps that depend on them. */
export async function inspectRemaining(
  plan: Plan,
  outdated: ReadonlySet<number>,
): Promise<Pick<Plan, "steps" | "totals">> {
  const { add, totals } = createInspection();
  let steps = 0;
  const skipped = new Set<number>();
  const skippedKeys = new Set<string>();
  for await (const entry of plan.entries()) {
    if (entry.type !== "step") continue;
    const { step } = entry;
    const key = findResourceKey(resourceOf(step.op), step) ?? "";
    if (
      outdated.has(step.step) ||
      skippedKeys.has(key) ||
      referencesOf(step).some((number) => skipped.has(number))
    ) {
      skipped.add(step.step);
      if (key !== "") skippedKeys.add(key);
      continue;
    }
    steps += 1;
    add(step);
  }
  return { steps, totals };
}
