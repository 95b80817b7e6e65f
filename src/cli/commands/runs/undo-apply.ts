import type { RunInfo } from "../../../bulk/journal/list.js";
import { quoteWord } from "../../errors/shell-words.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { reportRemaining, showUndoPreview, withRun } from "../bulk/one-run.js";
import { previewView, summaryView } from "../bulk/summary.js";
import { createPlanLearner } from "../plan/learner.js";
import { confirmUndo } from "./confirm-undo.js";
import { noteKeptGroup } from "./kept-group.js";
import { previewApplied, readUndoOptions } from "./preview-undo.js";

function formatRun({ command, file, group }: RunInfo): string {
  if (command === null) return `the plan ${file}`;
  const what = command === file ? command : `${command} ${file}`;
  return group === null ? what : `${what} into the group "${group}"`;
}

/** `runs undo` of a run of `apply`. */
export async function undoAppliedPlan(session: Session, input: Input, run: RunInfo): Promise<void> {
  const question = `Undo the run ${run.id}, ${formatRun(run)} on profile ${run.profile}?`;
  await confirmUndo(session, input, run, question);
  const { undoApply } = await import("../../../bulk/plan/index.js");
  const summary = await withRun(
    session,
    input,
    run,
    async (context) =>
      undoApply(context, run.id, {
        ...readUndoOptions(input),
        learn: await createPlanLearner(session, context),
      }),
    { verb: "undo" },
  );
  await session.output.item(summary, summaryView);
  const { notes } = session;
  const { deleted, restored, recreated, matched, not_undoable, undone, report } = summary;
  if (recreated > 0) {
    notes.note(
      recreated === 1
        ? "created 1 deleted resource again, with a new ID"
        : `created ${recreated} deleted resources again, with new IDs`,
    );
    // Another import may have created them since then: only the user can choose between two contacts.
    if (run.profile !== null && run.command?.startsWith("contacts ") === true)
      notes.note(
        `to check for duplicates, run \`voxctl contacts dedupe --check --profile ${quoteWord(run.profile)}\``,
      );
  }
  if (not_undoable > 0) notes.note(`${not_undoable} can't be undone; see ${report}`);
  if (matched > 0) {
    notes.note(
      `kept ${matched} found by content after a lost response; ` +
        `to delete ${matched === 1 ? "it" : "them"}, run \`voxctl runs undo ${undone} --include-matched\``,
    );
  }
  noteKeptGroup(session, summary);
  const didSomething = summary.group_deleted === true || deleted + restored + recreated > 0;
  reportRemaining(session, summary, didSomething);
}

/** `runs undo --dry-run` of one. */
export async function showApplyUndo(session: Session, input: Input, run: RunInfo): Promise<void> {
  const { summary, first } = await previewApplied(session, input, run);
  const { deleted, restored, recreated, changed_since, gone, matched, not_undoable } = summary;
  await showUndoPreview(
    session,
    first,
    deleted + restored + recreated + changed_since + gone + matched + not_undoable,
  );
  session.notes.note("dry run: nothing was sent");
  if (summary.unknown > 0)
    session.notes.warn(`of ${summary.unknown} it is looked up first whether they were written`);
  noteKeptGroup(session, summary);
  await session.output.item(summary, previewView);
}
