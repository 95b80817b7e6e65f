import { addTo } from "../../base/lists.js";
import { changesOf, disablings, type OwnChange, withoutChanges } from "./changes.js";
import { compareSpec, conflicting, keyOf, type MspItems, type PlanItem } from "./compare.js";
import type { Inventory } from "./inventory.js";
import type { OrganizationSpec, SpecProblem } from "./organization-spec.js";
import { type Deletions, extrasIn, findDeletions, type Prune } from "./prune.js";
import { createSimulation, type Simulation } from "./simulation.js";
import { changeStep, deleteStep, demandStep, type OrderedItem, orderSteps, type Step } from "./steps.js";

export interface Convergence {
  converge: boolean;
  prune: Prune | undefined;
}

export interface Planned {
  msps: MspItems[];
  problems: SpecProblem[];
  items: OrderedItem[];
  /** Existing organizations and licenses that are not in the spec. They are only listed. */
  extras: PlanItem[];
}

/**
 * Plans a run in an order that the API accepts. Deletions come after all other steps, unless another step
 * needs a license that they free. Licenses are disabled at the very end, because disabling a license blocks
 * its holder (v2.license.disable).
 */
export function planRun(
  spec: OrganizationSpec,
  inventory: Inventory,
  { converge, prune }: Convergence,
): Planned {
  const deletions: Deletions = prune
    ? findDeletions(spec, inventory, prune)
    : { customers: [], msps: [], kept: [] };
  const changes = converge ? changesOf(spec, inventory) : [];
  const freed = new Set([
    ...changes.map(({ item }) => item.from?.license),
    ...changes.flatMap(({ item }) => (item.change?.status === "available" ? [item.externalId] : [])),
    ...deletions.customers.map(({ license }) => license),
  ]);
  const { msps, problems } = compareSpec(spec, inventory, {
    isLicenseFreed: (license) => freed.has(license),
    isDeleted: (mspId) => deletions.msps.some(({ id }) => id === mspId),
  });
  const simulation = createSimulation(inventory);
  const demands = msps.flatMap(({ planned, msp, licenses, customers }) => [
    demandStep(simulation, msp, planned.line, inventory),
    ...licenses.map((demanded, index) =>
      demandStep(simulation, demanded, planned.licenses[index]?.line ?? planned.line, inventory),
    ),
    ...customers.map((demanded, index) =>
      demandStep(simulation, demanded, planned.customers[index]?.line ?? planned.line, inventory),
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
  const deletes = [...deletions.customers, ...deletions.msps].map((organization) =>
    deleteStep(simulation, organization, nameOf.get(organization.parentId ?? "") ?? organization.externalId),
  );
  const { done, blocked } = orderSteps(simulation, steps, deletes);
  const items = done.map(({ item, line, target }): OrderedItem => {
    const owned = item.action === "delete" ? inventory.licenses.get(target ?? "") : undefined;
    return { item, line, target, ...(owned === undefined ? {} : { licenses: [...owned.values()] }) };
  });
  const waiting = new Set(blocked.map(({ item }) => item.externalId));
  for (const step of blocked) giveUp(items, step, simulation, waiting);
  for (const item of deletions.kept)
    items.push({ item, line: 0, target: inventory.organizations.get(item.externalId)?.id });
  for (const { item, line, target, isLate } of changes) if (isLate) items.push({ item, line, target });
  items.push(...disablings(spec, inventory, { prune, deletions, msps, simulation }));
  const concerned = new Set(items.map(({ item }) => keyOf(item)));
  const extras = extrasIn(spec, inventory, (type, externalId) => concerned.has(keyOf({ type, externalId })));
  return { msps, problems, items: withoutChanged(items), extras };
}

/** Omits existing resources that another item changes, so that they don't count as unchanged. */
function withoutChanged(items: readonly OrderedItem[]): OrderedItem[] {
  const changed = new Set(items.flatMap(({ item }) => (item.action === "change" ? [keyOf(item)] : [])));
  return items.filter(({ item }) => item.action !== "exists" || !changed.has(keyOf(item)));
}

function giveUp(
  items: OrderedItem[],
  { item, line, target }: Step,
  simulation: Simulation,
  waiting: ReadonlySet<string>,
): void {
  if (item.action !== "change") {
    const remedy = "use a different license in the spec, or free this license";
    const text =
      item.license === null
        ? formatHolder(item.externalId, simulation)
        : `its license ${item.license} ${formatHolder(item.license, simulation)}`;
    items.push({ item: conflicting(item, { text, remedy }), line, target });
    return;
  }
  const { from, change } = item;
  const license = change?.license ?? "";
  const demand = items.find(
    (candidate) => keyOf(candidate.item) === keyOf(item) && candidate.item.action !== "change",
  );
  if (!demand) return;
  const isSwap = waiting.has(simulation.holderOf(license) ?? "");
  demand.item = {
    ...demand.item,
    action: "differs",
    differences: [
      ...demand.item.differences,
      from?.license == null
        ? `has no license, expected ${license}`
        : `has the license ${from.license}, expected ${license}`,
    ],
    remedies: [
      ...demand.item.remedies,
      isSwap
        ? "to swap licenses between customers, the MSP needs another free license: add one to the spec"
        : `the license ${license} ${formatHolder(license, simulation)}`,
    ],
  };
}

function formatHolder(license: string, simulation: Simulation): string {
  const holder = simulation.holderOf(license);
  return holder === undefined ? "is not free" : `is held by ${holder}`;
}
