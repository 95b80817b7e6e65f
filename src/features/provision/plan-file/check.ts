import { BulkError } from "../../../write/errors.js";
import { fingerprintOf, isSameValue } from "../../../write/plan/canonical.js";
import type { Failure } from "../../../write/plan/expectations.js";
import type { PlanSource } from "../../../write/plan/read.js";
import { type FailedStep, withSteps } from "../../../write/plan/sorted.js";
import { recordOf } from "../../../write/values.js";
import {
  type Inventory,
  type InventoryContext,
  isMsp,
  type KnownOrganization,
  readInventory,
} from "../inventory.js";
import { namesOf } from "../prune.js";
import { type OrganizationReference, type OrganizationStep, readSteps } from "./read.js";
import { comparedOrganization } from "./steps.js";

/** @throws ClientError */
export async function readConcerned(
  context: InventoryContext,
  steps: readonly OrganizationStep[],
): Promise<Inventory> {
  const named = steps.flatMap(({ step }) => {
    const { externalOrganizationId } = recordOf(step.before);
    return typeof externalOrganizationId === "string" ? [externalOrganizationId] : [];
  });
  const made = new Set(
    steps.flatMap((organizationStep) =>
      organizationStep.op === "create" ? [organizationStep.body.externalOrganizationId] : [],
    ),
  );
  const concerned = new Set<OrganizationReference>();
  for (const organizationStep of steps) {
    if (organizationStep.op === "upsert") concerned.add(organizationStep.msp);
    else if (organizationStep.op !== "create") concerned.add(organizationStep.target);
    else if (organizationStep.body.type === "customer")
      concerned.add(organizationStep.body.parentOrganizationId);
  }
  const mspsOf = (organizations: Inventory["organizations"]) => {
    const all = [...organizations.values()];
    const ids = new Set(all.flatMap(({ id, parentId }) => (concerned.has(id) ? [id, parentId ?? id] : [])));
    return all.filter((organization) => ids.has(organization.id) && isMsp(organization));
  };
  // Pass these organizations as targets, so that they count as deleted only if two readings don't find them.
  const targets = named.filter((externalId) => !made.has(externalId));
  return readInventory(context, { msps: [] }, { targets, findMoreMsps: async (all) => mspsOf(all) });
}

/** @throws BulkError `plan_elsewhere` */
export function assertDistributor(
  { header, id }: Pick<PlanSource, "header" | "id">,
  baseUrl: string,
  { organizations }: Pick<Inventory, "organizations">,
): void {
  const { base_url, anchors } = header.target;
  const hint = "select a different profile with --profile";
  if (base_url !== baseUrl)
    throw new BulkError(
      "plan_elsewhere",
      `plan ${id} is for ${base_url}, but the profile uses ${baseUrl}`,
      hint,
    );
  const ids = new Set([...organizations.values()].map((organization) => organization.id));
  if (anchors.length === 0 || anchors.some((anchor) => ids.has(anchor))) return;
  throw new BulkError(
    "plan_elsewhere",
    `plan ${id} is for another distributor, or its organizations were deleted: no organization with the ID ${anchors.join(" or ")} exists`,
    `${hint}; if the organizations were deleted, create a new plan`,
  );
}

/** Returns the IDs of a distributor's oldest organizations, which identify the distributor. */
export function anchorsIn({ organizations }: Pick<Inventory, "organizations">): string[] {
  return [...organizations.values()].slice(0, anchorsAtMost).map(({ id }) => id);
}
const anchorsAtMost = 6;

/**
 * Yields the unmet preconditions of an organization plan, in step order. Sends only read requests.
 * @throws BulkError `plan_elsewhere`, `plan_damaged`; ClientError
 */
export async function* checkOrganizations(
  plan: PlanSource,
  context: InventoryContext & { baseUrl: string },
): AsyncGenerator<FailedStep, void> {
  const steps = await readSteps(plan);
  const inventory = await readConcerned(context, steps);
  assertDistributor(plan, context.baseUrl, inventory);
  yield* withSteps(plan, failuresIn(steps, inventory));
}

export function failuresIn(steps: readonly OrganizationStep[], inventory: Inventory): Failure[] {
  const state = createState(inventory, steps);
  return steps.flatMap((organizationStep): Failure[] => {
    const failures = [...state.findMissing(organizationStep), ...state.findDifferences(organizationStep)];
    // Report only the first failure: if the organization was deleted, the other failures follow from that.
    return failures.slice(0, 1).map((failure) => ({ step: organizationStep.step.step, ...failure }));
  });
}

type Objection = Omit<Failure, "step">;

