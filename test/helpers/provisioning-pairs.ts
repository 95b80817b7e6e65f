import { seededDraw } from "../../src/base/random.js";
import type { Plan } from "./provisioning.js";

export interface NamedPlan {
  name: string;
  msps: (Plan["msps"][number] & { licenses: { id: string; product: string; status?: string }[] })[];
}

/**
 * Two specs share some resources, because both select them from a small set. Each MSP has a spare license, so
 * that two of its customers can swap licenses.
 */
export function createRandomPlan(seed: number, which: string): NamedPlan {
  const draw = (name: string, number: number) => seededDraw(seed, `${which} ${name}`, number);
  const msps: NamedPlan["msps"] = [];
  for (let index = 0; index < 3; index += 1) {
    if (draw("msp", index) < 0.25 && (index < 2 || msps.length > 0)) continue;
    const id = (license: number) => `m${index}-l${license}`;
    const licenses = [0, 1, 2, 3, 4, 5].filter((license) => draw("license", index * 10 + license) < 0.8);
    const free = [...licenses];
    const take = (name: string, number: number) =>
      free.splice(Math.floor(draw(name, number) * free.length), 1)[0];
    // No customer gets this license.
    const spare = take("spare", index);
    const customers: NamedPlan["msps"][number]["customers"] = [];
    for (let customer = 0; customer < 4; customer += 1) {
      if (draw("customer", index * 10 + customer) < 0.35) continue;
      const license = take("holds", index * 10 + customer);
      if (license === undefined) continue;
      customers.push({
        external_id: `m${index}-c${customer}`,
        name: `Customer ${customer}`,
        license: id(license),
      });
    }
    msps.push({
      external_id: `m${index}`,
      name: `MSP ${index}`,
      license: { id: `m${index}-base`, product: draw("base", index) < 0.5 ? "MSP" : "MSP Plus" },
      licenses: licenses.map((license) => ({
        id: id(license),
        product: draw("product", index * 10 + license) < 0.5 ? "Seat" : "Premium",
        ...(license !== spare && free.includes(license) && draw("disabled", index * 10 + license) < 0.3
          ? { status: "disabled" }
          : {}),
      })),
      customers,
    });
  }
  const [first] = msps;
  if (first === undefined) return createRandomPlan(seed + 1000, which);
  return { name: "pairs", msps };
}

interface Tree {
  externalId: string;
  name: string;
  license: string;
  customers: { externalId: string; name: string; license: string }[];
  licenses: { id: string; product: string; status: string }[];
}

const compareById = (left: { externalId?: string; id?: string }, right: typeof left) =>
  (left.externalId ?? left.id ?? "") < (right.externalId ?? right.id ?? "") ? -1 : 1;

export function sortTrees(tree: readonly Tree[]): Tree[] {
  return tree
    .map((msp) => ({
      ...msp,
      customers: msp.customers.toSorted(compareById),
      licenses: msp.licenses.toSorted(compareById),
    }))
    .toSorted(compareById);
}

/** Returns the resources that must exist after an apply of the spec. Additional resources are allowed. */
export function toExpectedTree(plan: NamedPlan): Tree[] {
  return plan.msps.map((msp) => {
    const held = new Set([msp.license.id, ...msp.customers.map(({ license }) => license)]);
    return {
      externalId: msp.external_id,
      name: msp.name,
      license: msp.license.id,
      customers: msp.customers.map(({ external_id, name, license }) => ({
        externalId: external_id,
        name,
        license,
      })),
      licenses: [{ ...msp.license, status: undefined }, ...msp.licenses].map(({ id, product, status }) => ({
        id,
        product,
        status: status ?? (held.has(id) ? "assigned" : "available"),
      })),
    };
  });
}

/**
 * Removes a tree's licenses that are not in the spec. `usable` lists removed licenses that are not disabled.
 */
export function removeRetired(tree: readonly Tree[], plan: NamedPlan): { tree: Tree[]; usable: string[] } {
  const planned = new Set(
    plan.msps.flatMap(({ license, licenses }) => [license, ...licenses].map(({ id }) => id)),
  );
  const retired = tree.flatMap(({ licenses }) => licenses.filter(({ id }) => !planned.has(id)));
  return {
    tree: tree.map((msp) => ({ ...msp, licenses: msp.licenses.filter(({ id }) => planned.has(id)) })),
    usable: retired.filter(({ status }) => status !== "disabled").map(({ id }) => id),
  };
}
