import type { Clock } from "../../base/clock.js";
import { ClientError } from "../../client/errors.js";
import { idText, organizationId, sentOrganizationId } from "../../client/ids.js";
import { organizationsInTree } from "../../client/organization-tree.js";
import type { Client } from "../../client/types.js";
import type { OrganizationSpec } from "./organization-spec.js";

/** An organization as far as a plan speaks of it; what a deployment does not send is undefined. */
export interface KnownOrganization {
  id: string;
  /** The id as it came: a deployment whose ids are numbers may take them back as numbers only (T9). */
  sentId: unknown;
  externalId: string;
  type: string | undefined;
  name: string | undefined;
  parentId: string | undefined;
  /** Null where it has none. */
  license: string | null | undefined;
  status: string | undefined;
}

export interface KnownLicense {
  id: string;
  /** Null where it has none. */
  product: string | null | undefined;
  status: string | undefined;
}

/** The existing things that a plan names. */
export interface Inventory {
  /** By external id; of all organizations, since any may hold a license. */
  organizations: Map<string, KnownOrganization>;
  /** The plan's existing MSPs, by the MSP's id, then by the license's. */
  licenses: Map<string, Map<string, KnownLicense>>;
  /** Ids of MSPs whose billing summary shows no licenses: only those that an organization holds are known. */
  unknownLicenses: Set<string>;
  /** The tree that was read last. */
  tree: Tree;
}

interface Tree {
  /** By the service's clock, before it was asked for. */
  readAt: number;
  ids: ReadonlySet<string>;
}

/** The needs of reading; a run's context has it all. */
export interface InventoryContext {
  client: Client;
  /** The service's time. */
  clock: Clock;
  signal: AbortSignal;
  /** How long a list may lag. */
  readonly settleMilliseconds: number;
  listener?: { rereading?: ((milliseconds: number, because: string) => void) | undefined } | undefined;
}

/** The tree is everything at once and shares the key's one bucket: so often it is read at most. */
const treeIntervalMilliseconds = 60_000;

/**
 * Reads the organizations and the licenses of the plan's MSPs. The list is held against the tree, the documented full
 * hierarchy: a list that lacks one of its organizations is incomplete (T8).
 * @param targets external ids of organizations whose absence is to mean that they are gone: then the tree and the list
 *   lack them, each read twice a settle time apart (T4a)
 * @param earlier what the same run has read before: its tree is not asked for again within a minute
 * @param others further MSPs whose licenses are read
 * @throws ClientError `incomplete_list`, when the list stays behind the tree
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
  for (const known of [...planned, ...((await findMoreMsps?.(organizations)) ?? [])]) {
    if ((known.type ?? "msp") !== "msp") continue;
    const owned = await readLicenses(context, known.id);
    licenses.set(known.id, owned ?? heldLicenses(known, organizations));
    if (owned === undefined) unknownLicenses.add(known.id);
  }
  return { organizations, licenses, unknownLicenses, tree };
}

async function readOrganizations(
  context: InventoryContext,
  targets: readonly string[],
  earlier: Tree | undefined,
): Promise<{ organizations: Map<string, KnownOrganization>; tree: Tree }> {
  const { clock, signal, listener } = context;
  /** By id: what any of the readings showed. */
  const seen = new Map<string, KnownOrganization>();
  const list = () => readList(context, seen);
  const wait = async (milliseconds: number, because: string) => {
    if (milliseconds <= 0) return;
    listener?.rereading?.(milliseconds, because);
    await clock.sleep(milliseconds, signal);
  };
  // Asked for where it is needed: an answer tells whether an emulator is there.
  const settle = () => context.settleMilliseconds;
  const betweenTrees = () => (settle() === 0 ? 0 : Math.max(treeIntervalMilliseconds, settle()));
  const nextTree = async (after: Tree, because: string) => {
    await wait(after.readAt + betweenTrees() - clock.now(), because);
    return readTree(context, seen);
  };

  // The tree goes first: what comes to be between the two readings is in the list only.
  const isRecent = earlier !== undefined && clock.now() < earlier.readAt + betweenTrees();
  const first = isRecent ? earlier : await readTree(context, seen);
  let tree = first;
  let listed = await list();
  let lacking = without(tree.ids, listed);
  if (lacking.length > 0) {
    const because = "the tree shows organizations that the list lacks";
    await wait(settle(), because);
    listed = await list();
    // An organization that was deleted between the two readings is in neither any more.
    if (without(tree.ids, listed).length > 0) tree = await nextTree(tree, because);
    lacking = without(tree.ids, listed);
    if (lacking.length > 0) throw incomplete(lacking, listed.size);
  }
  const isLacking = () => {
    const externalIds = new Set([...seen.values()].map(({ externalId }) => externalId));
    return targets.some((target) => !externalIds.has(target));
  };
  if (isLacking()) {
    const because = "an organization that is missing is looked for again";
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
    message: `The list of organizations is incomplete: it shows ${listed}, and the tree ${lacking.length} more, such as ${lacking[0]}.`,
    status: 200,
    retryable: false,
    outcome: "none",
    hint: "voxctl api GET /organizations --api distributor-v2 shows how the service tells of more",
  });
}

/** All pages of the list; answers the ids in it. */
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

/** The tree. What the list shows of an organization says more, and stays. */
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
 * The organization of exactly this external id: a filter is never trusted, so all pages are read.
 * @param isThere the service has said so: what the list lacks is looked for in the tree and in the list of later
 */
export async function findOrganization(
  context: InventoryContext,
  externalId: string,
  { isExpected = false }: { isExpected?: boolean } = {},
): Promise<KnownOrganization | undefined> {
  const { clock, signal, settleMilliseconds } = context;
  const seen = new Map<string, KnownOrganization>();
  const findSeen = () => [...seen.values()].find((organization) => organization.externalId === externalId);
  await readList(context, seen);
  if (findSeen() || !isExpected) return findSeen();
  await readTree(context, seen);
  if (findSeen() || settleMilliseconds === 0) return findSeen();
  await clock.sleep(settleMilliseconds, signal);
  await readList(context, seen);
  return findSeen();
}

/** The licenses that an MSP owns, by id (v2.billing); undefined where its billing summary holds no list of them. */
async function readLicenses(
  context: InventoryContext,
  id: string,
): Promise<Map<string, KnownLicense> | undefined> {
  const { data } = await context.client.call(
    "billing.get",
    { path: { organizationId: id } },
    { signal: context.signal },
  );
  const rows: unknown = isRecord(data) ? data["licenses"] : undefined;
  if (!Array.isArray(rows)) return undefined;
  const licenses = new Map<string, KnownLicense>();
  // A service that shows the product of one license and not of another leaves an empty one out.
  const none = rows.some((row) => isRecord(row) && row["product"] !== undefined) ? null : undefined;
  for (const row of rows) {
    const license = isRecord(row) ? text(row["externalLicenseId"]) : undefined;
    // An organization without an id can't be judged, and so can't the whole list.
    if (license === undefined || !isRecord(row)) return undefined;
    licenses.set(license, {
      id: license,
      product: row["product"] === null ? null : (text(row["product"]) ?? none),
      status: text(row["status"]),
    });
  }
  return licenses;
}

/** The licenses of an MSP that it and its customers hold: states.assigned, by one organization each. */
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

/** A row of an answer as an organization, or undefined where it has no id. */
export function organizationOf(row: unknown): KnownOrganization | undefined {
  const id = organizationId(row);
  if (!isRecord(row) || id === undefined) return undefined;
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
