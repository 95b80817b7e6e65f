import { ClientError } from "../../client/errors.js";
import type { CallOptions, Client, Turn } from "../../client/types.js";
import {
  conflicting,
  type MspItems,
  organizationDifferences,
  type PlanItem,
  withLicense,
} from "./compare.js";
import { findOrganization, organizationOf } from "./inventory.js";
import type { PlannedLicense } from "./plan.js";

/** How often something whose answer was lost is looked for and sent again. */
const maximumTries = 4;

export interface ProvisionListener {
  /** Something that was to be created is there now, turned out to differ, or can't be created. */
  settled(item: PlanItem, result: "created" | "exists" | "differs" | "conflicts"): void;
}

interface Run {
  client: Client;
  options: CallOptions;
  listener: ProvisionListener;
  /** The place of the next write under the limit: other commands find room beside it. */
  turn(): Promise<Turn>;
}

/**
 * Creates what is missing, MSP by MSP: the MSP, its licenses, its customers. Cut anywhere and started again it ends in
 * the same tree: external ids are unique (v2.duplicate), so nothing can come twice, and what is there is compared, not
 * created again. Answers the items as they ended.
 * @throws ClientError what the service refuses for another reason than a conflict
 */
export async function executePlan(
  client: Client,
  msps: readonly MspItems[],
  inventoryIds: ReadonlyMap<string, string>,
  options: CallOptions,
  listener: ProvisionListener,
): Promise<PlanItem[]> {
  const { signal, maxWaitMilliseconds } = options;
  const pace = client.paced("orgs.create", { expected: writesOf(msps) });
  const run: Run = { client, options, listener, turn: () => pace.turn({ signal, maxWaitMilliseconds }) };
  const items: PlanItem[] = [];
  for (const { planned, msp, licenses, customers } of msps) {
    let id = inventoryIds.get(planned.externalId);
    let mspItem = msp;
    if (msp.action === "create") {
      const { license } = planned;
      const created = await createOrganization(run, msp, {
        type: "msp",
        name: planned.name,
        externalOrganizationId: planned.externalId,
        license: { externalLicenseId: license.id, ...productOf(license) },
      });
      id = created.id;
      mspItem = created.item;
    }
    items.push(mspItem);
    if (id === undefined) {
      const reason = `its MSP ${planned.externalId} could not be created`;
      for (const item of [...licenses, ...customers]) {
        items.push(item.action === "create" ? settleConflict(run, item, reason) : item);
      }
      continue;
    }
    const products = new Map(planned.licenses.map((license) => [license.id, license]));
    const ended = await createLicenses(run, id, licenses, products);
    items.push(...ended);
    for (const customer of customers) {
      const item = withLicense(customer, ended);
      if (item.action === "conflicts" && customer.action === "create")
        run.listener.settled(item, "conflicts");
      if (item.action !== "create") {
        items.push(item);
        continue;
      }
      const created = await createOrganization(run, item, {
        type: "customer",
        name: item.name,
        parentOrganizationId: id,
        externalOrganizationId: item.externalId,
        externalLicenseId: item.license,
      });
      items.push(created.item);
    }
  }
  return items;
}

function writesOf(msps: readonly MspItems[]): number {
  const missing = ({ action }: PlanItem) => action === "create";
  const writes = msps.map(({ msp, licenses, customers }) => {
    return [msp, ...customers].filter(missing).length + (licenses.some(missing) ? 1 : 0);
  });
  return writes.reduce((sum, count) => sum + count, 0);
}

/** Tells the listener why something can't be created. */
function settleConflict(run: Run, item: PlanItem, reason: string): PlanItem {
  const settled = conflicting(item, reason);
  run.listener.settled(settled, "conflicts");
  return settled;
}

/** Creates one organization, or finds it: after a 409, and after an answer that was lost. */
async function createOrganization(
  run: Run,
  item: PlanItem,
  body: object,
): Promise<{ item: PlanItem; id: string | undefined }> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { data } = await run.client.call(
        "orgs.create",
        { body },
        { ...run.options, turn: await run.turn() },
      );
      run.listener.settled(item, "created");
      // Without an id in the answer it has to be looked for.
      const id =
        organizationOf(data)?.id ?? (await findOrganization(run.client, item.externalId, run.options))?.id;
      return { item, id };
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      const conflict = error.status === 409;
      const lost = error.outcome === "unknown";
      if (!conflict && !lost) throw error;
      const found = await findOrganization(run.client, item.externalId, run.options);
      if (found) {
        const planned = { type: item.kind, name: item.name ?? "", license: item.license ?? "" };
        const differences = organizationDifferences(found, planned);
        if (differences.length > 0) {
          const differing: PlanItem = { ...item, action: "differs", differences };
          run.listener.settled(differing, "differs");
          return { item: differing, id: found.id };
        }
        run.listener.settled(item, lost ? "created" : "exists");
        return { item: lost ? item : { ...item, action: "exists" }, id: found.id };
      }
      if (conflict) return { item: settleConflict(run, item, error.message), id: undefined };
      if (tries === maximumTries) throw error;
    }
  }
}

/** Adds the missing licenses of an MSP by one request; one by one where a conflict says that one of them can't be. */
async function createLicenses(
  run: Run,
  organizationId: string,
  items: readonly PlanItem[],
  planned: ReadonlyMap<string, PlannedLicense>,
): Promise<PlanItem[]> {
  const missing = items.filter((item) => item.action === "create");
  const conflicts = new Map<string, string>();
  const upsert = async (part: readonly PlanItem[]): Promise<void> => {
    const licenses = part.map(({ externalId }) => ({
      externalLicenseId: externalId,
      ...productOf(planned.get(externalId)),
    }));
    for (let tries = 1; ; tries += 1) {
      try {
        await run.client.call(
          "licenses.upsert",
          { path: { organizationId }, body: { licenses } },
          { ...run.options, turn: await run.turn() },
        );
        return;
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        if (error.status === 409) {
          const [only, ...others] = part;
          if (only && others.length === 0) conflicts.set(only.externalId, error.message);
          else for (const one of part) await upsert([one]);
          return;
        }
        // An upsert may be sent twice: the second changes nothing.
        if (error.outcome !== "unknown" || tries === maximumTries) throw error;
      }
    }
  };
  if (missing.length > 0) await upsert(missing);
  return items.map((item) => {
    if (item.action !== "create") return item;
    const conflict = conflicts.get(item.externalId);
    if (conflict !== undefined) return settleConflict(run, item, conflict);
    run.listener.settled(item, "created");
    return item;
  });
}

function productOf(license: PlannedLicense | undefined): { product?: string } {
  return license?.product === undefined ? {} : { product: license.product };
}
