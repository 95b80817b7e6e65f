/** Items that are not sent because others that they need came to nothing. */
import type { Item, Result } from "../../../write/journal/item.js";
import type { Journal } from "../../../write/journal/journal.js";
import { recordOf } from "../../../write/values.js";
import { aboutOf } from "../items.js";

/** Returns whether the items of a run are the steps of a plan file, not of a command. */
function isPlanRun(journal: Journal): boolean {
  return typeof journal.setting("command") !== "string";
}

/**
 * Returns the result of an item of which a needed item came to nothing.
 * @param requires numbers of the needed items, which are finished
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
 * Returns the result of a created license, which can't be deleted, in an undo: it goes with its MSP. In a
 * preview, the MSP is still planned.
 */
export function resultWithMsp(journal: Journal, item: Item): Result {
  const { requires } = recordOf(item.input);
  const [number] = Array.isArray(requires) ? requires : [];
  const msp = typeof number === "number" ? journal.item(number) : undefined;
  const isGone = msp?.state === "done" || msp?.state === "planned" || msp?.outcome === "gone";
  const outcome = isGone ? "with_msp" : "kept";
  const reason = isGone ? {} : { reason: "a license is deleted only with its MSP, which is kept" };
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

/** A step of a plan file is sent only if the steps that it needs were done. */
function blockedResult({ number, detail }: Item, needed: Item): Result {
  const reason = `it needs step ${needed.line}, which was not done`;
  return { number, state: "rejected", outcome: "blocked", detail: { ...recordOf(detail), reason } };
}

/** A demand of a spec is sent unless it is certain that the service would refuse it. */
function unmetResult(item: Item, { state, outcome, action, ...needed }: Item): Result | undefined {
  const { number } = item;
  const { kind, external_id } = aboutOf(needed);
  const isConflicting = outcome === "conflicts";
  const conflicts = (reason: string): Result => ({
    ...{ number, state: "rejected", outcome: "conflicts" },
    detail: { ...recordOf(item.detail), reason },
  });
  if (action !== "create") {
    // An organization that did not receive another license keeps its own; disabling that license would block
    // it.
    const reason = "is still assigned to an organization that could not receive another license";
    return state === "rejected" || outcome === "left"
      ? { number, state: "skipped", outcome: "left", detail: { ...recordOf(item.detail), reason } }
      : undefined;
  }
  if (kind === "license" && isConflicting) return conflicts(`its license ${external_id} can't be created`);
  return kind === "msp" && (state === "rejected" || isConflicting)
    ? conflicts(`its MSP ${external_id} could not be created`)
    : undefined;
}
