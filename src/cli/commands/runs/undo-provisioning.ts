import type { RunInfo } from "../../../bulk/journal/list.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { reportRemaining, withRun } from "../bulk/one-run.js";
import { summaryView } from "../bulk/summary.js";
import { confirmUndo } from "./confirm-undo.js";

/** `runs undo` of a run of `orgs provision`. */
export async function undoProvisioned(session: Session, input: Input, run: RunInfo): Promise<void> {
  await confirmUndo(
    session,
    input,
    run,
    `Undo run ${run.id}? The organizations that it created will be deleted with their contents, and its changes reverted.`,
  );
  const { undoProvisioning } = await import("../../../bulk/provisioning/index.js");
  const summary = await withRun(session, input, run, (context) => undoProvisioning(context, run.id), {
    verb: "undo",
  });
  await session.output.item(summary, summaryView);
  const { with_msp, recreated, restored } = summary;
  if (recreated > 0) {
    session.notes.note(
      "Organizations that were created again are empty and have new IDs; their contents and keys are lost.",
    );
  }
  if (with_msp > 0) {
    const licenses = with_msp === 1 ? "1 license" : `${with_msp} licenses`;
    session.notes.note(
      `${licenses} belonged to deleted MSPs; voxctl can't check whether the service deleted ${with_msp === 1 ? "it" : "them"}`,
    );
  }
  reportRemaining(session, summary, summary.deleted + recreated + restored > 0);
}
