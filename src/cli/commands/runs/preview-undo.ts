import type { RunContext } from "../../../bulk/engine/context.js";
import type { UndoPreview } from "../../../bulk/engine/undo-run.js";
import type { RunInfo } from "../../../bulk/journal/list.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { withRun } from "../bulk/one-run.js";

export function readUndoOptions(input: Input): { includeMatched: boolean } {
  return { includeMatched: input.on("include-matched") === true };
}

/** Previews the undo of a run. */
export async function previewUndo(session: Session, input: Input, run: RunInfo): Promise<UndoPreview> {
  const work = async (context: RunContext) => {
    const bulk = await import("../../../bulk/runs.js");
    return bulk.previewUndo(context, run.id, readUndoOptions(input));
  };
  return withRun(session, input, run, work, { verb: "undo", dryRun: true });
}
