/** The results of a run of a plan of organizations, step by step. */
import type { Item } from "../../journal/item.js";
import { applySummary, type PlanRun } from "../../plan/results.js";
import type { ApplySummary } from "../../plan/task.js";
import { recordOf } from "../../values.js";
import { outcomeOf } from "../items.js";
import { itemsByStep } from "./items.js";

type StepOutcome = keyof ApplySummary["steps"];

/** Outcomes of a step's items, by precedence. */
const order: readonly StepOutcome[] = ["unknown", "rejected", "blocked", "drifted", "skipped", "done"];

export const planRun: PlanRun = {
  reopenFailed(journal) {
    let count = 0;
    for (const items of itemsByStep(journal).values()) {
      for (const item of items) {
        if (item.state !== "rejected" && item.state !== "skipped") continue;
        journal.reopen(item.number, outcomeOf(item));
        count += 1;
      }
    }
    return count;
  },
  summarize(journal, run) {
    const steps = { done: 0, drifted: 0, blocked: 0, rejected: 0, unknown: 0, skipped: 0 };
    const written = { created: 0, updated: 0, deleted: 0 };
    let storedOtherwise = 0;
    for (const items of itemsByStep(journal).values()) {
      const outcomes = new Set(items.map(stepOutcome));
      steps[order.find((outcome) => outcomes.has(outcome)) ?? "done"] += 1;
      for (const item of items) {
        if (item.state !== "done") continue;
        written[item.action === "create" ? "created" : item.action === "delete" ? "deleted" : "updated"] += 1;
        if (Array.isArray(recordOf(item.detail)["stored_otherwise"])) storedOtherwise += 1;
      }
    }
    return applySummary(journal, run, { ...written, steps, stored_otherwise: storedOtherwise });
  },
};

/**
 * Returns the outcome of a step by one of its items. An item that differs by now was kept, as a drifted one.
 */
function stepOutcome({ state, outcome, detail }: Item): StepOutcome {
  if (state === "done") return "done";
  if (state === "skipped") return outcome === "skipped" ? "skipped" : "drifted";
  if (state !== "rejected") return "unknown";
  return recordOf(detail)["blocked"] === true ? "blocked" : "rejected";
}
