import { quoteWord } from "../../base/shell-words.js";
import { capitalize, formatCount, inflect, joinWithAnd } from "../../base/text.js";
import type { PlannedSync } from "../../features/sync/results.js";
import type { LeftReason } from "../../features/sync/task.js";
import type { WriteSummary } from "../../write/engine/summary.js";
import type { View } from "../output/output.js";
import type { Session } from "../session/session.js";
import {
  assertAllDone,
  assertNoneChangedElsewhere,
  assertNotDoubled,
  repeatHint,
  replaceHint,
} from "./outcome.js";
import type { InputUnit } from "./rejected-rows.js";
import { formatApplyHint, noteUndo } from "./run-notes.js";
import { formatSeconds, isTableOutput, previewNames, toPreview } from "./summary.js";
import type { SyncFlags } from "./sync-flags.js";

export function formatCounts(
  { created, updated, deleted }: Pick<PlannedSync, "created" | "updated" | "deleted">,
  { noun, plural }: Nouns,
): string {
  return `Will delete ${deleted}, update ${updated} and create ${formatCount(created, noun, plural)}`;
}

export function showChanges(
  note: (text: string) => void,
  { changes, created, updated, deleted }: PlannedSync,
): void {
  for (const line of changes) note(line);
  const more = created + updated + deleted - changes.length;
  if (more > 0 && changes.length >= 20) note(`… and ${more} more`);
}

/** "contact", "contacts" */
export interface Nouns {
  noun: string;
  plural: string;
}

export function formatSyncPrompt(
  { created, updated, deleted, goers }: PlannedSync,
  group: string,
  { noun, plural }: Nouns,
): string {
  const names = `${goers.join(", ")}${deleted > goers.length ? " …" : ""}`;
  const changes = [
    ...(deleted > 0 ? [`delete ${deleted} (${names})`] : []),
    ...(created > 0 ? [`create ${created}`] : []),
    ...(updated > 0 ? [`update ${updated}`] : []),
  ];
  if (changes.length === 1 && deleted > 0)
    return `Delete ${formatCount(deleted, noun, plural)} (${names}) in group "${group}"?`;
  const text = joinWithAnd(changes);
  const nouns = (created || updated || deleted) + (changes.length > 1 ? 1 : 0) === 1 ? noun : plural;
  return `${capitalize(text)} ${nouns} in group "${group}"?`;
}

type SyncView = ReturnType<typeof toSyncView>;

function toSyncView(summary: WriteSummary) {
  const { run_id, plan_id, file, group_id, rows, outcomes } = summary;
  const { requests, rate_limited, seconds, report } = summary;
  const { created = 0, updated = 0, deleted = 0, unchanged = 0, duplicate = 0, invalid = 0 } = outcomes;
  const { ambiguous = 0, partly = 0, failed = 0, drifted = 0, changed_elsewhere = 0, unknown = 0 } = outcomes;
  const { not_in_file = 0, duplicate_contact: duplicate_contacts = 0, newer = 0, no_time = 0 } = outcomes;
  const { kept_values = 0, protected: excluded = 0, row_unusable = 0, row_without_number = 0 } = outcomes;
  const kept = { not_in_file, duplicate_contacts, protected: excluded, row_unusable, row_without_number };
  const left = { ...kept, newer, no_time };
  return {
    ...{ run_id, plan_id, file, group_id, rows, created, updated, deleted, unchanged },
    ...{ duplicates: duplicate, invalid, ambiguous, partly },
    left: Object.values(left).reduce((sum, count) => sum + count, 0),
    ...left,
    ...(kept_values === 0 ? {} : { kept_values }),
    ...(summary.doubled === undefined ? {} : { doubled: summary.doubled }),
    ...(changed_elsewhere === 0 ? {} : { changed_elsewhere }),
    ...{ failed, drifted, unknown, requests, rate_limited, seconds, report },
  };
}

/** Omits the path of the results file, because the command prints the path at the end. */
function createSyncView(isPreview: boolean, { plural }: Nouns): View {
  const names: Readonly<Record<string, string>> = {
    duplicate_contacts: `duplicate ${plural}`,
    ...(isPreview ? previewNames : {}),
  };
  return {
    columns: [],
    detail: ({ report: _, run_id, plan_id, ...fields }) => ({
      ...Object.fromEntries(
        Object.entries({ run_id, plan_id })
          .filter(([, value]) => value !== null)
          .concat(Object.entries(fields).filter(([name, value]) => value !== 0 || alwaysShown.has(name)))
          .map(([name, value]) => [names[name] ?? name, value]),
      ),
    }),
  };
}

const alwaysShown = new Set(["rows", "created", "updated", "deleted", "unchanged"]);

interface ShowOptions extends SyncFlags, Nouns {
  groupName: string;
  advice: readonly string[] | undefined;
  unit: InputUnit | undefined;
  note(text: string): void;
  changes: PlannedSync | undefined;
}

