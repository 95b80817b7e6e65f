import { basename } from "node:path";
import { formatCount } from "../../../base/text.js";
import type { ImportSummary } from "../../../bulk/engine/summary.js";
import { buckets } from "../../../contract/limits.js";
import { partlyDoneError, unknownError } from "../../errors/errors.js";
import { quoteWord } from "../../errors/shell-words.js";
import type { View } from "../../output/output.js";
import type { Session } from "../../session/session.js";
import { durationText } from "../../terminal/progress.js";
import type { Sealed } from "./plan-file.js";
import type { InputUnit } from "./rejected-rows.js";

/** The messages about an import besides its summary. */
interface ShowOptions {
  dryRun: boolean;
  /** A plan that was made of it. */
  sealed?: Sealed | undefined;
  unit?: InputUnit;
  /** The group was made for this import. */
  groupIsNew?: boolean;
  /** A flag that would let many of the invalid rows in. */
  advice?: string | undefined;
  /** The file of the rows that were not imported, of a run that another command started. */
  rejects?: string | undefined;
}

/** Throws if the user must act; the summary is already on stdout. A dry run uses the same exit codes. */
function assertComplete(
  summary: ImportSummary,
  { dryRun, unit = "row", groupIsNew = false, advice }: ShowOptions,
): void {
  const {
    rows,
    created,
    updated,
    invalid,
    unknown,
    partly = 0,
    ambiguous = 0,
    drifted = 0,
    report,
  } = summary;
  const failed = summary.failed + ambiguous + drifted;
  const file = summary.file === "-" ? "standard input" : basename(summary.file);
  if (unknown > 0) {
    throw unknownError(
      `it is unknown whether ${unknown} of ${formatCount(rows, unit)} of ${file} were written`,
      `they are listed in ${report}`,
    );
  }
  if (partly > 0 && invalid + failed === 0) {
    throw partlyDoneError(
      `${partly} of ${formatCount(rows, unit)} of ${file} ${dryRun ? "can" : partly === 1 ? "was" : "were"} ${dryRun ? "only be " : ""}imported without a bad cell`,
      !dryRun,
      `they are listed in ${report}`,
    );
  }
  if (invalid + failed > 0) {
    const didSomething = !dryRun && (groupIsNew || created + updated > 0);
    const parts = [
      ...(invalid > 0 ? [`${invalid} invalid`] : []),
      ...(summary.failed > 0 ? [`${summary.failed} rejected by the service`] : []),
      ...(ambiguous > 0 ? [`${ambiguous} with several matches`] : []),
      ...(drifted > 0 ? [`${drifted} changed by others and skipped`] : []),
      ...(partly > 0 ? [`${partly} more without a bad cell`] : []),
    ];
    throw partlyDoneError(
      `${invalid + failed} of ${formatCount(rows, unit)} of ${file} ${dryRun ? "can't be" : invalid + failed === 1 ? "was not" : "were not"} imported: ${parts.join(", ")}`,
      didSomething,
      [advice, `they are listed in ${report}`].filter((text) => text !== undefined).join("; "),
    );
  }
}

/** Without the results file: its path is printed at the end. */
export const summaryView: View = { columns: [], detail: ({ report: _, ...fields }) => fields };

const previewNames: Readonly<Record<string, string>> = {
  created: "would create",
  updated: "would update",
  unchanged: "would leave unchanged",
  deleted: "would delete",
  restored: "would restore",
  recreated: "would create again",
  group_deleted: "would delete the group",
  requests: "would send",
};

/** View of a dry run: future tense, so that a preview is not mistaken for a result. */
export const previewView: View = {
  columns: [],
  detail: ({ report: _, ...fields }) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [previewNames[name] ?? name, value])),
};

/**
 * Shows the result or preview of an import.
 * @throws CliError if rows were not imported
 */
export async function showSummary(
  session: Session,
  summary: ImportSummary,
  options: ShowOptions,
): Promise<void> {
  const { dryRun, unit = "row", advice } = options;
  const { rows, created, requests, report, file } = summary;
  const { sealed } = options;
  if (sealed === undefined && dryRun)
    session.notes.note(`dry run: nothing was sent${formatWriteDuration(requests)}`);
  if (rows === 0) session.notes.warn(`${file === "-" ? "standard input" : file} contains no ${unit}s`);
  if (advice !== undefined) session.notes.note(advice);
  if (summary.kept !== undefined) session.notes.note(formatKept(summary.kept, dryRun));
  const { rejects } = options;
  const shown = {
    ...summary,
    ...(sealed === undefined ? {} : { plan: sealed.file, plan_id: sealed.id }),
    ...(rejects === undefined ? {} : { rejects }),
  };
  await session.output.item(shown, dryRun ? previewView : summaryView);
  if (sealed !== undefined) {
    noteSealed(session.notes, sealed);
  }
  assertComplete(summary, options);
  if (created < rows) session.notes.note(`report: ${report}`);
  // A run can finish after Ctrl-C; the exit code still reports the interruption.
  session.signal.throwIfAborted();
}

/** Reports the plan file and the next commands. */
export function noteSealed(notes: Session["notes"], { file, id, steps, words = [] }: Sealed): void {
  const allowed = words.map((word) => ` --allow ${word}`).join("");
  notes.note(
    `Saved plan ${id} with ${formatCount(steps, "step")} to ${file}, which contains personal data. No changes were made.`,
  );
  notes.note(
    `To review it, run \`voxctl plan show ${quoteWord(file)}\`. To apply it, run \`voxctl apply ${quoteWord(file)}${allowed}\`.`,
  );
}

/** I5: "12 old phone numbers kept: …" */
function formatKept(kept: NonNullable<ImportSummary["kept"]>, dryRun: boolean): string {
  const parts = [
    ...(kept.phone_numbers > 0 ? [formatCount(kept.phone_numbers, "old phone number")] : []),
    ...(kept.emails > 0 ? [formatCount(kept.emails, "old e-mail")] : []),
  ];
  return `${parts.join(" and ")} ${dryRun ? "would be " : ""}kept: --on-match replace removes them`;
}

/** How long that many writes take where nothing else is written: worth a word where they don't go at once. */
function formatWriteDuration(requests: number): string {
  const { limit, windowSeconds } = buckets.write;
  if (requests <= limit) return "";
  const duration = durationText((requests / limit) * windowSeconds * 1000);
  return `; ${formatCount(requests, "write")} take ${duration} at ${limit} a minute`;
}
