import { sendingOf } from "../adapter.js";
import type { RunContext } from "../engine/context.js";
import { readRestored } from "../engine/restored.js";
import type { Original } from "../engine/undo-run.js";
import type { Journal } from "../journal/journal.js";
import { eachJournal } from "../journal/read.js";
import { undosOf } from "../journal/runs.js";
import { createdFields, createdNames } from "../plan/created-fields.js";
import type { ReadCurrent, Subject } from "../subject.js";
import { recordOf } from "../values.js";
import type { UndoScope } from "./parts.js";
import { mapIds, undoItems } from "./steps.js";
import { collectUnconfirmed } from "./unconfirmed.js";

/**
 * Journals one action per change. Each resource is read and compared only right before its action, because
 * lists can lag.
 * @param options.ownId ID of the current undo; undefined for a preview
 * @param options.read reads samples of resources; by default from the service
 * @param options.compares false to send no requests
 */
export async function planUndo(
  context: RunContext,
  run: Original,
  journal: Journal,
  {
    subject,
    includeMatched,
    ownId,
    read,
    compares = true,
  }: {
    subject: Subject;
    includeMatched: boolean;
    ownId?: string;
    read?: ReadCurrent | undefined;
    compares?: boolean;
  },
): Promise<void> {
  const { folder } = context;
  const { id, journal: original, identity } = run;
  const earlierUndos = (await undosOf(folder, id)).filter((undo) => undo !== ownId);
  const parts = new Set<string>();
  /**
   * IDs of resources that undos by an earlier version of voxctl reverted. That version stored no parts for
   * imports.
   */
  const targets = new Set<string>();
  const ids = new Map<string, string>();
  const unconfirmed = collectUnconfirmed();
  for await (const { journal: undo } of eachJournal(folder, earlierUndos)) {
    unconfirmed.see(undo);
    for (const { detail, target = "" } of undo.done()) {
      const { undoes, was } = recordOf(detail);
      if (typeof undoes === "string") parts.add(undoes);
      else targets.add(target);
      if (typeof was === "string") ids.set(was, target);
    }
  }
  const [names, restored] = await Promise.all([
    createdNames(),
    readRestored(folder, run, { own: earlierUndos, ownIds: ids, ownId }),
  ]);
  const currentId = (old: string) => restored.newIdOf(old) ?? old;
  const scope: UndoScope = {
    includeMatched,
    isPlan: identity.group_id === "",
    isUndone: (part, target = "") => parts.has(part) || targets.has(target),
    newIdOf: restored.newIdOf,
    createdFields: await createdFields(),
    currentState(resource, target, data) {
      const current = mapIds(data, currentId);
      return restored.stateOf(names(resource), currentId(target), current) ?? current;
    },
  };
  const { database } = journal;
  database.transaction(() => {
    for (const item of undoItems(original, database, scope, subject.listParts)) journal.insert(item);
  });
  if (compares) await subject.undoPlanned?.(sendingOf(context, journal, true, read), unconfirmed);
}
