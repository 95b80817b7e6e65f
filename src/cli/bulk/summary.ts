import { quoteWord } from "../../base/shell-words.js";
import { capitalize, formatCount, formatThousands, inflect } from "../../base/text.js";
import type { WriteSummary } from "../../write/engine/summary.js";
import type { View } from "../output/output.js";
import type { Session } from "../session/session.js";
import { durationText, formatWriteDuration } from "../terminal/progress.js";
import {
  assertAllDone,
  assertNoneChangedElsewhere,
  assertNotDoubled,
  repeatHint,
  replaceHint,
} from "./outcome.js";
import type { Sealed } from "./plan-file.js";
import type { InputUnit } from "./rejected-rows.js";
import { formatApplyHint, noteUndo } from "./run-notes.js";

interface ShowOptions {
  dryRun: boolean;
  sealed?: Sealed | undefined;
  unit?: InputUnit;
  noun?: string;
  plural?: string;
  group?: string;
  groupIsNew?: boolean;
  advice?: readonly string[];
  rejects?: string | undefined;
  offersRejects?: boolean;
}

type ImportView = ReturnType<typeof toImportView>;

export function toImportView(summary: WriteSummary) {
  const { run_id, file, group_id, rows, outcomes, requests, rate_limited, seconds, report } = summary;
  const { created = 0, updated = 0, unchanged = 0, duplicate: duplicates = 0, invalid = 0 } = outcomes;
  const {
    failed = 0,
    unknown = 0,
    partly = 0,
    ambiguous = 0,
    changed_elsewhere = 0,
    differing = 0,
  } = outcomes;
  const { kept_phone_numbers: phone_numbers = 0, kept_emails: emails = 0 } = outcomes;
  const { doubled } = summary;
  const rejected = invalid + failed + ambiguous;
  return {
    ...{ run_id, file, group_id, rows, created, updated, unchanged, duplicates, rejected },
    ...{ invalid, failed, unknown },
    ...(doubled === undefined ? {} : { doubled }),
    ...(differing === 0 ? {} : { differing }),
    ...(partly === 0 ? {} : { partly }),
    ...(phone_numbers + emails === 0 ? {} : { kept: { phone_numbers, emails } }),
    ...(ambiguous === 0 ? {} : { ambiguous }),
    ...(changed_elsewhere === 0 ? {} : { changed_elsewhere }),
    ...{ requests, rate_limited, seconds, report },
  };
}

/**
 * Throws if the user must act; a dry run uses the same exit codes.
 * @param count number of rejected rows
 */
function assertComplete(
  { rows, outcomes, report }: WriteSummary,
  count: number,
  { dryRun, unit = "row", groupIsNew = false, rejects, offersRejects = false }: ShowOptions,
): void {
  const { created = 0, updated = 0, invalid = 0, failed = 0, unknown = 0 } = outcomes;
  const { partly = 0, ambiguous = 0, duplicate = 0 } = outcomes;
  const input = formatCount(rows, unit);
  const unconfirmed = { unconfirmed: `${unknown} of ${input}`, unconfirmedHint: repeatHint };
  if (count === 0) {
    const were = dryRun ? "will be" : partly === 1 ? "was" : "were";
    assertAllDone(outcomes, {
      ...unconfirmed,
      message: () => `${partly} of ${input} ${were} used without the invalid cells`,
      isPartly: !dryRun,
      hint: `see ${report}`,
    });
  }
  const areRejected = dryRun ? "will be" : count === 1 ? "was" : "were";
  const fix =
    rejects === undefined
      ? offersRejects
        ? "to get a file that you can fix, use --rejects FILE"
        : undefined
      : `${dryRun ? "after the import, " : ""}fix the rows in ${rejects}, then import that file`;
  const hints = [
    `see ${report} for the reason${count === 1 ? "" : "s"}${duplicate === 0 ? "" : ` and the skipped ${unit}s`}`,
    fix,
  ];
  assertAllDone(outcomes, {
    ...unconfirmed,
    reasons: [
      ["invalid", `${invalid} invalid`],
      ["failed", `${failed} rejected by the service`],
      ["ambiguous", `${ambiguous} with several matches`],
      ["partly", `${partly} more used without the invalid cells`],
    ],
    message: (reasons) => `${count} of ${input} ${areRejected} rejected: ${reasons}`,
    isPartly: !dryRun && (groupIsNew || created + updated > 0),
    hint: hints.filter((text) => text !== undefined).join("; "),
  });
}

/** View of a summary without the path of the results file, because the command prints the path at the end. */
export const summaryView: View = { columns: [], detail: ({ report: _, ...fields }) => fields };

export const previewNames: Readonly<Record<string, string>> = {
  created: "will create",
  updated: "will update",
  unchanged: "will not change",
  merged: "will merge",
  deleted: "will delete",
  restored: "will restore",
  recreated: "will recreate",
  group_deleted: "will delete the group",
};

/** Renames `requests` to `writes`: in a preview, this count contains only writes. */
export function toPreview(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name === "requests" ? "writes" : name, value]),
  );
}

/** Uses the future tense, so that users don't mistake a preview for a result. */
export const previewView: View = {
  columns: [],
  detail: ({ report: _, ...fields }) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [previewNames[name] ?? name, value])),
};

