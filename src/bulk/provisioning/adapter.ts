import { organizationId, sentOrganizationId } from "../../client/ids.js";
import type { RunAdapter } from "../engine/adapter.js";
import type { RunContext } from "../engine/context.js";
import { failureDetail } from "../engine/judgement.js";
import { resend } from "../engine/requeue.js";
import { type Item, isFinal, type Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { comparePlan, organizationDifferences, type PlanItem } from "./compare.js";
import {
  findOrganization,
  type Inventory,
  idsIn,
  type KnownOrganization,
  readInventory,
} from "./inventory.js";
import { itemsIn, newItemsOf, planItemOf, refreshItems } from "./items.js";
import type { ProvisionPlan } from "./plan.js";

/**
 * Creates what is missing, in the plan's order: an MSP, its licenses, its customers. Cut anywhere and started again it
 * ends in the same tree: external ids are unique (v2.duplicate), so nothing can come twice, and what is there is
 * compared, not created again. A request that the service refuses concerns its own item, and what needs it.
 */
export function provisioningAdapter(
  context: RunContext,
  journal: Journal,
  plan: ProvisionPlan,
  known?: Inventory,
): RunAdapter {
  let last = known;
  /** The ids of organizations as they came: some services take numbers back as numbers only (T9). */
  const sentIds = new Map<string, unknown>();
  const see = ({ id, sentId }: Pick<KnownOrganization, "id" | "sentId">) => void sentIds.set(id, sentId);
  known?.organizations.forEach(see);
  const numbers = new Map<string, number>();
  for (const item of itemsIn(journal)) numbers.set(keyOf(planItemOf(item)), item.number);
  const itemOf = (type: string, externalId: string) =>
    journal.item(numbers.get(`${type} ${externalId}`) ?? 0);
  /** Undefined for an MSP, which needs none. */
  const mspOf = ({ kind, msp }: PlanItem) => (kind === "msp" ? undefined : itemOf("organization", msp));
  const licenseOf = ({ kind, license }: PlanItem) =>
    kind === "customer" && license !== null ? itemOf("license", license) : undefined;
  const now = async () => {
    // T4a: what the run has made is gone only when that is proven.
    const targets = [...itemsIn(journal)]
      .filter(({ state }) => state === "done")
      .map(planItemOf)
      .filter(({ kind }) => kind !== "license")
      .map(({ externalId }) => externalId);
    last = await readInventory(context, plan, { targets, earlier: last });
    last.organizations.forEach(see);
    return newItemsOf(comparePlan(plan, last).msps, idsIn(last));
  };
  return {
    paces: "orgs.create",
    width: 1,
    plannedRequests: () => requestsOf(journal),
    // In the plan's order: the service shows organizations in the order in which they were created.
    needs: ({ number }) => [number - 1],
    batchKey: (item) => {
      const planned = planItemOf(item);
      return planned.kind === "license" ? planned.msp : undefined;
    },
    decided(item) {
      const planned = planItemOf(item);
      return blockedResult(item, planned, mspOf(planned), licenseOf(planned));
    },
    request: (batch) => {
      const planned = batch.map(planItemOf);
      const [first] = planned;
      const mspId = (first && mspOf(first)?.target) ?? "";
      if (first?.kind === "license") {
        const licenses = planned.map(({ externalId, product }) => ({
          externalLicenseId: externalId,
          ...(product === null ? {} : { product }),
        }));
        return {
          operation: "licenses.upsert",
          input: { path: { organizationId: mspId }, body: { licenses } },
        };
      }
      return {
        operation: "orgs.create",
        input: { body: first && bodyOf(first, sentIds.get(mspId) ?? mspId) },
      };
    },
    answered(item, data) {
      const id = organizationId(data);
      if (id !== undefined) see({ id, sentId: sentOrganizationId(data) });
      return answered(item, id, data);
    },
    async refused(item, error) {
      const { number } = item;
      const planned = planItemOf(item);
      if (error.status === 409 && planned.kind !== "license") {
        const found = await findOrganization(context, planned.externalId, { isThere: true });
        if (found !== undefined) {
          see(found);
          return foundResult(item, planned, found);
        }
      }
      const outcome = error.status === 409 ? "conflicts" : "failed";
      return { number, state: "rejected", outcome, detail: failureDetail(error) };
    },
    async lookUp() {
      // T5a: the same once more tells. External ids are unique: a conflict proves that it is there.
      for (const item of itemsIn(journal)) {
        if (item.state === "unknown" && !isFinal(item)) journal.record([resend(item)], []);
      }
    },
    compareAgain: async () => refreshItems(journal, await now()),
  };
}

/** External ids and license ids are unique each in their type (v2.duplicate). */
function keyOf({ kind, externalId }: PlanItem): string {
  return `${kind === "license" ? "license" : "organization"} ${externalId}`;
}

function bodyOf({ kind: type, name, externalId, license, product }: PlanItem, msp: unknown): object {
  if (type === "customer") {
    return {
      type,
      name,
      parentOrganizationId: msp,
      externalOrganizationId: externalId,
      externalLicenseId: license,
    };
  }
  return {
    type,
    name,
    externalOrganizationId: externalId,
    license: { externalLicenseId: license, ...(product === null ? {} : { product }) },
  };
}

function answered(item: Item, id: string | undefined, data: unknown): Result {
  const { number } = item;
  const { kind, externalId } = planItemOf(item);
  const target = kind === "license" ? externalId : id;
  // Without an id in the answer it has to be looked for.
  return target === undefined
    ? { number, state: "unknown", detail: { reason: "the answer holds no id" } }
    : { number, state: "done", target, ...(kind === "license" ? {} : { answer: data }) };
}

/** An organization that is there after its create was refused. */
function foundResult({ number, attempts }: Item, planned: PlanItem, found: KnownOrganization): Result {
  const differences = organizationDifferences(found, {
    type: planned.kind,
    name: planned.name ?? "",
    license: planned.license ?? "",
  });
  const target = found.id;
  if (differences.length > 0) {
    const detail = { reason: differences.join("; ") };
    return { number, state: "skipped", outcome: "differs", detail, target };
  }
  // Without an earlier request that was lost it was made by another user: an undo must not take it for the run's.
  return attempts > 0
    ? { number, state: "done", target }
    : { number, state: "skipped", outcome: "exists", detail: undefined, target };
}

/** The result of an item whose MSP or license could not be created. */
function blockedResult(
  { number }: Item,
  planned: PlanItem,
  msp: Item | undefined,
  license: Item | undefined,
): Result | undefined {
  const conflicts = (one: Item | undefined) => one?.outcome === "conflicts";
  const reason =
    msp?.state === "rejected" || conflicts(msp)
      ? `its MSP ${planned.msp} could not be created`
      : conflicts(license)
        ? `its license ${planned.license} can't be created`
        : undefined;
  return reason === undefined
    ? undefined
    : { number, state: "rejected", outcome: "conflicts", detail: { reason } };
}

/** How many requests are planned: the licenses of an MSP share one. */
function requestsOf(journal: Journal): number {
  const planned = [...itemsIn(journal)].filter(({ state }) => state === "planned").map(planItemOf);
  const organizations = planned.filter(({ kind }) => kind !== "license");
  const msps = new Set(planned.filter(({ kind }) => kind === "license").map(({ msp }) => msp));
  return organizations.length + msps.size;
}
