import type { RunContext } from "../../../bulk/engine/context.js";
import type { RunInfo } from "../../../bulk/journal/list.js";
import type { UndoSummary } from "../../../bulk/undo/undo.js";
import { quoteWord } from "../../errors/shell-words.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { groupRunFlags } from "../bulk/bulk-flags.js";
import {
  isProvisioning,
  reportRemaining,
  runArgument,
  selectRunProfile,
  showUndoPreview,
  withRun,
} from "../bulk/one-run.js";
import { withRefusals } from "../bulk/refusals.js";
import { previewView, summaryView } from "../bulk/summary.js";
import { createPlanLearner } from "../plan/learner.js";
import { confirmUndo } from "./confirm-undo.js";
import { noteKeptGroup } from "./kept-group.js";
import { previewUndo, readUndoOptions } from "./preview-undo.js";
import { undoProvisioned } from "./undo-provisioning.js";

/** `voxctl runs undo RUN [--dry-run]` */
export const undo: Command = {
  name: "undo",
  summary: "Delete what a run created and restore what it updated",
  description:
    "What was changed since is left alone and listed in the report. A group that the run made is deleted, too, if " +
    "nothing else is in it and no assistant uses it; others stay. It is looked into twice, a settle time apart " +
    "(--settle), right before it is deleted: what is added in the moment between the second look and the delete, " +
    "or what lists show later than that, is deleted with it. For a provisioning, organizations are deleted, and " +
    "licenses with their MSP. For a plan, what was deleted is created again under a new id, and assistants that refer to " +
    "the old one get the new one. An undo that was interrupted goes on when it is given again.",
  arguments: [runArgument],
  flags: [
    ...groupRunFlags,
    {
      name: "include-matched",
      description: "Also delete matches found by content after a lost response, which may be another user's",
    },
    { name: "dry-run", description: "Show what will be undone without making changes" },
  ],
  examples: [
    { command: "voxctl runs undo 2aa82de186e4 --dry-run", note: "preview the undo" },
    { command: "voxctl runs undo 2aa82de186e4" },
  ],
  verdict: true,
  run: (session, input) =>
    withRefusals(async () => {
      if (input.on("dry-run") === true) return showUndo(session, input);
      const [id = ""] = input.arguments;
      const run = await selectRunProfile(session, id);
      noteAlreadyUndone(session, run);
      return isProvisioning(run) ? undoProvisioned(session, input, run) : undoWritten(session, input, run);
    }),
};

/** Undoes an import or a plan's run. */
async function undoWritten(session: Session, input: Input, run: RunInfo): Promise<void> {
  await confirmUndo(
    session,
    input,
    run,
    `Undo the run ${run.id}, ${formatRun(run)} on profile ${run.profile}?`,
  );
  const { undoRun } = await import("../../../bulk/runs.js");
  const work = async (context: RunContext) =>
    undoRun(context, run.id, {
      ...readUndoOptions(input),
      learn: await createPlanLearner(session, context),
    });
  const summary = await withRun(session, input, run, work, { verb: "undo" });
  await session.output.item(summary, summaryView);
  noteRecreated(session, run, summary.recreated);
  const { deleted, restored, recreated = 0, not_undoable = 0, group_deleted, report } = summary;
  if (not_undoable > 0) session.notes.note(`${not_undoable} can't be undone; see ${report}`);
  noteMatched(session, summary);
  noteKeptGroup(session, summary);
  const didSomething = group_deleted === true || deleted + restored + recreated > 0;
  reportRemaining(session, summary, didSomething);
}

function formatRun({ kind, command, file, group }: RunInfo): string {
  if (kind === "apply" && command === null) return `the plan ${file}`;
  const what = command === null || command === file ? file : `${command} ${file}`;
  return group === null ? String(what) : `${what} into the group "${group}"`;
}

function noteRecreated({ notes }: Session, { profile, command }: RunInfo, recreated = 0): void {
  if (recreated === 0) return;
  notes.note(
    recreated === 1
      ? "created 1 deleted resource again, with a new ID"
      : `created ${recreated} deleted resources again, with new IDs`,
  );
  // Another import may have created them since then: only the user can choose between two contacts.
  if (profile !== null && command?.startsWith("contacts ") === true)
    notes.note(
      `to check for duplicates, run \`voxctl contacts dedupe --check --profile ${quoteWord(profile)}\``,
    );
}

/** An undone run is compared again: an item that the first undo kept may be revertible now. */
function noteAlreadyUndone({ notes }: Session, { id, state }: RunInfo): void {
  if (state === "undone") notes.note(`run ${id} was already undone; checking the items that were kept`);
}

function noteMatched({ notes }: Session, { matched, undone }: Pick<UndoSummary, "matched" | "undone">): void {
  if (matched === 0) return;
  notes.note(
    `kept ${matched} found by content after a lost response, because ${matched === 1 ? "it" : "they"} may be another user's; ` +
      `to delete ${matched === 1 ? "it" : "them"}, run \`voxctl runs undo ${undone} --include-matched\``,
  );
}

/** `runs undo --dry-run`: prints the items to stderr and the counts to stdout. */
async function showUndo(session: Session, input: Input): Promise<void> {
  const [id = ""] = input.arguments;
  const run = await selectRunProfile(session, id);
  noteAlreadyUndone(session, run);
  const { summary, first, count } = await previewUndo(session, input, run);
  const { notes } = session;
  await showUndoPreview(session, first, count);
  notes.note("dry run: nothing was sent");
  noteKeptGroup(session, summary);
  const { unknown = 0 } = summary;
  if (unknown > 0) notes.warn(`of ${unknown} it is looked up first whether they were written`);
  await session.output.item(summary, previewView);
}
