/** Plans of organizations, which are applied like plans of resources. */
import type { PlanSubject } from "../../../write/plan/apply.js";
import { dropItems } from "../../../write/plan/compare.js";
import type { Inventory } from "../inventory.js";
import { remember } from "../made.js";
import { organizationsAdapter } from "../subject/adapter.js";
import { verifyOrganizations } from "../subject/verify.js";
import { assertDistributor, failuresIn, readConcerned } from "./check.js";
import { sealedItems } from "./items.js";
import { readSteps } from "./read.js";

/**
 * Returns the subject of one run of a plan. Its preconditions are checked right before the first write.
 * Organizations to delete or to give another license are read again within the minute before that.
 * @param inventory the organizations of a moment ago
 */
export function planOrganizations(inventory?: Inventory): PlanSubject {
  let known = inventory;
  return {
    async plan(context, { journal }, task) {
      const { plan } = task;
      const steps = await readSteps(plan);
      known = await readConcerned(context, steps);
      assertDistributor(plan, context.baseUrl, known);
      journal.setSetting("spec_name", plan.header.provision?.name ?? null);
      const items = sealedItems(steps, known);
      journal.database.transaction(() => {
        for (const item of items) journal.insert(item);
      });
      dropItems(journal, plan, failuresIn(steps, known), task);
      return true;
    },
    adapter: (context, journal) => organizationsAdapter(context, journal, { known }),
    verify: verifyOrganizations,
    finished: remember,
  };
}
