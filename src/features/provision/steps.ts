import type { PlanItem } from "./compare.js";
import type { Inventory, KnownLicense, KnownOrganization } from "./inventory.js";
import { organizationItemOf } from "./prune.js";
import type { Simulation } from "./simulation.js";

export interface OrderedItem {
  item: PlanItem;
  /** Line in the spec; 0 for items that are not in the spec. */
  line: number;
  target: string | undefined;
  licenses?: KnownLicense[] | undefined;
}

export interface Step {
  item: PlanItem;
  line: number;
  target: string | undefined;
  requiredLicense?: string | undefined;
  reassigns?: boolean;
  isReady(): boolean;
  /** Simulates the step. */
  apply(): void;
}

/**
 * Sorts steps so that each is possible when it runs. Deletions come last, unless another step needs their
 * license. To swap licenses, one organization temporarily gets a free license of its MSP.
 */
export function orderSteps(
  simulation: Simulation,
  steps: readonly Step[],
  deletes: readonly Step[],
): { done: Step[]; blocked: Step[] } {
  const done: Step[] = [];
  let waiting = [...steps];
  let left = [...deletes];
  const take = (step: Step) => {
    step.apply();
    done.push(step);
  };
  const stopped = new Set<string>();
  /**
   * Returns a step that frees a required license: the license's holder temporarily gets a free license of its
   * MSP.
   */
  const stopOver = (): Step | undefined => {
    const requiredLicenses = new Set(waiting.map(({ requiredLicense: wants }) => wants));
    for (const step of waiting) {
      const { externalId, msp } = step.item;
      const own = simulation.licenseOf(externalId);
      if (step.reassigns !== true || stopped.has(externalId) || !requiredLicenses.has(own)) continue;
      const spare = simulation.spareOf(msp);
      if (spare === undefined) continue;
      stopped.add(externalId);
      const { item } = step;
      const over = { ...item, license: spare, change: { license: spare } };
      // When this step runs, the organization holds the temporary license.
      step.item = { ...item, from: { license: spare } };
      return { ...step, item: over, apply: () => simulation.give(externalId, spare) };
    }
    return undefined;
  };
  while (waiting.length > 0) {
    const before = waiting.length;
    waiting = waiting.filter((step) => {
      if (!step.isReady()) return true;
      take(step);
      return false;
    });
    if (waiting.length < before) continue;
    const requiredLicenses = new Set(waiting.map(({ requiredLicense: wants }) => wants));
    const next =
      left.find((step) => step.isReady() && requiredLicenses.has(step.item.license ?? undefined)) ??
      left.find((step) => step.isReady());
    if (next) {
      left = left.filter((step) => step !== next);
      take(next);
      continue;
    }
    const over = stopOver();
    if (over === undefined) break;
    take(over);
  }
  for (let ready = left.find((step) => step.isReady()); ready; ready = left.find((step) => step.isReady())) {
    const readyStep = ready;
    left = left.filter((step) => step !== readyStep);
    take(readyStep);
  }
  return { done, blocked: [...waiting, ...left] };
}

/**
 * Returns the step of a spec entry. A create is ready when its license and MSP are available. Any other entry
 * is always ready, because it sends no request.
 */
export function demandStep(simulation: Simulation, item: PlanItem, line: number, inventory: Inventory): Step {
  const { type, externalId, msp, license } = item;
  const target = type === "license" ? externalId : inventory.organizations.get(externalId)?.id;
  if (item.action !== "create") return { item, line, target, isReady: () => true, apply: () => {} };
  const step = { item, line, target: undefined };
  switch (type) {
    case "msp":
      return {
        ...step,
        requiredLicense: license ?? undefined,
        isReady: () => !simulation.hasLicense(license ?? ""),
        apply: () => simulation.addMsp(externalId, license ?? ""),
      };
    case "license":
      return {
        ...step,
        requiredLicense: externalId,
        isReady: () => simulation.hasOrganization(msp) && !simulation.isOwnedByAnotherMsp(externalId, msp),
        apply: () => simulation.addLicense(msp, externalId),
      };
    case "customer":
      return {
        ...step,
        requiredLicense: license ?? undefined,
        isReady: () => simulation.hasOrganization(msp) && simulation.isFree(msp, license ?? ""),
        apply: () => simulation.addCustomer(msp, externalId, license ?? ""),
      };
  }
}

export function changeStep(simulation: Simulation, { item, line, target }: OrderedItem): Step {
  const { type, externalId, msp, change } = item;
  if (type === "license") {
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
    requiredLicense: license,
    reassigns: true,
    isReady: () => simulation.isFree(msp, license),
    apply: () => simulation.give(externalId, license),
  };
}

export function deleteStep(simulation: Simulation, organization: KnownOrganization, msp: string): Step {
  return {
    item: { ...organizationItemOf(organization, msp), action: "delete", differences: [], remedies: [] },
    line: 0,
    target: organization.id,
    isReady: () => !simulation.hasCustomers(organization.externalId),
    apply: () => simulation.remove(organization.externalId),
  };
}
