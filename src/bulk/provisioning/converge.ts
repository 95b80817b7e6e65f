import { addTo } from "../../base/lists.js";
import {
  type Change,
  comparePlan,
  conflicting,
  customerDifferences,
  type Difference,
  licenseDifferences,
  type MspItems,
  mspDifferences,
  type PlanItem,
} from "./compare.js";
import type { Inventory, KnownLicense, KnownOrganization } from "./inventory.js";
import { licensesOf, type PlannedLicense, type PlanProblem, type ProvisionPlan } from "./plan.js";
import { type Doomed, doomedIn, extrasIn, organizationItemOf, type Prune } from "./prune.js";
import { createSimulation, type Simulation } from "./simulation.js";
import { ordered, type Step } from "./steps.js";

/** How far a run goes beyond creating what is missing. */
export interface Convergence {
  /** O2: change what the interface can change. */
  converge: boolean;
  /** O3: delete what the plan does not have any more. */
  prune: Prune | undefined;
}

/** An item in its place in the order of a run. */
export interface OrderedItem {
  item: PlanItem;
  /** The line in the plan; 0 for what it does not have. */
  line: number;
  /** The id of what it is about, where that is there. */
  target: string | undefined;
  /** The organizations that go with an MSP that is deleted. */
  licenses?: KnownLicense[] | undefined;
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

/** External ids and license ids are unique each in their type (v2.duplicate). */
export function keyOf({ kind, externalId }: Pick<PlanItem, "kind" | "externalId">): string {
  return `${kind === "license" ? "license" : "organization"} ${externalId}`;
}

interface OwnChange extends OrderedItem {
  /** The key of the demand that it is part of. */
  owner: string;
  /** The difference that it ends. */
  text: string;
  /** A license is disabled after everything else: who holds it then is blocked. */
  isLate: boolean;
}

/** O2: the changes that bring what is there to the plan. */
function changesOf(plan: ProvisionPlan, inventory: Inventory): OwnChange[] {
  const { organizations, licenses } = inventory;
  return plan.msps.flatMap((msp): OwnChange[] => {
    const known = organizations.get(msp.externalId);
    if (!known) return [];
    const owned = licenses.get(known.id);
    const changes: OwnChange[] = [];
    const license = (planned: PlannedLicense, owner: string) => {
      const there = owned?.get(planned.id);
      for (const { text, change } of licenseDifferences(planned, there)) {
        if (change === undefined) continue;
        const from =
          change.status === undefined ? { product: there?.product ?? null } : { status: there?.status ?? "" };
        const item = changeItem("license", planned.id, msp.externalId, { change, from });
        const isLate = change.status === "disabled";
        changes.push({ item, line: planned.line, target: planned.id, owner, text, isLate });
      }
    };
    const reassign = (differences: readonly Difference[], one: KnownOrganization, line: number) => {
      const difference = differences.find(({ change }) => change?.license !== undefined);
      // Its type or its MSP differs: its license is not the plan's to give.
      if (!difference?.change || differences.some(({ text }) => /^(?:is of type|belongs to)/.test(text)))
        return;
      const kind = one === known ? "msp" : "customer";
      const item = changeItem(kind, one.externalId, msp.externalId, {
        change: difference.change,
        from: { license: one.license ?? null },
      });
      changes.push({ item, line, target: one.id, owner: keyOf(item), text: difference.text, isLate: false });
    };
    const own = keyOf({ kind: "msp", externalId: msp.externalId });
    const differences = mspDifferences(msp, known, inventory);
    license(msp.license, own);
    reassign(differences, known, msp.line);
    for (const planned of msp.licenses) license(planned, keyOf({ kind: "license", externalId: planned.id }));
    for (const customer of msp.customers) {
      const there = organizations.get(customer.externalId);
      if (!there) continue;
      const { externalId } = msp;
      reassign(customerDifferences(customer, there, { externalId, id: known.id }), there, customer.line);
    }
    return changes;
  });
}

function changeItem(
  kind: PlanItem["kind"],
  externalId: string,
  msp: string,
  { change, from }: { change: Change; from: NonNullable<PlanItem["from"]> },
): PlanItem {
  const nothing = { name: null, product: null, differences: [], remedies: [] };
  return {
    ...nothing,
    action: "change",
    kind,
    externalId,
    msp,
    license: change.license ?? null,
    change,
    from,
  };
}

/** A demand of the plan: created as soon as what it needs is free, else only said. */
function demandStep(simulation: Simulation, item: PlanItem, line: number, inventory: Inventory): Step {
  const { kind, externalId, msp, license } = item;
  const target = kind === "license" ? externalId : inventory.organizations.get(externalId)?.id;
  if (item.action !== "create") return { item, line, target, isReady: () => true, apply: () => {} };
  const step = { item, line, target: undefined };
  switch (kind) {
    case "msp":
      return {
        ...step,
        wants: license ?? undefined,
        isReady: () => !simulation.hasLicense(license ?? ""),
        apply: () => simulation.addMsp(externalId, license ?? ""),
      };
    case "license":
      return {
        ...step,
        wants: externalId,
        isReady: () => simulation.hasOrganization(msp) && !simulation.isOwnedByOther(externalId, msp),
        apply: () => simulation.addLicense(msp, externalId),
      };
    case "customer":
      return {
        ...step,
        wants: license ?? undefined,
        isReady: () => simulation.hasOrganization(msp) && simulation.isFree(msp, license ?? ""),
        apply: () => simulation.addCustomer(msp, externalId, license ?? ""),
      };
  }
}

/** A demand whose differences are changed: what is left of them. */
function withoutChanges(demand: Step, changes: readonly OwnChange[]): Step {
  const { item } = demand;
  const changed = new Set(changes.map(({ text }) => text));
  const stay = item.differences.flatMap((text, index) =>
    changed.has(text) ? [] : [{ text, remedy: item.remedies[index] ?? "" }],
  );
  return {
    ...demand,
    item: {
      ...item,
      action: item.action === "differs" && stay.length === 0 ? "exists" : item.action,
      differences: stay.map(({ text }) => text),
      remedies: stay.map(({ remedy }) => remedy),
    },
  };
}

function changeStep(simulation: Simulation, { item, line, target }: OwnChange): Step {
  const { kind, externalId, msp, change } = item;
  if (kind === "license") {
    const apply = () => {
      if (change?.status === "available") simulation.enable(externalId);
    };
    return { item, line, target, isReady: () => true, apply };
  }
  const license = change?.license ?? "";
  return {
    item,
    line,
    target,
    wants: license,
    reassigns: true,
    isReady: () => simulation.isFree(msp, license),
    apply: () => simulation.give(externalId, license),
  };
}

function deleteStep(simulation: Simulation, one: KnownOrganization, msp: string): Step {
  return {
    item: { ...organizationItemOf(one, msp), action: "delete", differences: [], remedies: [] },
    line: 0,
    target: one.id,
    isReady: () => !simulation.hasCustomers(one.externalId),
    apply: () => simulation.remove(one.externalId),
  };
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

interface Disabling {
  prune: Prune | undefined;
  doomed: Doomed;
  msps: readonly MspItems[];
  simulation: Simulation;
}

/** Licenses that are created to be disabled, and those that the plan does not have any more (O3). */
function disablings(
  plan: ProvisionPlan,
  { organizations, licenses }: Inventory,
  { prune, doomed, msps, simulation }: Disabling,
): OrderedItem[] {
  const items: OrderedItem[] = [];
  const disable = (id: string, msp: string, line: number, status = "available") => {
    const item = changeItem("license", id, msp, { change: disabled, from: { status } });
    items.push({ item, line, target: id });
  };
  const heldByDoomed = new Set(doomed.customers.map(({ license }) => license));
  for (const [index, planned] of plan.msps.entries()) {
    const created = msps[index];
    const isNew = (id: string) =>
      (created?.msp.action === "create" && planned.license.id === id) ||
      created?.licenses.some((one) => one.externalId === id && one.action === "create") === true;
    for (const { id, line, isDisabled } of [planned.license, ...planned.licenses])
      if (isDisabled === true && isNew(id)) disable(id, planned.externalId, line);
    const known = organizations.get(planned.externalId);
    const owned = known && licenses.get(known.id);
    if (!known || !prune) continue;
    const named = new Set(licensesOf(planned));
    for (const { id, status } of owned?.values() ?? []) {
      const isOurs = prune.made.hasLicense(known.id, id) || heldByDoomed.has(id);
      if (named.has(id) || !isOurs || status === "disabled") continue;
      const holder = simulation.holderOf(id);
      if (holder === undefined) {
        disable(id, planned.externalId, 0, status);
        continue;
      }
      const item = changeItem("license", id, planned.externalId, { change: disabled, from: {} });
      items.push({
        item: {
          ...item,
          action: "left",
          differences: [`is held by ${holder}, and is not disabled`],
          remedies: ["voxctl licenses reassign gives it another license; licenses disable blocks it"],
        },
        line: 0,
        target: id,
      });
    }
  }
  return items;
}

const disabled: Change = { status: "disabled" };
