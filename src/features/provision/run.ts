/** Runs of organization specs. */
import { createHash } from "node:crypto";
import type { Random } from "../../base/random.js";
import type { RunContext } from "../../write/engine/context.js";
import { reportUnfinishedRuns } from "../../write/engine/open.js";
import { countOutcomes, type WriteSummary } from "../../write/engine/summary.js";
import { pathOf } from "../../write/journal/folder.js";
import { identityOf, type RunIdentity } from "../../write/journal/identity.js";
import type { NewItem } from "../../write/journal/item.js";
import { Journal } from "../../write/journal/journal.js";
import { type RunInfo, runsInto } from "../../write/journal/list.js";
import { itemsIn } from "../../write/journal/outcome.js";
import { type PlanSubject, resumeApply, runSteps } from "../../write/plan/apply.js";
import { draftPlan } from "../../write/plan/draft.js";
import type { PlanItem } from "./compare.js";
import type { Planned } from "./converge.js";
import type { Inventory } from "./inventory.js";
import { planItemOf } from "./items.js";
import type { OrganizationSpec } from "./organization-spec.js";
import { planOrganizations } from "./plan-file/apply.js";
import { stepsByItem } from "./plan-file/steps.js";
import { provisionItems } from "./provision-items.js";

export interface ProvisionTask {
  spec: OrganizationSpec;
  /** The plan's name, as the user gave it. */
  file: string;
  /** Name of the profile, by which later commands find the service. */
  profile: string;
  /** The command's words, by which the run is listed. */
  command: string;
  /** Start a new run, regardless of existing runs. */
  newRun: boolean;
  /** A recent inventory, and the comparison of the spec with it. */
  known: { inventory: Inventory; planned: Planned };
  /** Actions in addition to creation; null if the run only creates. */
  convergence: { converge: boolean; prune: boolean; adopted: boolean } | null;
  random: Random;
}

/**
 * Creates what a spec contains and the service lacks; changes and deletes if it converges. An interrupted run is
 * resumed.
 * @param context its client has received a response already
 * @throws see `runSteps`
 */
export function provision(context: RunContext, task: ProvisionTask): Promise<WriteSummary> {
  const { spec, file, profile, command, newRun, known, convergence, random } = task;
  const identity: RunIdentity = {
    kind: "provisioning",
    base_url: context.baseUrl,
    world: context.requestStats.emulatorId,
    group_id: "",
    digest: createHash("sha256").update(JSON.stringify(spec)).digest("hex"),
    options: convergence,
  };
  const { name } = spec;
  const steps = stepsByItem(known.planned.items, known.inventory);
  const draft = {
    lines: () => new Set(steps.values()),
    groups: [],
    ...(name === undefined ? {} : { provision: { name } }),
  };
  const plan = draftPlan(context, draft, random);
  const subject = specSubject(known.inventory, () => provisionItems(known.planned.items, steps));
  return runSteps(context, { plan, file, profile, command }, { identity, newRun, once: false, subject });
}

/**
 * Resumes a run by its id, of a spec or of a plan file; its steps are in the journal.
 * @throws see `runSteps`
 */
export function resumeProvisioning(
  context: RunContext,
  { id, command }: Pick<RunInfo, "id" | "command">,
): Promise<WriteSummary> {
  return resumeApply(context, id, { subject: command === null ? planOrganizations() : specSubject() });
}

/** The items of a spec's run are its demands: those without a step are journaled with them. */
function specSubject(inventory?: Inventory, listItems: () => NewItem[] = () => []): PlanSubject {
  return {
    ...planOrganizations(inventory),
    async plan(context, { id, journal }, { file, plan }) {
      const identity = identityOf(journal);
      if (identity !== undefined)
        reportUnfinishedRuns(context, await runsInto(context.folder, identity, id), file);
      journal.setSetting("spec_name", plan.header.provision?.name ?? null);
      journal.database.transaction(() => {
        for (const item of listItems()) journal.insert(item);
      });
      // The user was asked since the organizations were read.
      return false;
    },
    outcomes: countOutcomes,
  };
}

/** Reads the demands of a spec with their results from its finished run. */
export async function readProvisioned(folder: string, id: string): Promise<PlanItem[]> {
  const journal = await Journal.open(pathOf(folder, id), { create: false });
  try {
    return [...itemsIn(journal)].map(planItemOf);
  } finally {
    journal.close();
  }
}
