import { parseDurationText } from "../../../base/duration.js";
import { usageError } from "../../../cli/errors/errors.js";
import { parseCount, parseDuration } from "../../../cli/session/globals.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import { listedIn } from "../../../cli/session/listed.js";
import {
  distributorResources,
  type MirrorApi,
  type MirrorResource,
  mirrorApis,
  publicResources,
} from "../../../contract/mirror.js";

export const collectFlags: readonly Flag[] = [
  {
    name: "passes",
    value: "n",
    description: "Maximum number of times to read the organization",
    default: "3",
  },
  {
    name: "expires",
    value: "duration",
    description: "Time until the mirror is deleted, such as 12h, 7d or never",
    default: "7d",
  },
];

const contentFlags: readonly Flag[] = [
  {
    name: "api",
    value: "interface",
    description: "API to copy",
    choices: mirrorApis,
    strict: true,
    default: "public",
  },
  {
    name: "include",
    value: "list",
    description: `Copy only these resources: ${publicResources.join(",")}`,
    default: "all except calls",
  },
  {
    name: "group",
    value: "name",
    description: "Copy only the contacts in this group",
    repeatable: true,
  },
  {
    name: "calls",
    value: "age",
    description: "Also copy calls up to this age, such as 30d; `all` copies every call",
  },
  {
    name: "call-details",
    description: "Also copy transcripts, analyses and notes of calls; sends one read per call",
  },
  {
    name: "pseudonymize",
    description: "Replace personal data in contacts and calls with pseudonyms",
  },
];

export const createFlags: readonly Flag[] = [
  ...contentFlags,
  ...collectFlags,
  { name: "dry-run", description: "Estimate the number of reads and the duration; sends one read per list" },
];

export interface CreateFlags {
  api: MirrorApi;
  include: MirrorResource[];
  groups: readonly string[];
  /** Maximum age of calls in milliseconds; "all" means all calls, undefined means no calls. */
  calls: number | "all" | undefined;
  callDetails: boolean;
  pseudonymize: boolean;
  dryRun: boolean;
}

/** @throws usage error (2) */
export function readCreateFlags(input: Input): CreateFlags {
  const api = mirrorApis.find((candidate) => candidate === input.text("api")) ?? "public";
  if (api === "distributor-v2") return readDistributorFlags(input);
  const calls = parseCalls(input.text("calls"));
  const include = readIncluded(input, calls !== undefined);
  const hasCalls = include.includes("calls");
  if (calls !== undefined && !hasCalls)
    throw usageError('conflicting flags: --calls requires "calls" in --include');
  const groups = input.texts("group");
  if (groups.length > 0 && !include.includes("contacts"))
    throw usageError('conflicting flags: --group requires "contacts" in --include');
  if (input.on("call-details") && !hasCalls) throw usageError("--call-details requires --calls");
  return {
    api,
    include,
    groups,
    calls: hasCalls ? (calls ?? "all") : undefined,
    callDetails: input.on("call-details") === true,
    pseudonymize: input.on("pseudonymize") === true,
    dryRun: input.on("dry-run") === true,
  };
}

export function selectsContent(input: Input): boolean {
  return contentFlags.some(({ name }) => input.has(name));
}

function readDistributorFlags(input: Input): CreateFlags {
  const given = contentFlags.map(({ name }) => name).find((name) => name !== "api" && input.has(name));
  if (given !== undefined)
    throw usageError(
      `conflicting flags: --${given} applies only to the Public API, but --api is distributor-v2`,
    );
  return {
    api: "distributor-v2",
    include: [...distributorResources],
    groups: [],
    calls: undefined,
    callDetails: false,
    pseudonymize: false,
    dryRun: input.on("dry-run") === true,
  };
}

/**
 * Share of the rate limit to use. A distributor's mirror uses the whole limit, because it requires few reads.
 */
const readShares: Readonly<Record<MirrorApi, number>> = { public: 0.5, "distributor-v2": 1 };

export interface CollectFlags {
  passes: number;
  /** Share of the rate limit to use, at most 1. */
  readShare: number;
  /** Value of --expires in milliseconds; null means never; undefined without the flag. */
  expire: number | null | undefined;
}

/** @throws usage error (2) */
export function readCollectFlags(input: Input, api: MirrorApi): CollectFlags {
  return {
    passes: parseCount(input.text("passes") ?? "3", "--passes"),
    readShare: readShares[api],
    expire: parseExpiry(input.text("expires")),
  };
}

/** Default lifetime of a mirror, in milliseconds. */
export const defaultExpiry = 7 * 86_400_000;

function parseExpiry(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  return text === "never" ? null : parseDuration(text, "--expires");
}

function parseCalls(text: string | undefined): number | "all" | undefined {
  if (text === undefined || text === "all") return text;
  const age = parseDurationText(text);
  if (age === undefined)
    throw usageError(`invalid --calls "${text}": expected a duration such as 30d, or all`);
  return age;
}

/** Always includes groups, because other resources refer to them. */
function readIncluded(input: Input, withCalls: boolean): MirrorResource[] {
  const include = input.text("include");
  if (include === undefined) return publicResources.filter((resource) => resource !== "calls" || withCalls);
  const chosen: readonly MirrorResource[] = ["groups", ...parseResources(include, "--include")];
  return publicResources.filter((resource) => chosen.includes(resource));
}

function parseResources(text: string, flag: string): MirrorResource[] {
  return listedIn(text, flag).map((name) => {
    const match = publicResources.find((resource) => resource === name);
    if (match) return match;
    throw usageError(`invalid ${flag} "${name}": expected one of ${publicResources.join(", ")}`);
  });
}
