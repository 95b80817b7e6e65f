import type { Fields } from "../fields.js";
import { findIncomparableFields } from "../group/changed-fields.js";
import { eachIn } from "../journal/outcome.js";
import { readExpected } from "../plan/check.js";
import { createExpectations } from "../plan/expectations.js";
import type { Sending, Unconfirmed } from "../subject.js";
import { recordOf } from "../values.js";
import { resolveUnconfirmed } from "./unconfirmed.js";

export async function compareUndo(sending: Sending, unconfirmed: Unconfirmed): Promise<void> {
  const { context, journal, plannedOf } = sending;
  const expectations = createExpectations(journal.database);
  journal.database.transaction(() => {
    for (const item of eachIn(journal, "planned")) {
      // Record the existing resources that equal a resource that the undo will create. Otherwise, after a lost
      // response, they would count as created by the undo.
      if (item.action === "create") expectations.add(plannedOf(item).step);
    }
  });
  await resolveUnconfirmed(sending, unconfirmed);
  await readExpected(context, expectations);
  journal.setSetting("incomparable", await sampleIncomparable(sending));
}

const sampled = 5;

/** Determines from a sample of resources which fields can't be compared with responses, by resource type. */
async function sampleIncomparable({ journal, plannedOf, read }: Sending): Promise<Record<string, string[]>> {
  const samples = new Map<string, { responseData: Fields; now: Fields }[]>();
  for (const item of eachIn(journal, "planned")) {
    if (item.action !== "delete" || item.answer === undefined) continue;
    const { resource } = plannedOf(item);
    const known = samples.get(resource) ?? [];
    if (known.length === sampled) continue;
    const now = await read(resource, item.target ?? "");
    if (now !== null) samples.set(resource, [...known, { responseData: recordOf(item.answer), now }]);
  }
  return Object.fromEntries([...samples].map(([resource, some]) => [resource, findIncomparableFields(some)]));
}
