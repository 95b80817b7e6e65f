import { quoteWord } from "../../../base/shell-words.js";
import { formatCount, formatThousands, inflect } from "../../../base/text.js";
import { formatApplyHint } from "../../../cli/bulk/run-notes.js";
import { exits } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import { durationText } from "../../../cli/terminal/progress.js";
import type { PlanTotals } from "../../../write/plan/inspect.js";
import { formatAssumptions } from "../../plans/commands/assumptions.js";
import { formatStep, hasMaskedValues } from "../../plans/commands/changes.js";
import { formatMissingChanges, formatUndo } from "../../plans/commands/headline.js";
import type { RehearseOptions } from "./flags.js";
import { findResultsFiles, type RehearsalFiles } from "./rehearsal-files.js";
import type { RehearsalResult } from "./result.js";
import type { SealedEffect, Unsealable } from "./seal.js";
import type { Source } from "./source.js";

const shownInSummary = 20;

interface SummaryParts {
  source: Source;
  sealed: SealedEffect | Unsealable | undefined;
  options: RehearseOptions;
  files: RehearsalFiles;
}

export async function showRehearsal(
  session: Session,
  result: RehearsalResult,
  parts: SummaryParts,
): Promise<void> {
  const { sealed } = parts;
  const counts = sealed !== undefined && "plan" in sealed ? sealed.plan.totals.undo : undefined;
  const undo = counts && {
    full: counts.full,
    new_id: counts["new-id"],
    partial: counts.partial,
    none: counts.none,
  };
  const { output, notes } = session;
  const results = await findResultsFiles(parts.files);
  if (results.length > 0)
    notes.note(
      `The next rehearsal or \`voxctl mirror delete\` will delete the results ${inflect(results.length, "file", "files")} of this rehearsal.`,
    );
  if (output.format !== "table") return output.item({ ...result, undo: undo ?? null });
  await output.lines(["changes", ...formatEffect(result).map((line) => `  ${line}`)]);
  await output.lines(formatRefused(result).map((line) => `  ! ${line}`));
  if (sealed !== undefined && "plan" in sealed) await showDifferences(session, sealed, parts);
  await output.lines(formatClosing(result, counts, parts, await formatApplyFlags(session, parts)));
}

function formatEffect(result: RehearsalResult): string[] {
  const { effect, requests, actions, reindexed } = result;
  const resources = Object.entries(effect).map(
    ([resource, { created, updated, deleted, cascaded }]) =>
      `${resource.padEnd(13)} +${formatThousands(created)}   ~${formatThousands(updated)}   -${formatThousands(deleted)}${
        cascaded > 0 ? `   (${formatThousands(cascaded)} with their group)` : ""
      }`,
  );
  const refused = requests.refused.reduce((sum, { count }) => sum + count, 0);
  const isNothing = resources.length + actions.calls + actions.recordings_erased + reindexed === 0;
  return [
    ...(isNothing ? ["no changes"] : resources),
    ...(actions.calls > 0 ? [`${"calls".padEnd(13)} ${formatThousands(actions.calls)} triggered`] : []),
    ...(actions.recordings_erased > 0
      ? [`${"recordings".padEnd(13)} ${formatThousands(actions.recordings_erased)} erased`]
      : []),
    ...(reindexed > 0 ? [`${"knowledge".padEnd(13)} ${formatThousands(reindexed)} indexed again`] : []),
    `${"requests".padEnd(13)} ${formatCount(requests.writes, "write")} · ${formatCount(requests.reads, "read")} · ${formatThousands(refused)} refused`,
    `${"duration".padEnd(13)} ${formatDuration(result)}`,
  ];
}

function formatDuration({ seconds, limits, latency_ms }: RehearsalResult): string {
  const { write, distributor } = limits;
  const limit = write ?? distributor;
  const rate =
    limit === undefined
      ? ""
      : ` (${formatThousands(limit.limit)} ${write ? "writes" : "requests"} per minute, ${Math.round(latency_ms)} ms per request)`;
  return `${durationText(seconds * 1000)}${rate}`;
}

function formatRefused({ requests }: RehearsalResult): string[] {
  return requests.refused.map(
    ({ operation, code, rule, count }) =>
      `${formatCount(count, "time")} ${operation}: ${code}${rule === null ? "" : ` (${rule})`}`,
  );
}

