import { type Clock, stopwatch } from "../../base/clock.js";
import { inParallel } from "../../base/in-parallel.js";
import { ClientError } from "../../client/errors.js";
import { organizationId, sentOrganizationId } from "../../client/ids.js";
import { organizationsInTree } from "../../client/organization-tree.js";
import type { Client } from "../../client/types.js";
import type { MirrorResource } from "../../contract/mirror.js";
import { BulkError } from "../../write/errors.js";
import { recordOf } from "../../write/values.js";
import type { Progress, Raw } from "./mirror-emulator.js";
import type { Read } from "./pages.js";

const rowsAtOnce = 200;
/** Number of billing summaries to read in parallel, low because the key's rate limit is low. */
const width = 2;
/** Minimum interval between two reads of the tree, in milliseconds. */
const treeMilliseconds = 60_000;
/** Maximum number of times to read the list until it contains all organizations of the tree. */
const mostReadings = 3;

export interface OrganizationSource {
  client: Client;
  read: Read;
  /** Clock that the client uses to wait. */
  clock: Clock;
  signal: AbortSignal;
}

export interface OrganizationKeeper {
  progress: Progress;
  isDone(list: string): boolean;
  /**
   * Returns the cursor at which an interrupted pass stopped reading the list; null to start from the
   * beginning.
   */
  cursorOf(list: string): string | null;
  keep(page: { resource: MirrorResource; list: string; rows: Raw[]; cursor: string | null }): Promise<void>;
  /** Returns the IDs of records from earlier passes that this pass did not find. */
  missing(resource: MirrorResource): Promise<string[]>;
  gone(resource: MirrorResource, ids: readonly string[]): Promise<void>;
  listed(counts: { organizations: number; msps: number }): void;
}

interface Tree {
  readAt: number;
  /** MSP IDs by organization ID. An MSP ID has the type that the service returned. */
  parents: ReadonlyMap<string, unknown>;
}

export class OrganizationCollector {
  private tree: Tree | undefined;

  constructor(private readonly source: OrganizationSource) {}

  async collect(keeper: OrganizationKeeper): Promise<void> {
    const organizations = await this.organizations();
    const msps = organizations.filter(isMsp);
    keeper.listed({ organizations: organizations.length, msps: msps.length });
    // Store MSPs first, because other organizations refer to them.
    await keepOrganizations([...msps, ...organizations.filter((row) => !isMsp(row))], keeper);
    await inParallel(msps, width, (msp) => this.licenses(organizationId(msp) ?? "", keeper));
    for (const resource of ["licenses", "orgs"] as const)
      for (;;) {
        // All organizations have been read, so a missing record was deleted.
        const ids = await keeper.missing(resource);
        if (ids.length === 0) break;
        await keeper.gone(resource, ids);
      }
  }

  /**
   * Returns all organizations, each with the ID of its MSP.
   * @throws BulkError if the list lacks an organization of the tree, or contains one without an ID
   */
  private async organizations(): Promise<Raw[]> {
    const { clock, signal } = this.source;
    for (let reading = 1; ; reading += 1) {
      const age = this.tree ? stopwatch(clock) - this.tree.readAt : treeMilliseconds;
      const tree = age < treeMilliseconds && this.tree ? this.tree : await this.readTree();
      this.tree = tree;
      const listed = await this.readList(tree);
      const lacking = [...tree.parents.keys()].filter((id) => !listed.has(id));
      if (lacking.length === 0) return [...listed.values()];
      if (reading === mostReadings)
        throw new BulkError(
          "incomplete_list",
          `the list of organizations is incomplete: it contains ${listed.size}, but the organization tree contains ${lacking.length} more, such as ${lacking[0]}`,
        );
      await clock.sleep(Math.max(0, tree.readAt + treeMilliseconds - stopwatch(clock)), signal);
    }
  }

  private async readTree(): Promise<Tree> {
    const readAt = stopwatch(this.source.clock);
    const { data } = await this.source.read("orgs.tree", {});
    const parents = new Map<string, unknown>();
    for (const { row, parent } of organizationsInTree(data)) {
      const id = organizationId(row);
      if (id !== undefined) parents.set(id, sentOrganizationId(parent));
    }
    return { readAt, parents };
  }

  private async readList({ parents }: Tree): Promise<Map<string, Raw>> {
    const { client, signal } = this.source;
    const listed = new Map<string, Raw>();
    for await (const row of client.items("orgs.list", {}, { signal, pageSize: rowsAtOnce })) {
      const id = organizationId(row);
      if (id === undefined)
        throw new BulkError(
          "incomplete_list",
          "the list of organizations contains an organization without an ID",
        );
      const raw = recordOf(row);
      const parent = raw["parentOrganizationId"] ?? parents.get(id);
      // Keep the type of the MSP's ID, because some services use numeric IDs.
      listed.set(id, { ...raw, ...(parent === undefined ? {} : { parentOrganizationId: parent }) });
    }
    return listed;
  }

  private async licenses(mspId: string, keeper: OrganizationKeeper): Promise<void> {
    const list = `licenses of ${mspId}`;
    const { absent } = keeper.progress;
    if (keeper.isDone(list) || absent.licenses !== undefined) return;
    const rows = await this.readLicenses(mspId).catch((error: unknown) => {
      if (!(error instanceof ClientError)) throw error;
      // The MSP was deleted after the list was read. The next pass detects the deletion.
      if (error.status === 404) return [];
      if (error.status !== 403) throw error;
      absent.licenses = "forbidden";
      return undefined;
    });
    if (rows === undefined) absent.licenses ??= "not-shown";
    await keeper.keep({ resource: "licenses", list, rows: rows ?? [], cursor: null });
  }

  /** Returns undefined if the billing summary contains no valid list of licenses. */
  private async readLicenses(owner: string): Promise<Raw[] | undefined> {
    const { data } = await this.source.read("billing.get", { path: { organizationId: owner } });
    const { licenses } = recordOf(data);
    if (!Array.isArray(licenses)) return undefined;
    const rows = licenses.map((license) => ({
      ...recordOf(license),
      id: recordOf(license)["externalLicenseId"],
      owner,
    }));
    return rows.every(({ id }) => typeof id === "string" && id !== "") ? rows : undefined;
  }
}

function isMsp({ type, parentOrganizationId: parent }: Raw): boolean {
  return type === undefined ? parent === undefined || parent === null : type === "msp";
}

async function keepOrganizations(rows: readonly Raw[], keeper: OrganizationKeeper): Promise<void> {
  const list = "orgs";
  if (keeper.isDone(list)) return;
  const last = keeper.cursorOf(list);
  // The next pass stores organizations that were inserted before this position.
  const from = last === null ? 0 : rows.findIndex((row) => organizationId(row) === last) + 1;
  for (let start = from; ; start += rowsAtOnce) {
    const page = rows.slice(start, start + rowsAtOnce);
    const isLast = start + rowsAtOnce >= rows.length;
    const cursor = isLast ? null : (organizationId(page.at(-1)) ?? null);
    await keeper.keep({ resource: "orgs", list, rows: page, cursor });
    if (isLast) return;
  }
}
