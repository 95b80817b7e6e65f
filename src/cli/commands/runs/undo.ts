import type { UndoSummary } from "../../../bulk/imports/undo.js";
import type { RunInfo } from "../../../bulk/journal/list.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { groupRunFlags } from "../bulk/bulk-flags.js";
import {
  isApply,
  isProvisioning,
  reportRemaining,
  runArgument,
  selectRunProfile,
  showUndoPreview,
  withRun,
} from "../bulk/one-run.js";
import { withRefusals } from "../bulk/refusals.js";
import { previewView } from "../bulk/summary.js";
import { confirmUndo } from "./confirm-undo.js";
import { noteKeptGroup } from "./kept-group.js";
import { previewImported, readUndoOptions } from "./preview-undo.js";
import { showApplyUndo, undoAppliedPlan } from "./undo-apply.js";
import { showProvisioningUndo, undoProvisioned } from "./undo-provisioning.js";

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
      const { importAdapterOf, undoRun } = await import("../../../bulk/runs.js");
      const [id = ""] = input.arguments;
      const run = await selectRunProfile(session, id);
      noteAlreadyUndone(session, run);
      if (isProvisioning(run)) return undoProvisioned(session, input, run);
      if (isApply(run)) return undoAppliedPlan(session, input, run);
      const question = `Undo the run ${id}, ${run.file} into the group "${run.group}" of profile ${run.profile}?`;
      await confirmUndo(session, input, run, question);
      const summary = await withRun(
        session,
        input,
        run,
        (context) => undoRun(context, id, importAdapterOf, readUndoOptions(input)),
        { verb: "undo" },
      );
      await session.output.item(summary);
      const { deleted, restored, group_deleted } = summary;
      const didSomething = group_deleted || deleted + restored > 0;
      noteKeptGroup(session, summary);
      noteMatched(session, summary);
      reportRemaining(session, summary, didSomething);
    }),
};

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
  if (isProvisioning(run)) return showProvisioningUndo(session, input, run);
  if (isApply(run)) return showApplyUndo(session, input, run);
  const { summary, first } = await previewImported(session, input, run);
  const { notes } = session;
  const { deleted, restored, changed_since, gone, unknown } = summary;
  await showUndoPreview(session, first, deleted + restored + changed_since + gone);
  notes.note("dry run: nothing was sent");
  noteKeptGroup(session, summary);
  if (unknown > 0) notes.warn(`of ${unknown} it is looked up first whether they were written`);
  await session.output.item(summary, previewView);
}
