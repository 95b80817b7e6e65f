import { keyOf, type MspItems, type PlanItem } from "./compare.js";
import {
  type Change,
  customerDifferences,
  type Difference,
  licenseDifferences,
  mspDifferences,
} from "./differences.js";
import type { Inventory, KnownOrganization } from "./inventory.js";
import { licensesOf, type OrganizationSpec, type PlannedLicense } from "./organization-spec.js";
import type { Deletions, Prune } from "./prune.js";
import type { Simulation } from "./simulation.js";
import type { OrderedItem, Step } from "./steps.js";

export interface OwnChange extends OrderedItem {
  owner: string;
  text: string;
  /** Changes that disable a license come last, because they block the license's holder. */
  isLate: boolean;
}

export function changesOf(spec: OrganizationSpec, inventory: Inventory): OwnChange[] {
  const { organizations, licenses } = inventory;
  return spec.msps.flatMap((msp): OwnChange[] => {
    const known = organizations.get(msp.externalId);
    if (!known) return [];
    const owned = licenses.get(known.id);
    const changes: OwnChange[] = [];
    const license = (
      planned: PlannedLicense,
      owner: string,
      differences = licenseDifferences(planned, owned?.get(planned.id)),
    ) => {
      const existing = owned?.get(planned.id);
      for (const { text, change } of differences) {
        if (change === undefined || change.license !== undefined) continue;
        const from =
          change.status === undefined
            ? { product: existing?.product ?? null }
            : { status: existing?.status ?? "" };
        const product = change.product ?? existing?.product ?? null;
        const item = { ...changeItem("license", planned.id, msp.externalId, { change, from }), product };
        const isLate = change.status === "disabled";
        changes.push({ item, line: planned.line, target: planned.id, owner, text, isLate });
      }
    };
    const reassign = (differences: readonly Difference[], organization: KnownOrganization, line: number) => {
      const difference = differences.find(({ change }) => change?.license !== undefined);
      if (difference?.change === undefined) return;
      const type = organization === known ? "msp" : "customer";
      const { name = null } = organization;
      const item = {
        ...changeItem(type, organization.externalId, msp.externalId, {
          change: difference.change,
          from: { license: organization.license ?? null },
        }),
        name,
      };
      changes.push({
        item,
        line,
        target: organization.id,
        owner: keyOf(item),
        text: difference.text,
        isLate: false,
      });
    };
    const own = keyOf({ type: "msp", externalId: msp.externalId });
    const differences = mspDifferences(msp, known, inventory);
    // Pass `differences`: its texts refer to the license as the MSP's own license.
    license(msp.license, own, differences);
    reassign(differences, known, msp.line);
    for (const planned of msp.licenses) license(planned, keyOf({ type: "license", externalId: planned.id }));
    for (const customer of msp.customers) {
      const existing = organizations.get(customer.externalId);
      if (!existing) continue;
      const { externalId } = msp;
      reassign(
        customerDifferences(customer, existing, { externalId, id: known.id }, organizations),
        existing,
        customer.line,
      );
    }
    return changes;
  });
}

function changeItem(
  type: PlanItem["type"],
  externalId: string,
  msp: string,
  { change, from }: { change: Change; from: NonNullable<PlanItem["from"]> },
): PlanItem {
  const nothing = { name: null, product: null, differences: [], remedies: [] };
  return {
    ...nothing,
    action: "change",
    type,
    externalId,
    msp,
    license: change.license ?? null,
    change,
    from,
  };
}

export function withoutChanges(demand: Step, changes: readonly OwnChange[]): Step {
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

interface Disabling {
  prune: Prune | undefined;
  deletions: Deletions;
  msps: readonly MspItems[];
  simulation: Simulation;
}

export function disablings(
  spec: OrganizationSpec,
  { organizations, licenses }: Inventory,
  { prune, deletions, msps, simulation }: Disabling,
): OrderedItem[] {
  const items: OrderedItem[] = [];
  const disable = (id: string, msp: string, line: number, status = "available") => {
    const item = changeItem("license", id, msp, { change: disabled, from: { status } });
    items.push({ item, line, target: id });
  };
  const heldByDeleted = new Set(deletions.customers.map(({ license }) => license));
  for (const [index, planned] of spec.msps.entries()) {
    const created = msps[index];
    const isNew = (id: string) =>
      (created?.msp.action === "create" && planned.license.id === id) ||
      created?.licenses.some((license) => license.externalId === id && license.action === "create") === true;
    for (const { id, line, isDisabled } of [planned.license, ...planned.licenses])
      if (isDisabled === true && isNew(id)) disable(id, planned.externalId, line);
  }
  // Also disable the licenses of MSPs that are kept although the spec no longer contains them.
  const omitted = deletions.kept.map(({ externalId }) => ({
    externalId,
    named: new Set<string>(),
    isKept: true,
  }));
  const inSpec = spec.msps.map((msp) => ({
    externalId: msp.externalId,
    named: new Set(licensesOf(msp)),
    isKept: false,
  }));
  for (const { externalId, named, isKept } of [...inSpec, ...omitted]) {
    const known = organizations.get(externalId);
    if (!known || !prune) continue;
    for (const { id, status } of licenses.get(known.id)?.values() ?? []) {
      const isOurs = prune.made.hasLicense(known.id, id) || heldByDeleted.has(id);
      if (named.has(id) || !isOurs || status === "disabled") continue;
      const holder = simulation.holderOf(id);
      if (holder !== undefined && isKept) continue;
      if (holder === undefined) {
        disable(id, externalId, 0, status);
        continue;
      }
      const item = changeItem("license", id, externalId, { change: disabled, from: {} });
      items.push({
        item: {
          ...item,
          action: "left",
          differences: [`is held by ${holder} and will not be disabled`],
          remedies: [
            "assign a different license with `voxctl licenses reassign`, or block the holder with `voxctl licenses disable`",
          ],
        },
        line: 0,
        target: id,
      });
    }
  }
  return items;
}

const disabled: Change = { status: "disabled" };
