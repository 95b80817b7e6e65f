/** Undoes organization runs. */
import type { Item } from "../../../write/journal/item.js";
import { eachIn } from "../../../write/journal/outcome.js";
import { createPlannedSteps } from "../../../write/plan/planned-steps.js";
import type { UndoSubject } from "../../../write/undo/subject.js";
import { hasStep } from "../items.js";
import { rememberRecreated } from "../made.js";
import { organizationsAdapter } from "./adapter.js";
import { orphanedResult, resultWithMsp } from "./blocked.js";
import type { Direction } from "./direction.js";
import { organizationParts } from "./inversion.js";
import { refreshItems } from "./judge.js";
import { readOfRun } from "./read-of-run.js";
import { judgeReversal, refusedReversal } from "./reversal.js";

const backward: Direction = {
  isRead: (_, { share }) => share === undefined,
  judge: judgeReversal,
  missing: orphanedResult,
  refused: refusedReversal,
  isComparedAgain: false,
};

export const undoOrganizations: UndoSubject = {
  listParts: organizationParts,
  async lookUp(context, original) {
    refreshItems(original, await readOfRun(context, original, undefined), eachIn(original, "unknown"));
  },
  adapter: (context, journal) => organizationsAdapter(context, journal, { direction: backward }),
  conclude: rememberRecreated,
  async previewer(context, original, journal) {
    const inventory = await readOfRun(context, original.journal, undefined);
    const plannedOf = createPlannedSteps(journal);
    const judge = (item: Item) => {
      if (!hasStep(item)) return resultWithMsp(journal, item);
      return backward.isRead(item, plannedOf(item)) ? judgeReversal(item, inventory, journal) : undefined;
    };
    return { judge: async (item) => ({ result: judge(item), now: null }) };
  },
};
