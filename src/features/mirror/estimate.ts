import { organizationsInTree } from "../../client/organization-tree.js";
import type { Client } from "../../client/types.js";
import { buckets } from "../../contract/limits.js";
import type { MirrorRequest, MirrorResource } from "../../contract/mirror.js";
import { absenceOf, listsOf } from "./lists.js";
import { readPace } from "./pace.js";
import { pagesOf } from "./pages.js";
import { quantile, type ReadingStats } from "./reading-stats.js";

/** Number of rows on the first page of a list, and whether the list has more pages. */
export interface BegunList {
  list: string;
  resource: MirrorResource;
  rows: number;
  more: boolean;
}

export interface ReadEstimate {
  reads: number;
  seconds: number;
  /** True if the numbers are minimums, because a list has an unknown number of further pages. */
  at_least: boolean;
  lists: { list: string; rows: number; more: boolean }[];
}

interface Pace {
  stats: ReadingStats;
  /** Share of the limit that the copy may use. */
  readShare: number;
}

/** Number of passes if nothing changes during the copy. */
const usualPasses = 2;

/**
 * Assumes two passes over all pages, plus one read by ID for each knowledge item and, with call details, for
 * each call.
 */
export function estimateOf(begun: readonly BegunList[], request: MirrorRequest, pace: Pace): ReadEstimate {
  const gets = begun
    .filter(({ resource }) => resource === "knowledge" || (resource === "calls" && request.call_details))
    .reduce((sum, { rows }) => sum + rows, 0);
  const pages = begun.reduce((sum, { more }) => sum + (more ? 2 : 1), 0);
  const reads = pages * usualPasses + gets;
  return {
    reads,
    seconds: secondsFor(reads, "read", pace),
    at_least: begun.some(({ more }) => more),
    lists: begun.map(({ list, rows, more }) => ({ list, rows, more })),
  };
}

function secondsFor(reads: number, bucket: "read" | "distributor", { stats, readShare }: Pace): number {
  const perMinute = (stats.limits[bucket] ?? buckets[bucket].limit) * readShare;
  const byLatency = (reads * quantile(stats.latency, 0.5)) / 1_000;
  return Math.ceil(Math.max(reads / (perMinute / 60), byLatency));
}

/**
 * Estimates the reads for a distributor's mirror: the list and the tree of organizations, and a billing
 * summary per MSP.
 */
export function estimateOrganizations(
  { organizations, msps }: { organizations: number; msps: number },
  pace: Pace,
): ReadEstimate {
  const reads = usualPasses * (Math.max(1, Math.ceil(organizations / 200)) + 1 + msps);
  return {
    reads,
    seconds: secondsFor(reads, "distributor", pace),
    at_least: false,
    lists: [{ list: "orgs", rows: organizations, more: false }],
  };
}

/**
 * Reads the first page of each list that the key may read.
 * @throws ClientError
 */
export async function estimateReads(
  context: Pace & { client: Client; signal: AbortSignal },
  request: MirrorRequest,
): Promise<ReadEstimate> {
  const { client, signal } = context;
  if (request.surface === "distributor-v2") {
    const { data } = await client.call("orgs.tree", {}, { signal });
    const nodes = [...organizationsInTree(data)];
    const msps = nodes.filter(({ parent }) => parent === undefined).length;
    return estimateOrganizations({ organizations: nodes.length, msps }, context);
  }
  const turn = readPace(client, context.readShare);
  const begun: BegunList[] = [];
  for (const { name, resource, operation, query } of listsOf(request, {})) {
    try {
      const read: Parameters<typeof pagesOf>[0]["read"] = async (operationName, input) =>
        client.call(operationName, input, { signal, turn: await turn() });
      const first = await pagesOf({ read, operation, query }, null).next();
      if (!first.done)
        begun.push({
          list: name,
          resource,
          rows: first.value.rows.length,
          more: first.value.cursor !== null,
        });
    } catch (error) {
      if (absenceOf(resource, error) === undefined) throw error;
    }
  }
  return estimateOf(begun, request, context);
}
