import type { MirrorManifest } from "../../../contract/mirror.js";

/** What a mirror holds, in a few lines. */
export function reportText({ counts, consistency, reads, seconds }: MirrorManifest): string {
  const parts = Object.entries(counts).map(([resource, count]) => `${resource} ${count}`);
  return `${parts.join(" · ")}; ${consistency}, ${reads} reads, ${seconds} s`;
}
