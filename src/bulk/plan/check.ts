import { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import { wire } from "../../contract/wire.js";
import { recordOf } from "../values.js";
import type { Expectations } from "./expectations.js";

/** Fewer things than this are read one by one. */
const fewThings = 5;
const portion = 200;

/**
 * Reads what the steps expect: whole lists where that takes fewer requests than a get for each thing. A list never
 * proves that a thing is gone (T4), so what it does not show is read by its id.
 * @throws ClientError; the signal's reason
 */
export async function readExpected(
  client: Client,
  expectations: Expectations,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  for (const { resource, things } of expectations.resources()) {
    if (things > fewThings && isListedWhole(resource))
      await readList(client, expectations, resource, things, signal);
    for (let after = ""; ; ) {
      const ids = expectations.unseen(resource, after, portion);
      const last = ids.at(-1);
      if (last === undefined) break;
      after = last;
      await Promise.all(
        ids.map(async (id) => expectations.see(resource, id, await getThing(client, resource, id, signal))),
      );
    }
  }
  for (const scope of expectations.scopes()) {
    const rows = client.items(operation(`${scope.resource}.list`), { query: scope.query }, { signal });
    for await (const row of rows) expectations.count(scope, row);
  }
}

/** Until it costs more requests than the gets that it saves. */
async function readList(
  client: Client,
  expectations: Expectations,
  resource: string,
  things: number,
  signal: AbortSignal,
): Promise<void> {
  let rows = 0;
  for await (const row of client.items(operation(`${resource}.list`), {}, { signal, pageSize: portion })) {
    const { id } = recordOf(row);
    if (typeof id === "string" || typeof id === "number") expectations.seeListed(resource, String(id), row);
    rows += 1;
    if (rows / portion > things) return;
  }
}

/** A list of knowledge items leaves out their texts (public.knowledge.text). */
function isListedWhole(resource: string): boolean {
  return resource !== "knowledge";
}

/**
 * A thing by its id.
 * @returns null where it is gone
 * @throws ClientError
 */
export async function getThing(
  client: Client,
  resource: string,
  id: string,
  signal: AbortSignal,
): Promise<unknown> {
  const name = operation(`${resource}.get`);
  const parameter = /\{(\w+)\}/.exec(wire[name].path)?.[1] ?? "";
  try {
    return (await client.call(name, { path: { [parameter]: id } }, { signal })).data;
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return null;
    throw error;
  }
}

/** @throws TypeError where the contract has no such operation: the plan was checked for that when it was opened */
export function operation(name: string): OperationName {
  if (isOperation(name)) return name;
  throw new TypeError(`${name} is no operation of the contract`);
}

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(wire, name);
}
