import type { Clock } from "../../base/clock.js";
import { isFields } from "../../base/fields.js";
import { ClientError } from "../../client/errors.js";
import { idText, organizationId, sentOrganizationId } from "../../client/ids.js";
import { organizationsInTree } from "../../client/organization-tree.js";
import type { Client } from "../../client/types.js";
import type { OrganizationSpec } from "./organization-spec.js";

/** Fields of an organization. A field is undefined if the service doesn't return it. */
export interface KnownOrganization {
  id: string;
  /** The ID exactly as the service returned it, because some services accept numeric IDs only as numbers. */
  sentId: unknown;
  externalId: string;
  type: string | undefined;
  name: string | undefined;
  parentId: string | undefined;
  /** License of the organization; null if the organization has none. */
  license: string | null | undefined;
  status: string | undefined;
}

export interface KnownLicense {
  id: string;
  /** Product of the license; null if the license has none. */
  product: string | null | undefined;
  status: string | undefined;
}

export interface Inventory {
  /** All organizations by external ID, because an organization outside the spec may hold a license. */
  organizations: Map<string, KnownOrganization>;
  /** Licenses of the spec's existing MSPs, by MSP ID and license ID; of all MSPs if the spec has new licenses. */
  licenses: Map<string, Map<string, KnownLicense>>;
  /** IDs of MSPs whose billing summary has no list of licenses. Only their licenses in use are known. */
  unknownLicenses: Set<string>;
  tree: Tree;
}

interface Tree {
  /** Time at which the tree was requested, on the service's clock. */
  readAt: number;
  ids: ReadonlySet<string>;
}

export interface InventoryContext {
  client: Client;
  /** Clock of the service. */
  clock: Clock;
  signal: AbortSignal;
  /** Milliseconds that can pass until a list shows a write. */
  readonly settleMilliseconds: number;
  listener?: { rereading?: ((milliseconds: number, because: string) => void) | undefined } | undefined;
}

/**
 * Minimum time between two readings of the tree, because all requests with the same key share one rate limit.
 */
const treeIntervalMilliseconds = 60_000;

/**
 * @param targets external IDs of organizations that count as deleted only if two readings don't find them
 * @param earlier earlier reading in the same run, whose tree can be reused for up to a minute
 * @param findMoreMsps returns further MSPs whose licenses to read
 * @throws ClientError `incomplete_list` if the list lacks organizations of the tree even when read again
 */
export async function readInventory(
  context: InventoryContext,
  spec: OrganizationSpec,
  {
    targets = [],
    earlier,
    findMoreMsps,
  }: {
    targets?: readonly string[];
    earlier?: Inventory | undefined;
    findMoreMsps?:
      | ((organizations: Inventory["organizations"]) => Promise<readonly KnownOrganization[]>)
      | undefined;
  } = {},
): Promise<Inventory> {
  const { organizations, tree } = await readOrganizations(context, targets, earlier?.tree);
  const licenses = new Map<string, Map<string, KnownLicense>>();
  const unknownLicenses = new Set<string>();
  const planned = spec.msps.flatMap(({ externalId }) => organizations.get(externalId) ?? []);
  const add = (known: KnownOrganization, owned: Map<string, KnownLicense> | undefined) => {
    licenses.set(known.id, owned ?? heldLicenses(known, organizations));
    if (owned === undefined) unknownLicenses.add(known.id);
  };
  for (const known of [...planned, ...((await findMoreMsps?.(organizations)) ?? [])]) {
    if ((known.type ?? "msp") === "msp") add(known, await readLicenses(context, known.id));
  }
  // A license that the spec adds may already belong to an MSP outside the spec (D-v2-create).
  if (!hasNewLicenses(spec, organizations, licenses))
    return { organizations, licenses, unknownLicenses, tree };
  for (const known of organizations.values()) {
    if (licenses.has(known.id) || !isMsp(known)) continue;
    // Creating an MSP doesn't require the permission to read billing data.
    const owned = await readLicenses(context, known.id).catch((error: unknown) => {
      if (error instanceof ClientError && error.status === 403) return undefined;
      throw error;
    });
    add(known, owned);
  }
  return { organizations, licenses, unknownLicenses, tree };
}

