import { createHash } from "node:crypto";
import type { RunContext } from "../../write/engine/context.js";
import { runJournaled } from "../../write/engine/lifecycle.js";
import { openRunById, openRunOf, openUnfinished, reportUnfinishedRuns } from "../../write/engine/open.js";
import type { WriteSummary } from "../../write/engine/summary.js";
import { pathOf } from "../../write/journal/folder.js";
import type { RunIdentity } from "../../write/journal/identity.js";
import { Journal } from "../../write/journal/journal.js";
import { runsInto } from "../../write/journal/list.js";
import { itemsIn } from "../../write/journal/outcome.js";
import { resumeApply } from "../../write/plan/apply.js";
import type { PlanItem } from "./compare.js";
import type { Planned } from "./converge.js";
import type { Inventory } from "./inventory.js";
import { planItemOf } from "./items.js";
import { remember } from "./made.js";
import type { OrganizationSpec } from "./organization-spec.js";
import { planOrganizations } from "./plan-file/apply.js";
import { provisionItems } from "./provision-items.js";
import { organizationsAdapter } from "./subject/adapter.js";
import { isPlanRun } from "./subject/blocked.js";

export interface ProvisionTask {
  spec: OrganizationSpec;
  /** The plan's name, as the user gave it. */
  file: string;
  /** Name of the profile, by which later commands find the service. */
  profile: string;
  /** Start a new run, regardless of existing runs. */
  newRun: boolean;
  /** A recent inventory, and the comparison of the spec with it. */
  known: { inventory: Inventory; planned: Planned };
  /** Actions in addition to creation; null if the run only creates. */
  convergence: { converge: boolean; prune: boolean; adopted: boolean } | null;
}

/**
 * Creates what a spec contains and the service lacks; changes and deletes if it converges. Journals the spec
 * first, then the result of each item, so that an interrupted run can be resumed.
 * @param context its client has received a response already
 * @throws see `runJournaled`
 */
export async function provision(context: RunContext, task: ProvisionTask): Promise<WriteSummary> {
  const { spec, file, profile, newRun, known, convergence } = task;
  const identity: RunIdentity = {
    kind: "provisioning",
    base_url: context.baseUrl,
    world: context.requestStats.emulatorId,
    group_id: "",
    digest: createHash("sha256").update(JSON.stringify(spec)).digest("hex"),
    options: convergence,
  };
  return runJournaled(context, {
    open: () => openRunOf(context, identity, { newRun, once: false }),
    async plan({ id, journal }) {
      reportUnfinishedRuns(context, await runsInto(context.folder, identity, id), file);
      journal.setSetting("file", file);
      journal.setSetting("profile", profile);
      journal.setSetting("spec_name", spec.name ?? null);
      const items = provisionItems(known.planned.items, known.inventory);
      journal.database.transaction(() => {
        for (const item of items) journal.insert(item);
      });
    },
    adapter: (journal) => organizationsAdapter(context, journal, { known: known.inventory }),
    finished: (journal) => remember(context, journal),
  });
}

/**
 * Resumes a run by its id, of a spec or of a plan file; its steps are in the journal.
 * @throws see `runJournaled`
 */
export async function resumeProvisioning(context: RunContext, id: string): Promise<WriteSummary> {
  if (await isOfPlanFile(context, id)) return resumeApply(context, id, { subject: planOrganizations() });
  return runJournaled(context, {
    open: () => openUnfinished(context, id),
    plan: async () => {},
    adapter: (journal) => organizationsAdapter(context, journal),
    finished: (journal) => remember(context, journal),
  });
}

async function isOfPlanFile(context: RunContext, id: string): Promise<boolean> {
  const { journal } = await openRunById(context, id);
  const isPlan = isPlanRun(journal);
  journal.close();
  return isPlan;
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
