import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "../../base/database.js";
import { recordOf } from "../values.js";
import { labelOf, resourceOf } from "./canonical.js";
import { type PlanStep, parsePlanLine } from "./format.js";
import type { Plan } from "./read.js";

/** A step with what it is about, for a person. */
export interface ShownStep {
  step: PlanStep;
  resource: string;
  /** The thing's own name, as far as the plan knows it. */
  label: string;
  /** Undefined of what is yet to be created. */
  id: string | undefined;
}

/** A step with what a person knows it by. */
function shownStep(step: PlanStep): ShownStep {
  const resource = resourceOf(step.op);
  const known = { ...step.if?.fields, ...step.before, ...step.body, ...step.after };
  const [id] = Object.values(recordOf(step.path));
  return { step, resource, label: labelOf(resource, known), id: typeof id === "string" ? id : undefined };
}

/**
 * A plan's steps by resource, then label, then id, so that two plans can be compared line by line. They are sorted in
 * a file, so that a plan of any length takes the same memory.
 * @param temporaryFolder where that file lies meanwhile; it holds personal data and is the user's own folder
 */
export async function* sortedSteps(plan: Plan, temporaryFolder: string): AsyncGenerator<ShownStep, void> {
  const folder = await mkdtemp(join(temporaryFolder, "voxctl-"));
  try {
    const database = await openDatabase(join(folder, "steps.sqlite"));
    try {
      database.exec("PRAGMA journal_mode = OFF");
      database.exec("CREATE TABLE steps (resource TEXT, label TEXT, id TEXT, step INTEGER, line TEXT)");
      const insert = database.prepare("INSERT INTO steps VALUES (?, ?, ?, ?, ?)");
      database.begin();
      for await (const entry of plan.entries()) {
        if (entry.type !== "step") continue;
        const { resource, label, id } = shownStep(entry.step);
        insert.run(resource, label, id ?? null, entry.step.step, JSON.stringify(entry.step));
      }
      database.commit();
      const rows = database.prepare("SELECT line FROM steps ORDER BY resource, label, id, step").iterate();
      for (const row of rows) {
        const line = parsePlanLine(String(row["line"]));
        if (line.type === "step") yield shownStep(line.step);
      }
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
