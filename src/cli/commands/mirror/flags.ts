import {
  distributorResources,
  type MirrorApi,
  type MirrorResource,
  mirrorApis,
  publicResources,
} from "../../../contract/mirror.js";
import { usageError } from "../../errors/errors.js";
import { parseCount, parseDuration, parseDurationText } from "../../session/globals.js";
import type { Flag, Input } from "../../session/input.js";
import { listedIn } from "../../session/listed.js";

/** Flags of every command that collects. */
export const collectFlags: readonly Flag[] = [
  { name: "passes", value: "n", description: "collect at most so often", default: "3" },
  {
    name: "read-share",
    value: "percent",
    description: "use so much of the declared limit of reads",
    default: "50, of a distributor's interface 100",
  },
  {
    name: "expire",
    value: "duration",
    description: "delete the mirror when it is older: 12h, 7d, never",
    default: "7d",
  },
];

export const createFlags: readonly Flag[] = [
  {
    name: "api",
    value: "interface",
    description: "the interface to copy",
    choices: mirrorApis,
    strict: true,
    default: "public",
  },
  {
    name: "include",
    value: "list",
    description: `copy only these: ${publicResources.join(",")}`,
    default: "all but calls",
  },
  {
    name: "group",
    value: "name",
    description: "of contacts, only those of this group; repeatable",
    repeatable: true,
  },
  { name: "calls", value: "age", description: "also calls that are not older, 30d, or all" },
  {
    name: "call-details",
    description: "also what was said in calls, their analyses and notes: one read per call",
  },
  {
    name: "pseudonymize",
    description: "replace names, numbers and e-mails of contacts, and what was said in calls",
  },
  ...collectFlags,
  { name: "dry-run", description: "print how many reads it takes and how long; sends one read per list" },
];

/** The request to `mirror create`. */
export interface CreateFlags {
  api: MirrorApi;
  include: MirrorResource[];
  groups: readonly string[];
  /** Milliseconds; "all" without a bound, undefined where no calls are asked for. */
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
    throw usageError("--calls and a list without calls exclude each other");
  const groups = input.texts("group");
  if (groups.length > 0 && !include.includes("contacts"))
    throw usageError("--group narrows contacts, which are not to be copied");
  if (input.on("call-details") && !hasCalls)
    throw usageError("--call-details needs --calls AGE or --calls all");
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

/** Flags that choose among things of the Public API. */
const publicFlags = ["include", "group", "calls", "call-details", "pseudonymize"];

function readDistributorFlags(input: Input): CreateFlags {
  const given = publicFlags.find((name) => input.has(name));
  if (given !== undefined)
    throw usageError(`--${given} is about the Public API, and --api distributor-v2 copies another one`);
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

/** Percent of the limit: a distributor's is small, and a copying leaves its people their turns in any case. */
const defaultShares: Readonly<Record<MirrorApi, string>> = { public: "50", "distributor-v2": "100" };

/** How a collecting is bounded. */
export interface CollectFlags {
  passes: number;
  /** Up to 1. */
  readShare: number;
  /** Milliseconds; null: never; undefined where it was not given. */
  expire: number | null | undefined;
}

/** @throws usage error (2) */
export function readCollectFlags(input: Input, api: MirrorApi): CollectFlags {
  const percent = Number(input.text("read-share") ?? defaultShares[api]);
  if (!Number.isInteger(percent) || percent < 1 || percent > 100)
    throw usageError(`--read-share: "${input.text("read-share")}" must be a whole number from 1 to 100`);
  return {
    passes: parseCount(input.text("passes") ?? "3", "--passes"),
    readShare: percent / 100,
    expire: parseExpiry(input.text("expire")),
  };
}

/** Where nothing is said. */
export const defaultExpiry = 7 * 86_400_000;

function parseExpiry(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  return text === "never" ? null : parseDuration(text, "--expire");
}

function parseCalls(text: string | undefined): number | "all" | undefined {
  if (text === undefined || text === "all") return text;
  const age = parseDurationText(text);
  if (age === undefined) throw usageError(`--calls: "${text}" is neither a duration like 30d nor all`);
  return age;
}

/** All resources except calls, unless --include lists some. Groups are always included: most resources are in one. */
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
    throw usageError(`${flag}: "${name}" is nothing that can be copied`, {
      hint: `it takes ${publicResources.join(", ")}`,
    });
  });
}
