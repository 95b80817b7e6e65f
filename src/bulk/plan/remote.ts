/** Reads resources of any type for plans. */
import { createHash } from "node:crypto";
import { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import { parsePathParameters } from "../../contract/operation.js";
import type { OperationName } from "../../contract/wire.js";
import { wire } from "../../contract/wire.js";
import type { Fields } from "../fields.js";
import type { RemoteItem } from "../group/remote.js";
import { recordOf } from "../values.js";
import { fingerprintOf } from "./canonical.js";
import { isOperationName, type PlanStep } from "./format.js";

const pageSize = 200;

interface Reading {
  client: Client;
  signal: AbortSignal;
}

/** The type of a group by its members. */
const memberResources: Readonly<Record<string, string>> = {
  contacts: "contacts",
  knowledges: "knowledge",
  forwardings: "forwardings",
  glossaries: "glossary",
  pronunciations: "pronunciation",
};

/**
 * Reads a resource by its id.
 * @returns null if it was deleted (T4)
 * @throws ClientError
 */
export async function readResource(
  { client, signal }: Reading,
  resource: string,
  id: string,
): Promise<Fields | null> {
  // The erased part of a call leaves the call.
  const name = operation(`${resource === "recordings" ? "calls" : resource}.get`);
  const [parameter = ""] = parsePathParameters(wire[name].path);
  try {
    return recordOf((await client.call(name, { path: { [parameter]: id } }, { signal })).data);
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return null;
    throw error;
  }
}

/** Yields the resources of a list, each id once, one page in memory at a time. */
export async function* listResources(
  { client, signal }: Reading,
  resource: string,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<RemoteItem, void> {
  const rows = client.items(operation(`${resource}.list`), { query }, { signal, pageSize });
  for await (const row of rows) {
    const record = recordOf(row);
    const { id } = record;
    if (typeof id === "string" || typeof id === "number") yield { id: String(id), record };
  }
}

/** Returns whether a row matches the filter of its list. A row without the field matches. */
export function isInScope(record: Fields, query: Readonly<Record<string, string>>): boolean {
  return Object.entries(query).every(([field, value]) => (record[field] ?? value) === value);
}

/** Yields the resources of a list that match its filter, which is never trusted. */
export async function* listInScope(
  reading: Reading,
  resource: string,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<RemoteItem, void> {
  for await (const item of listResources(reading, resource, query))
    if (isInScope(item.record, query)) yield item;
}

/** Yields the resources in a group, as their list shows them. */
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

/** Returns the number of resources in a group and a hash over them, regardless of their order in a list. */
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

/** @param prints the fingerprint of each, in any order */
export function hashOfMembers(prints: string[]): { count: number; hash: string } {
  const hash = createHash("sha256");
  for (const print of prints.sort()) hash.update(print);
  return { count: prints.length, hash: hash.digest("hex").slice(0, 32) };
}

/** The members of a group that differ from the expectation of a step that deletes it. */
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
    // For a while, a list may show resources that the plan itself deleted or moved (T4).
    for await (const member of membersOf(reading, id, String(group["type"]))) {
      const memberRecord = await readResource(reading, member.resource, member.id);
      if (memberRecord !== null && isInScope(memberRecord, { group_id: id }))
        return "it contains a member that the plan does not delete";
    }
    return undefined;
  }
  const now = await membersHash(reading, id, String(group["type"]));
  if (now.count !== expected.count) return `expected ${expected.count} members, found ${now.count}`;
  return now.hash === expected.hash ? undefined : "its members were changed since the plan was made";
}

/** @throws TypeError if the contract has no such operation; a plan is checked for that when it is opened */
function operation(name: string): OperationName {
  if (isOperationName(name)) return name;
  throw new TypeError(`${name} is no operation of the contract`);
}
