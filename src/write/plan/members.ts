import { createHash } from "node:crypto";
import { isInScope, listInScope, type Reading, type RemoteItem, readResource } from "../remote.js";
import { fingerprintOf } from "./canonical.js";
import type { PlanStep } from "./format.js";

/** Resource type of the members, by type of group. */
export const memberResources: Readonly<Record<string, string>> = {
  contacts: "contacts",
  knowledges: "knowledge",
  forwardings: "forwardings",
  glossaries: "glossary",
  pronunciations: "pronunciation",
};

/**
 * Returns the type and number of the resources that are deleted with the step's group; undefined if the step
 * deletes no group members.
 */
export function findDeletedMembers({
  op,
  before,
  if: expected,
}: PlanStep): { resource: string; count: number } | undefined {
  const count = expected?.members?.count ?? 0;
  const resource = memberResources[String(before?.["type"])];
  return op === "groups.delete" && count > 0 && resource !== undefined ? { resource, count } : undefined;
}

export async function* membersOf(
  reading: Reading,
  groupId: string,
  type: string,
): AsyncGenerator<RemoteItem & { resource: string }, void> {
  const resource = memberResources[type];
  if (resource === undefined) return;
  for await (const member of listInScope(reading, resource, { group_id: groupId }))
    yield { ...member, resource };
}

/** The hash doesn't depend on the order of the members. */
export async function membersHash(
  reading: Reading,
  groupId: string,
  type: string,
): Promise<{ count: number; hash: string }> {
  const prints: string[] = [];
  for await (const { resource, record } of membersOf(reading, groupId, type))
    prints.push(fingerprintOf(resource, record));
  return hashOfMembers(prints);
}

/** @param prints fingerprints of the members, in any order */
export function hashOfMembers(prints: string[]): { count: number; hash: string } {
  const hash = createHash("sha256");
  for (const print of prints.sort()) hash.update(print);
  return { count: prints.length, hash: hash.digest("hex").slice(0, 32) };
}

/** Returns undefined if the members are as expected. */
export async function memberFailure(
  reading: Reading,
  { path }: PlanStep,
  expected: { count: number; hash: string; late?: true | undefined },
): Promise<string | undefined> {
  const [id] = Object.values(path ?? {});
  if (typeof id !== "string") return undefined;
  const group = await readResource(reading, "groups", id);
  if (group === null) return undefined;
  if (expected.late === true && expected.count === 0) {
    // Lists may still show resources that the plan has deleted or moved.
    for await (const member of membersOf(reading, id, String(group["type"]))) {
      const memberRecord = await readResource(reading, member.resource, member.id);
      if (memberRecord !== null && isInScope(memberRecord, { group_id: id }))
        return "it contains a member that the plan does not delete";
    }
    return undefined;
  }
  const now = await membersHash(reading, id, String(group["type"]));
  if (now.count !== expected.count) return `expected ${expected.count} members, found ${now.count}`;
  return now.hash === expected.hash
    ? undefined
    : "its members were changed after they were read for the plan";
}
