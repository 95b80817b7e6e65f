/** Holds the expectations of a plan of organizations against what is there. */
import { BulkError } from "../../errors.js";
import { fingerprintOf, isSameValue } from "../../plan/canonical.js";
import type { Failure } from "../../plan/expectations.js";
import type { Plan } from "../../plan/read.js";
import { recordOf } from "../../values.js";
import {
  type Inventory,
  type InventoryContext,
  type KnownOrganization,
  readInventory,
} from "../inventory.js";
import { isMsp, namesOf } from "../prune.js";
import { type OrganizationReference, type OrganizationStep, readSteps } from "./read.js";
import { comparedOrganization } from "./steps.js";

/**
 * Reads what the steps depend on: the organizations, and the licenses of the MSPs concerned.
 * @throws ClientError
 */
export async function readConcerned(
  context: InventoryContext,
  steps: readonly OrganizationStep[],
): Promise<Inventory> {
  const named = steps.flatMap(({ step }) => {
    const { externalOrganizationId } = recordOf(step.before);
    return typeof externalOrganizationId === "string" ? [externalOrganizationId] : [];
  });
  const made = new Set(
    steps.flatMap((one) => (one.op === "create" ? [one.body.externalOrganizationId] : [])),
  );
  const concerned = new Set<OrganizationReference>();
  for (const one of steps) {
    if (one.op === "upsert") concerned.add(one.msp);
    else if (one.op !== "create") concerned.add(one.target);
    else if (one.body.type === "customer") concerned.add(one.body.parentOrganizationId);
  }
  const mspsOf = (organizations: Inventory["organizations"]) => {
    const all = [...organizations.values()];
    const ids = new Set(all.flatMap(({ id, parentId }) => (concerned.has(id) ? [id, parentId ?? id] : [])));
    return all.filter((one) => ids.has(one.id) && isMsp(one));
  };
  // T4a: what is to be there is missing only when that is proven.
  const targets = named.filter((externalId) => !made.has(externalId));
  return readInventory(context, { msps: [] }, { targets, others: async (all) => mspsOf(all) });
}

/**
 * A1: a plan is for one service, and for one distributor, which some of the organizations tell.
 * @throws BulkError `plan_elsewhere`
 */
export function assertDistributor(
  { header, id }: Pick<Plan, "header" | "id">,
  baseUrl: string,
  { organizations }: Pick<Inventory, "organizations">,
): void {
  const { base_url, anchors } = header.target;
  const hint = "--profile names another one";
  if (base_url !== baseUrl)
    throw new BulkError(
      "plan_elsewhere",
      `the plan ${id} is for ${base_url}, and the profile leads to ${baseUrl}`,
      hint,
    );
  const ids = new Set([...organizations.values()].map((one) => one.id));
  if (anchors.length === 0 || anchors.some((anchor) => ids.has(anchor))) return;
  throw new BulkError(
    "plan_elsewhere",
    `the plan ${id} is for another distributor, or for one whose organizations were deleted since: none of those that it is known by (${anchors.join(", ")}) is there`,
    `${hint}; if they were deleted, make a new plan`,
  );
}

/** The oldest organizations, by which a distributor is known again. */
export function anchorsIn({ organizations }: Pick<Inventory, "organizations">): string[] {
  return [...organizations.values()].slice(0, anchorsAtMost).map(({ id }) => id);
}
const anchorsAtMost = 6;

/**
 * Tests the preconditions of a plan of organizations; sends reads only.
 * @returns those that don't hold, in the order of the steps
 * @throws BulkError `plan_elsewhere`, `plan_damaged`; ClientError
 */
export async function* checkOrganizations(
  plan: Plan,
  context: InventoryContext & { baseUrl: string },
): AsyncGenerator<Failure, void> {
  const steps = await readSteps(plan);
  const inventory = await readConcerned(context, steps);
  assertDistributor(plan, context.baseUrl, inventory);
  yield* failuresIn(steps, inventory);
}

/** The preconditions that don't hold, in the order of the steps. */
export function failuresIn(steps: readonly OrganizationStep[], inventory: Inventory): Failure[] {
  const state = createState(inventory, steps);
  return steps.flatMap((one): Failure[] => {
    const failures = [...state.missing(one), ...state.otherwise(one)];
    // Whatever else is to be said of a thing that is gone.
    return failures.slice(0, 1).map((failure) => ({ step: one.step.step, ...failure }));
  });
}

type Objection = Omit<Failure, "step">;