/** @throws CliError with exit code 75 (unconfirmed), 68 (partly done) or 10 (differences found by --check) */
export async function showSync(session: Session, summary: WriteSummary, options: ShowOptions): Promise<void> {
  const view = toSyncView(summary);
  const { dryRun, planPath, check, isSending, advice, note, changes, noun, plural } = options;
  const { not_in_file, duplicate_contacts, newer, no_time, created, updated, deleted, report, plan_id } =
    view;
  if (!isSending) await showResult(session, view, options);
  if (changes !== undefined) showChanges(note, changes);
  if (dryRun) note("Dry run: no changes were made.");
  if (planPath !== undefined && !dryRun)
    note(
      `Saved plan ${plan_id} to ${planPath}. No changes were made. To review it, run \`voxctl plan show ${quoteWord(planPath)}\`. ` +
        formatApplyHint(planPath),
    );
  for (const text of advice ?? []) note(text);
  const left = [...formatLeft(summary, options)];
  for (const text of left) note(text);
  if (isSending && summary.run_id !== null && created + updated + deleted > 0)
    noteUndo(session, "undo this sync", summary.run_id);
  if (isSending) await showResult(session, view, options);
  assertNotDoubled(summary, options.groupName);
  assertComplete(summary, view, options);
  assertNoneChangedElsewhere(summary.outcomes, { noun, plural, hint: `see ${report}${replaceHint}` });
  const planned = isSending ? 0 : created + updated + deleted;
  const { kept_values = 0 } = view;
  const differs = not_in_file + duplicate_contacts + newer + no_time + kept_values + planned;
  assertAllDone(
    { differs: check ? differs : 0 },
    {
      message: () =>
        `group "${options.groupName}" does not match the ${inputOf(options)}: ${formatCount(differs, `different ${noun}`, `different ${plural}`)}`,
      isPartly: isSending && created + updated + deleted > 0,
      hint: `see ${report}`,
    },
  );
  if (left.length > 0) session.notes.note(`Results: ${report}`);
  session.signal.throwIfAborted();
}

function inputOf({ unit }: Pick<ShowOptions, "unit">): "directory" | "file" {
  return unit === "file" ? "directory" : "file";
}

function* formatLeft({ outcomes }: WriteSummary, options: ShowOptions): Generator<string, void> {
  const { isSending, noun, plural, unit = "row" } = options;
  const input = inputOf(options);
  for (const [reason, flag] of leftReasons) {
    const count = outcomes[reason] ?? 0;
    if (count === 0) continue;
    const kept = isSending ? inflect(count, "was kept", "were kept") : "will be kept";
    const they = inflect(count, "it", "they");
    const because: Readonly<Record<LeftReason, string>> = {
      not_in_file: `in the group ${inflect(count, "is", "are")} not in the ${input} and ${kept}`,
      duplicate_contact: kept,
      newer: `${kept} because another user may have changed ${inflect(count, "it", "them")}`,
      no_time: `${kept} because the service doesn't report when ${they} changed`,
      protected: `${kept} because of --protect`,
      row_unusable: `${kept} because ${inflect(count, `its ${unit} is`, `their ${unit}s are`)} invalid or ambiguous`,
      row_without_number: `${kept} because a row with the same name has no phone number or email`,
    };
    const subject =
      reason === "duplicate_contact"
        ? formatCount(count, `duplicate ${noun}`, `duplicate ${plural}`)
        : formatCount(count, noun, plural);
    const remedy = flag === undefined ? "" : ` To delete ${inflect(count, "it", "them")}, use ${flag}.`;
    yield `${subject} ${because[reason]}.${remedy}`;
  }
  const { kept_values = 0 } = outcomes;
  if (kept_values > 0)
    yield `${formatCount(kept_values, noun, plural)} ${inflect(kept_values, "keeps its", "keep their")} phone numbers or emails although the ${input} has an empty cell. To clear them, use --clear-empty COLUMN.`;
}

/** Reasons to keep contacts, in print order, each with the flag that deletes such contacts instead. */
const leftReasons: readonly (readonly [reason: LeftReason, flag?: string])[] = [
  ["not_in_file", "--delete"],
  ["duplicate_contact", "--delete-duplicates"],
  ["newer", "--delete-newer"],
  ["no_time", "--delete-newer"],
  ["protected"],
  ["row_unusable"],
  ["row_without_number"],
];

async function showResult(session: Session, view: SyncView, options: ShowOptions): Promise<void> {
  if (isTableOutput(session))
    await session.output.lines([formatResult(view, options, formatSeconds(view.seconds))]);
  else
    await session.output.item(
      options.isSending ? view : toPreview(view),
      createSyncView(!options.isSending, options),
    );
}

function formatResult(view: SyncView, options: ShowOptions, duration: string): string {
  const { isSending, groupName, noun, plural } = options;
  const { created, updated, deleted, unchanged } = view;
  if (!isSending) return `${formatCounts(view, options)} in group "${groupName}".`;
  return `Created ${created}, updated ${updated} and deleted ${formatCount(deleted, noun, plural)} in group "${groupName}" in ${duration}; ${unchanged} unchanged.`;
}

function assertComplete({ outcomes }: WriteSummary, view: SyncView, options: ShowOptions): void {
  const { isSending, groupName, unit = "row" } = options;
  const { invalid, ambiguous, partly, failed, drifted, unknown, created, updated, deleted, report } = view;
  assertAllDone(outcomes, {
    ...{ unconfirmed: formatCount(unknown, "write"), unconfirmedHint: repeatHint },
    reasons: [
      ["invalid", formatCount(invalid, `invalid ${unit}`)],
      ["partly", `${formatCount(partly, unit)} used without the invalid cells`],
      ["ambiguous", `${formatCount(ambiguous, unit)} with several matches`],
      ["failed", `${failed} rejected by the service`],
      ["drifted", `${drifted} changed by another user and skipped`],
    ],
    message: (reasons) => `group "${groupName}" does not match the ${inputOf(options)}: ${reasons}`,
    isPartly: isSending && created + updated + deleted > 0,
    hint: `see ${report}`,
  });
}
