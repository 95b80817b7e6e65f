import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "../../base/database.js";
import { inParallel } from "../../base/in-parallel.js";
import { inflect } from "../../base/text.js";
import { parseTime } from "../../base/time-text.js";
import type { Client } from "../../client/types.js";
import { BulkError } from "../errors.js";
import { isInScope, listResources, readResource } from "../remote.js";
import { createExpectations, type Expectations, type Scope } from "./expectations.js";
import type { PlanStep } from "./format.js";
import { memberFailure } from "./members.js";
import type { PlanSource } from "./read.js";
import { type FailedStep, withSteps } from "./sorted.js";

/** Maximum number of resources to read one by one. If there are more, their list is read instead. */
const listThreshold = 5;
const portion = 200;
const getsAtOnce = 8;

interface Reading {
  client: Client;
  signal: AbortSignal;
}

interface CheckOptions extends Reading {
  /** Must equal the plan's base URL. */
  baseUrl: string;
  /** Must be a private directory. Temporary files in it contain expected values. */
  temporaryFolder: string;
}

/**
 * Sends only read requests.
 * @returns the failed preconditions, in the order of the steps
 * @throws BulkError `plan_elsewhere` if the profile is for another organization; ClientError
 */
export async function* checkPlan(plan: PlanSource, options: CheckOptions): AsyncGenerator<FailedStep, void> {
  await assertTarget(plan, options);
  const folder = await mkdtemp(join(options.temporaryFolder, "voxctl-"));
  try {
    const database = await openDatabase(join(folder, "check.sqlite"));
    try {
      const expectations = createExpectations(database);
      database.begin();
      for await (const entry of plan.entries()) if (entry.type === "step") expectations.add(entry.step);
      database.commit();
      await readExpected(options, expectations);
      yield* withSteps(plan, expectations.failures());
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The oldest groups and assistants identify an organization.
 * @throws BulkError `plan_elsewhere`; ClientError
 */
export async function assertTarget(
  { header, id }: Pick<PlanSource, "header" | "id">,
  { client, baseUrl, signal }: Reading & { baseUrl: string },
): Promise<void> {
  const { base_url, anchors } = header.target;
  if (base_url !== baseUrl) {
    throw new BulkError(
      "plan_elsewhere",
      `plan ${id} is for ${base_url}, but the profile uses ${baseUrl}`,
      "select another profile with --profile",
    );
  }
  if (await hasAnchor({ client, signal }, anchors)) return;
  if (anchors.length > 0) {
    throw new BulkError(
      "plan_elsewhere",
      `plan ${id} is for another organization, or ${inflect(anchors.length, "this resource was", "all of these resources were")} deleted: ${anchors.join(", ")}`,
      `select another profile with --profile; if ${inflect(anchors.length, "the resource was", "the resources were")} deleted, create a new plan`,
    );
  }
}

/**
 * Returns whether this organization has a group or an assistant with one of these IDs.
 * @throws ClientError
 */
export async function hasAnchor(reading: Reading, anchors: readonly string[]): Promise<boolean> {
  for (const anchor of anchors) {
    for (const resource of ["groups", "assistants"])
      if ((await readResource(reading, resource, anchor)) !== null) return true;
  }
  return false;
}

/**
 * Reads the resources that the steps expect, from a list or one by one, depending on which takes fewer requests.
 * A missing resource is read by its ID, because lists can't prove a deletion.
 * @throws ClientError; the signal's reason
 */
export function readExpected(reading: Reading, expectations: Expectations): Promise<void> {
  return expectations.together(() => readResources(reading, expectations));
}

async function readResources(reading: Reading, expectations: Expectations): Promise<void> {
  for (const { resource, count } of expectations.resources()) {
    if (count > listThreshold && isListedWhole(resource))
      await readList(reading, expectations, resource, count);
    for (let after = ""; ; ) {
      const ids = expectations.unseen(resource, after, portion);
      const last = ids.at(-1);
      if (last === undefined) break;
      after = last;
      await inParallel(ids, getsAtOnce, async (id) =>
        expectations.see(resource, id, await readResource(reading, resource, id)),
      );
    }
  }
  for (const scope of expectations.scopes()) await countAlike(reading, expectations, scope);
  for (const step of expectations.lists()) expectations.seeList(step.step, await listFailure(reading, step));
}

async function countAlike(reading: Reading, expectations: Expectations, scope: Scope): Promise<void> {
  for await (const { id, record } of listResources(reading, scope.resource, scope.query)) {
    if (!isInScope(record, scope.query) || !expectations.isAlike(scope, record)) continue;
    const whole = isListedWhole(scope.resource) ? record : await readResource(reading, scope.resource, id);
    if (whole !== null) expectations.count(scope, whole);
  }
}

/** Reads a list. Stops as soon as reading the resources one by one would take fewer requests. */
async function readList(
  reading: Reading,
  expectations: Expectations,
  resource: string,
  count: number,
): Promise<void> {
  let rows = 0;
  for await (const { id, record } of listResources(reading, resource, {})) {
    expectations.seeListed(resource, id, record);
    rows += 1;
    if (rows / portion > count) return;
  }
}

/**
 * Returns whether lists contain all fields of a resource type. Lists of knowledge items omit the text
 * (public.knowledge.text).
 */
function isListedWhole(resource: string): boolean {
  return resource !== "knowledge";
}

async function listFailure(reading: Reading, step: PlanStep): Promise<string | undefined> {
  const { members, no_call } = step.if ?? {};
  if (members !== undefined) return members.late === true ? undefined : memberFailure(reading, step, members);
  if (no_call === undefined) return undefined;
  const { assistant, to, since } = no_call;
  const query = { assistant_id: assistant, created_from: since };
  for await (const { record } of listResources(reading, "calls", query)) {
    const { created_at } = record;
    // The service may ignore the filter, so also check the time here.
    const isEarlier = typeof created_at === "string" && parseTime(created_at) < parseTime(since);
    if (record["to"] === to && record["assistant_id"] === assistant && !isEarlier)
      return `assistant ${assistant} has called ${to} since ${since}`;
  }
  return undefined;
}