async function showDifferences(
  { output }: Session,
  { plan, file }: SealedEffect,
  { options, files }: SummaryParts,
): Promise<void> {
  const limit =
    options.diff === "none" ? 0 : options.diff === "full" ? Number.POSITIVE_INFINITY : shownInSummary;
  if (limit === 0) return;
  const { sortedSteps } = await import("../../../write/plan/index.js");
  let shown = 0;
  let isMasked = false;
  for await (const step of sortedSteps(plan, files.folder)) {
    if (shown === limit) break;
    const formatted = formatStep(step, options);
    await output.lines(formatted);
    isMasked ||= !options.unmasked && hasMaskedValues(formatted, step);
    shown += 1;
  }
  const show = file === undefined ? "" : `voxctl plan show ${quoteWord(file)} `;
  const omitted = plan.steps - shown;
  await output.lines([
    ...(omitted > 0 ? [`  … ${formatThousands(omitted)} more: \`${show}--diff full\``] : []),
    ...(isMasked ? [`  Phone numbers and emails are partly masked: \`${show}--unmasked\``] : []),
  ]);
}

function formatClosing(
  result: RehearsalResult,
  counts: PlanTotals["undo"] | undefined,
  { sealed }: SummaryParts,
  applyFlags: string,
): string[] {
  const { guard, emulator, plan, steps } = result;
  const assumptions = formatAssumptions(result.assumed);
  return [
    ...(assumptions === undefined ? [] : [`assumptions: ${assumptions}`]),
    ...(guard.refused > 0 ? [`guard: blocked ${formatCount(guard.refused, "request")} to the service`] : []),
    ...(guard.advisory ? ["guard: active, but programs that ignore proxy variables can bypass it"] : []),
    ...(counts !== undefined && (steps ?? 0) > 0 ? [`undo: ${formatUndo(counts)}`] : []),
    ...(sealed?.reason === undefined ? [] : [`can't save a plan file: ${sealed.reason}`]),
    ...(emulator === null
      ? []
      : [`To open the changed copy, run \`voxctl emulator start --db ${quoteWord(emulator)}\`.`]),
    ...(plan !== null ? [`plan: ${plan}, ${formatContent(result, sealed)}`] : []),
    ...formatEnd(result),
    ...formatNextStep(result, sealed, applyFlags),
  ];
}

function isEmpty(steps: number, sealed: SummaryParts["sealed"]): boolean {
  return steps === 0 && sealed !== undefined && "plan" in sealed && sealed.plan.header.keys === undefined;
}

function formatContent({ exit, steps }: RehearsalResult, sealed: SummaryParts["sealed"]): string {
  const size = formatCount(steps ?? 0, "step");
  if (!isEmpty(steps ?? 0, sealed)) return `${size}, contains personal data (mode 600)`;
  return `${size}: ${exit === 0 ? "there is nothing to apply" : "the command failed before it made a change"}`;
}

function formatEnd({ exit, plan, steps }: RehearsalResult): string[] {
  if (exit === 0) return [];
  const missing = `: ${formatMissingChanges(exit)}`;
  return exit === exits.partlyDone
    ? [`The rehearsal is complete. The command exited with code ${exit}${missing}.`]
    : [`the command exited with code ${exit}${plan === null || steps === 0 ? "" : missing}`];
}

/**
 * Returns the flags that `apply` requires: permissions, and a confirmation for a production profile if there is
 * no terminal.
 */
async function formatApplyFlags(
  { prompts }: Session,
  { source: { profile }, sealed }: SummaryParts,
): Promise<string> {
  const { formatPermissionFlags } = await import("../../../write/plan/index.js");
  const words = sealed !== undefined && "plan" in sealed ? sealed.plan.totals.words : new Map();
  const isConfirmed = profile.production && !prompts.available;
  const flags = [
    ...formatPermissionFlags(words),
    ...(isConfirmed ? [`--confirm=${quoteWord(profile.name)}`] : []),
  ];
  return flags.map((flag) => ` ${flag}`).join("");
}

function formatNextStep(
  { plan, steps, exit }: RehearsalResult,
  sealed: SummaryParts["sealed"],
  applyFlags: string,
): string[] {
  if (plan !== null && isEmpty(steps ?? 0, sealed)) return [];
  const isComplete = exit === 0 || exit === exits.partlyDone;
  if (plan !== null) {
    const apply = formatApplyHint(plan, applyFlags);
    return [`To review it, run \`voxctl plan show ${quoteWord(plan)}\`.${isComplete ? ` ${apply}` : ""}`];
  }
  return sealed?.reason === undefined && (steps ?? 0) > 0
    ? ["To save these changes for `voxctl apply`, rehearse the command again with --plan FILE."]
    : [];
}
