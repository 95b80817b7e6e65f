/** The steps of a plan of organizations as the items of the run that carries it out. */
import * as z from "zod";
import { addTo } from "../../../base/lists.js";
import type { Item, NewItem } from "../../journal/item.js";
import type { Journal } from "../../journal/journal.js";
import { itemsIn } from "../../journal/outcome.js";
import { referencesOf } from "../../plan/references.js";
import { recordOf } from "../../values.js";
import type { PlanItem } from "../compare.js";
import type { Change } from "../differences.js";
import type { Inventory, KnownLicense, KnownOrganization } from "../inventory.js";
import { newItemOf } from "../items.js";
import type { OrganizationSpec, PlannedMsp } from "../organization-spec.js";
import { isMsp, organizationItemOf } from "../prune.js";
import type { OrderedItem } from "../steps.js";
import type { OrganizationReference, OrganizationStep } from "./read.js";

/** An organization that steps reference: an existing one, or one that an earlier step creates. */
interface Referred {
  externalId: string;
  known: KnownOrganization | undefined;
}

/**
 * Returns the items of a run in the order of the plan: one per organization and license of a step, with the
 * number of the step as its line. MSPs that the plan only references come first.
 * @returns also the organization spec, as far as the steps show it: by it the run knows what it creates
 */
export function sealedItems(
  steps: readonly OrganizationStep[],
  inventory: Inventory,
): { items: NewItem[]; spec: OrganizationSpec } {
  const byId = new Map(
    [...inventory.organizations.values()].map((organization) => [organization.id, organization]),
  );
  const made = new Map<number, string>();
  for (const { step, ...details } of steps)
    if (details.op === "create") made.set(step.step, details.body.externalOrganizationId);
  const referred = (reference: OrganizationReference): Referred => {
    const known = typeof reference === "string" ? byId.get(reference) : undefined;
    const external = typeof reference === "number" ? made.get(reference) : known?.externalId;
    return { externalId: external ?? String(reference), known };
  };
  const msps = new Map<string, PlannedMsp>();
  const first: OrderedItem[] = [];
  const mspOf = (reference: OrganizationReference): PlannedMsp => {
    const { externalId, known } = referred(reference);
    const existing = msps.get(externalId);
    if (existing !== undefined) return existing;
    const at = { at: externalId, line: 0 };
    const license = { id: known?.license ?? "", product: undefined, ...at };
    const msp: PlannedMsp = {
      ...at,
      externalId,
      name: known?.name ?? "",
      license,
      licenses: [],
      customers: [],
    };
    msps.set(externalId, msp);
    const item = {
      ...nothing,
      action: "exists",
      type: "msp",
      externalId,
      msp: externalId,
      name: msp.name,
    } as const;
    first.push({
      item: { ...item, license: license.id, product: null },
      line: 0,
      target: known?.id ?? String(reference),
    });
    return msp;
  };
  const stepItems: { ordered: OrderedItem; step: OrganizationStep }[] = [];
  for (const step of steps) {
    for (const ordered of itemsOf(step, { inventory, msps, mspOf, referred }))
      stepItems.push({ ordered, step });
  }
  const items = [
    ...first.map((ordered, index) => newItemOf(ordered, index + 1)),
    ...stepItems.map(({ ordered, step }, index) => ({
      ...newItemOf(ordered, first.length + index + 1),
      // The steps without which it is not sent.
      input: { needs: referencesOf(step.step) },
    })),
  ];
  return { items, spec: { msps: [...msps.values()] } };
}

const nothing = { differences: [], remedies: [] };

interface ItemContext {
  inventory: Inventory;
  msps: Map<string, PlannedMsp>;
  mspOf(reference: OrganizationReference): PlannedMsp;
  referred(reference: OrganizationReference): Referred;
}

function itemsOf(organizationStep: OrganizationStep, context: ItemContext): OrderedItem[] {
  const line = organizationStep.step.step;
  switch (organizationStep.op) {
    case "create":
      return [{ item: createdItem(organizationStep, context), line, target: undefined }];
    case "upsert":
      return licenseItems(organizationStep, context);
    case "reassign":
      return [reassigned(organizationStep, context)];
    case "delete":
      return [deleted(organizationStep, context)];
  }
}

type StepOf<Op extends OrganizationStep["op"]> = Extract<OrganizationStep, { op: Op }>;

function createdItem({ step, body }: StepOf<"create">, { msps, mspOf }: ItemContext): PlanItem {
  const { name, externalOrganizationId: externalId } = body;
  const at = { at: `step ${step.step}`, line: step.step };
  if (body.type === "msp") {
    const { externalLicenseId: id, product } = body.license;
    msps.set(externalId, {
      ...at,
      externalId,
      name,
      license: { ...at, id, product },
      licenses: [],
      customers: [],
    });
    const item = { ...nothing, action: "create", type: "msp", externalId, msp: externalId, name } as const;
    return { ...item, license: id, product: product ?? null };
  }
  const msp = mspOf(body.parentOrganizationId);
  const license = body.externalLicenseId;
  msp.customers.push({ ...at, externalId, name, license });
  const item = { ...nothing, action: "create", type: "customer", externalId, msp: msp.externalId } as const;
  return { ...item, name, license, product: null };
}

