import { quoteWord } from "../../../base/shell-words.js";
import { formatCount, formatThousands } from "../../../base/text.js";
import { groupRunFlags } from "../../../cli/bulk/bulk-flags.js";
import {
  findRun,
  isProvisioning,
  runArgument,
  selectRunProfile,
  showUndoPreview,
  withRun,
} from "../../../cli/bulk/one-run.js";
import { assertAllDone } from "../../../cli/bulk/outcome.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import {
  formatSeconds,
  isTableOutput,
  previewView,
  summaryView,
  toPreview,
} from "../../../cli/bulk/summary.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { RunContext } from "../../../write/engine/context.js";
import type { RunType } from "../../../write/journal/identity.js";
import type { RunInfo } from "../../../write/journal/list.js";
import type { UndoSummary } from "../../../write/undo/undo.js";
import { createPlanLearner } from "../../plans/commands/learner.js";
import { confirmUndo } from "./confirm-undo.js";
import { noteKeptGroup } from "./kept-group.js";
import { previewUndo, readUndoOptions } from "./preview-undo.js";
import { formatUndone, formatUndoPreview, toUndoView } from "./undo-view.js";

/** Copied from the fleet feature, so that this command doesn't load the feature. */
const fleetType: RunType = "fleet";

export const undo: Command = {
  name: "undo",
  summary: "Undo a run: delete what it created, restore what it changed, recreate what it deleted",
  description:
    "Resources that were changed after the run are kept and listed in the results file; the exit code is then 68.\n\nA group that the run created is " +
    "deleted if it contains nothing else, no assistant uses it and it is not the last group of its type. Otherwise, the group is kept and the exit code is 68. Before voxctl deletes a group, it checks the group twice, " +
    "with the --settle time between the checks. A resource that another user adds after the second check is deleted with " +
    'the group.\n\nTo undo several runs for the same group, start with the newest run. Undoing a fleet run undoes the runs of its members, last wave first; in a script, confirm it with the number of members, such as --confirm "20 members". Undoing a plan recreates deleted ' +
    "resources with new IDs and updates the assistants that refer to them.\n\nUndoing `orgs provision` deletes the organizations that it created; an MSP's licenses are deleted with the MSP. The undo also restores the products, statuses and assignments of licenses that the run changed. Organizations that --prune deleted are recreated, empty and with new IDs.\n\nTo resume an interrupted undo, run the " +
    "same command again.",
  arguments: [runArgument],
  flags: [
    ...groupRunFlags,
    {
      name: "include-matched",
      description:
        "Also delete resources that the run probably created: their contents match, but the response was lost. They may belong to another user",
    },
    { name: "dry-run", description: "Show what would be undone, without making changes" },
  ],
  confirms: true,
  examples: [
    { command: "voxctl runs undo 2aa82de186e4 --dry-run", note: "Preview the undo" },
    { command: "voxctl runs undo 2aa82de186e4" },
  ],
  verdict: true,
  run: (session, input) =>
    withRefusals(async () => {
      const [id = ""] = input.arguments;
      if ((await findRun(session, id)).kind === fleetType) {
        const { undoFleet } = await import("../../fleet/commands/undo.js");
        return undoFleet(session, input, id);
      }
      if (input.on("dry-run") === true) return showUndo(session, input);
      const run = await selectRunProfile(session, id);
      noteAlreadyUndone(session, run);
      return undoWritten(session, input, run);
    }),
};

async function undoWritten(session: Session, input: Input, run: RunInfo): Promise<void> {
  await confirmUndo(session, input, run, {
    question: `Undo run ${run.id} (${formatRun(run)}) in profile ${run.profile}?`,
    loss: isProvisioning(run)
      ? "Organizations will be deleted with their contents."
      : "Resources that were changed after the run will be kept.",
  });
  const { undoRun, undoSubjects } = await import("../index.js");
  const work = async (context: RunContext) =>
    undoRun(context, run.id, {
      ...readUndoOptions(input),
      subjects: undoSubjects,
      learn: await createPlanLearner(session, context),
    });
  const summary = await withRun(session, input, run, work, { verb: "undo" });
  if (isTableOutput(session))
    await session.output.lines([formatUndone(summary, formatSeconds(summary.seconds))]);
  else await session.output.item(toUndoView(summary), summaryView);
  const { outcomes, group } = summary;
  noteRecreated(session, run, outcomes["recreated"]);
  noteLicenses(session, outcomes["with_msp"]);
  noteMatched(session, summary);
  await noteKeptGroup(session, run, group);
  assertUndone(session, summary);
}

