import { capitalize } from "../../../base/text.js";
import { showUndoPreview } from "../../../cli/bulk/one-run.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { RunInfo } from "../../../write/journal/list.js";
import { previewUndo } from "./preview-undo.js";
import { formatUndoPreview, isNothingToUndo } from "./undo-view.js";

/** Maximum number of items to compare before a prompt. A comparison of more items can take minutes. */
const mostCompared = 500;

/**
 * Lists what an undo will do, and asks for confirmation. Doesn't ask if the comparison finds no change to
 * undo.
 * @param loss sentence for the prompt if the run is too large to compare
 * @throws refused error (12)
 */
export async function confirmUndo(
  session: Session,
  input: Input,
  run: RunInfo,
  { question, loss }: { question: string; loss: string },
): Promise<void> {
  const isCompared =
    run.state === "undone" || (run.state === "finished" && run.done !== null && run.done <= mostCompared);
  // A run that is in progress is locked by another process and can't be previewed.
  if (run.state === "running" || (await session.isConfirmed())) return session.confirm(`${question} ${loss}`);
  const { summary, first, count } = await previewUndo(session, input, run, { compares: isCompared });
  const isNothing = isNothingToUndo(summary);
  if (isCompared && isNothing) return;
  if (isCompared) await showUndoPreview(session, run, first, count);
  const preview = `${isCompared || isNothing ? "" : "at most "}${formatUndoPreview(summary)}`;
  const caveat = isCompared ? "" : ` ${loss}`;
  await session.confirm(`${question} ${capitalize(preview)}.${caveat}`);
}
