import { eachIn } from "../../../write/journal/outcome.js";
import { dropItems } from "../../../write/plan/compare.js";
import type { Subject } from "../../../write/subject.js";
import type { Inventory } from "../inventory.js";
import { toItems } from "../items.js";
import { remember, rememberRecreated } from "../made.js";
import { assertDistributor, failuresIn, readConcerned } from "../plan-file/check.js";
import { itemsInSteps } from "../plan-file/items.js";
import { readSteps } from "../plan-file/read.js";
import { organizationsCourse } from "./course.js";
import { organizationParts } from "./inversion.js";
import { refreshItems } from "./judge.js";
import { readOfRun } from "./read-of-run.js";
import { compareWritten } from "./verify.js";

/** @param inventory recent inventory */
export function organizationsOf(inventory?: Inventory): Subject {
  let known = inventory;
  return {
    paces: "orgs.create",
    // Send one item at a time: a license must be free before it can be assigned, and the service lists
    // organizations in creation order.
    inOrder: true,
    // The response to a request that writes licenses contains their MSP, not the licenses.
    unshown: new Set(["licenses"]),
    course: (sending) => organizationsCourse(sending, known),
    async plan(context, { journal }, task) {
      const { plan } = task;
      const steps = await readSteps(plan);
      known = await readConcerned(context, steps);
      assertDistributor(plan, context.baseUrl, known);
      journal.setSetting("spec_name", plan.header.provision?.name ?? null);
      const parts = itemsInSteps(steps, known);
      const items = toItems([...parts.keys()], parts);
      journal.database.transaction(() => {
        for (const item of items) journal.insert(item);
      });
      await dropItems(journal, plan, failuresIn(steps, known), task);
      return true;
    },
    async verifier(context, journal) {
      const now = await readOfRun(context, journal, undefined);
      return async (item) => compareWritten(item, now);
    },
    finished: remember,
    listParts: organizationParts,
    async lookUp(context, original) {
      refreshItems(original, await readOfRun(context, original, undefined), eachIn(original, "unknown"));
    },
    undone: rememberRecreated,
  };
}
