import type { UndoSummary } from "../../bulk/engine/undo.js";
import type { Command, Input } from "../command.js";
import { CliError, exits } from "../errors.js";
import { undoneColumns } from "../rejected-rows.js";
import type { Session } from "../session.js";
import { foreseenView, withRefusals } from "./import/session.js";
import { inRun, runArgument, settleFlag, useProfileOf } from "./runs-of.js";

/** `voxctl runs undo RUN [--dry-run]` */
export const undo: Command = {
  name: "undo",
  summary: "Delete what a run created and restore what it updated",
  description:
    "What somebody changed since is left alone and listed in the report. A group that the run made is deleted, too, if " +
    "nothing else is in it and no assistant uses it; others stay. An undo that was interrupted goes on when it is " +
    "given again.",
  arguments: [runArgument],
  flags: [
    settleFlag,
    { name: "dry-run", description: "compare and show what would be undone; send nothing" },
  ],
  examples: [
    { command: "voxctl runs undo 2aa82de186e4 --dry-run", note: "what would become of it" },
    { command: "voxctl runs undo 2aa82de186e4" },
  ],
  run: (session, input) =>
    withRefusals(async () => {
      if (input.on("dry-run") === true) return showUndo(session, input);
      const { reversibleOf, undoRun } = await import("../../bulk/runs.js");
      const [id = ""] = input.arguments;
      const run = await useProfileOf(session, id);
      await session.assertConfirmable();
      await session.confirm(
        `Undo the run ${id}, ${run.file} into the group "${run.group}" of profile ${run.profile}?`,
      );
      const summary = await inRun(session, input, run, (context) =>
        undoRun(context, id, (kind, groupId) => reversibleOf(kind, context.client, groupId)),
      );
      await session.output.item(summary);
      const { deleted, restored, group_deleted, unknown, failed, changed_since, gone, report } = summary;
      const didSomething = group_deleted || deleted + restored > 0;
      noteKept(session, summary);
      if (unknown + failed > 0) {
        throw new CliError({
          exit: unknown > 0 ? exits.unknown : exits.partlyDone,
          code: unknown > 0 ? "outcome_unknown" : "partly_done",
          message: `${unknown + failed} could not be undone`,
          outcome: unknown > 0 ? "unknown" : didSomething ? "done" : "none",
          hint: `they are listed in ${report}`,
        });
      }
      if (changed_since + gone > 0)
        session.notes.note(`left alone, and listed in ${report}: ${changed_since + gone}`);
    }),
};

const keptReasons: Readonly<Record<string, string>> = {
  renamed: "it has another name now",
  not_empty: "there are other things in it",
  in_use: "an assistant uses it",
};

function noteKept(
  { notes }: Session,
  { group_kept, group_kept_because }: Pick<UndoSummary, "group_kept" | "group_kept_because">,
): void {
  if (group_kept === null || group_kept_because === null) return;
  notes.note(
    `the group "${group_kept}", which the run had made, stays: ${keptReasons[group_kept_because] ?? group_kept_because}`,
  );
}

/** `runs undo --dry-run`: what it would do, thing by thing on stderr and in numbers on stdout. */
async function showUndo(session: Session, input: Input): Promise<void> {
  const [{ foreseeUndo, reversibleOf }, { Table }] = await Promise.all([
    import("../../bulk/runs.js"),
    import("../output/table.js"),
  ]);
  const [id = ""] = input.arguments;
  const run = await useProfileOf(session, id);
  const { summary, first } = await inRun(
    session,
    input,
    run,
    (context) => foreseeUndo(context, id, (kind, groupId) => reversibleOf(kind, context.client, groupId)),
    true,
  );
  const { notes, flags } = session;
  const style = {
    available: () => (notes.terminal ? notes.columns : undefined),
    paint: notes.paint,
    plain: flags.plain,
  };
  const { deleted, restored, changed_since, gone, unknown } = summary;
  const more = deleted + restored + changed_since + gone - first.length;
  if (first.length > 0) notes.raw(new Table(undoneColumns, style).lines(first));
  if (more > 0) notes.note(`… and ${more} more`);
  notes.note("dry run: nothing was sent");
  noteKept(session, summary);
  if (unknown > 0) notes.warn(`of ${unknown} it is looked up first whether they were written`);
  await session.output.item(summary, foreseenView);
}
