import { ClientError } from "../client/errors.js";
import { isRecord } from "../client/parsing.js";
import type { Client } from "../client/types.js";
import { pathParameters } from "../contract/operation.js";
import type { OperationName } from "../contract/wire.js";
import { wire } from "../contract/wire.js";
import {
  goneKey,
  idOf,
  type LintedResource,
  lintedResources,
  type Organization,
  organizationOf,
  type Thing,
  text,
} from "./organization.js";
import type { LintRule } from "./rule.js";

interface Reading {
  client: Client;
  signal: AbortSignal;
  /** The service's time, in milliseconds; asked after the last answer. */
  now(): number;
}

/** A resource that the key may not read, or that the organization does not have. */
export interface Unread {
  resource: LintedResource;
  reason: string;
}

/** Texts that are fetched side by side. */
const atOnce = 8;
const pageSize = 200;
/** A large organization has many contacts: only what the rules look at is kept. */
const contactFields = ["id", "first_name", "last_name", "phone_numbers", "emails"];

/**
 * Reads what the rules look at, and nothing else.
 * @throws ClientError; the signal's reason
 */
export async function readOrganization(
  reading: Reading,
  rules: readonly LintRule[],
): Promise<{ organization: Organization; unread: Unread[] }> {
  const wanted = new Set(rules.flatMap(({ resource, reads = [] }) => [resource, ...reads]));
  const things = new Map<LintedResource, Thing[]>();
  const unread: Unread[] = [];
  for (const resource of lintedResources.filter((one) => wanted.has(one))) {
    const rows = await listOf(reading, resource);
    if (Array.isArray(rows)) things.set(resource, rows);
    else unread.push({ resource, reason: rows.reason });
  }
  if (rules.some(({ readsTexts }) => readsTexts)) await addTexts(reading, things);
  const gone = await findPrompts(reading, things);
  return { organization: organizationOf(reading.now(), things, { gone }), unread };
}

async function listOf(
  { client, signal }: Reading,
  resource: LintedResource,
): Promise<Thing[] | { reason: string }> {
  const rows: Thing[] = [];
  try {
    const list = client.items(`${resource}.list`, {}, { signal, pageSize, complete: true });
    for await (const row of list) {
      if (isRecord(row)) rows.push(resource === "contacts" ? picked(row, contactFields) : row);
    }
    return rows;
  } catch (error) {
    // public.auth.5, public.auth.6: a role or a subscription that leaves one resource out leaves the others.
    if (error instanceof ClientError && (error.status === 402 || error.status === 403))
      return { reason: error.message };
    throw error;
  }
}

/** public.knowledge.text: a list shows no texts. */
async function addTexts(reading: Reading, things: Map<LintedResource, Thing[]>): Promise<void> {
  const items = things.get("knowledge");
  if (items === undefined) return;
  await sideBySide(items, async (item, index) => {
    const whole = await get(reading, "knowledge.get", idOf(item));
    if (whole !== undefined) items[index] = { ...item, ...whole };
  });
}

/**
 * T4: only a get proves that a prompt is gone, which an assistant refers to and a list does not show.
 * @returns those that are
 */
async function findPrompts(
  reading: Reading,
  things: Map<LintedResource, Thing[]>,
): Promise<ReadonlySet<string>> {
  const prompts = things.get("prompts");
  const gone = new Set<string>();
  if (prompts === undefined) return gone;
  const known = new Set(prompts.map(idOf));
  const referred = (things.get("assistants") ?? []).flatMap((one) => [
    text(one, "prompt_id"),
    text(one, "email_prompt_id"),
  ]);
  const unknown = [...new Set(referred)].filter((id) => id !== "" && !known.has(id));
  await sideBySide(unknown, async (id) => {
    const prompt = await get(reading, "prompts.get", id);
    if (prompt === undefined) gone.add(goneKey("prompts", id));
    else prompts.push(prompt);
  });
  return gone;
}

/** @returns undefined where it is gone */
async function get(
  { client, signal }: Reading,
  operation: OperationName,
  id: string,
): Promise<Thing | undefined> {
  const [parameter = ""] = pathParameters(wire[operation].path);
  try {
    const { data } = await client.call(operation, { path: { [parameter]: id } }, { signal });
    return isRecord(data) ? data : undefined;
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined;
    throw error;
  }
}

async function sideBySide<T>(
  all: readonly T[],
  work: (one: T, index: number) => Promise<void>,
): Promise<void> {
  const rest = [...all].entries();
  const worker = async () => {
    for (const [index, one] of rest) await work(one, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

function picked(row: Thing, fields: readonly string[]): Thing {
  return Object.fromEntries(fields.filter((field) => field in row).map((field) => [field, row[field]]));
}
