import type { PlanStep } from "../../../write/plan/format.js";
import { recordOf } from "../../../write/values.js";
import type { PlanItem } from "../compare.js";
import { type Inventory, isMsp } from "../inventory.js";
import type { OrderedItem } from "../steps.js";
import type { OrganizationReference, OrganizationStep } from "./read.js";

/** The `line` of each organization and license is the number of its step. */
export function itemsInSteps(
  steps: readonly OrganizationStep[],
  inventory: Inventory,
): Map<OrderedItem, PlanStep> {
  const names = createNames(steps, inventory);
  return new Map(
    steps.flatMap((organizationStep) => {
      const { step } = organizationStep;
      return partsOf(organizationStep, inventory, names).map(({ item, target }) => [
        { item, target, line: step.step },
        step,
      ]);
    }),
  );
}

type StepPart = Pick<OrderedItem, "item" | "target">;

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

const nothing = { name: null, license: null, product: null, differences: [], remedies: [] };

function partsOf(organizationStep: OrganizationStep, inventory: Inventory, names: Names): StepPart[] {
  const { step } = organizationStep;
  const before = recordOf(step.before);
  switch (organizationStep.op) {
    case "create":
      return [{ item: createdItem(organizationStep, names), target: undefined }];
    case "upsert":
      return licenseParts(organizationStep, inventory, names);
    case "reassign": {
      const { license, target } = organizationStep;
      const from = { license: textOf(before["externalLicenseId"]) };
      const item = { ...organizationOf(organizationStep, names), license, change: { license }, from };
      return [{ item: { ...item, action: "change" }, target: String(target) }];
    }
    case "delete": {
      const named = { name: textOf(before["name"]), license: textOf(before["externalLicenseId"]) };
      const item = { ...organizationOf(organizationStep, names), ...named };
      return [{ item: { ...item, action: "delete" }, target: String(organizationStep.target) }];
    }
  }
}

type StepOf<Op extends OrganizationStep["op"]> = Extract<OrganizationStep, { op: Op }>;

function createdItem({ body }: StepOf<"create">, names: Names): PlanItem {
  const { type, name, externalOrganizationId: externalId } = body;
  const created = { ...nothing, action: "create", type, externalId, name } as const;
  if (body.type === "customer")
    return { ...created, msp: names.externalId(body.parentOrganizationId), license: body.externalLicenseId };
  const { externalLicenseId: license, product = null } = body.license;
  names.made.add(license);
  return { ...created, msp: externalId, license, product };
}

function licenseParts(
  { step, msp: reference, body }: StepOf<"upsert">,
  { licenses }: Inventory,
  names: Names,
): StepPart[] {
  const msp = names.externalId(reference);
  const owned = licenses.get(String(reference));
  const former = recordOf(recordOf(step.before)["licenses"]);
  return body.licenses.map(({ externalLicenseId: externalId, product, status }): StepPart => {
    const seen = former[externalId] ?? step.if?.fields?.[externalId];
    const existing = owned?.get(externalId);
    const isKnown = existing !== undefined || names.made.has(externalId);
    const license = { ...nothing, type: "license", externalId, msp } as const;
    const change = { ...(product !== undefined && { product }), ...(status !== undefined && { status }) };
    if (seen === null || (seen === undefined && !isKnown)) {
      names.made.add(externalId);
      const created = { ...license, product: product ?? null, ...(status !== undefined && { change }) };
      return { item: { ...created, action: "create" }, target: undefined };
    }
    const was = { ...existing, ...recordOf(seen) };
    const from = {
      ...(product === undefined ? {} : { product: textOf(was["product"]) }),
      ...(status === undefined ? {} : { status: textOf(was["status"]) ?? "available" }),
    };
    return { item: { ...license, action: "change", change, from }, target: externalId };
  });
}

function organizationOf({ step, target }: StepOf<"reassign" | "delete">, names: Names) {
  const isOfMsp = names.isMsp(target) ?? recordOf(step.before)["type"] === "msp";
  const externalId = textOf(recordOf(step.before)["externalOrganizationId"]) ?? names.externalId(target);
  const msp = isOfMsp ? externalId : names.mspOf(target);
  return { ...nothing, type: isOfMsp ? "msp" : "customer", externalId, msp } as const;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
