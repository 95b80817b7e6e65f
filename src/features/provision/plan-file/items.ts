/** Converts the steps of an organization plan to the items of the run that applies the plan. */
import { addTo } from "../../../base/lists.js";
import type { NewItem } from "../../../write/journal/item.js";
import { referencesOf } from "../../../write/plan/references.js";
import { recordOf } from "../../../write/values.js";
import type { Inventory } from "../inventory.js";
import { type About, type StepPart, stepItem } from "../items.js";
import { isMsp } from "../prune.js";
import type { OrganizationReference, OrganizationStep } from "./read.js";

/**
 * Returns the items of a run in plan order: one for each organization and license of a step, with the step number
 * as its line. The licenses of a step share one request.
 */
export function sealedItems(steps: readonly OrganizationStep[], inventory: Inventory): NewItem[] {
  const names = createNames(steps, inventory);
  const numbers = new Map<number, number[]>();
  const items: NewItem[] = [];
  for (const organizationStep of steps) {
    const { step } = organizationStep;
    const requires = referencesOf(step).flatMap((needed) => numbers.get(needed) ?? []);
    for (const part of partsOf(organizationStep, inventory, names)) {
      const number = items.length + 1;
      addTo(numbers, step.step, number);
      const share = organizationStep.op === "upsert" ? `step ${step.step}` : undefined;
      const numberOf = (created: number) => numbers.get(created)?.[0];
      items.push(stepItem(step, part, { number, line: step.step, requires, share, numberOf }));
    }
  }
  return items;
}

/** External ids of the organizations that steps reference, and licenses that earlier steps create. */
interface Names {
  externalId(reference: OrganizationReference): string;
  mspOf(target: OrganizationReference): string;
  isMsp(target: OrganizationReference): boolean | undefined;
  made: Set<string>;
}

function createNames(steps: readonly OrganizationStep[], { organizations }: Inventory): Names {
  const byId = new Map([...organizations.values()].map((organization) => [organization.id, organization]));
  const created = new Map<number, string>();
  for (const { step, ...details } of steps)
    if (details.op === "create") created.set(step.step, details.body.externalOrganizationId);
  const known = (reference: OrganizationReference) =>
    typeof reference === "string" ? byId.get(reference) : undefined;
  const externalId = (reference: OrganizationReference) =>
    (typeof reference === "number" ? created.get(reference) : known(reference)?.externalId) ??
    String(reference);
  return {
    externalId,
    mspOf: (target) => externalId(known(target)?.parentId ?? target),
    isMsp(target) {
      const organization = known(target);
      return organization && isMsp(organization);
    },
    made: new Set(),
  };
}

const nothing = { name: null, license: null, product: null };

function partsOf(organizationStep: OrganizationStep, inventory: Inventory, names: Names): StepPart[] {
  const { step } = organizationStep;
  const before = recordOf(step.before);
  switch (organizationStep.op) {
    case "create":
      return [createdPart(organizationStep, names)];
    case "upsert":
      return licenseParts(organizationStep, inventory, names);
    case "reassign": {
      const { license } = organizationStep;
      const from = { license: textOf(before["externalLicenseId"]) };
      const about = { ...targetOf(organizationStep, names), license, change: { license }, from };
      const former = { externalLicenseId: from.license };
      return [changePart(about, String(organizationStep.target), step.body, former)];
    }
    case "delete": {
      const named = { name: textOf(before["name"]), license: textOf(before["externalLicenseId"]) };
      const about = { ...targetOf(organizationStep, names), ...named };
      const target = String(organizationStep.target);
      return [{ about, action: "delete", target, body: undefined, before: step.before }];
    }
  }
}

type StepOf<Op extends OrganizationStep["op"]> = Extract<OrganizationStep, { op: Op }>;

function createdPart({ step, body }: StepOf<"create">, names: Names): StepPart {
  const { name, externalOrganizationId: external_id } = body;
  const owned =
    body.type === "msp"
      ? { msp: external_id, license: body.license.externalLicenseId, product: body.license.product ?? null }
      : {
          msp: names.externalId(body.parentOrganizationId),
          license: body.externalLicenseId,
          product: null,
        };
  if (body.type === "msp") names.made.add(owned.license);
  const about: About = { kind: body.type, external_id, name, ...owned };
  return { about, action: "create", target: undefined, body: step.body, before: undefined };
}

/** Returns a change for each existing license of the MSP, and a create for every other license. */
function licenseParts(
  { step, msp: reference, body }: StepOf<"upsert">,
  { licenses }: Inventory,
  names: Names,
): StepPart[] {
  const msp = names.externalId(reference);
  const owned = licenses.get(String(reference));
  const former = recordOf(recordOf(step.before)["licenses"]);
  return body.licenses.map((license): StepPart => {
    const { externalLicenseId: external_id, product, status } = license;
    const seen = former[external_id] ?? step.if?.fields?.[external_id];
    const existing = owned?.get(external_id);
    const isKnown = existing !== undefined || names.made.has(external_id);
    const isNew = seen === null || (seen === undefined && !isKnown);
    const about = { ...nothing, kind: "license", external_id, msp } as const;
    const entry = { licenses: [license] };
    if (isNew) {
      names.made.add(external_id);
      const created = { ...about, product: product ?? null };
      return { about: created, action: "create", target: undefined, body: entry, before: undefined };
    }
    const was = { ...existing, ...recordOf(seen) };
    const from = {
      ...(product === undefined ? {} : { product: textOf(was["product"]) }),
      ...(status === undefined ? {} : { status: textOf(was["status"]) ?? "available" }),
    };
    return changePart({ ...about, change: { product, status }, from }, external_id, entry, from);
  });
}

function changePart(about: About, target: string, body: StepPart["body"], before: unknown): StepPart {
  return { about, action: "update", target, body, before };
}

function targetOf({ step, target }: StepOf<"reassign" | "delete">, names: Names): About {
  const isOfMsp = names.isMsp(target) ?? recordOf(step.before)["type"] === "msp";
  const external_id = textOf(recordOf(step.before)["externalOrganizationId"]) ?? names.externalId(target);
  const msp = isOfMsp ? external_id : names.mspOf(target);
  return { ...nothing, kind: isOfMsp ? "msp" : "customer", external_id, msp };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
