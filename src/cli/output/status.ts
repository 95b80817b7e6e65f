import type { Paint, Text } from "../terminal/paint.js";

const good = new Set([
  "active",
  "open",
  "synced",
  "completed",
  "ended",
  "finished",
  "done",
  "available",
  "ok",
  "created",
  "unchanged",
]);
const bad = new Set(["failed", "blocked", "refused", "revoked", "error", "interrupted", "missing"]);
const between = new Set([
  ...[
    "pending",
    "syncing",
    "cancelled",
    "canceled",
    "rejected",
    "voicemail",
    "queued",
    "scheduled",
    "ringing",
    "in_progress",
    "running",
    "busy",
    "no_answer",
  ],
  ...["disabled", "inactive", "warning", "unfinished", "different"],
]);

/** An unknown status gets no color. */
export function paintStatus(text: string, paint: Paint): Text {
  const word = /[a-z_]+/i.exec(text)?.[0]?.toLowerCase() ?? "";
  if (good.has(word)) return paint.green(text);
  if (bad.has(word)) return paint.red(text);
  return between.has(word) ? paint.yellow(text) : text;
}