function hasNewLicenses(
  spec: OrganizationSpec,
  organizations: Inventory["organizations"],
  licenses: Inventory["licenses"],
): boolean {
  const known = new Set([...licenses.values()].flatMap((owned) => [...owned.keys()]));
  for (const { license } of organizations.values()) if (typeof license === "string") known.add(license);
  return spec.msps.some((msp) => [msp.license, ...msp.licenses].some(({ id }) => !known.has(id)));
}

export function isMsp({ type, parentId }: KnownOrganization): boolean {
  return type === undefined ? parentId === undefined : type === "msp";
}

async function readOrganizations(
  context: InventoryContext,
  targets: readonly string[],
  earlier: Tree | undefined,
): Promise<{ organizations: Map<string, KnownOrganization>; tree: Tree }> {
  const { clock, signal, listener } = context;
  const seen = new Map<string, KnownOrganization>();
  const list = () => readList(context, seen);
  const wait = async (milliseconds: number, because: string) => {
    if (milliseconds <= 0) return;
    listener?.rereading?.(milliseconds, because);
    await clock.sleep(milliseconds, signal);
  };
  // Get the settle time as late as possible: only a response shows whether the service is an emulator.
  const settle = () => context.settleMilliseconds;
  const betweenTrees = () => (settle() === 0 ? 0 : Math.max(treeIntervalMilliseconds, settle()));
  const nextTree = async (after: Tree, because: string) => {
    await wait(after.readAt + betweenTrees() - clock.now(), because);
    return readTree(context, seen);
  };

  // Read the tree before the list, so that an organization created in between is missing only from the tree.
  const isRecent = earlier !== undefined && clock.now() < earlier.readAt + betweenTrees();
  const first = isRecent ? earlier : await readTree(context, seen);
  let tree = first;
  let listed = await list();
  let lacking = without(tree.ids, listed);
  if (lacking.length > 0) {
    const because = "the tree shows organizations that the list lacks";
    await wait(settle(), because);
    listed = await list();
    // Read the tree again: the organization may have been deleted after the first reading.
    if (without(tree.ids, listed).length > 0) tree = await nextTree(tree, because);
    lacking = without(tree.ids, listed);
    if (lacking.length > 0) throw incomplete(lacking, listed.size);
  }
  const isLacking = () => {
    const externalIds = new Set([...seen.values()].map(({ externalId }) => externalId));
    return targets.some((target) => !externalIds.has(target));
  };
  if (isLacking()) {
    const because = "an expected organization is missing";
    await wait(settle(), because);
    await list();
    if (isLacking() && tree === first) tree = await nextTree(tree, because);
  }
  const organizations = new Map(
    [...seen.values()].map((organization) => [organization.externalId, organization]),
  );
  return { organizations, tree };
}

function without(ids: ReadonlySet<string>, excluded: ReadonlySet<string>): string[] {
  return [...ids].filter((id) => !excluded.has(id));
}

function incomplete(lacking: readonly string[], listed: number): ClientError {
  return new ClientError({
    type: "api",
    code: "incomplete_list",
    message: `the list of organizations is incomplete: it contains ${listed}, but the organization tree contains ${lacking.length} more, such as ${lacking[0]}`,
    status: 200,
    retryable: false,
    outcome: "none",
    hint: "check the list's paging fields: `voxctl api GET /organizations --api distributor-v2`",
  });
}

async function readList(
  context: InventoryContext,
  seen: Map<string, KnownOrganization>,
): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const row of context.client.items("orgs.list", {}, { signal: context.signal, pageSize: 200 })) {
    const id = organizationId(row);
    if (id !== undefined) ids.add(id);
    const organization = organizationOf(row);
    if (organization) seen.set(organization.id, organization);
  }
  return ids;
}

