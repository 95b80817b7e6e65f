import type { MirrorManifest } from "../../../contract/mirror.js";
import type { ClosedFork } from "../../../emulator/index.js";

/** Assumptions that a rehearsal makes because the copy can't check them, and the operations that rely on each. */
const assumptions: readonly { name: string; words: string; operations: RegExp }[] = [
  { name: "role", words: "the key has all required permissions", operations: /./ },
  {
    name: "numbers-left",
    words: "phone numbers are available for assistants",
    operations: /^assistants\.create$/,
  },
  {
    name: "blocked-numbers",
    words: "the called numbers are not blocked",
    operations: /^calls\.create$/,
  },
  {
    name: "locked-greetings",
    words: "no assistant's greeting or webhook is managed by code",
    operations: /^assistants\.update$/,
  },
];

/** Returns the names of the assumptions that the writes relied on. */
export function findAssumptions(fork: ClosedFork, manifest: MirrorManifest): string[] {
  const operations = new Set<string>();
  for (const { effect, operation } of fork.writes()) if (effect) operations.add(operation);
  const relied = assumptions
    .filter(({ operations: relying }) => [...operations].some((name) => relying.test(name)))
    .map(({ name }) => name);
  const limits = Object.entries(manifest.limits)
    .filter(
      ([bucket, { assumed }]) =>
        assumed && (bucket === "write" ? operations.size > 0 : ["read", "distributor"].includes(bucket)),
    )
    .map(([bucket]) => `limit:${bucket}`);
  return [...relied, ...limits];
}

/** Formats an assumption as a clause. */
export function formatAssumption(name: string, manifest: MirrorManifest): string {
  const bucket = /^limit:(.+)$/.exec(name)?.[1];
  if (bucket === "distributor")
    return `the limit is ${manifest.limits[bucket]?.limit ?? "?"} requests per minute (not confirmed by the service)`;
  if (bucket !== undefined)
    return `the limit is ${manifest.limits[bucket]?.limit ?? "?"} ${bucket}s per minute (not confirmed by the service)`;
  return assumptions.find((assumption) => assumption.name === name)?.words ?? name;
}

/**
 * Returns the resource types that the command changed after it tried to read data of the same type that had not been
 * copied.
 */
export function findBlindWrites(fork: ClosedFork): string[] {
  const read = fork.effect.absentReads;
  if (read.length === 0) return [];
  const written = new Set<string>();
  for (const { effect, operation, before, after, body } of fork.writes()) {
    if (!effect) continue;
    const [resource = ""] = operation.split(".");
    written.add(`${resource} `);
    for (const value of [before, after, body]) written.add(`${resource} ${getGroupId(value)}`);
  }
  const blind = read.filter(({ resource, group }) => written.has(`${resource} ${group}`));
  return [...new Set(blind.map(({ resource }) => resource))];
}

function getGroupId(value: unknown): string {
  return typeof value === "object" && value !== null && "group_id" in value ? String(value.group_id) : "";
}
