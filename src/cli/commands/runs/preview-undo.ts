import type { RunInfo } from "../../../bulk/journal/list.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { withRun } from "../bulk/one-run.js";

const preview = { verb: "undo", dryRun: true } as const;

export function readUndoOptions(input: Input): { includeMatched: boolean } {
  return { includeMatched: input.on("include-matched") === true };
}

/** Previews the undo of a run of `orgs provision`. */
export async function previewProvisioned(session: Session, input: Input, run: RunInfo) {
  const { previewProvisioningUndo } = await import("../../../bulk/provisioning/index.js");
  return withRun(session, input, run, (context) => previewProvisioningUndo(context, run.id), preview);
}

/** Previews the undo of an import or of a plan's run. */
export async function previewWritten(session: Session, input: Input, run: RunInfo) {
  const { previewUndo } = await import("../../../bulk/runs.js");
  const options = readUndoOptions(input);
  return withRun(session, input, run, (context) => previewUndo(context, run.id, options), preview);
}