/** Reads the tree. Keeps organizations from the list, which have more fields than those in the tree. */
async function readTree(context: InventoryContext, seen: Map<string, KnownOrganization>): Promise<Tree> {
  const readAt = context.clock.now();
  const { data } = await context.client.call("orgs.tree", {}, { signal: context.signal });
  const ids = new Set<string>();
  for (const { row, parent } of organizationsInTree(data)) {
    const id = organizationId(row);
    if (id === undefined) continue;
    ids.add(id);
    const organization = organizationOf(row);
    if (organization && !seen.has(id))
      seen.set(id, { ...organization, parentId: organization.parentId ?? organizationId(parent) });
  }
  return { readAt, ids };
}

/**
 * Searches the tree in addition to the list, because the list may be outdated.
 * @param license license that an earlier request may have assigned; if the list shows another license, the
 * list is read again
 */
export async function findOrganization(
  context: InventoryContext,
  externalId: string,
  license?: unknown,
): Promise<KnownOrganization | undefined> {
  const { clock, signal, settleMilliseconds } = context;
  const seen = new Map<string, KnownOrganization>();
  const findSeen = () => [...seen.values()].find((organization) => organization.externalId === externalId);
  const isProven = () => {
    const found = findSeen();
    return found !== undefined && (license === undefined || found.license === license);
  };
  await readList(context, seen);
  if (findSeen() === undefined) await readTree(context, seen);
  if (isProven() || settleMilliseconds === 0) return findSeen();
  await clock.sleep(settleMilliseconds, signal);
  await readList(context, seen);
  return findSeen();
}

/**
 * Returns an MSP's licenses by ID. Returns undefined if the billing summary lists no licenses (v2.billing),
 * or if the MSP no longer exists.
 */
export async function readLicenses(
  context: InventoryContext,
  id: string,
): Promise<Map<string, KnownLicense> | undefined> {
  const data = await context.client
    .call("billing.get", { path: { organizationId: id } }, { signal: context.signal })
    .then((response) => response.data)
    .catch((error: unknown) => {
      if (error instanceof ClientError && error.status === 404) return undefined;
      throw error;
    });
  const rows: unknown = isFields(data) ? data["licenses"] : undefined;
  if (!Array.isArray(rows)) return undefined;
  const licenses = new Map<string, KnownLicense>();
  // If any license has a product, a license without this field has none. Otherwise, the products are unknown.
  const none = rows.some((row) => isFields(row) && row["product"] !== undefined) ? null : undefined;
  for (const row of rows) {
    const license = isFields(row) ? text(row["externalLicenseId"]) : undefined;
    // A row without an ID makes the whole list unreliable.
    if (license === undefined || !isFields(row)) return undefined;
    licenses.set(license, {
      id: license,
      product: row["product"] === null ? null : (text(row["product"]) ?? none),
      status: text(row["status"]),
    });
  }
  return licenses;
}

function heldLicenses(
  msp: KnownOrganization,
  organizations: ReadonlyMap<string, KnownOrganization>,
): Map<string, KnownLicense> {
  const licenses = new Map<string, KnownLicense>();
  for (const { id, parentId, license } of organizations.values()) {
    if ((id === msp.id || parentId === msp.id) && typeof license === "string")
      licenses.set(license, { id: license, product: undefined, status: "assigned" });
  }
  return licenses;
}

/** Returns undefined if the row has no ID or no external ID. */
export function organizationOf(row: unknown): KnownOrganization | undefined {
  const id = organizationId(row);
  if (!isFields(row) || id === undefined) return undefined;
  const externalId = text(row["externalOrganizationId"]);
  if (externalId === undefined) return undefined;
  return {
    id,
    sentId: sentOrganizationId(row),
    externalId,
    type: text(row["type"]),
    name: text(row["name"]),
    parentId: idText(row["parentOrganizationId"]),
    license: row["externalLicenseId"] === null ? null : text(row["externalLicenseId"]),
    status: text(row["status"]),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
