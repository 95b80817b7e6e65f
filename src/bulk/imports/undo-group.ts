import { ClientError } from "../../client/errors.js";
import type { RunContext } from "../engine/context.js";
import type { Original } from "../engine/undo-run.js";
import type { ImportAdapter } from "../group/adapter.js";
import { readGroup } from "../group/remote.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";

const maximumTries = 4;

/** Undefined: the run had not made it. Else why it stays, if it does. */
export type GroupUndone = "deleted" | KeptBecause | undefined;

/** `unproven`: no reading could tell whether what was in it is gone. */
export type KeptBecause = "renamed" | "not_empty" | "in_use" | "unproven";

/**
 * Deletes the group that a run had made, where it is as the run found it: its name unchanged, nothing that uses it
 * (public.operations.1b refuses that), and nothing in it that the run did not make, which two readings a settle time
 * apart have to show (T6). May be asked for again and again.
 * @throws ClientError when that can't be found out; the signal's reason
 */
export async function undoGroup(
  context: RunContext,
  { journal: original, identity: { group_id } }: Original,
  undo: Journal,
  adapter: ImportAdapter,
): Promise<GroupUndone> {
  const { client, clock, signal, settleMilliseconds } = context;
  if (original.setting("group_made") !== true) return undefined;
  const path = { group_id };
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      const { data } = await client.call("groups.get", { path }, { signal });
      if (recordOf(data)["name"] !== original.setting("group_name")) return "renamed";
      if (await holdsMore(context, undo, adapter, group_id)) return "not_empty";
      if (settleMilliseconds > 0) {
        context.listener.rereading(settleMilliseconds, "before the group is deleted");
        await clock.sleep(settleMilliseconds, signal);
        if (await holdsMore(context, undo, adapter, group_id)) return "not_empty";
      }
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

/** Does the group hold anything that is not known to be gone? A list may still show what was deleted. */
async function holdsMore(
  context: RunContext,
  undo: Journal,
  adapter: ImportAdapter,
  groupId: string,
): Promise<boolean> {
  for await (const { id } of readGroup(context, adapter, groupId)) if (!undo.isGone(id)) return true;
  return false;
}

/**
 * The foreseen result of `undoGroup`, as far as reading tells; which assistants use a group can't be read.
 * @param goes what would be deleted
 */
export async function foreseeGroup(
  context: RunContext,
  { journal, identity: { group_id } }: Original,
  adapter: ImportAdapter,
  goes: ReadonlySet<string>,
): Promise<GroupUndone> {
  const { client, signal } = context;
  if (journal.setting("group_made") !== true) return undefined;
  try {
    const { data } = await client.call("groups.get", { path: { group_id } }, { signal });
    if (recordOf(data)["name"] !== journal.setting("group_name")) return "renamed";
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return "deleted";
    throw error;
  }
  for await (const { id } of readGroup(context, adapter, group_id)) if (!goes.has(id)) return "not_empty";
  return "deleted";
}
