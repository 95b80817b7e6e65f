import { ClientError } from "../../client/errors.js";
import { recordOf } from "../values.js";
import type { RunContext } from "./context.js";
import type { ImportAdapter } from "./import-adapter.js";
import type { Original } from "./undo.js";

const maximumTries = 4;

/** Undefined: the run had not made it. Else why it stays, if it does. */
export type GroupUndone = "deleted" | KeptBecause | undefined;

export type KeptBecause = "renamed" | "not_empty" | "in_use";

/**
 * Deletes the group that a run had made, where it is as the run found it: nothing in it, its name unchanged, and
 * nothing that uses it (public.operations.1b refuses that). May be asked for again and again.
 * @throws ClientError when that can't be found out; the signal's reason
 */
export async function undoGroup(
  { client, clock, signal, settleMilliseconds }: RunContext,
  { journal, identity: { group_id } }: Original,
  adapter: ImportAdapter,
): Promise<GroupUndone> {
  if (journal.setting("group_made") !== true) return undefined;
  const path = { group_id };
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      const { data } = await client.call("groups.get", { path }, { signal });
      if (recordOf(data)["name"] !== journal.setting("group_name")) return "renamed";
      for await (const _ of adapter.remoteItems(() => false)) return "not_empty";
      await client.call("groups.delete", { path }, { signal });
      return "deleted";
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      if (error.status === 404) return "deleted";
      if (error.status === 409) return "in_use";
      if (error.outcome !== "unknown" || tries === maximumTries) throw error;
      // The answer was lost: a group that is there when it can no longer arrive was not deleted.
      if (settleMilliseconds > 0) await clock.sleep(settleMilliseconds, signal);
    }
  }
}

/**
 * What `undoGroup` would come to, as far as reading tells: which assistants use a group, it doesn't.
 * @param deleted how many things would be deleted
 */
export async function foreseeGroup(
  { client, signal }: RunContext,
  { journal, identity: { group_id } }: Original,
  adapter: ImportAdapter,
  deleted: number,
): Promise<GroupUndone> {
  if (journal.setting("group_made") !== true) return undefined;
  try {
    const { data } = await client.call("groups.get", { path: { group_id } }, { signal });
    if (recordOf(data)["name"] !== journal.setting("group_name")) return "renamed";
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return "deleted";
    throw error;
  }
  let there = 0;
  for await (const _ of adapter.remoteItems(() => false)) there += 1;
  return there > deleted ? "not_empty" : "deleted";
}
