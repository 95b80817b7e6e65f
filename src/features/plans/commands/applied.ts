import { capitalize, formatCount, formatThousands, inflect } from "../../../base/text.js";
import { assertAllDone, assertNoneChangedElsewhere, assertNotDoubled } from "../../../cli/bulk/outcome.js";
import { formatReassigned } from "../../../cli/bulk/provisioning-text.js";
import { formatSeconds, isTableOutput, summaryView } from "../../../cli/bulk/summary.js";
import type { Session } from "../../../cli/session/session.js";
import type { WriteSummary } from "../../../write/engine/summary.js";
import type { PlanTotals } from "../../../write/plan/inspect.js";
import { formatMembers } from "./headline.js";

/** Returns the fields that `-o json` prints for a run of a plan. */
export function toApplyView(summary: WriteSummary) {
  const { run_id, plan_id, file, applied_before, outcomes } = summary;
  const { requests, rate_limited, seconds, report } = summary;
  const { created = 0, updated = 0, reassigned = 0, deleted = 0 } = outcomes;
  const { called = 0, erased = 0, reindexed = 0 } = outcomes;
  const {
    stored_otherwise = 0,
    changed_elsewhere = 0,
    done = 0,
    drifted = 0,
    blocked = 0,
    failed: rejected = 0,
    unknown = 0,
    skipped = 0,
  } = outcomes;
  return {
    ...{ run_id, plan_id, file, applied_before, created, updated, reassigned, deleted },
    ...{ called, erased, reindexed },
    steps: { done, drifted, blocked, rejected, unknown, skipped },
    ...(summary.doubled === undefined ? {} : { doubled: summary.doubled }),
    ...(changed_elsewhere === 0 ? {} : { changed_elsewhere }),
    ...(outcomes["verified"] === undefined ? {} : { verified: outcomes["verified"] }),
    ...{ stored_otherwise, requests, rate_limited, seconds, report },
  };
}

/** Returns text such as "Created 2, made 1 call: applied 3 of 4 steps in 2 s." */
function formatApplied(
  view: ReturnType<typeof toApplyView>,
  duration: string,
  members: PlanTotals["members"],
): string {
  const { created, updated, reassigned, deleted, called, erased, reindexed, steps } = view;
  const total = Object.values(steps).reduce((sum, count) => sum + count, 0);
  // If a step was not applied, don't report deleted contents: the step may be the deletion of their group.
  const contents = steps.done === total ? formatMembers(members) : "";
  const parts = [
    ...(created > 0 ? [`created ${formatThousands(created)}`] : []),
    ...(updated > 0 ? [`updated ${formatThousands(updated)}`] : []),
    ...(reassigned > 0 ? [`reassigned the ${formatReassigned(reassigned)}`] : []),
    ...(deleted > 0 ? [`deleted ${formatThousands(deleted)}${contents}`] : []),
    ...(called > 0 ? [`made ${formatCount(called, "call")}`] : []),
    ...(erased > 0 ? [`erased ${formatCount(erased, "recording")}`] : []),
    ...(reindexed > 0 ? [`indexed ${formatCount(reindexed, "item")} again`] : []),
  ];
  const done = `applied ${formatThousands(steps.done)} of ${formatCount(total, "step")} in ${duration}.`;
  return capitalize(parts.length === 0 ? done : `${parts.join(", ")}: ${done}`);
}

/**
 * @param options.shown object to print instead of the results
 * @param options.members see `PlanTotals`
 * @throws CliError with exit code 75 if steps are unconfirmed, 68 if the plan is partly done
 */
export async function showApplied(
  session: Session,
  summary: WriteSummary,
  { shown, members = new Map() }: { shown?: object | undefined; members?: PlanTotals["members"] } = {},
): Promise<void> {
  const view = toApplyView(summary);
  const { steps, report, plan_id, stored_otherwise, verified } = view;
  if (summary.applied_before)
    session.notes.note(
      `Plan ${plan_id} was already applied by run ${view.run_id}. No changes were made; this is the result of that run.`,
    );
  if (isTableOutput(session))
    await session.output.lines([formatApplied(view, formatSeconds(view.seconds), members)]);
  else await session.output.item(shown ?? view, shown === undefined ? summaryView : undefined);
  // Don't print the result of an earlier run's check: the resources may have changed since then.
  if (verified !== undefined && !summary.applied_before)
    session.notes.note(
      `Checked ${formatCount(verified, "changed resource")}: ${stored_otherwise === 0 ? `${inflect(verified, "it matches", "all match")} the plan` : `${formatThousands(stored_otherwise)} ${stored_otherwise === 1 ? "differs" : "differ"} from the plan; see ${report}`}`,
    );
  else if (verified === undefined && stored_otherwise > 0)
    session.notes.note(`the service normalized ${formatCount(stored_otherwise, "resource")}; see ${report}`);
  const count = steps.drifted + steps.blocked + steps.rejected + steps.skipped;
  assertNotDoubled(summary, null);
  assertAllDone(summary.outcomes, {
    unconfirmed: `${formatCount(steps.unknown, "step")} of plan ${plan_id}`,
    unconfirmedHint: `see ${report}`,
    reasons: [
      ["drifted", `${steps.drifted} drifted`],
      ["blocked", `${steps.blocked} blocked`],
      ["failed", `${steps.rejected} rejected`],
      ["skipped", `${steps.skipped} skipped`],
    ],
    message: (reasons) =>
      `${formatCount(count, "step")} of plan ${plan_id} ${count === 1 ? "was" : "were"} not applied: ${reasons}`,
    isPartly: steps.done > 0,
    // Suggest --retry only if steps were rejected. A retry would skip outdated steps again.
    hint: `see ${report}; ${steps.rejected > 0 ? "to retry these steps, use --retry" : "to make these changes, create a new plan"}`,
  });
  assertNoneChangedElsewhere(summary.outcomes, { noun: "resource", hint: `see ${report}` });
  session.signal.throwIfAborted();
}
