import { createHash } from "node:crypto";
import { createPatience } from "../engine/patience.js";
import { openReport } from "../engine/report.js";
import { withUnfinishedRun } from "../engine/resume.js";
import { type RunContext, withJournal } from "../engine/run.js";
import { costsOf } from "../engine/summary.js";
import { withAbout } from "../journal/about.js";
import { removeOldRuns, removeRun, reportPathOf } from "../journal/folder.js";
import type { Journal } from "../journal/journal.js";
import { unfinishedBefore } from "../journal/list.js";
import { reportable } from "../journal/outcome.js";
import { openRun } from "../journal/runs.js";
import { comparePlan, type MspItems, type PlanItem } from "./compare.js";
import { executePlan, writesOf } from "./execute.js";
import { type Inventory, readInventory } from "./inventory.js";
import { itemsIn, newItemsOf, planItemOf, refreshItems } from "./items.js";
import { provisioningKind } from "./kind.js";
import { createLog } from "./log.js";
import { KeptPlan, type ProvisionPlan } from "./plan.js";
import { settleLost } from "./settle.js";

export interface ProvisionTask {
  plan: ProvisionPlan;
  /** The plan's name, as the user gave it. */
  file: string;
  /** The profile's name, to find the way back to the service. */
  profile: string;
  /** Start afresh, whatever runs there are. */
  newRun: boolean;
  /** What was there a moment ago, and the plan beside it. */
  known: Known;
}

interface Known {
  inventory: Inventory;
  msps: MspItems[];
}

/** What became of a plan. */
export interface ProvisionEnd {
  run_id: string;
  /** `create` of what the run made. */
  items: PlanItem[];
  requests: number;
  rate_limited: number;
  /** Of the service's clock. */
  seconds: number;
  report: string;
}

/**
 * Creates what a plan says and the service lacks. The plan goes into a journal first, and what came of each of its
 * items: a run that was interrupted goes on where it was.
 * @param context its client has seen an answer already
 * @throws BulkError before anything was sent; the signal's reason, or a ClientError, when the run stopped and can be
 *   gone on with
 */
export async function provision(context: RunContext, task: ProvisionTask): Promise<ProvisionEnd> {
  const { folder, machineClock, inProcess, onStep } = context;
  const { plan, file, known } = task;
  await removeOldRuns(folder, machineClock.now());
  const identity = {
    kind: provisioningKind,
    base_url: context.baseUrl,
    world: context.traffic.world,
    group_id: "",
    digest: createHash("sha256").update(JSON.stringify(plan)).digest("hex"),
    options: null,
  };
  const run = await openRun({
    folder,
    identity,
    now: machineClock.now(),
    newRun: task.newRun,
    once: false,
    durable: !inProcess,
    onStep,
  });
  let planned = run.resumed;
  try {
    return await withJournal(context, run, async (addCosts) => {
      const { journal } = run;
      if (!run.resumed) {
        if (file !== "-") {
          const before = await unfinishedBefore(folder, identity, file, run.id);
          if (before !== undefined) context.listener.leftBefore(before);
        }
        journal.setSetting("file", file);
        journal.setSetting("profile", task.profile);
        journal.setSetting("plan", plan);
        journal.database.transaction(() => {
          for (const item of newItemsOf(known.msps, idsIn(known.inventory))) journal.insert(item);
          journal.setSetting("planned_at", machineClock.now());
        });
        journal.step("planned");
      }
      planned = true;
      return goOn(context, run, plan, known, addCosts);
    });
  } finally {
    // Nothing was sent, and half a plan is none.
    if (!planned) await removeRun(folder, run.id, { report: false });
  }
}

/**
 * Goes on with a run by its id; its plan is in the journal.
 * @throws as `provision`
 */
export async function resumeProvisioning(context: RunContext, id: string): Promise<ProvisionEnd> {
  return withUnfinishedRun(context, id, async ({ journal }, addCosts) => {
    const plan = KeptPlan.parse(journal.setting("plan"));
    return goOn(context, { id, journal, resumed: true }, plan, undefined, addCosts);
  });
}

interface DrivenRun {
  id: string;
  journal: Journal;
  resumed: boolean;
}

async function goOn(
  context: RunContext,
  run: DrivenRun,
  plan: ProvisionPlan,
  known: Known | undefined,
  addCosts: () => void,
): Promise<ProvisionEnd> {
  const { folder, client, clock, signal, listener, machineClock } = context;
  const { id, journal } = run;
  const reportPath = reportPathOf(folder, id);
  const report = await openReport(reportPath, { clock: machineClock, signal });
  try {
    await withAbout(folder, { id, journal }, async () => {
      const now = await stateNow(context, journal, plan, known);
      if (run.resumed) refreshItems(journal, newItemsOf(now.msps, idsIn(now.inventory)));
      const open = journal.count("planned");
      let done = journal.count("done") + journal.count("rejected");
      if (run.resumed) listener.resuming({ id, done, open });
      listener.sending({ requests: done + open, done });
      const pace = client.paced("orgs.create", { expected: writesOf(now.msps) });
      const log = createLog(journal, () => {
        done += 1;
        listener.advanced({ done, intervalMilliseconds: pace.intervalMilliseconds });
      });
      const patience = createPatience({ clock, signal, onPause: listener.pausing });
      await executePlan({ context, log, patience, pace }, now.msps, now.inventory.organizations);
    });
    addCosts();
    await report.write(reportable(journal));
    journal.setSetting("finished_at", machineClock.now());
    journal.step("finished");
    const items = [...itemsIn(journal)].map(planItemOf);
    return { run_id: id, items, ...costsOf(journal), report: reportPath };
  } finally {
    await report.close();
  }
}

/** What is there, once nothing that was sent before can still arrive. */
async function stateNow(
  context: RunContext,
  journal: Journal,
  plan: ProvisionPlan,
  known: Known | undefined,
): Promise<Known> {
  journal.sentToUnknown();
  const lost = journal.count("unknown");
  if (known !== undefined && lost === 0) return known;
  if (lost > 0) await settleLost(context, lost);
  const inventory = await readInventory(context, plan, { earlier: known?.inventory });
  return { inventory, msps: comparePlan(plan, inventory).msps };
}

function idsIn({ organizations }: Inventory): (externalId: string) => string | undefined {
  return (externalId) => organizations.get(externalId)?.id;
}
