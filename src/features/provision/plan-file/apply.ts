/** Applies organization plans in the same way as other plans. */
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
 * Returns the subject for one run of a plan. The run checks the preconditions right before the first write, and
 * reads organizations to delete or reassign again within the minute before that request.
 * @param inventory recent inventory
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
