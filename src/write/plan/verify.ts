import type { RunContext } from "../engine/context.js";
import { pick } from "../fields.js";
import { findChangedFields } from "../group/changed-fields.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { readResource } from "../remote.js";
import { recordOf } from "../values.js";
import { plannedStepOf } from "./planned-steps.js";

/**
 * Reads everything that was written once more, and records differences from the responses (A9).
 * @throws ClientError; the signal's reason
 */
export async function verifySteps(context: RunContext, journal: Journal): Promise<void> {
  for (const item of eachIn(journal, "done")) {
    context.signal.throwIfAborted();
    const { number, action, target = "", answer } = item;
    const { resource } = plannedStepOf(journal, item);
    if (resource === "calls" || resource === "recordings" || isTouchedAgain(journal, number, target))
      continue;
    const now = await readResource(context, resource, target);
    const isExisting = now !== null;
    const responseData = recordOf(answer);
    const shown = now === null ? [] : Object.keys(responseData).filter((field) => field in now);
    const changed =
      action === "delete" || now === null
        ? []
        : findChangedFields(resource, pick(responseData, shown), pick(now, shown), new Set());
    const isWrong = action === "delete" ? isExisting : !isExisting;
    if (changed.length === 0 && !isWrong) continue;
    const differences = isWrong
      ? [{ field: "", expected: isExisting ? "gone" : "there", found: isExisting ? "there" : "gone" }]
      : changed.map((field) => ({ field, expected: responseData[field], found: now?.[field] }));
    const detail = { ...recordOf(item.detail), stored_otherwise: differences };
    journal.database.transaction(() => journal.apply({ number, state: "done", target, detail }));
  }
}

/** Returns whether a later step changes the resource, so that this step can't be verified. */
function isTouchedAgain({ database }: Journal, number: number, target: string): boolean {
  const row = database
    .prepare("SELECT 1 FROM items WHERE target = ? AND number > ? AND state = 'done' LIMIT 1")
    .get(target, number);
  return row !== undefined;
}
