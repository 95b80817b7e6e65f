import type { RunContext } from "../engine/context.js";
import { readRestored } from "../engine/restored.js";
import { type Original, undoneBy } from "../engine/undo-run.js";
import type { ImportAdapter } from "../group/adapter.js";
import { undosOf } from "../journal/runs.js";
import type { UndoScope } from "./undo-plan.js";

/**
 * The part of a run to undo, considering other undos.
 * @param options.ownId id of the current undo
 */
export async function undoScope(
  { folder }: Pick<RunContext, "folder">,
  original: Original,
  adapter: ImportAdapter,
  { includeMatched, ownId = "" }: { includeMatched: boolean; ownId?: string },
): Promise<UndoScope> {
  const earlier = (await undosOf(folder, original.id)).filter((undo) => undo !== ownId);
  const isUndone = await undoneBy(folder, earlier);
  const restored = await readRestored(folder, original, { own: earlier, ownId });
  return {
    includeMatched,
    isUndone,
    restored: (target, data) => restored(adapter.fields, target, data),
  };
}
