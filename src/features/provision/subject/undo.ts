/** The undo of runs of organizations. */
import type { UndoSubject } from "../../../write/undo/subject.js";
import { hasStep } from "../items.js";
import { organizationsAdapter } from "./adapter.js";
import { resultWithMsp } from "./blocked.js";
import { organizationParts } from "./inversion.js";
import { refreshItems } from "./judge.js";
import { readOfRun } from "./read-of-run.js";
import { judgeReversal } from "./reversal.js";

export const undoOrganizations: UndoSubject = {
  listParts: organizationParts,
  async lookUp(context, original) {
    refreshItems(original, await readOfRun(context, original, undefined), ({ state }) => state === "unknown");
  },
  adapter: (context, journal) => organizationsAdapter(context, journal, { isUndo: true }),
  async previewer(context, original, journal) {
    const inventory = await readOfRun(context, original.journal, undefined);
    return {
      async judge(item) {
        const result = hasStep(item) ? judgeReversal(item, inventory, journal) : resultWithMsp(journal, item);
        return { result, now: null };
      },
    };
  },
};
