import type { Random } from "../../base/random.js";
import type { RunContext } from "../engine/context.js";
import type { Journal } from "../journal/journal.js";
import { itemsIn } from "../journal/outcome.js";
import { configOf, type FileRow, type PlanHeader, type PlanStep } from "./format.js";
import { createInspection, type PlanNeeds } from "./inspect.js";
import { createPlannedSteps } from "./planned-steps.js";
import type { PlanSource } from "./read.js";

interface Draft extends Pick<PlanHeader, "keys" | "config" | "provision"> {
  /** Yields the steps, numbered from 1, then the rows of the command's file. Can be called repeatedly. */
  lines(): Iterable<PlanStep | FileRow>;
  groups?: readonly string[];
  existing?: PlanSource["existing"];
}

type Place = Pick<RunContext, "baseUrl" | "machineClock">;

/** Creates a plan without a file. The run journals its steps immediately. */
export function draftPlan(context: Place, draft: Draft, random: Random): PlanSource {
  return toPlan(context, draft, random.bytes(6).toString("hex"));
}

/** Reads an interrupted run's plan from its journal. Omits the rows of the file. */
export function journaledPlan(context: Place, journal: Journal): PlanSource {
  const stepOf = createPlannedSteps(journal);
  const steps = [...itemsIn(journal)].map((item) => stepOf(item).step);
  const config = configOf(journal.setting("config"));
  const draft = { lines: () => steps, ...(config === undefined ? {} : { config }) };
  return toPlan(context, draft, String(journal.setting("plan_id")));
}

function toPlan(
  { baseUrl, machineClock }: Place,
  { lines, groups, existing, ...parts }: Draft,
  id: string,
): PlanSource {
  const header = {
    made_at: new Date(machineClock.now()).toISOString(),
    target: { base_url: baseUrl, anchors: [] },
    ...parts,
  };
  const inspect = (): PlanNeeds => {
    const inspection = createInspection();
    if (groups === undefined) for (const line of lines()) if ("step" in line) inspection.add(line);
    const inspected = inspection.needs({ id, header });
    return groups === undefined ? inspected : { ...inspected, groups: new Set(groups) };
  };
  let needs: PlanNeeds | undefined;
  return {
    header,
    id,
    existing,
    needs() {
      needs ??= inspect();
      return needs;
    },
    async *entries() {
      for (const line of lines())
        yield "step" in line ? { type: "step", step: line } : { type: "row", row: line };
    },
  };
}
