import type { RunContext } from "../engine/context.js";
import { pick } from "../fields.js";
import { findChangedFields } from "../group/changed-fields.js";
import type { Item } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { readResource } from "../remote.js";
import type { NormalizedField, Subject } from "../subject.js";
import { recordOf } from "../values.js";
import { plannedStepOf } from "./planned-steps.js";

/**
 * Compares everything that the run wrote with the final state, and records differences.
 * @throws ClientError; the signal's reason
 */
export async function verifyItems(context: RunContext, journal: Journal, subject: Subject): Promise<void> {
  const differences = await subject.verifier(context, journal);
  let verified = 0;
  for (const item of eachIn(journal, "done")) {
    context.signal.throwIfAborted();
    const { number, target = "" } = item;
    const fields = isTouchedAgain(journal, number, target) ? undefined : await differences(item);
    if (fields !== undefined) verified += 1;
    if (fields === undefined || fields.length === 0) continue;
    const { stored_otherwise: earlier, ...detail } = recordOf(item.detail);
    const stored_otherwise = [...(Array.isArray(earlier) ? earlier : []), ...fields];
    journal.record([{ number, state: "done", target, detail: { ...detail, stored_otherwise } }], []);
  }
  journal.setSetting("verified", verified);
}

/** Returns whether a later step changes the resource. If so, this step's result can't be verified. */
function isTouchedAgain({ database }: Journal, number: number, target: string): boolean {
  const row = database
    .prepare("SELECT 1 FROM items WHERE target = ? AND number > ? AND state = 'done' LIMIT 1")
    .get(target, number);
  return row !== undefined;
}

/** Returns undefined for calls and recordings. */
export async function compareWritten(
  context: RunContext,
  journal: Journal,
  item: Item,
): Promise<NormalizedField[] | undefined> {
  const { action, target = "", answer } = item;
  const { resource } = plannedStepOf(journal, item);
  if (resource === "calls" || resource === "recordings") return undefined;
  const now = await readResource(context, resource, target);
  const isExisting = now !== null;
  if (isExisting === (action === "delete")) return [existenceOf(isExisting)];
  if (now === null) return [];
  const responseData = recordOf(answer);
  const shown = Object.keys(responseData).filter((field) => field in now);
  const changed = findChangedFields(resource, pick(responseData, shown), pick(now, shown), new Set());
  return changed.map((field) => ({ field, expected: responseData[field], found: now[field] }));
}

/** Reports a resource that exists but should be deleted, or that was deleted but should exist. */
export function existenceOf(isExisting: boolean): NormalizedField {
  const [found, expected] = isExisting ? ["exists", "deleted"] : ["deleted", "exists"];
  return { field: "", expected, found };
}
