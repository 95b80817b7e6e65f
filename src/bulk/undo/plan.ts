import type { RunContext } from "../engine/context.js";
import { readRestored } from "../engine/restored.js";
import { type Original, withUndo } from "../engine/undo-run.js";
import type { Fields } from "../fields.js";
import { findIncomparableFields } from "../group/changed-fields.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { undosOf } from "../journal/runs.js";
import { readExpected } from "../plan/check.js";
import { createdFields, createdNames } from "../plan/created-fields.js";
import { createExpectations } from "../plan/expectations.js";
import { createPlannedSteps } from "../plan/planned-steps.js";
import { readResource } from "../remote.js";
import { recordOf } from "../values.js";
import type { ReadCurrent } from "./adapter.js";
import type { UndoScope } from "./parts.js";
import { undoItems } from "./steps.js";
import { collectUnconfirmed, resolveUnconfirmed } from "./unconfirmed.js";

/**
 * Journals the planned action for each change of a run. Does not compare: each resource is read right before
 * it is changed (T6), and a list proves nothing (T4).
 * @param options.ownId id of the current undo; undefined for a preview
 * @param options.read reads the samples; default: from the service
 */
export async function planUndo(
  context: RunContext,
  run: Original,
  journal: Journal,
  {
    includeMatched,
    ownId,
    read = (resource, id) => readResource(context, resource, id),
  }: { includeMatched: boolean; ownId?: string; read?: ReadCurrent },
): Promise<void> {
  const { folder } = context;
  const { id, journal: original, identity } = run;
  const earlierUndos = (await undosOf(folder, id)).filter((undo) => undo !== ownId);
  const parts = new Set<string>();
  /** Undone by an earlier version, whose undos of imports store no parts. */
  const targets = new Set<string>();
  const ids = new Map<string, string>();
  const unconfirmed = collectUnconfirmed();
  for (const earlier of earlierUndos) {
    await withUndo(folder, earlier, (undo) => {
      unconfirmed.see(undo);
      for (const { detail, target = "" } of undo.done()) {
        const { undoes, was } = recordOf(detail);
        if (typeof undoes === "string") parts.add(undoes);
        else targets.add(target);
        if (typeof was === "string") ids.set(was, target);
      }
    });
  }
  const [names, restored] = await Promise.all([
    createdNames(),
    readRestored(folder, run, { own: earlierUndos, ownId }),
  ]);
  const scope: UndoScope = {
    includeMatched,
    isPlan: identity.group_id === "",
    isUndone: (part, target = "") => parts.has(part) || targets.has(target),
    newIdOf: (old) => ids.get(old),
    createdFields: await createdFields(),
    restored: (resource, target, data) => restored(names(resource), target, data),
  };
  const { database } = journal;
  const expectations = createExpectations(database);
  const plannedOf = createPlannedSteps(journal);
  database.transaction(() => {
    for (const item of undoItems(original, database, scope)) {
      journal.insert(item);
      // If a response is lost, an existing similar resource must not count as the undo's.
      if (item.state === "planned" && item.action === "create") expectations.add(plannedOf(item).step);
    }
  });
  await resolveUnconfirmed(context, journal, unconfirmed);
  await readExpected(context, expectations);
  journal.setSetting("incomparable", await sampleIncomparable(journal, read));
}

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