/**
 * A dry run uses the same exit codes, but doesn't count unconfirmed writes, because the undo checks them
 * first.
 * @throws CliError with exit code 75 if writes are unconfirmed, 68 if a change of the run was not undone
 */
function assertUndone(
  { signal }: Session,
  { outcomes, group, report, undone }: UndoSummary,
  { isDryRun = false } = {},
): void {
  const { deleted = 0, restored = 0, recreated = 0, failed = 0 } = outcomes;
  const { unknown = 0 } = isDryRun ? {} : outcomes;
  const { changed_since = 0, partly = 0, not_undoable = 0, kept = 0, matched = 0 } = outcomes;
  const listed = [
    ...formatReason(failed, "failed"),
    ...formatReason(changed_since, "changed after the run"),
    ...formatReason(partly, "restored without fields that changed after the run"),
    ...formatReason(not_undoable + kept, "can't be undone"),
    ...formatReason(matched, "matched only by content"),
  ];
  const reasons = [...listed, ...(typeof group?.group_kept === "string" ? ["the group was kept"] : [])];
  assertAllDone(
    { unknown, partly: reasons.length },
    {
      ...{ unconfirmed: formatCount(unknown, "change"), unconfirmedHint: `see ${report}` },
      message: () =>
        `run ${undone} ${isDryRun ? "will not be" : "was not"} completely undone: ${reasons.join(", ")}`,
      isPartly: !isDryRun && (group?.group_deleted === true || deleted + restored + recreated > 0),
      hint: listed.length > 0 && !isDryRun ? `see ${report}` : undefined,
    },
  );
  signal.throwIfAborted();
}

function formatReason(count: number, reason: string): string[] {
  return count === 0 ? [] : [`${formatThousands(count)} ${reason}`];
}

function formatRun({ kind, command, file, group }: RunInfo): string {
  if (kind === "apply" && command === null) return `plan ${file}`;
  const what = command === null || command === file ? file : `${command} ${file}`;
  return group === null ? String(what) : `${what} into group "${group}"`;
}

/** Notes how many licenses belonged to deleted MSPs. Without its MSP, a license can't be read. */
function noteLicenses({ notes }: Session, count = 0): void {
  if (count === 0) return;
  notes.note(
    `${formatCount(count, "license")} belonged to deleted MSPs; voxctl can't check whether the service deleted ${count === 1 ? "it" : "them"}`,
  );
}

function noteRecreated({ notes }: Session, run: RunInfo, recreated = 0): void {
  const { profile, command } = run;
  if (recreated === 0) return;
  if (isProvisioning(run)) {
    notes.note("The recreated organizations are empty and have new IDs. Their contents and keys are lost.");
    return;
  }
  // Suggest a check, because another import may have created the same contacts after their deletion.
  if (profile !== null && command?.startsWith("contacts ") === true)
    notes.note(
      `To check for duplicates, run \`voxctl contacts dedupe --check --profile ${quoteWord(profile)}\`.`,
    );
}

/** The new undo checks the resources that the earlier undo kept. */
function noteAlreadyUndone({ notes }: Session, { id, state }: RunInfo): void {
  if (state === "undone")
    notes.note(`Run ${id} was undone before. Checking whether that undo kept anything…`);
}

function noteMatched({ notes }: Session, { outcomes, undone }: UndoSummary): void {
  const { matched = 0 } = outcomes;
  if (matched === 0) return;
  notes.note(
    `Kept ${formatCount(matched, "resource")} that ${matched === 1 ? "was" : "were"} matched only by content after a lost response and may belong to another user. ` +
      `To delete ${matched === 1 ? "it" : "them"}, run \`voxctl runs undo ${undone} --include-matched\`.`,
  );
}

/** `runs undo --dry-run`: prints the items to stderr and the counts to stdout. */
async function showUndo(session: Session, input: Input): Promise<void> {
  const [id = ""] = input.arguments;
  const run = await selectRunProfile(session, id);
  noteAlreadyUndone(session, run);
  const { summary, first, count } = await previewUndo(session, input, run, { compares: true });
  const { notes } = session;
  await showUndoPreview(session, run, first, count);
  const isSentence = isTableOutput(session);
  if (!isSentence) notes.note("Dry run: no changes were made.");
  await noteKeptGroup(session, run, summary.group, { isDryRun: true });
  const { unknown = 0 } = summary.outcomes;
  if (unknown > 0) notes.warn(`${formatCount(unknown, "write")} without a response will be checked first`);
  const { run_id: _, report: __, ...view } = toUndoView(summary);
  if (isSentence)
    await session.output.lines([`Dry run: ${formatUndoPreview(summary)}. No changes were made.`]);
  else await session.output.item(toPreview(view), previewView);
  assertUndone(session, summary, { isDryRun: true });
}
