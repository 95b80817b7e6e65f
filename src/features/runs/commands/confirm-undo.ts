import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { RunInfo } from "../../../write/journal/list.js";
import { previewUndo } from "./preview-undo.js";

/** Asks for confirmation before a run is undone, unless there is nothing to undo. @throws refused error (12) */
export async function confirmUndo(
  session: Session,
  input: Input,
  run: RunInfo,
  question: string,
): Promise<void> {
  // Comparing all items of a run can take minutes. Do it only if there may be nothing to undo.
  const mayBeNothing = run.state === "undone" || (run.state === "finished" && run.done === 0);
  if (mayBeNothing && !(await session.isConfirmed()) && (await isNothingLeft(session, input, run))) return;
  await session.confirm(question);
}

async function isNothingLeft(session: Session, input: Input, run: RunInfo): Promise<boolean> {
  const { outcomes, group } = (await previewUndo(session, input, run)).summary;
  const { deleted = 0, restored = 0, recreated = 0, unknown = 0 } = outcomes;
  return deleted + restored + recreated + unknown === 0 && group?.group_deleted !== true;
}
