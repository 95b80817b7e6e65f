import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "../../base/database.js";
import { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import { wire } from "../../contract/wire.js";
import { BulkError } from "../errors.js";
import { recordOf } from "../values.js";
import { createExpectations, type Expectations, type Failure } from "./expectations.js";
import { isOperationName } from "./format.js";
import type { Plan } from "./read.js";

/** Fewer things than this are read one by one. */
const fewThings = 5;
const portion = 200;

interface CheckOptions {
  client: Client;
  /** The profile's base address: a plan belongs to one. */
  baseUrl: string;
  /** Where what is expected lies meanwhile; the user's own folder. */
  temporaryFolder: string;
  signal: AbortSignal;
}

/**
 * Tests a plan's preconditions against the organization; sends reads only.
 * @returns those that don't hold, in the order of the steps
 * @throws BulkError `plan_elsewhere` where the profile leads to another organization; ClientError
 */
export async function* checkPlan(plan: Plan, options: CheckOptions): AsyncGenerator<Failure, void> {
  const { client, signal } = options;
  await assertTarget(plan, options);
  const folder = await mkdtemp(join(options.temporaryFolder, "voxctl-"));
  try {
    const database = await openDatabase(join(folder, "check.sqlite"));
    try {
      const expectations = createExpectations(database);
      database.begin();
      for await (const entry of plan.entries()) if (entry.type === "step") expectations.add(entry.step);
      database.commit();
      await readExpected(client, expectations, signal);
      yield* expectations.failures();
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A plan is for one service and one organization, which its oldest groups and assistants tell. */
async function assertTarget({ header, id }: Plan, { client, baseUrl, signal }: CheckOptions): Promise<void> {
  const { base_url, anchors } = header.target;
  if (base_url !== baseUrl) {
    throw new BulkError(
      "plan_elsewhere",
      `the plan ${id} is for ${base_url}, and the profile leads to ${baseUrl}`,
      "--profile names another one",
    );
  }
  for (const anchor of anchors) {
    for (const resource of ["groups", "assistants"])
      if ((await getThing(client, resource, anchor, signal)) !== null) return;
  }
  if (anchors.length > 0) {
    throw new BulkError(
      "plan_elsewhere",
      `the plan ${id} is for another organization: none of its oldest groups and assistants can be read with this key`,
      "--profile names another one",
    );
  }
}

/**
 * Reads what the steps expect: whole lists where that takes fewer requests than a get for each thing. A list never
 * proves that a thing is gone (T4), so what it does not show is read by its id.
 * @throws ClientError; the signal's reason
 */
async function readExpected(client: Client, expectations: Expectations, signal: AbortSignal): Promise<void> {
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
async function getThing(client: Client, resource: string, id: string, signal: AbortSignal): Promise<unknown> {
  const name = operation(`${resource}.get`);
  const parameter = /\{(\w+)\}/.exec(wire[name].path)?.[1] ?? "";
  try {
    return (await client.call(name, { path: { [parameter]: id } }, { signal })).data;
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return null;
    throw error;
  }
}

/** @throws TypeError where the contract has no such operation: a plan is checked for that when it is opened */
function operation(name: string): OperationName {
  if (isOperationName(name)) return name;
  throw new TypeError(`${name} is no operation of the contract`);
}
