import { isSame } from "../fields.js";
import { listRuns } from "../journal/list.js";
import { recordOf } from "../values.js";
import { type Original, withUndo } from "./undo-run.js";

/**
 * The state in which the undo of a later run left a resource, according to its response, if it equals the
 * state that a run had left: except for its times, the resource is as that run wrote it.
 * @param fields the fields that a caller can set: a deployment may add others that count changes
 * @param answer the run's own last response for the resource
 */
type Restored = (fields: readonly string[], target: string, data: unknown) => unknown;

/**
 * Reads what undos of other runs restored, regardless of the type of run: an import, a synchronization, a
 * plan file.
 * @param own undos of this run itself
 * @param ownId id of the current undo: its file is already locked by this process
 */
export async function readRestored(
  folder: string,
  { journal: original, identity }: Original,
  { own, ownId }: { own: readonly string[]; ownId: string | undefined },
): Promise<Restored> {
  const restored = new Map<string, unknown>();
  // Newest first: of several responses about a resource, the last one counts.
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
