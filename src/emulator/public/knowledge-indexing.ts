import type { KnowledgeItem, SyncState } from "../../contract/public/knowledge.js";
import { isoTime } from "../kernel/clock.js";

// D-knowledge: measured from the request, by the emulator's clock.
export const startsAfterMilliseconds = 1_000;
export const endsAfterMilliseconds = 3_000; // D-knowledge

/** The planned outcome of a requested indexing; `lost`: the queue never got it. */
export type IndexingEnd = "synced" | "failed" | "lost";

/** D-knowledge: the current state of an indexing. Depends only on its arguments, without timers. */
export function computeSyncStatus(
  now: number,
  requestedAt: number,
  ends: IndexingEnd,
): KnowledgeItem["sync_status"] {
  const status = (state: SyncState, since: number) => ({
    state,
    updated_at: isoTime(since),
    error: state === "failed" ? "the text could not be indexed" : null,
  });
  const age = now - requestedAt;
  // public.states.queue: a lost item stays pending.
  if (ends === "lost" || age < startsAfterMilliseconds) return status("pending", requestedAt);
  if (age < endsAfterMilliseconds) return status("syncing", requestedAt + startsAfterMilliseconds);
  // public.states.indexing, public.states.failed: a failed indexing stays failed until a PATCH requests a new one.
  return status(ends, requestedAt + endsAfterMilliseconds);
}
