import { addTo } from "../../../base/lists.js";
import { fingerprintOf } from "../../../write/plan/canonical.js";
import type { PlanStep, UndoClass } from "../../../write/plan/format.js";
import { hashOfMembers } from "../../../write/plan/members.js";
import type { PlanItem } from "../compare.js";
import type { Planned } from "../converge.js";
import type { Inventory, KnownOrganization } from "../inventory.js";
import { bodyOf, upsertsOf } from "../requests.js";
import type { OrderedItem } from "../steps.js";

export function provisionSteps({ items }: Pick<Planned, "items">, inventory: Inventory): PlanStep[] {
  return [...new Set(stepsByItem(items, inventory).values())];
}

export function stepsByItem(items: readonly OrderedItem[], inventory: Inventory): Map<OrderedItem, PlanStep> {
  const earlier = nothingEarlier(inventory);
  return new Map(
    requestsOf(items).flatMap((request, index) => {
      const step = stepOf(request, index + 1, earlier);
      return request.map((item) => [item, step] as const);
    }),
  );
}

/** Licenses of one MSP share a request, unless an item between them could free a license. */
function requestsOf(items: readonly OrderedItem[]): Request[] {
  const requests: [OrderedItem, ...OrderedItem[]][] = [];
  let open = new Map<string, OrderedItem[]>();
  for (const orderedItem of items) {
    const { action, type, msp, change } = orderedItem.item;
    if (action !== "create" && action !== "change" && action !== "delete") continue;
    if (type !== "license") {
      if (action !== "create") open = new Map();
      requests.push([orderedItem]);
      continue;
    }
    const key = change?.status === "disabled" ? `${msp} disabled` : msp;
    const openRequest = open.get(key);
    if (openRequest !== undefined) {
      openRequest.push(orderedItem);
      continue;
    }
    const request: [OrderedItem] = [orderedItem];
    open.set(key, request);
    requests.push(request);
  }
  return requests;
}

/** Includes an MSP's licenses, because the service deletes them with the MSP. */
export function comparedOrganization(
  { externalId, name, type, status, license, parentId }: KnownOrganization,
  licenses: Iterable<string> = [],
): Record<string, unknown> {
  return {
    externalOrganizationId: externalId,
    name,
    type,
    status,
    externalLicenseId: license,
    parentOrganizationId: parentId,
    licenses: [...licenses].sort(),
  };
}

/**
 * Resources that earlier steps of a plan create, change or free. Later steps need no preconditions for them.
 */
interface Earlier {
  inventory: Inventory;
  msps: Map<string, number>;
  /** The last step that creates, changes or frees each license. */
  licenses: Map<string, number>;
  /** The steps that free each license by assigning another license to its holder. */
  freeing: Map<string, number[]>;
  /** Licenses and organizations that an earlier step changes, so their current state doesn't matter. */
  changed: Set<string>;
}

export type Request = readonly [OrderedItem, ...OrderedItem[]];

export function nothingEarlier(inventory: Inventory): Earlier {
  return { inventory, msps: new Map(), licenses: new Map(), freeing: new Map(), changed: new Set() };
}

/** Adds the effects of the request to `earlier`. */
export function stepOf(request: Request, step: number, earlier: Earlier): PlanStep {
  const [first] = request;
  const { action, type } = first.item;
  if (type === "license") return upsertStep(request, step, earlier);
  if (action === "delete") return deleteStep(first, step, earlier);
  if (action === "change") return reassignStep(first, step, earlier);
  return type === "msp" ? mspStep(first.item, step, earlier) : customerStep(first.item, step, earlier);
}

function mspStep(item: PlanItem, step: number, { msps, licenses, changed }: Earlier): PlanStep {
  const { externalId, license } = item;
  const own = license ?? "";
  const freed = licenses.get(own);
  msps.set(externalId, step);
  licenses.set(own, step);
  changed.add(own);
  return {
    step,
    op: "orgs.create",
    body: { ...bodyOf(item, undefined) },
    ...needing(freed === undefined ? [] : [freed]),
    // If an earlier step deletes the license together with its MSP, don't require that the license is missing
    // now.
    if: {
      absent: { in: "orgs", name: externalId },
      ...(freed === undefined ? { fields: { [own]: null } } : {}),
    },
    undo: "full",
  };
}

function customerStep(item: PlanItem, step: number, earlier: Earlier): PlanStep {
  const msp = mspReference(item.msp, earlier);
  const { exists, needs } = freeLicense(item.license ?? "", earlier);
  return {
    step,
    op: "orgs.create",
    body: { ...bodyOf(item, msp.reference) },
    ...needing(needs),
    if: { absent: { in: "orgs", name: item.externalId }, ...expecting([...msp.exists, ...exists]) },
    undo: "full",
  };
}

