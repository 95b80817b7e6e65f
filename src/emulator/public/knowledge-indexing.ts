import type { KnowledgeItem, SyncState } from "../../contract/public/knowledge.js";
import { isoTime } from "../kernel/clock.js";

// Times after the indexing request, by the emulator's clock (D-knowledge).
export const startsAfterMilliseconds = 1_000;
export const endsAfterMilliseconds = 3_000; // D-knowledge

/** `lost` means that the queue did not receive the request. */
export type IndexingEnd = "synced" | "failed" | "lost";

/** Computes an item's current indexing state, without timers (D-knowledge). */
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
  // A lost item stays pending (public.states.queue).
  if (ends === "lost" || age < startsAfterMilliseconds) return status("pending", requestedAt);
  if (age < endsAfterMilliseconds) return status("syncing", requestedAt + startsAfterMilliseconds);
  // A failed item stays failed until a PATCH indexes it again (public.states.indexing, public.states.failed).
  return status(ends, requestedAt + endsAfterMilliseconds);
}
