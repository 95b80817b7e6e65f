import type { RunContext } from "../engine/context.js";
import { pick } from "../fields.js";
import { changedSince } from "../group/answers.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { recordOf } from "../values.js";
import { plannedStepOf } from "./items.js";
import { readThing } from "./remote.js";

/**
 * A9: reads everything that was written once more, and notes what is not as its answer had shown it.
 * @throws ClientError; the signal's reason
 */
export async function verifySteps(context: RunContext, journal: Journal): Promise<void> {
  for (const item of eachIn(journal, "done")) {
    context.signal.throwIfAborted();
    const { number, action, target = "", answer } = item;
    const { resource } = plannedStepOf(item);
    if (resource === "calls" || resource === "recordings" || isTouchedAgain(journal, number, target))
      continue;
    const now = await readThing(context, resource, target);
    const isThere = now !== null;
    const answered = recordOf(answer);
    const shown = now === null ? [] : Object.keys(answered).filter((field) => field in now);
    const changed =
      action === "delete" || now === null
        ? []
        : changedSince(resource, pick(answered, shown), pick(now, shown), new Set());
    const isWrong = action === "delete" ? isThere : !isThere;
    if (changed.length === 0 && !isWrong) continue;
    const otherwise = isWrong
      ? [{ field: "", expected: isThere ? "gone" : "there", found: isThere ? "there" : "gone" }]
      : changed.map((field) => ({ field, expected: answered[field], found: now?.[field] }));
    const detail = { ...recordOf(item.detail), stored_otherwise: otherwise };
    journal.database.transaction(() => journal.apply({ number, state: "done", target, detail }));
  }
}

/** Only what became of it last can still be seen. */
function isTouchedAgain({ database }: Journal, number: number, target: string): boolean {
  const row = database
    .prepare("SELECT 1 FROM items WHERE target = ? AND number > ? AND state = 'done' LIMIT 1")
    .get(target, number);
  return row !== undefined;
}
