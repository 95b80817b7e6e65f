import { resourceOf } from "./canonical.js";
import { createInspection } from "./inspect.js";
import { planApiOf } from "./plan-api.js";
import type { Plan } from "./read.js";
import { referencesOf } from "./references.js";
import { findResourceKey } from "./steps.js";

/**
 * Inspects a plan without its outdated steps and the steps that depend on them. With the Public API, a step
 * also depends on earlier steps that change the same resource.
 */
export async function inspectRemaining(
  plan: Plan,
  outdated: ReadonlySet<number>,
): Promise<Pick<Plan, "steps" | "totals">> {
  const { add, totals } = createInspection();
  const isByResource = planApiOf(plan.header) === "public";
  let steps = 0;
  const skipped = new Set<number>();
  const skippedKeys = new Set<string>();
  for await (const entry of plan.entries()) {
    if (entry.type !== "step") continue;
    const { step } = entry;
    const key = isByResource ? findResourceKey(resourceOf(step.op), step) : undefined;
    if (
      outdated.has(step.step) ||
      (key !== undefined && skippedKeys.has(key)) ||
      referencesOf(step).some((number) => skipped.has(number))
    ) {
      skipped.add(step.step);
      if (key !== undefined) skippedKeys.add(key);
      continue;
    }
    steps += 1;
    add(step);
  }
  return { steps, totals };
}
