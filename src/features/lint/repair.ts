import type { PlanStep } from "../../write/plan/format.js";
import { deleteStep, reindexStep, updateStep } from "../../write/plan/index.js";
import type { FindingWithRecord } from "./lint-rule.js";
import { getId } from "./organization.js";

/** Findings for the same resource that have the same fix share one step. */
export function buildRepairSteps(findings: readonly FindingWithRecord[]): PlanStep[] {
  const steps: PlanStep[] = [];
  const seen = new Set<string>();
  for (const { finding, record, fix } of findings) {
    const key = `${finding.resource}/${finding.id}/${JSON.stringify(fix)}`;
    if (fix === undefined || seen.has(key)) continue;
    seen.add(key);
    const step = steps.length + 1;
    const id = getId(record);
    if (fix.action === "delete") steps.push(deleteStep(finding.resource, id, record, { step }));
    else if (fix.action === "update")
      steps.push(updateStep(finding.resource, id, fix.changes, record, { step }));
    else steps.push(reindexStep(id, record, { step }));
  }
  return steps;
}
