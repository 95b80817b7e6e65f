import type { PlanStep } from "../bulk/plan/format.js";
import { deleteStep, reindexStep, updateStep } from "../bulk/plan/index.js";
import { idOf } from "./organization.js";
import type { Found } from "./rule.js";

/** The steps of a plan that repairs what is certain: each thing once. */
export function repairSteps(found: readonly Found[]): PlanStep[] {
  const steps: PlanStep[] = [];
  const seen = new Set<string>();
  for (const { finding, thing, fix } of found) {
    const key = `${finding.resource}/${finding.id}/${JSON.stringify(fix)}`;
    if (fix === undefined || seen.has(key)) continue;
    seen.add(key);
    const step = steps.length + 1;
    const id = idOf(thing);
    if (fix.action === "delete") steps.push(deleteStep(finding.resource, id, thing, { step }));
    else if (fix.action === "update")
      steps.push(updateStep(finding.resource, id, fix.changes, thing, { step }));
    else steps.push(reindexStep(id, thing, { step }));
  }
  return steps;
}