function createState(inventory: Inventory, steps: readonly OrganizationStep[]) {
  const { organizations, licenses, unknownLicenses } = inventory;
  const all = [...organizations.values()];
  const byId = new Map(all.map((organization) => [organization.id, organization]));
  const deletedIds = new Set(
    steps.flatMap((organizationStep) =>
      organizationStep.op === "delete" ? [String(organizationStep.target)] : [],
    ),
  );
  const holderOf = (license: string) => all.find((organization) => organization.license === license);
  const nameOf = (id: string) => byId.get(id)?.externalId ?? id;
  const ownerOf = (license: string) =>
    [...licenses].find(([, owned]) => owned.has(license))?.[0] ?? mspIdOf(holderOf(license));

  const targetOf = (organizationStep: OrganizationStep): string | undefined => {
    const reference =
      organizationStep.op === "upsert"
        ? organizationStep.msp
        : organizationStep.op === "create"
          ? organizationStep.body.type === "customer"
            ? organizationStep.body.parentOrganizationId
            : undefined
          : organizationStep.target;
    return typeof reference === "string" ? reference : undefined;
  };

  function* findMissing(organizationStep: OrganizationStep): Generator<Objection, void> {
    const target = targetOf(organizationStep);
    const ids = [
      ...(target === undefined ? [] : [`orgs/${target}`]),
      ...(organizationStep.step.if?.exists ?? []),
    ];
    for (const resourcePath of new Set(ids)) {
      const [resource, id = ""] = [
        resourcePath.slice(0, resourcePath.indexOf("/")),
        resourcePath.slice(resourcePath.indexOf("/") + 1),
      ];
      if (resource === "orgs" && !byId.has(id)) yield { resource: resourcePath, reason: "no longer exists" };
      if (resource !== "licenses") continue;
      const reason = notFree(id, mspIdOf(byId.get(target ?? "")) ?? "");
      if (reason !== undefined) yield { resource: resourcePath, reason };
    }
  }

  const notFree = (license: string, msp: string): string | undefined => {
    const holder = holderOf(license);
    if (holder !== undefined) return `is held by ${holder.externalId}`;
    const owned = licenses.get(msp)?.get(license);
    if (owned?.status === "disabled") return "is disabled";
    return owned === undefined && !unknownLicenses.has(msp) ? "no longer exists" : undefined;
  };

  function* findDifferences({ step, ...details }: OrganizationStep): Generator<Objection, void> {
    const { absent, fields = {}, same, members } = step.if ?? {};
    const { name } = absent ?? {};
    if (name !== undefined && organizations.has(name))
      yield { resource: `orgs/${name}`, reason: "already exists" };
    if (details.op === "create" || details.op === "upsert") {
      const msp = details.op === "upsert" && typeof details.msp === "string" ? details.msp : undefined;
      for (const [license, expected] of Object.entries(fields)) {
        const reason = licenseDifference(license, expected, msp);
        if (reason !== undefined) yield { resource: `licenses/${license}`, reason };
      }
      return;
    }
    const known = byId.get(String(details.target));
    if (known === undefined) return;
    const resourcePath = `orgs/${known.externalId}`;
    const { externalLicenseId: expected } = fields;
    if (
      details.op === "reassign" &&
      "externalLicenseId" in fields &&
      !isSameOrUnknown(expected, known.license)
    )
      yield {
        resource: resourcePath,
        reason: `license: expected ${shown(expected)}, found ${shown(known.license)}`,
      };
    if (same !== undefined) {
      const now = comparedOrganization(known, isMsp(known) ? licenses.get(known.id)?.keys() : []);
      if (fingerprintOf("orgs", now) !== same)
        yield { resource: resourcePath, reason: changedReason(recordOf(step.before), now) };
    }
    if (members !== undefined) {
      const stay = all.filter(({ id, parentId }) => parentId === known.id && !deletedIds.has(id));
      if (stay.length > 0) {
        const names = namesOf(stay.map(({ externalId }) => externalId));
        yield { resource: resourcePath, reason: `has customers that the plan does not delete: ${names}` };
      }
    }
  }

  const licenseDifference = (license: string, expected: unknown, msp: string | undefined) => {
    const now = msp === undefined ? undefined : licenses.get(msp)?.get(license);
    if (expected === null) {
      const owner = now === undefined ? ownerOf(license) : msp;
      // A deleted MSP's licenses are deleted too, so their IDs can be used again.
      return owner === undefined || deletedIds.has(owner) ? undefined : `already belongs to ${nameOf(owner)}`;
    }
    if (now === undefined) return unknownLicenses.has(msp ?? "") ? undefined : "no longer exists";
    const { product, status } = recordOf(expected);
    if (product !== undefined && !isSameOrUnknown(product, now.product))
      return `product: expected ${shown(product)}, found ${shown(now.product)}`;
    return status !== undefined && !isSameOrUnknown(status, now.status)
      ? `status: expected ${shown(status)}, found ${shown(now.status)}`
      : undefined;
  };

  return { findMissing, findDifferences };
}

function mspIdOf(known: KnownOrganization | undefined): string | undefined {
  return known === undefined ? undefined : isMsp(known) ? known.id : known.parentId;
}

/** Returns whether two values are equal. A value that the service doesn't return counts as equal. */
function isSameOrUnknown(expected: unknown, actual: unknown): boolean {
  return actual === undefined || isSameValue(expected, actual);
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
    ? "its licenses were changed after they were read for the plan"
    : `${changed[0]}: expected ${shown(before[changed[0]])}, found ${shown(changed[1])}`;
}
