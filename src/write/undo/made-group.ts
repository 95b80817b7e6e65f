import { ClientError } from "../../client/errors.js";
import type { RunContext } from "../engine/context.js";
import type { Original } from "../engine/undo-run.js";
import type { Journal } from "../journal/journal.js";
import { listInScope } from "../remote.js";
import { recordOf } from "../values.js";

const maximumTries = 4;

/** The results of an undo about the group of its run. */
export interface GroupResult {
  /** The run had made the group, and nothing else was in it. */
  group_deleted: boolean;
  /** The name of a group that the run had made, and that stays. */
  group_kept: string | null;
  /** Reason: the group was renamed, contains other items, or is used by an assistant. */
  group_kept_because: KeptBecause | null;
}

/** The group of a run, and its journal, which knows whether the run had made it. */
export interface MadeGroup {
  original: Journal;
  groupId: string;
  /** The type of the resources in it. */
  resource: string;
}

/** Undefined: the run had not made it. `gone`: it was deleted before. Else why it stays, if it does. */
export type GroupUndone = "deleted" | "gone" | KeptBecause | undefined;

/** Setting of an undo that may have deleted the group: its request was sent. */
const deleteSent = "group_delete_sent";

/** `unproven`: no reading could prove that its former content was deleted. */
type KeptBecause = "renamed" | "not_empty" | "in_use" | "unproven";

/**
 * Deletes the group that a run created if it is unchanged: same name, not in use (the service refuses that,
 * public.operations.1b), and without items of others. Two readings, a settle time apart, must show that (T6).
 * Can be called repeatedly.
 * @throws ClientError if that can't be decided; the signal's reason
 */
export async function undoGroup(context: RunContext, group: MadeGroup, undo: Journal): Promise<GroupUndone> {
  const { client, clock, signal, settleMilliseconds } = context;
  const { original, groupId: group_id } = group;
  const isProven = await isDeletionProven(context, group, undo);
  if (original.setting("group_made") !== true) return undefined;
  if (!isProven) return "unproven";
  const path = { group_id };
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      const { data } = await client.call("groups.get", { path }, { signal });
      if (recordOf(data)["name"] !== original.setting("group_name")) return "renamed";
      if (await holdsMore(context, undo, group)) return "not_empty";
      if (settleMilliseconds > 0) {
        context.listener.rereading(settleMilliseconds, "before the group is deleted");
        await clock.sleep(settleMilliseconds, signal);
        if (await holdsMore(context, undo, group)) return "not_empty";
      }
      undo.setSetting(deleteSent, true);
      await client.call("groups.delete", { path }, { signal });
      return "deleted";
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      if (error.status === 404) return undo.setting(deleteSent) === true ? "deleted" : "gone";
      if (error.status === 409) return "in_use";
      if (error.outcome !== "unknown" || tries === maximumTries) throw error;
      // The response was lost: if the group still exists when the request can no longer arrive, it was not
      // deleted.
      if (settleMilliseconds > 0) await clock.sleep(settleMilliseconds, signal);
    }
  }
}

/**
 * Returns whether the group contains anything that is not known to be deleted. A list may still show deleted
 * items.
 */
async function holdsMore(context: RunContext, undo: Journal, group: MadeGroup): Promise<boolean> {
  for await (const { id } of listGroup(context, group)) if (!undo.isGone(id)) return true;
  return false;
}

/**
 * Previews `undoGroup` as far as reads allow; whether an assistant uses a group can't be read.
 * @param deletedIds ids that would be deleted
 */
export async function previewGroupUndo(
  context: RunContext,
  group: MadeGroup,
  deletedIds: ReadonlySet<string>,
): Promise<GroupUndone> {
  const { client, signal } = context;
  const { original: journal, groupId: group_id } = group;
  if (journal.setting("group_made") !== true) return undefined;
  try {
    const { data } = await client.call("groups.get", { path: { group_id } }, { signal });
    if (recordOf(data)["name"] !== journal.setting("group_name")) return "renamed";
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return "gone";
    throw error;
  }
  for await (const { id } of listGroup(context, group)) if (!deletedIds.has(id)) return "not_empty";
  return "deleted";
}

/**
 * If every get returned 404 and no list ever showed one of the items, they may be too new to be shown (T6).
 * The journal records that.
 */
async function isDeletionProven(context: RunContext, group: MadeGroup, journal: Journal): Promise<boolean> {
  const { original } = group;
  if (context.settleMilliseconds === 0 || original.setting("listed") === true) return true;
  const attempted = journal.counts().filter(({ state }) => state !== "skipped");
  if (attempted.length === 0 || attempted.some(({ outcome }) => outcome !== "gone")) return true;
  for await (const { id } of listGroup(context, group)) {
    if (journal.isGone(id)) return true;
  }
  journal.doubt("gone", "it was not found, and no list ever showed it");
  return false;
}

/** The group of an import; undefined for a run of a plan, in which the group is a step. */
export function madeGroupOf({ journal, identity }: Original): MadeGroup | undefined {
  const { group_id: groupId, kind: resource } = identity;
  return groupId === "" ? undefined : { original: journal, groupId, resource };
}

function listGroup(context: RunContext, { groupId, resource }: MadeGroup) {
  return listInScope(context, resource, { group_id: groupId });
}

export function groupResult(original: Journal, group: GroupUndone): GroupResult {
  const because = group === undefined || group === "deleted" || group === "gone" ? null : group;
  return {
    group_deleted: group === "deleted",
    group_kept: because === null ? null : String(original.setting("group_name")),
    group_kept_because: because,
  };
}
