import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { RunInfo } from "../../../write/journal/list.js";
import { previewUndo } from "./preview-undo.js";
import { formatUndoPreview, isNothingToUndo } from "./undo-view.js";

/** Maximum number of items to compare before a prompt: comparing more can take minutes. */
const mostCompared = 500;

/**
 * Asks for confirmation before a run is undone, unless there is nothing to undo.
 * @param loss the undo's changes, to show if the run is too large for a preview
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
  if (!isCompared || (await session.isConfirmed())) return session.confirm(`${question} ${loss}`);
  const { summary } = await previewUndo(session, input, run);
  if (isNothingToUndo(summary)) return;
  const preview = formatUndoPreview(summary);
  await session.confirm(`${question} ${preview.charAt(0).toUpperCase()}${preview.slice(1)}.`);
}
