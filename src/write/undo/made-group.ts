import { ClientError } from "../../client/errors.js";
import type { RunContext } from "../engine/context.js";
import type { Original } from "../engine/undo-run.js";
import { noteOtherWrite } from "../journal/authors.js";
import type { Journal } from "../journal/journal.js";
import { listInScope } from "../remote.js";
import { recordOf } from "../values.js";
import { sendOther } from "./other-writes.js";

const maximumTries = 4;

export interface GroupResult {
  /** Whether the undo deleted the group. It deletes only an empty group that the run created. */
  group_deleted: boolean;
  /** Name of the group that the run created, if the undo kept the group; otherwise null. */
  group_kept: string | null;
  group_kept_because: KeptBecause | null;
}

/** The journal records whether the run created the group. */
export interface MadeGroup {
  original: Journal;
  groupId: string;
  resource: string;
}

/**
 * Outcome for the group: `deleted`, `gone` if it was already deleted, or the reason why it was kept.
 * Undefined if the run did not create the group.
 */
export type GroupUndone = "deleted" | "gone" | KeptBecause | undefined;

/** Journal setting, stored when the undo sends the request to delete the group. */
const deleteSent = "group_delete_sent";

/**
 * Reason why a group was kept. `in_use`: the service refused to delete it. `unproven`: no reading proved that
 * its members were deleted.
 */
type KeptBecause = "renamed" | "not_empty" | "in_use" | "unproven";

/**
 * Deletes the run's group unless it was renamed, contains other resources or is in use. Two readings, a
 * settle time apart, must show that it contains no other resources. The service refuses to delete a group in
 * use (public.operations.1b) and the last group of a type (public.operations.1c). Can be called repeatedly.
 * @throws ClientError if the group's state can't be determined; the signal's reason if it is aborted
 */
export async function undoGroup(context: RunContext, group: MadeGroup, undo: Journal): Promise<GroupUndone> {
  const { client, clock, signal, settleMilliseconds } = context;
  const { original, groupId: group_id } = group;
  const isProven = await isDeletionProven(context, group, undo);
  if (original.setting("group_made") !== true) return undefined;
  if (!isProven) return "unproven";
  const path = { group_id };
  const deletion = { operation: "groups.delete", id: group_id } as const;
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
      await sendOther(context, undo, deletion, () => client.call(deletion.operation, { path }, { signal }));
      return "deleted";
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      if (error.status === 404) {
        if (undo.setting(deleteSent) !== true) return "gone";
        noteOtherWrite(undo, { ...deletion, at: context.machineClock.now(), outcome: "done" });
        return "deleted";
      }
      if (error.status === 409) return "in_use";
      if (error.outcome !== "unknown" || tries === maximumTries) throw error;
      // The response was lost. Wait until the request can no longer take effect, then read the group.
      if (settleMilliseconds > 0) await clock.sleep(settleMilliseconds, signal);
    }
  }
}

/**
 * Returns whether the group contains resources that are not known to be deleted. Lists may still show deleted
 * resources.
 */
async function holdsMore(context: RunContext, undo: Journal, group: MadeGroup): Promise<boolean> {
  for await (const { id } of listGroup(context, group)) if (!undo.isGone(id)) return true;
  return false;
}

/**
 * Previews `undoGroup`. Doesn't check whether an assistant uses the group.
 * @param deletedIds IDs of the resources that will be deleted; undefined to send no requests
 */
export async function previewGroupUndo(
  context: RunContext,
  group: MadeGroup,
  deletedIds: ReadonlySet<string> | undefined,
): Promise<GroupUndone> {
  const { client, signal } = context;
  const { original: journal, groupId: group_id } = group;
  if (journal.setting("group_made") !== true) return undefined;
  if (deletedIds === undefined) return "deleted";
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
 * Returns whether all members are known to be deleted. If every get returned 404 but no list ever showed a
 * member, the members may be too new for lists. The journal then records that the deletion is unproven.
 */
async function isDeletionProven(context: RunContext, group: MadeGroup, journal: Journal): Promise<boolean> {
  const { original } = group;
  if (context.settleMilliseconds === 0 || original.setting("listed") === true) return true;
  const attempted = journal.counts().filter(({ state }) => state !== "skipped");
  if (attempted.length === 0 || attempted.some(({ outcome }) => outcome !== "gone")) return true;
  for await (const { id } of listGroup(context, group)) {
    if (journal.isGone(id)) return true;
  }
  journal.doubt("gone", "not found, but the resource may be too new to be listed");
  return false;
}

/** Returns undefined for a plan, because a separate step creates the plan's group. */
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
