import { createHash } from "node:crypto";
import type { Random } from "../../base/random.js";
import type { RunContext } from "../../write/engine/context.js";
import { reportUnfinishedRuns } from "../../write/engine/open.js";
import { countOutcomes, type WriteSummary } from "../../write/engine/summary.js";
import { identityOf, type RunIdentity } from "../../write/journal/identity.js";
import type { NewItem } from "../../write/journal/item.js";
import { type RunInfo, runsAndUndosInto } from "../../write/journal/list.js";
import { itemsIn } from "../../write/journal/outcome.js";
import { readRun } from "../../write/journal/read.js";
import { resumeApply, runSteps } from "../../write/plan/apply.js";
import { draftPlan } from "../../write/plan/draft.js";
import type { Subject } from "../../write/subject.js";
import type { PlanItem } from "./compare.js";
import type { Planned } from "./converge.js";
import type { Inventory } from "./inventory.js";
import { planItemOf, toItems } from "./items.js";
import type { OrganizationSpec } from "./organization-spec.js";
import { stepsByItem } from "./plan-file/steps.js";
import { organizationsOf } from "./subject/organizations.js";

export interface ProvisionTask {
  spec: OrganizationSpec;
  file: string;
  /** Name of the profile, which later commands use to find the service. */
  profile: string;
  command: string;
  newRun: boolean;
  known: { inventory: Inventory; planned: Planned };
  /** Allowed actions other than creates, as part of the run's identity; null if only creates are allowed. */
  options: { converge: boolean; prune: boolean; adopted: boolean } | { cascade: string } | null;
  random: Random;
}

/**
 * Creates missing organizations and licenses, and resumes an interrupted run. With `options`, also changes
 * and deletes existing ones.
 * @param context context whose client has already received a response
 * @throws see `runSteps`
 */
export function provision(context: RunContext, task: ProvisionTask): Promise<WriteSummary> {
  const { spec, file, profile, command, newRun, known, options, random } = task;
  const identity: RunIdentity = {
    kind: "provisioning",
    base_url: context.baseUrl,
    world: context.requestStats.emulatorId,
    group_id: "",
    digest: createHash("sha256").update(JSON.stringify(spec)).digest("hex"),
    options,
  };
  const { name } = spec;
  const steps = stepsByItem(known.planned.items, known.inventory);
  const draft = {
    lines: () => new Set(steps.values()),
    groups: [],
    ...(name === undefined ? {} : { provision: { name } }),
  };
  const plan = draftPlan(context, draft, random);
  const subject = specSubject(known.inventory, () => toItems(known.planned.items, steps));
  return runSteps(context, { plan, file, profile, command }, { identity, newRun, once: false, subject });
}

/** Resumes a run of a spec or a plan file by its ID. The journal contains the steps. @throws see `runSteps` */
export function resumeProvisioning(
  context: RunContext,
  { id, command }: Pick<RunInfo, "id" | "command">,
): Promise<WriteSummary> {
  return resumeApply(context, id, { subject: command === null ? organizationsOf() : specSubject() });
}

/** The run's journal also contains the spec entries without a request. */
function specSubject(inventory?: Inventory, listItems: () => NewItem[] = () => []): Subject {
  return {
    ...organizationsOf(inventory),
    async plan(context, { id, journal }, { file, plan }) {
      const identity = identityOf(journal);
      if (identity !== undefined)
        reportUnfinishedRuns(context, await runsAndUndosInto(context.folder, identity, id), file);
      journal.setSetting("spec_name", plan.header.provision?.name ?? null);
      journal.database.transaction(() => {
        for (const item of listItems()) journal.insert(item);
      });
      // The organizations were read before the prompt, so the steps must be compared again.
      return false;
    },
    outcomes: countOutcomes,
  };
}

export interface ProvisioningResult {
  summary: WriteSummary;
  items: PlanItem[];
}

/** Must be called before the command ends, because the end of the command removes a shared run's journal. */
export async function readProvisioned(
  { folder }: Pick<RunContext, "folder">,
  summary: WriteSummary,
): Promise<ProvisioningResult> {
  const items = await readRun(folder, summary.run_id ?? "", (journal) =>
    [...itemsIn(journal)].map(planItemOf),
  );
  return { summary, items: items ?? [] };
}
