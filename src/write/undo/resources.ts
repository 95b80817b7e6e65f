/** The undo of imports and of plans of resources. */
import type { RunContext } from "../engine/context.js";
import type { Original } from "../engine/undo-run.js";
import { createExisting, readings } from "../existing.js";
import type { Fields } from "../fields.js";
import { findIncomparableFields } from "../group/changed-fields.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { unlistedOf } from "../plan/canonical.js";
import { readExpected } from "../plan/check.js";
import { createExpectations } from "../plan/expectations.js";
import { createPlannedSteps } from "../plan/planned-steps.js";
import { resolveUnconfirmedSteps } from "../plan/unconfirmed-steps.js";
import { listInScope, readResource } from "../remote.js";
import { recordOf } from "../values.js";
import { judge, undoAdapter } from "./adapter.js";
import { listParts } from "./parts.js";
import type { ReadCurrent, UndoSubject } from "./subject.js";
import { resolveUnconfirmed } from "./unconfirmed.js";

export const undoResources: UndoSubject = {
  listParts,
  lookUp: resolveUnconfirmedSteps,
  adapter: undoAdapter,
  async planned(context, journal, { unconfirmed, read }) {
    const expectations = createExpectations(journal.database);
    const plannedOf = createPlannedSteps(journal);
    journal.database.transaction(() => {
      for (const item of eachIn(journal, "planned")) {
        // If a response is lost, an existing similar resource must not count as the undo's.
        if (item.action === "create") expectations.add(plannedOf(item).step);
      }
    });
    await resolveUnconfirmed(context, journal, unconfirmed);
    await readExpected(context, expectations);
    journal.setSetting("incomparable", await sampleIncomparable(journal, read));
  },
  async previewer(context, original, journal) {
    const read = await createReader(context, original, journal);
    const plannedOf = createPlannedSteps(journal);
    return {
      read,
      async judge(item) {
        let now: Fields | null = null;
        const readNow: ReadCurrent = async (resource, target) => (now = await read(resource, target));
        const judged = await judge(context, journal, item, plannedOf(item), readNow);
        return { result: judged !== undefined && "state" in judged ? judged : undefined, now };
      },
    };
  },
};

const sampled = 5;

/** Returns the fields per resource type that can't be compared with responses, judged by a sample. */
async function sampleIncomparable(journal: Journal, read: ReadCurrent): Promise<Record<string, string[]>> {
  const samples = new Map<string, { responseData: Fields; now: Fields }[]>();
  const plannedOf = createPlannedSteps(journal);
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

/**
 * Returns a function that reads resources by their id. For an import, it reads the list of its group first, and
 * by their id only resources that the list lacks, or shows without some fields (T4).
 */
async function createReader(
  context: RunContext,
  { identity: { kind, group_id } }: Original,
  journal: Journal,
): Promise<ReadCurrent> {
  const byId: ReadCurrent = (resource, id) => readResource(context, resource, id);
  if (group_id === "" || unlistedOf(kind).length > 0) return byId;
  const listed = createExisting(journal.database);
  let count = 0;
  for await (const { id, record: value } of listInScope(context, kind, { group_id })) {
    listed.add({ id, value, keys: [], reading: readings.plan, isOlder: true });
    count += 1;
    context.signal.throwIfAborted();
  }
  context.listener.reading(count);
  return async (resource, id) => listed.get(id)?.value ?? byId(resource, id);
}
