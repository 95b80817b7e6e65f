import { pick } from "../fields.js";
import { changedSince } from "../group/answers.js";
import { listRuns } from "../journal/list.js";
import { recordOf } from "../values.js";
import { type Original, withUndo } from "./undo-run.js";

/**
 * The state that the undo of a later run left of a thing, as its answer showed it, where that is what a run had left:
 * the thing is as that run made it, though its times are not.
 * @param resource of the thing
 * @param answer the run's own, the last about the thing
 */
export type Restored = (resource: string, target: string, answer: unknown) => unknown;

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
    const isOther = kind?.endsWith(".undo") === true && base_url === identity.base_url;
    if (!isOther || state === "running" || own.includes(id)) continue;
    await withUndo(folder, id, (journal) => {
      for (const { action, target = "", answer } of journal.done()) {
        const isKnown = action === "update" && answer !== undefined && original.knowsTarget(target);
        if (isKnown && !restored.has(target)) restored.set(target, answer);
      }
    });
  }
  return (resource, target, answer) => {
    const [later, own] = [recordOf(restored.get(target)), recordOf(answer)];
    const shown = Object.keys(own).filter((field) => field in later);
    const changed = changedSince(resource, pick(own, shown), pick(later, shown), new Set());
    const isSame = shown.length > 0 && changed.every((field) => field === "updated_at");
    return isSame ? restored.get(target) : undefined;
  };
}
