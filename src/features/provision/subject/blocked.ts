import type { Item, Result } from "../../../write/journal/item.js";
import type { Journal } from "../../../write/journal/journal.js";
import { blockedResult } from "../../../write/plan/forward.js";
import { recordOf } from "../../../write/values.js";
import { aboutOf } from "../items.js";

function isPlanRun(journal: Journal): boolean {
  return typeof journal.setting("command") !== "string";
}

/** Returns undefined to send the item anyway. */
export function missingResult(journal: Journal, item: Item, needed: Item): Result | undefined {
  return isPlanRun(journal) ? blockedResult(item, needed) : unmetResult(item, needed);
}

/**
 * Returns the result of undoing the creation of a license. The service deletes a license only together with
 * its MSP. In a preview, a planned deletion of the MSP counts as a deletion.
 */
export function resultWithMsp(journal: Journal, item: Item): Result {
  const { requires } = recordOf(item.input);
  const [number] = Array.isArray(requires) ? requires : [];
  const msp = typeof number === "number" ? journal.item(number) : undefined;
  const isGone = msp?.state === "done" || msp?.state === "planned" || msp?.outcome === "gone";
  const outcome = isGone ? "with_msp" : "kept";
  const reason = isGone ? {} : { reason: "a license can be deleted only with its MSP, and the MSP is kept" };
  return { number: item.number, state: "skipped", outcome, detail: { ...recordOf(item.detail), ...reason } };
}

export function orphanedResult({ number, detail }: Item, needed: Item): Result {
  const { kind, external_id } = aboutOf(needed);
  const reason = `its ${kind === "msp" ? "MSP" : kind} ${external_id} could not be recreated`;
  return { number, state: "rejected", outcome: "failed", detail: { ...recordOf(detail), reason } };
}

/**
 * Returns the result of an item that the service would reject, or that would block an organization; undefined
 * for other items.
 */
function unmetResult(item: Item, needed: Item): Result | undefined {
  const { state, outcome, action } = needed;
  const [own, about] = [aboutOf(item), aboutOf(needed)];
  const isConflicting = outcome === "conflicts";
  const conflicts = (reason: string): Result => ({
    ...{ number: item.number, state: "rejected", outcome: "conflicts" },
    detail: { ...recordOf(item.detail), reason },
  });
  if (action === "update") {
    const isHolder = own.kind === "license" && about.from?.license === own.external_id;
    if (!isHolder || own.change?.status !== "disabled" || !(state === "rejected" || outcome === "left"))
      return undefined;
    // An organization still holds the license, so disabling it would block the organization.
    const reason = "is still assigned to an organization that could not get a different license";
    const detail = { ...recordOf(item.detail), reason };
    return { number: item.number, state: "skipped", outcome: "left", detail };
  }
  if (action !== "create") return undefined;
  if (about.kind === "license") {
    const isNeeded = item.action === "create" && own.kind === "customer" && own.license === about.external_id;
    return isNeeded && isConflicting
      ? conflicts(`its license ${about.external_id} can't be created`)
      : undefined;
  }
  return about.kind === "msp" && about.external_id === own.msp && (state === "rejected" || isConflicting)
    ? conflicts(`its MSP ${about.external_id} could not be created`)
    : undefined;
}
