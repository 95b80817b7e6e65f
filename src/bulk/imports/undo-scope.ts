import type { RunContext } from "../engine/context.js";
import { type Original, undoneBy, withUndo } from "../engine/undo-run.js";
import { isSame } from "../fields.js";
import type { ImportAdapter } from "../group/adapter.js";
import { runsInto } from "../journal/list.js";
import { undosOf } from "../journal/runs.js";
import { recordOf } from "../values.js";
import type { UndoScope } from "./undo-plan.js";

/**
 * The part of a run that is to be undone, in the light of other undos.
 * @param options.ownId the undo that asks
 */
export async function undoScope(
  { folder }: Pick<RunContext, "folder">,
  { id, identity, journal: original }: Original,
  adapter: ImportAdapter,
  { includeMatched, ownId = "" }: { includeMatched: boolean; ownId?: string },
): Promise<UndoScope> {
  const earlier = (await undosOf(folder, id)).filter((undo) => undo !== ownId);
  const isUndone = await undoneBy(folder, earlier);
  const restored = new Map<string, unknown>();
  const others = await runsInto(folder, { ...identity, kind: `${identity.kind}.undo` }, ownId);
  // The newest first: of several answers about a thing the last one counts.
  for (const { id: undo, state } of others) {
    if (state === "running" || earlier.includes(undo)) continue;
    await withUndo(folder, undo, (journal) => {
      for (const { action, target = "", answer } of journal.done()) {
        const isKnown = action === "update" && answer !== undefined && original.knowsTarget(target);
        if (isKnown && !restored.has(target)) restored.set(target, answer);
      }
    });
  }
  return {
    includeMatched,
    isUndone,
    restored(target, answer) {
      const [later, own] = [recordOf(restored.get(target)), recordOf(answer)];
      const fields = adapter.fields.filter((field) => field in own && field in later);
      return fields.length > 0 && fields.every((field) => isSame(own[field], later[field]))
        ? restored.get(target)
        : undefined;
    },
  };
}