/** @throws CliError if rows were not imported */
export async function showSummary(
  session: Session,
  summary: WriteSummary,
  options: ShowOptions,
): Promise<void> {
  const { dryRun, unit = "row", advice = [] } = options;
  const view = toImportView(summary);
  const { run_id, rows, created, updated, requests, report, file } = view;
  const { sealed } = options;
  const isSentence = isTableOutput(session);
  if (sealed === undefined && dryRun) {
    const duration = formatWriteDuration(requests, "write", (await session.connect()).clock);
    const sentence = duration === undefined ? [] : [`${duration}.`];
    const parts = isSentence ? sentence : ["Dry run: no changes were made.", ...sentence];
    if (parts.length > 0) session.notes.note(parts.join(" "));
  }
  if (rows === 0) session.notes.warn(`${file === "-" ? "standard input" : file} contains no ${unit}s`);
  for (const text of advice) session.notes.note(text);
  if (view.differing !== undefined) session.notes.note(formatDiffering(view.differing, options));
  if (view.kept !== undefined) session.notes.note(formatKept(view.kept, dryRun));
  const { rejects } = options;
  const shown = {
    ...view,
    ...(sealed === undefined ? {} : { plan: sealed.file, plan_id: sealed.id }),
    ...(rejects === undefined || view.rejected === 0 ? {} : { rejects }),
  };
  if (isSentence) await session.output.lines([formatResult(view, options, formatSeconds(view.seconds))]);
  else if (dryRun) await session.output.item(toPreview(shown), previewView);
  else await session.output.item(shown, summaryView);
  if (sealed !== undefined) noteSealed(session.notes, sealed);
  if (!dryRun && run_id !== null && created + updated > 0) noteUndo(session, "undo this import", run_id);
  assertNotDoubled(summary, options.group ?? summary.group_id);
  assertComplete(summary, view.rejected, options);
  const { noun = "resource", plural } = options;
  assertNoneChangedElsewhere(summary.outcomes, { noun, plural, hint: `see ${report}${replaceHint}` });
  if (created < rows) session.notes.note(`Results: ${report}`);
  if (rejects !== undefined && view.rejected === 0)
    session.notes.note(`No ${unit}s were rejected, so ${rejects} was not written.`);
  // A run can finish after Ctrl-C; the exit code still reports the interruption.
  session.signal.throwIfAborted();
}

/** Returns whether results are printed for a user, as a sentence instead of an object. */
export function isTableOutput({ output, flags }: Pick<Session, "output" | "flags">): boolean {
  return output.format === "table" && !flags.fields && flags.jq === undefined;
}

function formatResult(view: ImportView, options: ShowOptions, duration: string): string {
  const { rows, created, updated, unchanged, duplicates, rejected, unknown, differing = 0 } = view;
  const { dryRun, sealed, unit = "row", noun = unit, plural = `${noun}s` } = options;
  const skipped = unchanged + duplicates;
  const reasons = [
    unchanged > differing ? `${formatThousands(unchanged - differing)} unchanged` : "",
    differing > 0 ? `${formatThousands(differing)} with different values` : "",
    duplicates > 0 ? formatCount(duplicates, "duplicate") : "",
  ].filter((text) => text !== "");
  const counts = [
    `${formatThousands(skipped)} skipped${reasons.length === 0 ? "" : ` (${reasons.join(", ")})`}`,
    ...(rejected > 0 ? [`${formatThousands(rejected)} rejected`] : []),
    ...(unknown > 0 ? [`${formatThousands(unknown)} unconfirmed`] : []),
  ];
  if (dryRun) {
    const start = sealed === undefined ? "Dry run" : `Plan ${sealed.id}`;
    const end = sealed === undefined ? " No changes were made." : "";
    return `${start}: ${formatCount(created, noun, plural)} will be created, ${formatThousands(updated)} updated, ${counts.join(", ")}.${end}`;
  }
  const sentence = [`${formatThousands(created)} created`, `${formatThousands(updated)} updated`, ...counts];
  return `${toVerbFirst(sentence)} of ${formatCount(rows, unit)} in ${duration}.`;
}

export function formatSeconds(seconds: number): string {
  return seconds < 10 ? `${seconds} s` : durationText(seconds * 1000);
}

function toVerbFirst(parts: readonly string[]): string {
  const text = parts.map((part) => part.replace(/^(\S+) (\S+)/, "$2 $1")).join(", ");
  return capitalize(text);
}

export function noteSealed(
  notes: Session["notes"],
  { file, id, steps, hasKeys = false, words = [] }: Sealed,
): void {
  if (steps === 0 && !hasKeys) {
    notes.note(`Saved plan ${id} to ${file}. The plan has no steps, so there is nothing to apply.`);
    return;
  }
  const allowed = words.map((word) => ` --allow ${word}`).join("");
  notes.note(
    `Saved plan ${id} with ${formatCount(steps, "step")} to ${file}, which contains personal data. No changes were made.`,
  );
  notes.note(`To review it, run \`voxctl plan show ${quoteWord(file)}\`. ${formatApplyHint(file, allowed)}`);
}

function formatDiffering(count: number, { dryRun, unit = "row", noun = unit, plural }: ShowOptions): string {
  const existing = inflect(count, noun, plural ?? `${noun}s`);
  const kept = dryRun ? "will be kept" : inflect(count, "was kept", "were kept");
  return `${formatCount(count, unit)} ${inflect(count, "differs", "differ")} from the existing ${existing}, which ${kept}; to update ${inflect(count, "it", "them")}, use --on-match update`;
}

function formatKept(kept: NonNullable<ImportView["kept"]>, dryRun: boolean): string {
  const parts = [
    ...(kept.phone_numbers > 0 ? [formatCount(kept.phone_numbers, "old phone number")] : []),
    ...(kept.emails > 0 ? [formatCount(kept.emails, "old email")] : []),
  ];
  return `${parts.join(" and ")} ${dryRun ? "will be " : ""}kept; to remove them, use --on-match replace`;
}
