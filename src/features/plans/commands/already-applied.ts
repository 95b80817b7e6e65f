import { quoteWord } from "../../../base/shell-words.js";
import { formatCount } from "../../../base/text.js";
import { CliError, exits } from "../../../cli/errors/errors.js";
import type { WriteSummary } from "../../../write/engine/summary.js";
import type { Plan } from "../../../write/plan/read.js";
import { countUnapplied, findApplied, type PlanOperations } from "./plan-operations.js";

/**
 * A plan that was applied, even in part, must not be checked: the check would report the plan's own changes as
 * differences.
 * @throws CliError with exit code 10 if a run has applied the plan or is unfinished
 */
export async function assertNotApplied(
  plan: Plan,
  context: Parameters<typeof findApplied>[0],
  operations: Pick<PlanOperations, "greet">,
  file: string,
): Promise<void> {
  const applied = await findApplied(context, plan, operations);
  if (applied !== undefined) throw await createAppliedError(plan, applied, file);
  const { findUnfinishedRunAt } = await import("../../../write/plan/index.js");
  const { folder, baseUrl, requestStats } = context;
  const run = await findUnfinishedRunAt(folder, { baseUrl, emulatorId: requestStats.emulatorId }, plan);
  if (run === undefined) return;
  throw new CliError({
    exit: exits.differences,
    code: "plan_unfinished",
    message: `run ${run} of plan ${plan.id} is unfinished`,
    hint: `to see what remains, run \`voxctl runs resume ${run} --dry-run\`; to resume the run, run \`voxctl apply ${quoteWord(file)}\``,
  });
}

async function createAppliedError(
  { id, header }: Plan,
  applied: WriteSummary,
  file: string,
): Promise<CliError> {
  const run = applied.run_id ?? "";
  const unapplied = countUnapplied(applied);
  const { unknown = 0 } = applied.outcomes;
  const { formatRenewal } = await import("../../../write/plan/index.js");
  // Suggest --retry only if steps failed. A retry would skip outdated steps again.
  const isRetryable = (applied.outcomes["failed"] ?? 0) > 0;
  const next = isRetryable
    ? `to retry, run \`voxctl apply ${quoteWord(file)} --retry\``
    : `to make the other changes, ${formatRenewal(header)}`;
  return new CliError({
    exit: exits.differences,
    code: "plan_applied",
    message: `plan ${id} was already applied by run ${run}${unapplied === 0 ? "" : `, except for ${formatCount(unapplied, "step")}`}${unknown === 0 ? "" : `; ${formatCount(unknown, "step")} ${unknown === 1 ? "is" : "are"} unconfirmed`}`,
    hint:
      unapplied === 0
        ? `to undo it, run \`voxctl runs undo ${run}\`; for other changes, create a new plan`
        : `${next}; to undo it, run \`voxctl runs undo ${run}\``,
  });
}
