import { ClientError } from "../client/errors.js";
import type { Client } from "../client/types.js";
import { operationOf, pathOf } from "../contract/operation-names.js";
import type { Fields } from "./fields.js";
import { recordOf } from "./values.js";

export interface RemoteItem {
  readonly id: string;
  readonly record: Fields;
}

export interface Reading {
  client: Pick<Client, "call" | "items">;
  signal: AbortSignal;
}

export const pageSize = 200;

/**
 * @returns null if the get returned 404; nothing else proves that a resource was deleted
 * @throws ClientError
 */
export async function readResource(
  { client, signal }: Reading,
  resource: string,
  id: string,
): Promise<Fields | null> {
  // A recording is part of a call.
  const operation = operationOf(resource === "recordings" ? "calls" : resource, "get");
  try {
    return recordOf((await client.call(operation, { path: pathOf(operation, id) }, { signal })).data);
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return null;
    throw error;
  }
}

/** Some lists omit fields. Keeps only one page in memory. */
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

/** A missing field counts as a match. */
export function isInScope(record: Fields, query: Readonly<Record<string, string>>): boolean {
  return Object.entries(query).every(([field, value]) => (record[field] ?? value) === value);
}

/** Also checks the filter here, because the service may ignore it. */
export async function* listInScope(
  reading: Reading,
  resource: string,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<RemoteItem, void> {
  for await (const item of listResources(reading, resource, query))
    if (isInScope(item.record, query)) yield item;
}