function upsertStep(request: Request, step: number, earlier: Earlier): PlanStep {
  const { msps, licenses, freeing, changed } = earlier;
  const { msp } = request[0].item;
  const { reference, exists } = mspReference(msp, earlier);
  const fields: Record<string, unknown> = {};
  const before: Record<string, unknown> = {};
  const needs: number[] = [];
  let undo: UndoClass = "full";
  for (const { externalId, action, change, from = {} } of request.map(({ item }) => item)) {
    const last = licenses.get(externalId);
    // This step refers to its MSP, so it already depends on the step that creates the MSP.
    if (last !== undefined && last !== msps.get(msp)) needs.push(last);
    // Disabling a license blocks its holder, so wait for the steps that free the license
    // (v2.license.disable).
    if (change?.status === "disabled") needs.push(...(freeing.get(externalId) ?? []));
    const former = action === "create" ? null : { ...Object(before[externalId]), ...from };
    before[externalId] = former;
    if (!changed.has(externalId)) fields[externalId] = former;
    // An undo can neither delete a license nor remove its product, because the API doesn't support it.
    const isKept = action === "create" ? !msps.has(msp) : from.product === null;
    if (isKept) undo = "none";
  }
  for (const { item } of request) {
    licenses.set(item.externalId, step);
    changed.add(item.externalId);
  }
  return {
    step,
    op: "licenses.upsert",
    path: { organizationId: reference },
    body: { licenses: upsertsOf(request.map(({ item }) => item)) },
    ...needing(needs),
    if: expecting(exists, fields),
    before: { externalOrganizationId: msp, licenses: before },
    undo,
  };
}

function reassignStep({ item, target = "" }: OrderedItem, step: number, earlier: Earlier): PlanStep {
  const { externalId, type, change, from } = item;
  const former = from?.license ?? null;
  const license = change?.license ?? "";
  const { exists, needs } = freeLicense(license, earlier);
  const fields = earlier.changed.has(externalId) ? {} : { externalLicenseId: former };
  earlier.changed.add(externalId);
  if (former !== null) {
    earlier.licenses.set(former, step);
    addTo(earlier.freeing, former, step);
  }
  return {
    step,
    op: "licenses.reassign",
    path: { organizationId: target },
    body: { externalLicenseId: license },
    ...needing(needs),
    if: expecting([`orgs/${target}`, ...exists], fields),
    before: {
      externalOrganizationId: externalId,
      type,
      name: earlier.inventory.organizations.get(externalId)?.name ?? null,
      externalLicenseId: former,
    },
    undo: former === null ? "none" : "full",
  };
}

function deleteStep({ item, target = "" }: OrderedItem, step: number, earlier: Earlier): PlanStep {
  const { externalId, type, license } = item;
  const { organizations, licenses } = earlier.inventory;
  const known = organizations.get(externalId);
  const owned = type === "msp" ? [...(licenses.get(target)?.values() ?? [])] : [];
  const held = licenses.get(known?.parentId ?? "")?.get(license ?? "");
  const ids = owned.map(({ id }) => id);
  const compared = known && comparedOrganization(known, ids);
  for (const freed of license === null ? ids : [license, ...ids]) earlier.licenses.set(freed, step);
  return {
    step,
    op: "orgs.delete",
    path: { organizationId: target },
    if: {
      ...(compared === undefined ? {} : { same: fingerprintOf("orgs", compared) }),
      // Check right before this step, because earlier steps delete the MSP's customers.
      ...(type === "msp" ? { members: { ...hashOfMembers([]), late: true } } : {}),
    },
    before: {
      ...compared,
      type,
      licenses: (held === undefined ? owned : [held]).map((each) => ({ ...each })),
    },
    // An undo creates the organization again, but with a new ID and without its contents.
    undo: license === null ? "none" : "partial",
  };
}

function mspReference(msp: string, { msps, inventory }: Earlier): { reference: unknown; exists: string[] } {
  const step = msps.get(msp);
  if (step !== undefined) return { reference: { $ref: step }, exists: [] };
  const id = inventory.organizations.get(msp)?.id ?? msp;
  return { reference: id, exists: [`orgs/${id}`] };
}

/** Returns the precondition that a license is free, or the earlier step that frees it. */
function freeLicense(license: string, { licenses }: Earlier): { exists: string[]; needs: number[] } {
  const step = licenses.get(license);
  return step === undefined ? { exists: [`licenses/${license}`], needs: [] } : { exists: [], needs: [step] };
}

function needing(steps: readonly number[]): { needs?: number[] } {
  const needs = [...new Set(steps)].sort((left, right) => left - right);
  return needs.length === 0 ? {} : { needs };
}

function expecting(
  exists: readonly string[],
  fields: Readonly<Record<string, unknown>> = {},
): PlanStep["if"] {
  return {
    ...(exists.length === 0 ? {} : { exists: [...exists] }),
    ...(Object.keys(fields).length === 0 ? {} : { fields: { ...fields } }),
  };
}
