import { followLinks } from "../../base/lists.js";
import { isSame } from "../fields.js";
import { listRuns } from "../journal/list.js";
import { eachJournal } from "../journal/read.js";
import { recordOf } from "../values.js";
import type { Original } from "./undo-run.js";

/** States and ids that undos of other runs restored. */
interface Restored {
  /** Returns the id with which an undo created a deleted resource again; undefined if none did. */
  newIdOf(id: string): string | undefined;
  /**
   * Returns the state in which an undo left a resource, if that state equals the one that the run left, except for
   * times.
   * @param fields fields that a client can set; others, such as a change counter of a deployment, are ignored
   * @param data last response of the run for the resource, with current ids
   */
  stateOf(fields: readonly string[], id: string, data: unknown): unknown;
}

/**
 * Reads what undos of other runs of any type restored.
 * @param own ids of the undos of this run; `ownIds`: new ids of resources that they created again
 * @param ownId id of the current undo, whose file this process has locked
 */
export async function readRestored(
  folder: string,
  { journal: original, identity }: Original,
  {
    own,
    ownIds,
    ownId,
  }: { own: readonly string[]; ownIds: ReadonlyMap<string, string>; ownId?: string | undefined },
): Promise<Restored> {
  const newIds = new Map(ownIds);
  const states = new Map<string, unknown>();
  const recreated = new Set<string>();
  const isOfRun = (id: string) => recreated.has(id) || original.knowsTarget(id);
  const undos = (await listRuns(folder, ownId)).filter(
    ({ id, kind, state, base_url }) =>
      kind?.endsWith(".undo") && base_url === identity.base_url && state !== "running" && !own.includes(id),
  );
  // Read the oldest undo first, because the last response about a resource counts.
  const ids = undos.map(({ id }) => id).reverse();
  for await (const { journal } of eachJournal(folder, ids)) {
    for (const { action, target = "", answer: data, detail } of journal.done()) {
      const { was } = recordOf(detail);
      if (action === "create" && typeof was === "string") {
        newIds.set(was, target);
        if (isOfRun(was)) recreated.add(target);
      }
      const isWritten = action === "create" || action === "update";
      if (isWritten && data !== undefined && isOfRun(target)) states.set(target, data);
    }
  }
  return {
    newIdOf: (id) => followLinks(newIds, id),
    stateOf(fields, id, data) {
      const [later, own] = [recordOf(states.get(id)), recordOf(data)];
      const shown = fields.filter((field) => field in own && field in later);
      const isAsLeft = shown.length > 0 && shown.every((field) => isSame(own[field], later[field]));
      return isAsLeft ? states.get(id) : undefined;
    },
  };
}
