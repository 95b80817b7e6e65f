/** A run that makes organizations match a spec or a plan file. */
import type { ClientError } from "../../../client/errors.js";
import type { RunContext } from "../../../write/engine/context.js";
import { failureDetail } from "../../../write/engine/judgement.js";
import type { Item, Result } from "../../../write/journal/item.js";
import { recordOf } from "../../../write/values.js";
import { findOrganization } from "../inventory.js";
import { aboutOf } from "../items.js";
import { missingResult } from "./blocked.js";
import type { Direction } from "./direction.js";
import { createdResult, differencesOf, judgeItem } from "./judge.js";

export const forward: Direction = {
  isRead: ({ action }, { step }) => action === "delete" || step.op === "licenses.reassign",
  judge: judgeItem,
  missing: missingResult,
  refused: refusedResult,
  isComparedAgain: true,
};

/** Reads a refusal as the result of its item. */
async function refusedResult(context: RunContext, item: Item, error: ClientError): Promise<Result> {
  const { number, target = "", action, attempts } = item;
  const known = recordOf(item.detail);
  const about = aboutOf(item);
  const skipped = (outcome: string, more: object = {}): Result => ({
    ...{ number, state: "skipped", outcome },
    detail: { ...known, ...more },
  });
  if (error.status === 404 && action === "delete") {
    // An earlier request without a response deleted it.
    return attempts > 0 ? { number, state: "done", target } : skipped("gone");
  }
  if (error.status === 404 && action === "update") return skipped("left", { reason: "no longer exists" });
  // v2.delete.msp: another user's customers came to be in it.
  if (error.status === 409 && action === "delete") return skipped("left", { reason: error.message });
  if (error.status === 409 && about.kind !== "license") {
    const existing = await findOrganization(context, about.external_id, { isExpected: true });
    if (existing !== undefined && action === "create")
      // Without an earlier lost request, another user created it: an undo must not delete it.
      return createdResult(item, existing.id, differencesOf(about, existing));
    // A license that is assigned to it already can't be assigned: an earlier request did that.
    if (existing?.id === target && existing.license === recordOf(item.body)["externalLicenseId"])
      return createdResult(item, target, []);
  }
  const outcome = error.status === 409 ? "conflicts" : "failed";
  return { number, state: "rejected", outcome, detail: { ...known, ...failureDetail(error) } };
}
