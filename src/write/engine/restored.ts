import { followLinks } from "../../base/lists.js";
import { isSame } from "../fields.js";
import { isSameService } from "../journal/identity.js";
import { listRuns } from "../journal/list.js";
import { eachJournal } from "../journal/read.js";
import { recordOf } from "../values.js";
import type { Original } from "./undo-run.js";

interface Restored {
  /** Returns the new ID of a recreated resource; undefined if no undo recreated it. */
  newIdOf(id: string): string | undefined;
  /**
   * Returns the response of another undo, if that undo restored the state in which this run left the
   * resource; otherwise, undefined.
   * @param fields fields that a client can set; others, such as a deployment's change counter, are ignored
   * @param data this run's last response for the resource, with current IDs
   */
  stateOf(fields: readonly string[], id: string, data: unknown): unknown;
}

/**
 * @param own IDs of this run's undos
 * @param ownIds new IDs of the resources that these undos recreated
 * @param ownId ID of the current undo, whose file this process has locked
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
  const undos = (await listRuns(folder, ownId === undefined ? [] : [ownId])).filter(
    ({ id, kind, state, ...origin }) =>
      kind?.endsWith(".undo") && isSameService(origin, identity) && state !== "running" && !own.includes(id),
  );
  // Start with the oldest undo, so that newer responses replace older ones.
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
