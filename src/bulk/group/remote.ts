import { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import type { Fields } from "../fields.js";
import { recordOf } from "../values.js";
import type { ImportAdapter } from "./adapter.js";

/** One resource of the service, from a response. */
export interface RemoteItem {
  readonly id: string;
  readonly record: Fields;
}

/** Resources per page. */
export const pageSize = 200;

/** The parts of a run's context that reading needs. */
export interface ReadContext {
  client: Client;
  signal: AbortSignal;
}

/**
 * Yields the resources of a group, one page in memory at a time, without the fields that lists don't show.
 */
export async function* readGroup(
  { client, signal }: ReadContext,
  { operations }: ImportAdapter,
  groupId: string,
): AsyncGenerator<RemoteItem, void> {
  const query = { group_id: groupId };
  for await (const value of client.items(operations.list, { query }, { pageSize, signal })) {
    const item = remoteItem(value);
    // A filter is never trusted.
    if (item !== undefined && isIn(item, groupId)) yield item;
  }
}

/** Reads a resource. Returns undefined only if a get of its id returns 404 (T4). */
export async function readItem(
  { client, signal }: ReadContext,
  { operations, parameter }: ImportAdapter,
  id: string,
): Promise<RemoteItem | undefined> {
  try {
    const { data } = await client.call(operations.get, { path: { [parameter]: id } }, { signal });
    return { id, record: recordOf(data) };
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined;
    throw error;
  }
}

/** Returns the resource in response data; undefined without an id. */
export function remoteItem(data: unknown): RemoteItem | undefined {
  const record = recordOf(data);
  const { id } = record;
  return typeof id === "string" && id !== "" ? { id, record } : undefined;
}

/** Returns whether it is in this group. A resource without a group field counts as in the group. */
export function isIn({ record }: RemoteItem, groupId: string): boolean {
  return (record["group_id"] ?? groupId) === groupId;
}
