/** Reads an organization. Reads each list once, and reads single resources whose data the lists lack. */

import { inParallel } from "../../base/in-parallel.js";
import type { Client } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import { wire } from "../../contract/wire.js";
import { listResources, readResource } from "../../write/remote.js";
import { recordOf } from "../../write/values.js";

export type LiveRecord = Readonly<Record<string, unknown>>;

export interface Reading {
  client: Client;
  signal: AbortSignal;
}

const getsAtOnce = 8;

export interface Live {
  records(resource: string): ReadonlyMap<string, LiveRecord>;
  voices: readonly { id: string; name: string }[];
}

/** @throws ClientError */
export async function readLive(reading: Reading, resources: readonly string[]): Promise<Live> {
  const lists = new Map<string, Map<string, LiveRecord>>();
  const voices: { id: string; name: string }[] = [];
  await inParallel(resources, resources.length, async (resource) => {
    const records = new Map<string, LiveRecord>();
    for await (const { id, record } of listResources(reading, resource, {})) records.set(id, record);
    if (resource === "voices")
      for (const [id, { name }] of records) voices.push({ id, name: typeof name === "string" ? name : "" });
    lists.set(resource, records);
  });
  return { records: (resource) => lists.get(resource) ?? new Map(), voices };
}

/**
 * Reads each resource by its ID. Returns the resources in the given order, with null for a deleted one.
 * @throws ClientError
 */
export async function readRecords(
  reading: Reading,
  targets: readonly { resource: string; id: string }[],
): Promise<(LiveRecord | null)[]> {
  const records = new Map<number, LiveRecord>();
  await inParallel([...targets.entries()], getsAtOnce, async ([index, { resource, id }]) => {
    const record = await readResource(reading, resource, id);
    if (record !== null) records.set(index, recordOf(record));
  });
  return targets.map((_, index) => records.get(index) ?? null);
}

export function readOnly(client: Client): Client {
  const assertRead = (operation: OperationName) => {
    if (wire[operation].method !== "GET")
      throw new TypeError(`${operation} is a write, but this connection is read-only`);
  };
  return {
    ...client,
    call: (operation, input, options) => {
      assertRead(operation);
      return client.call(operation, input, options);
    },
    items: (operation, input, options) => {
      assertRead(operation);
      return client.items(operation, input, options);
    },
    request: (request, options) => {
      if (request.method !== "GET")
        throw new TypeError(`${request.method} is a write, but this connection is read-only`);
      return client.request(request, options);
    },
  };
}
