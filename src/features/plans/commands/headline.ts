import { quoteWord } from "../../../base/shell-words.js";
import { formatCount, formatThousands, joinWithAnd } from "../../../base/text.js";
import { formatReassigned } from "../../../cli/bulk/provisioning-text.js";
import { exits } from "../../../cli/errors/errors.js";
import type { ConfirmationOptions } from "../../../cli/session/confirm.js";
import type { Session } from "../../../cli/session/session.js";
import { durationText } from "../../../cli/terminal/progress.js";
import type { PlanHeader } from "../../../write/plan/format.js";
import type { PlanTotals } from "../../../write/plan/inspect.js";
import type { Plan } from "../../../write/plan/read.js";
import { formatAssumptions } from "./assumptions.js";
import { formatResources } from "./resource-nouns.js";

/**
 * Formats a plan's changes, such as "create 2,000 contacts and update 500; delete 1 group with 9 forwardings".
 */
export function formatPlanSummary({ summary, members }: Pick<PlanTotals, "summary" | "members">): string {
  const sorted = Object.entries(summary).sort(([left], [right]) => (left < right ? -1 : 1));
  const parts = sorted.flatMap(([resource, { created, updated, reassigned = 0, deleted }]) => {
    const counts = [
      { count: created, word: "create" },
      { count: updated - reassigned, word: "update" },
      { count: deleted, word: "delete" },
    ].filter(({ count }) => count > 0);
    const words = counts.map(({ count, word }, index) =>
      index === 0 ? `${word} ${formatResources(resource, count)}` : `${word} ${formatThousands(count)}`,
    );
    if (reassigned > 0) words.push(`reassign the ${formatReassigned(reassigned)}`);
    if (resource === "groups" && members.size > 0) words.push(`${words.pop()}${formatMembers(members)}`);
    return words.length === 0 ? [] : [joinWithAnd(words)];
  });
  return parts.length === 0 ? "make 0 changes" : parts.join("; ");
}

/** Formats the resources that are deleted with their group, such as " with 9 contacts". */
export function formatMembers(members: PlanTotals["members"]): string {
  const counts = [...members].map((counted) => formatResources(...counted));
  return counts.length === 0 ? "" : ` with ${counts.join(" and ")}`;
}

export function formatUndo(counts: PlanTotals["undo"]): string {
  const all = counts.full + counts["new-id"] + counts.partial + counts.none;
  if (all === counts.full)
    return all === 1 ? "the step can be undone" : `all ${formatThousands(all)} steps can be undone`;
  const parts = [
    { count: counts.full, text: "can be undone" },
    { count: counts["new-id"], text: "can be undone with new IDs" },
    { count: counts.partial, text: "can be undone except for secrets and the contents of organizations" },
    { count: counts.none, text: "can't be undone" },
  ];
  return parts
    .filter(({ count }) => count > 0)
    .map(({ count, text }) => `${formatCount(count, "step")} ${text}`)
    .join(", ");
}

/** Formats the changes that a confirmation must warn about. */
export function formatUndoLimits({ partial, none }: PlanTotals["undo"]): string[] {
  return [
    ...(partial > 0 ? [`${formatCount(partial, "change")} can only be undone in part`] : []),
    ...(none > 0 ? [`${formatCount(none, "change")} can't be undone`] : []),
  ];
}

export function toConfirmationOptions({ partial, none }: PlanTotals["undo"]): ConfirmationOptions {
  return { loses: none > 0 || (partial > 0 && "part") };
}

/** Explains why a plan is incomplete, from the exit code of the rehearsed command. */
export function formatMissingChanges(exit: number): string {
  return exit === exits.partlyDone
    ? "the changes don't include the rejected items"
    : "the plan contains only the changes made before the failure";
}

/** Before a plan is checked or applied, warns that it doesn't contain all changes of its command. */
export function noteIncomplete({ notes }: Session, { header: { base } }: Plan): void {
  const { exit = 0 } = base ?? {};
  if (exit !== 0)
    notes.warn(`the rehearsed command ended with exit code ${exit}: ${formatMissingChanges(exit)}`);
}

function formatBase({ mirror, collected, consistency, exit = 0 }: NonNullable<PlanHeader["base"]>): string[] {
  return [
    `Rehearsed on: mirror ${mirror}, copied ${collected.at(-1)} (${consistency})`,
    ...(exit === 0 ? [] : [`Rehearsed command: exit code ${exit}; ${formatMissingChanges(exit)}`]),
  ];
}

/** @param permissionFlags flags that `apply` requires for the plan's actions */
export function formatHeadlines(
  { header, digest, id, steps, totals }: Plan,
  permissionFlags: readonly string[],
): string[] {
  const { seconds } = header.estimate;
  const basis = header.base ? "in the rehearsal" : "at the rate limit";
  const assumptions = formatAssumptions(header.assumed);
  return [
    `Plan ${id} will ${formatPlanSummary(totals)}`,
    `Digest: ${digest}`,
    `Service: ${header.target.base_url}`,
    `Created: ${header.made_at} by ${header.made_by}: ${header.command.map((word) => quoteWord(word)).join(" ")}`,
    `Size: ${formatCount(steps, "step")}${seconds < 1 ? "" : `, about ${durationText(seconds * 1000)} ${basis}`}`,
    ...(header.base === undefined ? [] : formatBase(header.base)),
    ...(assumptions === undefined ? [] : [`Assumptions: ${assumptions}`]),
    ...(permissionFlags.length > 0 ? [`Required by apply: ${permissionFlags.join(" ")}`] : []),
    ...(totals.secrets.size > 0 ? [`Secrets: ${[...totals.secrets].sort().join(", ")}`] : []),
    ...(steps > 0 ? [`Undo: ${formatUndo(totals.undo)}`] : []),
  ];
}