function createState(inventory: Inventory, steps: readonly OrganizationStep[]) {
  const { organizations, licenses, unknownLicenses } = inventory;
  const all = [...organizations.values()];
  const byId = new Map(all.map((one) => [one.id, one]));
  const goes = new Set(steps.flatMap((one) => (one.op === "delete" ? [String(one.target)] : [])));
  const holderOf = (license: string) => all.find((one) => one.license === license);
  const nameOf = (id: string) => byId.get(id)?.externalId ?? id;
  const ownerOf = (license: string) =>
    [...licenses].find(([, owned]) => owned.has(license))?.[0] ?? mspIdOf(holderOf(license));

  /** The organization of a step, where that is there before the plan. */
  const targetOf = (one: OrganizationStep): string | undefined => {
    const reference =
      one.op === "upsert"
        ? one.msp
        : one.op === "create"
          ? one.body.type === "customer"
            ? one.body.parentOrganizationId
            : undefined
          : one.target;
    return typeof reference === "string" ? reference : undefined;
  };

  function* missing(one: OrganizationStep): Generator<Objection, void> {
    const target = targetOf(one);
    const ids = [...(target === undefined ? [] : [`orgs/${target}`]), ...(one.step.if?.exists ?? [])];
    for (const thing of new Set(ids)) {
      const [resource, id = ""] = [thing.slice(0, thing.indexOf("/")), thing.slice(thing.indexOf("/") + 1)];
      if (resource === "orgs" && !byId.has(id)) yield { thing, reason: "is gone" };
      if (resource !== "licenses") continue;
      const reason = notFree(id, mspIdOf(byId.get(target ?? "")) ?? "");
      if (reason !== undefined) yield { thing, reason };
    }
  }

  /** Why a license of an MSP can't be given to an organization. */
  const notFree = (license: string, msp: string): string | undefined => {
    const holder = holderOf(license);
    if (holder !== undefined) return `is held by ${holder.externalId}`;
    const owned = licenses.get(msp)?.get(license);
    if (owned?.status === "disabled") return "is disabled";
    return owned === undefined && !unknownLicenses.has(msp) ? "is gone" : undefined;
  };

  function* otherwise({ step, ...one }: OrganizationStep): Generator<Objection, void> {
    const { absent, fields = {}, same, members } = step.if ?? {};
    const { name } = absent ?? {};
    if (name !== undefined && organizations.has(name))
      yield { thing: `orgs/${name}`, reason: "is there already" };
    if (one.op === "create" || one.op === "upsert") {
      const msp = one.op === "upsert" && typeof one.msp === "string" ? one.msp : undefined;
      for (const [license, expected] of Object.entries(fields)) {
        const reason = licenseDifference(license, expected, msp);
        if (reason !== undefined) yield { thing: `licenses/${license}`, reason };
      }
      return;
    }
    const known = byId.get(String(one.target));
    if (known === undefined) return;
    const thing = `orgs/${known.externalId}`;
    const { externalLicenseId: expected } = fields;
    if (one.op === "reassign" && "externalLicenseId" in fields && !isSameOrUnknown(expected, known.license))
      yield { thing, reason: `license: expected ${shown(expected)}, found ${shown(known.license)}` };
    if (same !== undefined) {
      const now = comparedOrganization(known, isMsp(known) ? licenses.get(known.id)?.keys() : []);
      if (fingerprintOf("orgs", now) !== same)
        yield { thing, reason: changedReason(recordOf(step.before), now) };
    }
    if (members !== undefined) {
      const stay = all.filter(({ id, parentId }) => parentId === known.id && !goes.has(id));
      if (stay.length > 0) {
        const names = namesOf(stay.map(({ externalId }) => externalId));
        yield { thing, reason: `has customers that the plan does not delete: ${names}` };
      }
    }
  }

  const licenseDifference = (license: string, expected: unknown, msp: string | undefined) => {
    const now = msp === undefined ? undefined : licenses.get(msp)?.get(license);
    if (expected === null) {
      const owner = now === undefined ? ownerOf(license) : msp;
      // An MSP that the plan deletes takes its licenses with it.
      return owner === undefined || goes.has(owner) ? undefined : `is there already, of ${nameOf(owner)}`;
    }
    if (now === undefined) return unknownLicenses.has(msp ?? "") ? undefined : "is gone";
    const { product, status } = recordOf(expected);
    if (product !== undefined && !isSameOrUnknown(product, now.product))
      return `product: expected ${shown(product)}, found ${shown(now.product)}`;
    return status !== undefined && !isSameOrUnknown(status, now.status)
      ? `status: expected ${shown(status)}, found ${shown(now.status)}`
      : undefined;
  };

  return { missing, otherwise };
}

function mspIdOf(known: KnownOrganization | undefined): string | undefined {
  return known === undefined ? undefined : isMsp(known) ? known.id : known.parentId;
}

/** T10: what the service does not show can't differ. */
function isSameOrUnknown(expected: unknown, found: unknown): boolean {
  return found === undefined || isSameValue(expected, found);
}

function shown(value: unknown): string {
  return JSON.stringify(value ?? null);
}

function changedReason(
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
): string {
  const { licenses: _, ...fields } = now;
  const changed = Object.entries(fields).find(([field, value]) => !isSameValue(before[field], value));
  return changed === undefined
    ? "its licenses are others since the plan was made"
    : `${changed[0]}: expected ${shown(before[changed[0]])}, found ${shown(changed[1])}`;
}
