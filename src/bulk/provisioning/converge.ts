import { addTo } from "../../base/lists.js";
import { changesOf, disablings, type OwnChange, withoutChanges } from "./changes.js";
import { comparePlan, conflicting, keyOf, type MspItems, type PlanItem } from "./compare.js";
import type { Inventory } from "./inventory.js";
import type { PlanProblem, ProvisionPlan } from "./plan.js";
import { type Doomed, doomedIn, extrasIn, type Prune } from "./prune.js";
import { createSimulation, type Simulation } from "./simulation.js";
import { changeStep, deleteStep, demandStep, type OrderedItem, ordered, type Step } from "./steps.js";

/** How far a run goes beyond creating what is missing. */
export interface Convergence {
  /** O2: change what the interface can change. */
  converge: boolean;
  /** O3: delete what the plan does not have any more. */
  prune: Prune | undefined;
}

/** A plan beside what is there, and what a run does about it. */
export interface Planned {
  msps: MspItems[];
  /** The problems that make it impossible. */
  problems: PlanProblem[];
  /** Everything that a run has to do with, in the order in which it is done. */
  items: OrderedItem[];
  /** Things that are there and not in the plan, and stay as they are (O1). */
  extras: PlanItem[];
}

/**
 * Decides what a run does, in an order that the interface takes: a license has to be free before another organization
 * gets it. Without anything to change or delete that is the plan's own order. Deletes come last, but for those that free
 * what something else waits for, and licenses are disabled after everything (v2.license.disable blocks who holds one).
 */
export function planRun(
  plan: ProvisionPlan,
  inventory: Inventory,
  { converge, prune }: Convergence,
): Planned {
  const doomed: Doomed = prune ? doomedIn(plan, inventory, prune) : { customers: [], msps: [], left: [] };
  const changes = converge ? changesOf(plan, inventory) : [];
  const freed = new Set([
    ...changes.map(({ item }) => item.from?.license),
    ...changes.flatMap(({ item }) => (item.change?.status === "available" ? [item.externalId] : [])),
    ...doomed.customers.map(({ license }) => license),
  ]);
  const { msps, problems } = comparePlan(plan, inventory, {
    isLicenseFreed: (license) => freed.has(license),
    goes: (mspId) => doomed.msps.some(({ id }) => id === mspId),
  });
  const simulation = createSimulation(inventory);
  const demands = msps.flatMap(({ planned, msp, licenses, customers }) => [
    demandStep(simulation, msp, planned.line, inventory),
    ...licenses.map((one, index) =>
      demandStep(simulation, one, planned.licenses[index]?.line ?? planned.line, inventory),
    ),
    ...customers.map((one, index) =>
      demandStep(simulation, one, planned.customers[index]?.line ?? planned.line, inventory),
    ),
  ]);
  const changesFor = new Map<string, OwnChange[]>();
  for (const change of changes) addTo(changesFor, change.owner, change);
  const steps = demands.flatMap((demand) => {
    const own = changesFor.get(keyOf(demand.item)) ?? [];
    const early = own.filter(({ isLate }) => !isLate).map((change) => changeStep(simulation, change));
    return own.length === 0 ? [demand] : [withoutChanges(demand, own), ...early];
  });
  const nameOf = new Map([...inventory.organizations.values()].map(({ id, externalId }) => [id, externalId]));
  const deletes = [...doomed.customers, ...doomed.msps].map((one) =>
    deleteStep(simulation, one, nameOf.get(one.parentId ?? "") ?? one.externalId),
  );
  const { done, blocked } = ordered(simulation, steps, deletes);
  const items = done.map(({ item, line, target }): OrderedItem => {
    const owned = item.action === "delete" ? inventory.licenses.get(target ?? "") : undefined;
    return { item, line, target, ...(owned === undefined ? {} : { licenses: [...owned.values()] }) };
  });
  const waiting = new Set(blocked.map(({ item }) => item.externalId));
  for (const step of blocked) giveUp(items, step, simulation, waiting);
  for (const item of doomed.left)
    items.push({ item, line: 0, target: inventory.organizations.get(item.externalId)?.id });
  for (const { item, line, target, isLate } of changes) if (isLate) items.push({ item, line, target });
  items.push(...disablings(plan, inventory, { prune, doomed, msps, simulation }));
  const concerned = new Set(items.map(({ item }) => keyOf(item)));
  const extras = extrasIn(plan, inventory, (kind, externalId) => concerned.has(keyOf({ kind, externalId })));
  return { msps, problems, items, extras };
}

/** Turns a step that nothing frees a license for into a difference, as it would be without converging. */
function giveUp(
  items: OrderedItem[],
  { item, line, target }: Step,
  simulation: Simulation,
  waiting: ReadonlySet<string>,
): void {
  if (item.action !== "change") {
    const license = item.license ?? item.externalId;
    const remedy = "let the plan name another license, or let go of this one";
    items.push({ item: conflicting(item, { text: inUse(license, simulation), remedy }), line, target });
    return;
  }
  const { from, change } = item;
  const license = change?.license ?? "";
  const demand = items.find((one) => keyOf(one.item) === keyOf(item) && one.item.action !== "change");
  if (!demand) return;
  const isSwap = waiting.has(simulation.holderOf(license) ?? "");
  demand.item = {
    ...demand.item,
    action: "differs",
    differences: [
      ...demand.item.differences,
      from?.license == null
        ? `has no license, planned ${license}`
        : `has the license ${from.license}, planned ${license}`,
    ],
    remedies: [
      ...demand.item.remedies,
      isSwap
        ? "licenses are swapped by way of a free one of the same MSP: let the plan bring one more"
        : inUse(license, simulation),
    ],
  };
}

function inUse(license: string, simulation: Simulation): string {
  const holder = simulation.holderOf(license);
  return holder === undefined
    ? `the license ${license} is not free`
    : `the license ${license} is held by ${holder}`;
}
