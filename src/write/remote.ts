/** Reads resources of any type. */
import { ClientError } from "../client/errors.js";
import type { Client } from "../client/types.js";
import { operationOf, pathOf } from "../contract/operation-names.js";
import type { Fields } from "./fields.js";
import { recordOf } from "./values.js";

/** One resource of the service, from a response. */
export interface RemoteItem {
  readonly id: string;
  readonly record: Fields;
}

/** The parts of a run's context that reading needs. */
export interface Reading {
  client: Pick<Client, "call" | "items">;
  signal: AbortSignal;
}

/** Resources per page. */
export const pageSize = 200;

/**
 * Reads a resource by its id.
 * @returns null if it was deleted: only a 404 of this get proves that (T4)
 * @throws ClientError
 */
export async function readResource(
  { client, signal }: Reading,
  resource: string,
  id: string,
): Promise<Fields | null> {
  // The erased part of a call leaves the call.
  const operation = operationOf(resource === "recordings" ? "calls" : resource, "get");
  try {
    return recordOf((await client.call(operation, { path: pathOf(operation, id) }, { signal })).data);
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return null;
    throw error;
  }
}

/** Yields the resources of a list, one page in memory at a time, without the fields that lists don't show. */
export async function* listResources(
  { client, signal }: Reading,
  resource: string,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<RemoteItem, void> {
  const rows = client.items(operationOf(resource, "list"), { query }, { signal, pageSize });
  for await (const row of rows) {
    const record = recordOf(row);
    const { id } = record;
    if ((typeof id === "string" && id !== "") || typeof id === "number") yield { id: String(id), record };
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
