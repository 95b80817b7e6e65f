import type { ClientError } from "../../../client/errors.js";
import type { RunContext } from "../../../write/engine/context.js";
import { failureDetail } from "../../../write/engine/judgement.js";
import type { Item, Result } from "../../../write/journal/item.js";
import { recordOf } from "../../../write/values.js";
import { findOrganization } from "../inventory.js";
import { aboutOf } from "../items.js";
import { createdResult, differencesOf } from "./judge.js";

/** Returns undefined if the item counts as failed. */
export async function refusedResult(
  context: RunContext,
  item: Item,
  error: ClientError,
): Promise<Result | undefined> {
  const { number, target = "", action, attempts } = item;
  const known = recordOf(item.detail);
  const about = aboutOf(item);
  const skipped = (outcome: string, more: object = {}): Result => ({
    ...{ number, state: "skipped", outcome },
    detail: { ...known, ...more },
  });
  if (error.status === 404 && action === "delete") {
    // An earlier request without a response may have deleted the organization.
    return attempts > 0 ? { number, state: "done", target } : skipped("gone");
  }
  if (error.status === 404 && action === "update") return skipped("left", { reason: "no longer exists" });
  // Another user added customers to the MSP (v2.delete.msp).
  if (error.status === 409 && action === "delete") return skipped("left", { reason: error.message });
  if (error.status === 409 && about.kind !== "license") {
    const license = recordOf(item.body)["externalLicenseId"];
    // An earlier request without a response may have assigned the license. The list might not show the
    // license yet.
    const isAssigned = action === "update" && attempts > 0;
    const existing = await findOrganization(context, about.external_id, isAssigned ? license : undefined);
    if (existing !== undefined && action === "create")
      // If this run sent no earlier request, another user created the organization. An undo must keep such an
      // organization.
      return createdResult(item, existing.id, differencesOf(about, existing));
    // The service rejects a license that the organization already has: an earlier request assigned it.
    if (existing?.id === target && existing.license === license) return createdResult(item, target, []);
  }
  if (error.status !== 409) return undefined;
  return { number, state: "rejected", outcome: "conflicts", detail: { ...known, ...failureDetail(error) } };
}
