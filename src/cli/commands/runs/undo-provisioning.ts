import type { RunInfo } from "../../../bulk/journal/list.js";
import type { ProvisioningUndo, Reversal } from "../../../bulk/provisioning/index.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { reportRemaining, showUndoPreview, withRun } from "../bulk/one-run.js";
import { previewView, summaryView } from "../bulk/summary.js";
import { confirmUndo } from "./confirm-undo.js";
import { previewProvisioned } from "./preview-undo.js";

/** `runs undo` of a run of `orgs provision`. */
export async function undoProvisioned(session: Session, input: Input, run: RunInfo): Promise<void> {
  await confirmUndo(
    session,
    input,
    run,
    `Delete the organizations that the run ${run.id} made, with all that is in them, and take back what it changed?`,
  );
  const { undoProvisioning } = await import("../../../bulk/provisioning/index.js");
  const summary = await withRun(session, input, run, (context) => undoProvisioning(context, run.id), {
    verb: "undo",
  });
  await session.output.item(summary, summaryView);
  const { with_msp, recreated, restored } = summary;
  if (recreated > 0) {
    session.notes.note(
      "what was created again has new ids, and is empty: what was in an organization and its keys are lost",
    );
  }
  if (with_msp > 0) {
    const licenses = with_msp === 1 ? "1 license" : `${with_msp} licenses`;
    session.notes.note(
      `${licenses} belonged to MSPs that are gone: whether the service keeps them can't be read any more`,
    );
  }
  reportRemaining(session, summary, summary.deleted + recreated + restored > 0);
}

const maxPreviewed = 20;

/** `runs undo --dry-run` of one. */
export async function showProvisioningUndo(session: Session, input: Input, run: RunInfo): Promise<void> {
  const reversals = await previewProvisioned(session, input, run);
  const first = reversals
    .toSorted((left, right) => Number(left.outcome === "deleted") - Number(right.outcome === "deleted"))
    .slice(0, maxPreviewed)
    .map(({ item, planned, outcome, reason }) => ({
      line: item.line,
      name: planned.externalId,
      // A change that the interface can't take back has a reason of its own.
      outcome: outcome === "kept" && item.action === "update" ? `stays: ${reason}` : outcome,
    }));
  await showUndoPreview(session, first, reversals.length);
  session.notes.note("dry run: nothing was sent");
  await session.output.item(toUndoPreview(run, reversals), previewView);
}

function toUndoPreview(
  run: RunInfo,
  reversals: readonly Reversal[],
): Pick<
  ProvisioningUndo,
  | "undone"
  | "deleted"
  | "restored"
  | "recreated"
  | "changed_since"
  | "kept"
  | "with_msp"
  | "gone"
  | "requests"
> {
  const count = (outcome: Reversal["outcome"]) =>
    reversals.filter((reversal) => reversal.outcome === outcome).length;
  return {
    undone: run.id,
    deleted: count("deleted"),
    restored: count("restored"),
    recreated: count("recreated"),
    changed_since: count("changed"),
    kept: count("kept"),
    with_msp: count("with_msp"),
    gone: count("gone"),
    requests: reversals.filter(({ outcome, planned }) => isRequest(outcome, planned.type)).length,
  };
}

/** Licenses that are created again share a request, which is not counted. */
function isRequest(outcome: Reversal["outcome"], type: Reversal["planned"]["type"]): boolean {
  return outcome === "restored" || (type !== "license" && (outcome === "deleted" || outcome === "recreated"));
}
