import { withRun } from "../../../cli/bulk/one-run.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { RunContext } from "../../../write/engine/context.js";
import type { RunInfo } from "../../../write/journal/list.js";
import type { UndoPreview } from "../../../write/undo/preview.js";

/** Maximum number of items to print, so that they fit on a screen. */
const mostShown = 10;

export function readUndoOptions(input: Input): { includeMatched: boolean } {
  return { includeMatched: input.on("include-matched") === true };
}

/** @param options.compares whether to compare the changes with the service, which can take minutes */
export async function previewUndo(
  session: Session,
  input: Input,
  run: RunInfo,
  { compares }: { compares: boolean },
): Promise<UndoPreview> {
  const work = async (context: RunContext) => {
    const bulk = await import("../index.js");
    return bulk.previewUndo(context, run.id, {
      ...readUndoOptions(input),
      subjects: bulk.undoSubjects,
      compares,
      most: session.flags.wide ? Number.POSITIVE_INFINITY : mostShown,
    });
  };
  return withRun(session, input, run, work, { verb: "undo", dryRun: true });
}
