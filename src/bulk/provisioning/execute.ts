import { organizationId, sentOrganizationId } from "../../client/ids.js";
import {
  conflicting,
  type MspItems,
  organizationDifferences,
  type PlanItem,
  withLicense,
} from "./compare.js";
import { findOrganization, type KnownOrganization } from "./inventory.js";
import type { Log } from "./log.js";
import type { PlannedLicense } from "./plan.js";
import { type Sender, send } from "./send.js";
import { settleLost } from "./settle.js";

/** How often something whose answer was lost is looked for and sent again. */
const maximumTries = 4;

type OrganizationIds = Pick<KnownOrganization, "id" | "sentId">;

export interface Provisioning extends Sender {
  log: Log;
}

/**
 * Creates what is missing, MSP by MSP: the MSP, its licenses, its customers. Cut anywhere and started again it ends in
 * the same tree: external ids are unique (v2.duplicate), so nothing can come twice, and what is there is compared, not
 * created again. A request that the service refuses concerns its own item, and what hangs on it.
 * @param organizations those that are there, by external id
 * @throws the signal's reason, or the ClientError that every further request would meet; it can be gone on with
 */
export async function executePlan(
  run: Provisioning,
  msps: readonly MspItems[],
  organizations: ReadonlyMap<string, OrganizationIds>,
): Promise<void> {
  for (const { planned, msp, licenses, customers } of msps) {
    const { license } = planned;
    const organization =
      msp.action === "create"
        ? await createOrganization(run, msp, {
            type: "msp",
            name: planned.name,
            externalOrganizationId: planned.externalId,
            license: { externalLicenseId: license.id, ...productOf(license) },
          })
        : organizations.get(planned.externalId);
    if (organization === undefined) {
      const reason = `its MSP ${planned.externalId} could not be created`;
      for (const item of [...licenses, ...customers]) {
        if (item.action === "create") run.log.ended(conflicting(item, reason));
      }
      continue;
    }
    const products = new Map(planned.licenses.map((one) => [one.id, one]));
    const ended = await createLicenses(run, organization.id, licenses, products);
    for (const customer of customers) {
      if (customer.action !== "create") continue;
      const item = withLicense(customer, ended);
      if (item.action !== "create") run.log.ended(item);
      else
        await createOrganization(run, item, {
          type: "customer",
          name: item.name,
          parentOrganizationId: organization.sentId,
          externalOrganizationId: item.externalId,
          externalLicenseId: item.license,
        });
    }
  }
}

/** How many requests a plan needs. */
export function writesOf(msps: readonly MspItems[]): number {
  const missing = ({ action }: PlanItem) => action === "create";
  const writes = msps.map(({ msp, licenses, customers }) => {
    return [msp, ...customers].filter(missing).length + (licenses.some(missing) ? 1 : 0);
  });
  return writes.reduce((sum, count) => sum + count, 0);
}

/**
 * Creates one organization, or finds it: after a 409, and after an answer that was lost.
 * @returns its ids; undefined where it can't be created
 */
async function createOrganization(
  run: Provisioning,
  item: PlanItem,
  body: object,
): Promise<OrganizationIds | undefined> {
  const { context, log } = run;
  const find = (isThere: boolean) => findOrganization(context, item.externalId, { isThere });
  let lost = false;
  for (let tries = 1; ; tries += 1) {
    const { data, error } = await send(run, "orgs.create", { body }, log.noting([item]));
    if (error === undefined) {
      // Without an id in the answer it has to be looked for.
      const ids = idsOf(data) ?? (await find(true));
      log.created(item, ids?.id ?? item.externalId);
      return ids;
    }
    if (error.outcome === "unknown") {
      lost = true;
      await settleLost(context, 1);
    } else if (error.status !== 409) {
      log.ended({ ...item, action: "failed", differences: [error.message] });
      return undefined;
    }
    const found = await find(error.status === 409);
    if (found) {
      const planned = { type: item.kind, name: item.name ?? "", license: item.license ?? "" };
      const differences = organizationDifferences(found, planned);
      if (differences.length > 0) log.ended({ ...item, action: "differs", differences });
      else if (lost) log.created(item, found.id);
      else log.exists(item);
      return found;
    }
    if (error.status === 409) {
      log.ended(conflicting(item, error.message));
      return undefined;
    }
    if (tries === maximumTries) throw error;
    log.again([item]);
  }
}

/**
 * Adds the missing licenses of an MSP by one request; one by one where one of them is refused.
 * @returns all of them as they ended
 */
async function createLicenses(
  run: Provisioning,
  organizationId: string,
  items: readonly PlanItem[],
  planned: ReadonlyMap<string, PlannedLicense>,
): Promise<PlanItem[]> {
  const { context, log } = run;
  const ended = new Map<string, PlanItem>();
  const upsert = async (part: readonly [PlanItem, ...PlanItem[]]): Promise<void> => {
    const licenses = part.map(({ externalId }) => ({
      externalLicenseId: externalId,
      ...productOf(planned.get(externalId)),
    }));
    for (let tries = 1; ; tries += 1) {
      const input = { path: { organizationId }, body: { licenses } };
      const { error } = await send(run, "licenses.upsert", input, log.noting(part));
      if (error === undefined) {
        for (const item of part) log.created(item, item.externalId);
        return;
      }
      if (error.outcome === "unknown") {
        // An upsert may be sent twice: the second changes nothing.
        if (tries === maximumTries) throw error;
        await settleLost(context, 1);
        log.again(part);
        continue;
      }
      const [only, ...others] = part;
      if (others.length > 0) {
        log.again(part);
        for (const one of part) await upsert([one]);
        return;
      }
      const isConflict = error.status === 409;
      const item: PlanItem = isConflict
        ? conflicting(only, error.message)
        : { ...only, action: "failed", differences: [error.message] };
      ended.set(only.externalId, item);
      log.ended(item);
      return;
    }
  };
  const [first, ...others] = items.filter((item) => item.action === "create");
  if (first) await upsert([first, ...others]);
  return items.map((item) => ended.get(item.externalId) ?? item);
}

function idsOf(data: unknown): OrganizationIds | undefined {
  const id = organizationId(data);
  return id === undefined ? undefined : { id, sentId: sentOrganizationId(data) };
}

function productOf(license: PlannedLicense | undefined): { product?: string } {
  return license?.product === undefined ? {} : { product: license.product };
}
