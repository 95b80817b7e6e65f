/** Determines the results of items that are not sent because an item that they need failed. */
import type { Item, Result } from "../../../write/journal/item.js";
import type { Journal } from "../../../write/journal/journal.js";
import { recordOf } from "../../../write/values.js";
import { aboutOf } from "../items.js";

/** Returns whether a run applies a plan file, as opposed to a spec. */
function isPlanRun(journal: Journal): boolean {
  return typeof journal.setting("command") !== "string";
}

/**
 * Returns the result of an item that needs an item that was not done; undefined if all needed items were done.
 * @param requires numbers of the needed items, all of which have ended
 */
export function missingResult(journal: Journal, item: Item, requires: readonly number[]): Result | undefined {
  for (const number of requires) {
    const needed = journal.item(number);
    if (needed === undefined || needed.state === "done") continue;
    const result = isPlanRun(journal) ? blockedResult(item, needed) : unmetResult(item, needed);
    if (result !== undefined) return result;
  }
  return undefined;
}

/**
 * Returns the result of a created license in an undo. A license can't be deleted by itself, only with its MSP,
 * which is still planned in a preview.
 */
export function resultWithMsp(journal: Journal, item: Item): Result {
  const { requires } = recordOf(item.input);
  const [number] = Array.isArray(requires) ? requires : [];
  const msp = typeof number === "number" ? journal.item(number) : undefined;
  const isGone = msp?.state === "done" || msp?.state === "planned" || msp?.outcome === "gone";
  const outcome = isGone ? "with_msp" : "kept";
  const reason = isGone ? {} : { reason: "a license can be deleted only with its MSP, and the MSP was kept" };
  return { number: item.number, state: "skipped", outcome, detail: { ...recordOf(item.detail), ...reason } };
}

/** Returns the result of an undo that needs an organization that could not be created again. */
export function orphanedResult(
  journal: Journal,
  item: Item,
  requires: readonly number[],
): Result | undefined {
  const missing = requires.map((number) => journal.item(number)).find((needed) => needed?.state !== "done");
  if (missing === undefined) return undefined;
  const { kind, external_id } = aboutOf(missing);
  const reason = `its ${kind === "msp" ? "MSP" : kind} ${external_id} could not be created again`;
  return {
    number: item.number,
    state: "rejected",
    outcome: "failed",
    detail: { ...recordOf(item.detail), reason },
  };
}

/** Blocks a step of a plan file if a step that it needs was not done. */
function blockedResult({ number, detail }: Item, needed: Item): Result {
  const reason = `it needs step ${needed.line}, which was not done`;
  return { number, state: "rejected", outcome: "blocked", detail: { ...recordOf(detail), reason } };
}

/** Blocks an entry of a spec only if the service would certainly refuse the entry. */
function unmetResult(item: Item, { state, outcome, action, ...needed }: Item): Result | undefined {
  const { number } = item;
  const { kind, external_id } = aboutOf(needed);
  const isConflicting = outcome === "conflicts";
  const conflicts = (reason: string): Result => ({
    ...{ number, state: "rejected", outcome: "conflicts" },
    detail: { ...recordOf(item.detail), reason },
  });
  if (action !== "create") {
    // The organization did not get a different license; disabling its current license would block the
    // organization.
    const reason = "is still assigned to an organization that could not be given a different license";
    return state === "rejected" || outcome === "left"
      ? { number, state: "skipped", outcome: "left", detail: { ...recordOf(item.detail), reason } }
      : undefined;
  }
  if (kind === "license" && isConflicting) return conflicts(`its license ${external_id} can't be created`);
  return kind === "msp" && (state === "rejected" || isConflicting)
    ? conflicts(`its MSP ${external_id} could not be created`)
    : undefined;
}
