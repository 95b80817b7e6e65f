import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "../../base/database.js";
import { stringifyExactJson } from "../../base/exact-json.js";
import { recordOf } from "../values.js";
import { labelOf, resourceOf } from "./canonical.js";
import type { Failure } from "./expectations.js";
import { type PlanStep, parsePlanLine } from "./format.js";
import { findDeletedMembers } from "./members.js";
import { planApiOf } from "./plan-api.js";
import type { Plan, PlanSource } from "./read.js";

export interface ShownStep {
  step: PlanStep;
  resource: string;
  /** Name of the resource; empty if the plan doesn't contain the name. */
  label: string;
  /** ID of the resource; undefined if the plan creates the resource. */
  id: string | undefined;
  members: { resource: string; count: number } | undefined;
}

function shownStep(step: PlanStep): ShownStep {
  const resource = resourceOf(step.op);
  const known = { ...step.if?.fields, ...step.before, ...step.body, ...step.after };
  const [id] = Object.values(recordOf(step.path));
  return {
    ...{ step, resource, label: labelOf(resource, known), members: findDeletedMembers(step) },
    id: typeof id === "string" ? id : undefined,
  };
}

export interface FailedStep extends Failure {
  shown: ShownStep;
}

/**
 * Reads the plan again to find the steps.
 * @param failures in the order of the steps
 */
export async function* withSteps(
  plan: PlanSource,
  failures: Iterable<Failure>,
): AsyncGenerator<FailedStep, void> {
  const entries = plan.entries()[Symbol.asyncIterator]();
  try {
    let shown: ShownStep | undefined;
    for (const failure of failures) {
      while (shown?.step.step !== failure.step) {
        const { value: entry, done } = await entries.next();
        if (done) return;
        if (entry.type === "step") shown = shownStep(entry.step);
      }
      yield { ...failure, shown };
    }
  } finally {
    await entries.return?.();
  }
}

/**
 * Yields a plan's steps sorted by resource type, label and ID, so that plans can be compared line by line.
 * Deletions come first. Steps for organizations keep their order, because a license must be free before it is
 * assigned.
 * @param temporaryFolder private directory for a file with personal data
 */
export async function* sortedSteps(plan: Plan, temporaryFolder: string): AsyncGenerator<ShownStep, void> {
  const folder = await mkdtemp(join(temporaryFolder, "voxctl-"));
  try {
    const database = await openDatabase(join(folder, "steps.sqlite"));
    try {
      database.exec("PRAGMA journal_mode = OFF");
      database.exec(
        "CREATE TABLE steps (kept INTEGER, resource TEXT, label TEXT, id TEXT, step INTEGER, line TEXT)",
      );
      const insert = database.prepare("INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?)");
      const isSorted = planApiOf(plan.header) === "public";
      database.begin();
      for await (const entry of plan.entries()) {
        if (entry.type !== "step") continue;
        const { resource, label, id } = shownStep(entry.step);
        const isKept = entry.step.op.endsWith(".delete") ? 0 : 1;
        const keys = isSorted ? [isKept, resource, label, id ?? null] : [null, null, null, null];
        insert.run(...keys, entry.step.step, stringifyExactJson(entry.step));
      }
      database.commit();
      const rows = database
        .prepare("SELECT line FROM steps ORDER BY kept, resource, label, id, step")
        .iterate();
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
