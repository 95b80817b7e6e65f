import { lookUpLost, sendingOf } from "./adapter.js";
import { noteForeignChanges } from "./answered.js";
import { unlistedOf } from "./plan/canonical.js";
import { findDoubled } from "./plan/doubled.js";
import { forwardCourse } from "./plan/forward.js";
import { planSteps } from "./plan/plan-steps.js";
import { plannedStepOf } from "./plan/planned-steps.js";
import { findResult } from "./plan/unconfirmed-steps.js";
import { compareWritten } from "./plan/verify.js";
import type { Subject } from "./subject.js";
import { backwardCourse } from "./undo/backward.js";
import { compareUndo } from "./undo/compare.js";
import { listParts } from "./undo/parts.js";

/**
 * An organization's resources, for runs. A list shows whether a create request without a response took
 * effect.
 */
export const resources: Subject = {
  paces: "contacts.create",
  inOrder: false,
  unlistedOf,
  course: (sending) => (sending.isUndo ? backwardCourse(sending) : forwardCourse(sending)),
  plan: planSteps,
  async sent(context, journal) {
    noteForeignChanges(journal, (item) => plannedStepOf(journal, item).step.if?.fields ?? {});
    await findDoubled(context, journal);
  },
  verifier: async (context, journal) => (item) => compareWritten(context, journal, item),
  listParts,
  async lookUp(context, original) {
    const sending = sendingOf(context, original, false);
    await lookUpLost(sending, {
      ...forwardCourse(sending),
      lost: (item, planned) => findResult(sending, item, planned, { resends: false }),
    });
  },
  undoPlanned: compareUndo,
};
