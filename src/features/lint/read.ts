import { isFields } from "../../base/fields.js";
import { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import { pick } from "../../write/fields.js";
import { readResource } from "../../write/remote.js";
import type { LintRule } from "./lint-rule.js";
import {
  buildGoneKey,
  createOrganization,
  getId,
  getText,
  type LintedResource,
  lintedResources,
  type Organization,
  type ResourceRecord,
} from "./organization.js";

interface Reading {
  client: Client;
  signal: AbortSignal;
  /** Returns the service's time, in milliseconds. Called after the last response. */
  now(): number;
}

/**
 * A resource type that the API key can't read or that the organization's subscription plan doesn't include.
 */
export interface Unread {
  resource: LintedResource;
  reason: string;
}

const atOnce = 8;
const pageSize = 200;
/** The contact fields that lint rules need. Other fields are removed to save memory. */
const contactFields = ["id", "first_name", "last_name", "phone_numbers", "emails"];

/**
 * Reads only the resources that the lint rules need.
 * @throws ClientError, or the signal's reason
 */
export async function readOrganization(
  reading: Reading,
  rules: readonly LintRule[],
): Promise<{ organization: Organization; unread: Unread[] }> {
  const neededResources = new Set(rules.flatMap(({ resource, reads = [] }) => [resource, ...reads]));
  const records = new Map<LintedResource, ResourceRecord[]>();
  const unread: Unread[] = [];
  for (const resource of lintedResources.filter((candidate) => neededResources.has(candidate))) {
    const rows = await listOf(reading, resource);
    if (Array.isArray(rows)) records.set(resource, rows);
    else unread.push({ resource, reason: rows.reason });
  }
  if (rules.some(({ readsTexts }) => readsTexts)) await addTexts(reading, records);
  const gone = await findPrompts(reading, records);
  return { organization: createOrganization(reading.now(), records, { gone }), unread };
}

async function listOf(
  { client, signal }: Reading,
  resource: LintedResource,
): Promise<ResourceRecord[] | { reason: string }> {
  const rows: ResourceRecord[] = [];
  try {
    const list = client.items(`${resource}.list`, {}, { signal, pageSize, complete: true });
    for await (const row of list) {
      if (isFields(row)) rows.push(resource === "contacts" ? pick(row, contactFields) : row);
    }
    return rows;
  } catch (error) {
    // The role or subscription plan may exclude a resource type. Continue with the other types (public.auth.5,
    // public.auth.6).
    if (error instanceof ClientError && (error.status === 402 || error.status === 403))
      return { reason: error.message };
    throw error;
  }
}

/** Adds the texts of knowledge items, because lists omit the texts (public.knowledge.text). */
async function addTexts(reading: Reading, records: Map<LintedResource, ResourceRecord[]>): Promise<void> {
  const items = records.get("knowledge");
  if (items === undefined) return;
  await runConcurrently(items, async (item, index) => {
    const whole = await readResource(reading, "knowledge", getId(item));
    if (whole !== null) items[index] = { ...item, ...whole };
  });
}

/**
 * Reads each referenced prompt that the list lacks, because only a read by ID confirms that a prompt was
 * deleted.
 * @returns the keys of the deleted prompts
 */
async function findPrompts(
  reading: Reading,
  records: Map<LintedResource, ResourceRecord[]>,
): Promise<ReadonlySet<string>> {
  const prompts = records.get("prompts");
  const gone = new Set<string>();
  if (prompts === undefined) return gone;
  const known = new Set(prompts.map(getId));
  const referred = (records.get("assistants") ?? []).flatMap((assistant) => [
    getText(assistant, "prompt_id"),
    getText(assistant, "email_prompt_id"),
  ]);
  const unknown = [...new Set(referred)].filter((id) => id !== "" && !known.has(id));
  await runConcurrently(unknown, async (id) => {
    const prompt = await readResource(reading, "prompts", id);
    if (prompt === null) gone.add(buildGoneKey("prompts", id));
    else prompts.push(prompt);
  });
  return gone;
}

async function runConcurrently<T>(
  all: readonly T[],
  work: (element: T, index: number) => Promise<void>,
): Promise<void> {
  const remaining = [...all].entries();
  const worker = async () => {
    for (const [index, element] of remaining) await work(element, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
