import { isSame } from "../fields.js";
import { listRuns } from "../journal/list.js";
import { recordOf } from "../values.js";
import { type Original, withUndo } from "./undo-run.js";

/**
 * The state that the undo of a later run left of a thing, as its answer showed it, where that is what a run had left:
 * the thing is as that run made it, though its times are not.
 * @param fields those that a caller can set: what a deployment adds may count each change
 * @param answer the run's own, the last about the thing
 */
type Restored = (fields: readonly string[], target: string, data: unknown) => unknown;

/**
 * Reads what undos of other runs gave back, whatever made those: an import, a synchronization, a plan.
 * @param own undos of this run itself
 * @param ownId the undo that asks: it holds its file itself, and would wait for it in vain
 */
export async function readRestored(
  folder: string,
  { journal: original, identity }: Original,
  { own, ownId }: { own: readonly string[]; ownId: string | undefined },
): Promise<Restored> {
  const restored = new Map<string, unknown>();
  // The newest first: of several answers about a thing the last one counts.
  for (const { id, kind, state, base_url } of await listRuns(folder, ownId)) {
    const isOtherUndo = kind?.endsWith(".undo") === true && base_url === identity.base_url;
    if (!isOtherUndo || state === "running" || own.includes(id)) continue;
    await withUndo(folder, id, (journal) => {
      for (const { action, target = "", answer: data } of journal.done()) {
        const isKnown = action === "update" && data !== undefined && original.knowsTarget(target);
        if (isKnown && !restored.has(target)) restored.set(target, data);
      }
    });
  }
  return (fields, target, data) => {
    const [later, own] = [recordOf(restored.get(target)), recordOf(data)];
    const shown = fields.filter((field) => field in own && field in later);
    const isAsLeft = shown.length > 0 && shown.every((field) => isSame(own[field], later[field]));
    return isAsLeft ? restored.get(target) : undefined;
  };
}
