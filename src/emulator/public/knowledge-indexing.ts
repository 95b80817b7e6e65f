import type { KnowledgeItem, SyncState } from "../../contract/public/knowledge.js";
import { isoTime } from "../kernel/clock.js";

// Delay after the request, by the emulator's clock (D-knowledge).
export const startsAfterMilliseconds = 1_000;
export const endsAfterMilliseconds = 3_000; // D-knowledge

/** The planned outcome of indexing an item; `lost` means that the queue did not receive the request. */
export type IndexingEnd = "synced" | "failed" | "lost";

/** Computes an item's current indexing state from the arguments, without timers (D-knowledge). */
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
  // An item that was lost stays pending (public.states.queue).
  if (ends === "lost" || age < startsAfterMilliseconds) return status("pending", requestedAt);
  if (age < endsAfterMilliseconds) return status("syncing", requestedAt + startsAfterMilliseconds);
  // An item that could not be indexed stays failed until a PATCH indexes it again (public.states.indexing, public.states.failed).
  return status(ends, requestedAt + endsAfterMilliseconds);
}
