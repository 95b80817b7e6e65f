/** The live state: the lists of an organization, read once, and things read by their ids where a list is not enough. */

import { listResources, readResource } from "../bulk/plan/remote.js";
import { recordOf } from "../bulk/values.js";
import type { Client } from "../client/types.js";
import type { OperationName } from "../contract/wire.js";
import { wire } from "../contract/wire.js";

export type LiveRecord = Readonly<Record<string, unknown>>;

export interface Reading {
  client: Client;
  signal: AbortSignal;
}

/** Gets in flight at most (C2). */
const getsAtOnce = 8;

/** The lists that were read, by resource and id. */
export interface Live {
  records(resource: string): ReadonlyMap<string, LiveRecord>;
  voices: readonly { id: string; name: string }[];
}

/**
 * Reads these lists whole, each once, side by side.
 * @throws ClientError
 */
export async function readLive(reading: Reading, resources: readonly string[]): Promise<Live> {
  const lists = new Map<string, Map<string, LiveRecord>>();
  const voices: { id: string; name: string }[] = [];
  await Promise.all(
    resources.map(async (resource) => {
      const records = new Map<string, LiveRecord>();
      for await (const { id, record } of listResources(reading, resource, {})) records.set(id, record);
      if (resource === "voices")
        for (const [id, { name }] of records) voices.push({ id, name: typeof name === "string" ? name : "" });
      lists.set(resource, records);
    }),
  );
  return { records: (resource) => lists.get(resource) ?? new Map(), voices };
}

/**
 * Things as gets show them, in the order asked for; null where one is gone (T4).
 * @throws ClientError
 */
export async function readRecords(
  reading: Reading,
  targets: readonly { resource: string; id: string }[],
): Promise<(LiveRecord | null)[]> {
  const records: (LiveRecord | null)[] = [];
  for (let first = 0; first < targets.length; first += getsAtOnce) {
    const part = targets.slice(first, first + getsAtOnce);
    records.push(...(await Promise.all(part.map(({ resource, id }) => readResource(reading, resource, id)))));
  }
  return records.map((record) => (record === null ? null : recordOf(record)));
}

/** C3: a client that can't write, for everything that only looks. */
export function readOnly(client: Client): Client {
  const assertRead = (operation: OperationName) => {
    if (wire[operation].method !== "GET")
      throw new TypeError(`${operation} would write, and this connection only reads`);
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
        throw new TypeError(`${request.method} would write, and this connection only reads`);
      return client.request(request, options);
    },
  };
}
