import { ClientError } from "../../client/errors.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import type { Reversible } from "./reversal.js";
import type { RunContext } from "./run.js";

const maximumTries = 4;

/** Undefined: the run had not made it. */
export type GroupUndone = "deleted" | "kept" | undefined;

/**
 * Deletes the group that a run had made, where it is as the run found it: nothing in it, its name unchanged, and
 * nothing that uses it (public.operations.1b refuses that). May be asked for again and again.
 * @throws ClientError when that can't be found out; the signal's reason
 */
export async function undoGroup(
  { client, clock, signal, settleMilliseconds }: RunContext,
  original: Journal,
  kind: Reversible,
  groupId: string,
): Promise<GroupUndone> {
  if (original.setting("group_made") !== true) return undefined;
  const path = { group_id: groupId };
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      const { data } = await client.call("groups.get", { path }, { signal });
      if (recordOf(data)["name"] !== original.setting("group_name")) return "kept";
      for await (const _ of kind.things()) return "kept";
      await client.call("groups.delete", { path }, { signal });
      return "deleted";
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      if (error.status === 404) return "deleted";
      if (error.status === 409) return "kept";
      if (error.outcome !== "unknown" || tries === maximumTries) throw error;
      // The answer was lost: a group that is there when it can no longer arrive was not deleted.
      if (settleMilliseconds > 0) await clock.sleep(settleMilliseconds, signal);
    }
  }
}
