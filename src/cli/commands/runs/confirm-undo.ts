import type { RunInfo } from "../../../bulk/journal/list.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { isApply, isProvisioning, withRun } from "../bulk/one-run.js";

/**
 * Asks before a run is undone, unless nothing is left to undo.
 * @throws refused error (12)
 */
export async function confirmUndo(
  session: Session,
  input: Input,
  run: RunInfo,
  question: string,
): Promise<void> {
  // Comparing all items of a run takes minutes: do it only if the undo may have nothing to revert.
  const mayBeNothing = run.state === "undone" || (run.state === "finished" && run.done === 0);
  if (mayBeNothing && !(await session.isConfirmed()) && (await isNothingLeft(session, input, run))) return;
  await session.confirm(question);
}

async function isNothingLeft(session: Session, input: Input, run: RunInfo): Promise<boolean> {
  const options = { includeMatched: input.on("include-matched") === true };
  const looking = { verb: "undo", dryRun: true } as const;
  if (isProvisioning(run)) {
    const { previewProvisioningUndo } = await import("../../../bulk/provisioning/index.js");
    const reversals = await withRun(
      session,
      input,
      run,
      (context) => previewProvisioningUndo(context, run.id),
      looking,
    );
    return !reversals.some(({ outcome }) => ["deleted", "restored", "recreated"].includes(outcome));
  }
  if (isApply(run)) {
    const { previewApplyUndo } = await import("../../../bulk/plan/index.js");
    const { summary } = await withRun(
      session,
      input,
      run,
      (context) => previewApplyUndo(context, run.id, options),
      looking,
    );
    const { deleted, restored, recreated, unknown, group_deleted } = summary;
    return deleted + restored + recreated + unknown === 0 && group_deleted !== true;
  }
  const { previewUndo, importAdapterOf } = await import("../../../bulk/runs.js");
  const { summary } = await withRun(
    session,
    input,
    run,
    (context) => previewUndo(context, run.id, importAdapterOf, options),
    looking,
  );
  const { deleted, restored, unknown, group_deleted } = summary;
  return deleted + restored + unknown === 0 && !group_deleted;
}