/**
 * An existing license of the MSP is changed, its product and its state in separate items; any other is
 * created.
 */
function licenseItems(
  { step, msp, body }: StepOf<"upsert">,
  { inventory, mspOf, referred }: ItemContext,
): OrderedItem[] {
  const line = step.step;
  const owner = mspOf(msp);
  const owned = inventory.licenses.get(referred(msp).known?.id ?? "");
  const former = recordOf(recordOf(step.before)["licenses"]);
  return body.licenses.flatMap(({ externalLicenseId: externalId, product, status }): OrderedItem[] => {
    const before = former[externalId] ?? step.if?.fields?.[externalId];
    const existing = owned?.get(externalId);
    const isMade = owner.licenses.some(({ id }) => id === externalId) || owner.license.id === externalId;
    const isNew = before === null || (before === undefined && existing === undefined && !isMade);
    const about = { ...nothing, type: "license", externalId, msp: owner.externalId, name: null } as const;
    const items: OrderedItem[] = [];
    if (isNew) {
      owner.licenses.push({ at: externalId, line, id: externalId, product });
      const item: PlanItem = { ...about, action: "create", license: null, product: product ?? null };
      items.push({ item, line, target: undefined });
    }
    const change = (to: Change, from: NonNullable<PlanItem["from"]>) => {
      const item: PlanItem = { ...about, action: "change", license: null, product: null, change: to, from };
      items.push({ item, line, target: externalId });
    };
    const seen = FormerLicense.safeParse(before).data ?? {
      product: existing?.product,
      status: existing?.status,
    };
    if (!isNew && product !== undefined) change({ product }, { product: seen.product ?? null });
    if (status !== undefined && !(isNew && status === "available"))
      change({ status }, { status: seen.status ?? "available" });
    return items;
  });
}

const FormerLicense = z.object({ product: z.string().nullish(), status: z.string().optional() });

function reassigned(
  { step, target, license }: StepOf<"reassign">,
  { inventory, referred }: ItemContext,
): OrderedItem {
  const { externalId, known } = referred(target);
  const { type, externalLicenseId } = recordOf(step.before);
  const organizationType = (known === undefined ? type === "msp" : isMsp(known)) ? "msp" : "customer";
  const former = step.before === undefined ? (known?.license ?? null) : externalLicenseId;
  const from = { license: typeof former === "string" ? former : null };
  const item: PlanItem = {
    ...nothing,
    action: "change",
    type: organizationType,
    externalId,
    msp: organizationType === "msp" ? externalId : parentOf(known, inventory),
    name: null,
    license,
    product: null,
    change: { license },
    from,
  };
  return { item, line: step.step, target: String(target) };
}

function deleted({ step, target }: StepOf<"delete">, { inventory, referred }: ItemContext): OrderedItem {
  const { externalId, known } = referred(target);
  const line = step.step;
  const licenses = Licenses.safeParse(recordOf(step.before)["licenses"]).data ?? [];
  if (known === undefined) {
    const item = { ...nothing, action: "delete", type: "customer", externalId, msp: externalId } as const;
    return { item: { ...item, name: null, license: null, product: null }, line, target: String(target) };
  }
  const msp = isMsp(known) ? externalId : parentOf(known, inventory);
  const item: PlanItem = { ...organizationItemOf(known, msp), action: "delete", ...nothing };
  return { item, line, target: known.id, ...(isMsp(known) ? { licenses } : {}) };
}

const Licenses: z.ZodType<KnownLicense[]> = z.array(
  z
    .object({ id: z.string(), product: z.string().nullish(), status: z.string().optional() })
    .transform(({ id, product, status }): KnownLicense => ({ id, product, status })),
);

function parentOf(known: KnownOrganization | undefined, { organizations }: Inventory): string {
  const parent = [...organizations.values()].find(({ id }) => id === known?.parentId);
  return parent?.externalId ?? known?.parentId ?? "";
}

/** The steps that an item needs. */
export function needsOf({ input }: Pick<Item, "input">): number[] {
  const { needs } = recordOf(input);
  return Array.isArray(needs) ? needs.filter((number) => typeof number === "number") : [];
}

/** The items of a run by step; items without a step are omitted. */
export function itemsByStep(journal: Journal): Map<number, Item[]> {
  const steps = new Map<number, Item[]>();
  for (const item of itemsIn(journal)) if (item.line > 0) addTo(steps, item.line, item);
  return steps;
}

/** Returns whether the items of a run are the steps of a plan file. */
export function isOfPlanFile(journal: Journal): boolean {
  return typeof journal.setting("plan_id") === "string";
}
