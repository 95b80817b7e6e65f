import type { MirrorManifest } from "../../../contract/mirror.js";
import type { ClosedFork } from "../../../emulator/index.js";
import type { Assumption } from "../../plans/commands/assumptions.js";

/**
 * Assumptions that the copy of the service can't check, each with the operations that rely on the assumption.
 */
const relying: readonly (readonly [Assumption, RegExp])[] = [
  ["role", /./],
  ["numbers-left", /^assistants\.create$/],
  ["blocked-numbers", /^calls\.create$/],
  ["locked-greetings", /^assistants\.update$/],
];

/**
 * Rate limits that a rehearsal relies on. The limit for writes is relevant only if the command made changes.
 */
const limits = ["read", "write", "distributor"] as const;

export function findAssumptions(fork: ClosedFork, manifest: MirrorManifest): Assumption[] {
  const operations = new Set<string>();
  for (const { effect, operation } of fork.writes()) if (effect) operations.add(operation);
  const absent = new Set(fork.effect.absentReads.map(({ resource }) => resource));
  return [
    ...relying
      .filter(([, pattern]) => [...operations].some((name) => pattern.test(name)))
      .map(([name]) => name),
    ...limits
      .filter((bucket) => manifest.limits[bucket]?.assumed && (bucket !== "write" || operations.size > 0))
      .map((bucket) => `limit:${bucket}` as const),
    ...[...absent].map((resource) => `absent:${resource}` as const),
  ];
}

/**
 * Returns the resource types that the command changed although it could not read all their data from the
 * mirror. Deleting a group changes its members, even if the command did not read them.
 */
export async function findBlindWrites(
  fork: ClosedFork,
  { absent, contact_groups }: MirrorManifest,
): Promise<string[]> {
  const { memberResources } = await import("../../../write/plan/members.js");
  const read = fork.effect.absentReads;
  const written = new Set<string>();
  const created = new Set<string>();
  const emptied = new Set<string>();
  for (const { effect, operation, path, createdId, before, after, body } of fork.writes()) {
    if (!effect) continue;
    if (createdId !== null) created.add(createdId);
    if (operation === "groups.delete") {
      const id = path.split("/").at(-1) ?? "";
      const members = memberResources[getField(before, "type")] ?? "";
      const isCopied = created.has(id) || contact_groups?.includes(id) === true;
      if (Object.hasOwn(absent, members) && !isCopied) emptied.add(members);
    }
    const [resource = ""] = operation.split(".");
    written.add(`${resource} `);
    for (const value of [before, after, body]) written.add(`${resource} ${getField(value, "group_id")}`);
  }
  const blind = read.filter(({ resource, group }) => written.has(`${resource} ${group}`));
  return [...new Set([...blind.map(({ resource }) => resource), ...emptied])];
}

function getField(value: unknown, field: string): string {
  return String(new Map(Object.entries(value ?? {})).get(field) ?? "");
}
