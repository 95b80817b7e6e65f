/** Applies a plan of organizations as the run of a provisioning. */
import type { RunContext } from "../../engine/context.js";
import { runJournaled } from "../../engine/lifecycle.js";
import { openRunOf } from "../../engine/open.js";
import type { Journal } from "../../journal/journal.js";
import { preparePlan } from "../../plan/apply.js";
import { PlanOutdated } from "../../plan/compare.js";
import type { Failure } from "../../plan/expectations.js";
import type { Plan } from "../../plan/read.js";
import { catchAlreadyApplied, findAppliedRun, findAppliedRunAt, identityOf } from "../../plan/results.js";
import type { ApplySummary, ApplyTask } from "../../plan/task.js";
import { provisioningAdapter } from "../adapter.js";
import type { Inventory } from "../inventory.js";
import { StoredSpec } from "../organization-spec.js";
import { remember } from "../run.js";
import { assertDistributor, failuresIn, readConcerned } from "./check.js";
import { needsOf, sealedItems } from "./items.js";
import { readSteps } from "./read.js";
import { planRun } from "./results.js";
import { noteNormalizedFields } from "./verify.js";

/**
 * Applies a plan of organizations once (A2). Its preconditions are checked right before the first write.
 * Organizations to delete or to give another license are read again within the minute before that.
 * @param context its client has received a response already
 * @throws see `applyPlan`
 */
export async function applyOrganizations(context: RunContext, task: ApplyTask): Promise<ApplySummary> {
  const { plan, verify = false, skipDrifted = false } = task;
  const identity = identityOf(context, plan);
  const before = await findAppliedRun(context.folder, identity, task, planRun);
  if (before !== undefined) return before;
  await preparePlan(context, task);
  let known: Inventory | undefined;
  const applied = runJournaled(context, {
    open: () => openRunOf(context, identity, { newRun: false, once: true }),
    ...(task.resultsPath === undefined ? {} : { resultsPath: () => task.resultsPath ?? "" }),
    async plan({ journal }) {
      const steps = await readSteps(plan);
      const inventory = await readConcerned(context, steps);
      assertDistributor(plan, context.baseUrl, inventory);
      const failures = failuresIn(steps, inventory);
      for (const failure of failures) task.differs?.(failure);
      if (failures.length > 0 && !skipDrifted) throw new PlanOutdated(plan.id, failures, failures.length);
      const { items, spec: organizations } = sealedItems(steps, inventory);
      const { name } = plan.header.provision ?? {};
      journal.setSetting("file", task.file);
      journal.setSetting("profile", task.profile);
      journal.setSetting("plan_id", plan.id);
      journal.setSetting("verify", verify);
      journal.setSetting("plan", { ...organizations, ...(name === undefined ? {} : { name }) });
      journal.database.transaction(() => {
        for (const item of items) journal.insert(item);
        dropItems(journal, failures);
      });
      known = inventory;
    },
    adapter(journal) {
      const organizations = StoredSpec.parse(journal.setting("plan"));
      const adapter = provisioningAdapter(context, journal, organizations, { known, needsOf });
      // A run that this process planned was compared a moment ago (T21).
      return known === undefined ? adapter : { ...adapter, compareAgain: async () => {} };
    },
    conclude: (journal) => noteNormalizedFields(context, journal),
    rejected: (rejected) => context.listener.rejected(rejected),
    finished: (journal) => remember(context, journal),
    summarize: planRun.summarize,
  });
  return catchAlreadyApplied(applied, context.folder, identity, task, planRun);
}

/** The result of a plan of organizations that was applied before, as far as that is known without a request. */
export function findAppliedOrganizations(
  folder: string,
  service: { baseUrl: string; emulatorId: string | null },
  plan: Pick<Plan, "id" | "header">,
): Promise<ApplySummary | undefined> {
  return findAppliedRunAt(folder, service, plan, planRun);
}

/** Skips the steps with failed preconditions and all steps that need them (A3). */
function dropItems(journal: Journal, failures: readonly Failure[]): void {
  const reasons = new Map(failures.map(({ step, reason }) => [step, reason]));
  if (reasons.size === 0) return;
  for (const item of journal.inState("planned", 0, Number.MAX_SAFE_INTEGER)) {
    const needed = needsOf(item).find((step) => reasons.has(step));
    const reason = reasons.get(item.line) ?? (needed === undefined ? undefined : `it needs step ${needed}`);
    if (reason === undefined) continue;
    reasons.set(item.line, reason);
    journal.apply({ number: item.number, state: "skipped", outcome: "skipped", detail: { reason } });
  }
}
