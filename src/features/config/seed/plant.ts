import { messageOf } from "../../../base/error-code.js";
import { parseTime } from "../../../base/time-text.js";
import type { Control } from "../../../client/control.js";
import { ClientError } from "../../../client/errors.js";
import type { Client } from "../../../client/types.js";
import { fillPlaceholders, secretsIn } from "../../../write/plan/references.js";
import { recordOf } from "../../../write/values.js";
import { decide } from "../decide.js";
import type { PlanOptions } from "../decision.js";
import { ConfigError } from "../errors.js";
import { stepsOf } from "../steps.js";
import type { SeedCall, SeedContact, SeedOrganization } from "./seed-file.js";
import { offerVoices } from "./voices.js";

/** A new emulator without other clients. */
export interface SeedContext {
  control: Control;
  client(key: string): Client;
  /** Returns undefined if the source is unset; a placeholder then replaces the secret. */
  secret(from: string): Promise<string | undefined>;
  signal: AbortSignal;
  /**
   * Time in milliseconds to which the clock is advanced after filling, so that knowledge items are indexed.
   */
  beginsAt?: number | undefined;
}

export interface Planted {
  keys: Record<string, string>;
  /** Unset secret sources, whose secrets are placeholders. */
  madeUp: string[];
  voices: string[];
}

/** A rate limit too high to be reached, for the temporary API key that fills an organization. */
const unlimited = 1_000_000_000;
const madeUpSecret = "made-up-by-the-seed";

const options: PlanOptions = {
  drift: "overwrite",
  resolve: "file",
  // Every organization starts with default groups. Adopt the default groups that have the same names as the
  // seed's groups.
  adopt: true,
  prune: undefined,
  pruneAdopted: false,
  only: undefined,
  maxDelete: undefined,
  maxUpdate: undefined,
  rewriteSecrets: false,
};

/**
 * Creates a seed's organizations, and then clears the emulator's request log.
 * @throws ConfigError if the emulator rejects a resource of the seed
 */
export async function plantOrganizations(
  context: SeedContext,
  organizations: readonly SeedOrganization[],
): Promise<Planted> {
  const planted: Planted = { keys: {}, madeUp: [], voices: [] };
  const all: { id: string; seed: SeedOrganization; ids: ReadonlyMap<string, string> }[] = [];
  for (const seed of organizations) {
    const id = await organizationId(context.control, seed);
    all.push({ id, seed, ids: await plantOrganization(context, id, seed, planted) });
  }
  await begin(context);
  for (const { id, seed, ids } of all) {
    for (const [index, call] of seed.calls.entries())
      await plantCall(context.control, seed, call, index, ids);
    // Set the status last, because a blocked organization rejects requests.
    const { status } = seed.settings;
    if (status !== undefined)
      await context.control("organizations.update", { path: { id }, body: { status } });
  }
  await context.control("requests.clear");
  return planted;
}

async function begin({ control, beginsAt }: SeedContext): Promise<void> {
  const { now } = await control("clock.get");
  // The clock can't be moved back.
  if (beginsAt === undefined || beginsAt <= parseTime(now)) return;
  await control("clock.update", { body: { set: new Date(beginsAt).toISOString() } });
}

/** @returns resource IDs by key */
async function plantOrganization(
  context: SeedContext,
  id: string,
  seed: SeedOrganization,
  planted: Planted,
): Promise<ReadonlyMap<string, string>> {
  const { control } = context;
  const { status: _, ...settings } = seed.settings;
  await control("organizations.update", { path: { id }, body: settings });
  const { id: keyId, key } = await control("keys.create", {
    body: {
      kind: "public",
      organization_id: id,
      name: "seed",
      limits: { read: unlimited, write: unlimited },
    },
  });
  const client = context.client(key);
  const voices = await offerVoices(control, seed.declared.objects);
  planted.voices.push(...voices.made);
  const declared = { ...seed.declared, objects: voices.objects };
  const ids = await plantResources(context, client, { ...seed, declared }, planted);
  await voices.restore();
  await plantContacts(context, client, seed, ids);
  await control("keys.delete", { path: { id: keyId } });
  for (const { name, ...keyFields } of seed.keys) {
    const owner = keyFields["kind"] === "distributor" ? {} : { organization_id: id };
    planted.keys[name] = (await control("keys.create", { body: { name, ...keyFields, ...owner } })).key;
  }
  return ids;
}

async function organizationId(control: Control, { name }: SeedOrganization): Promise<string> {
  if (name !== undefined) return (await control("organizations.create", { body: { name } })).id;
  const [first] = await control("organizations.list");
  return first?.id ?? "";
}

/** @returns IDs of created and adopted resources, by key */
async function plantResources(
  context: SeedContext,
  client: Client,
  { folder, declared }: SeedOrganization,
  planted: Planted,
): Promise<Map<string, string>> {
  const { signal } = context;
  const values = new Map<string, string>();
  const read = async (from: string) => {
    const known = values.get(from) ?? (await context.secret(from));
    if (known === undefined && !planted.madeUp.includes(from)) planted.madeUp.push(from);
    values.set(from, known ?? madeUpSecret);
    return known ?? madeUpSecret;
  };
  const decision = await decide(
    { client, signal },
    {
      folder,
      declared,
      lock: { project: folder.project.project, base_url: "", anchors: [], lines: new Map() },
      options,
      secrets: { read, fingerprints: undefined },
      cache: undefined,
    },
  );
  const [refusal] = decision.refusals;
  if (refusal !== undefined) throw new ConfigError("config_invalid", refusal.message, refusal.hint);
  const ids = new Map(
    decision.changes.flatMap(({ object, line }) =>
      line === undefined ? [] : [[object.key, line.id] as const],
    ),
  );
  const made = new Map<number, Readonly<Record<string, unknown>>>();
  const fillings = {
    reference: (step: number, field: string) => made.get(step)?.[field],
    secret: (from: string) => values.get(from),
  };
  for (const { step, op, path, body, key } of stepsOf(decision)) {
    for (const from of secretsIn(body)) await read(from);
    const request = {
      path: Object.fromEntries(
        Object.entries(recordOf(fillPlaceholders(path, fillings))).map(([name, value]) => [
          name,
          String(value),
        ]),
      ),
      body: fillPlaceholders(body, fillings),
    };
    const data = recordOf(
      (
        await client.call(op, request, { signal }).catch((error: unknown) => {
          throw toRefusalError(error, key ?? op);
        })
      ).data,
    );
    made.set(step, data);
    if (key !== undefined) ids.set(key, String(data["id"]));
  }
  return ids;
}

/**
 * Converts the emulator's refusal to a ConfigError. A valid directory can break API rules that only the
 * emulator enforces.
 */
function toRefusalError(error: unknown, what: string): unknown {
  if (!(error instanceof ClientError) || error.status === undefined) return error;
  const details = error.details.map(({ path, message }) => `${path.join(".")} ${message}`).join("; ");
  return new ConfigError(
    "config_invalid",
    `${what}: ${error.message}${details === "" ? "" : `: ${details}`}`,
  );
}

async function plantContacts(
  { signal }: SeedContext,
  client: Client,
  seed: SeedOrganization,
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  if (seed.contacts.length === 0) return;
  const groups: { id: string; name: unknown }[] = [];
  for await (const row of client.items("groups.list", {}, { signal })) {
    const { id, name, type } = recordOf(row);
    if (type === "contacts") groups.push({ id: String(id), name });
  }
  const groupOf = ({ group }: SeedContact) =>
    group === undefined
      ? groups.at(-1)?.id
      : (ids.get(group) ?? groups.find(({ name }) => name === group)?.id);
  for (const [index, contact] of seed.contacts.entries()) {
    const group_id = groupOf(contact);
    const location = seed.locate(["contacts", index]);
    if (group_id === undefined)
      throw new ConfigError(
        "config_invalid",
        `${location}: contact group "${contact.group ?? ""}" not found`,
        "declare it in groups:, and refer to it by its name or by its key, such as groups/kunden",
      );
    const { group: _, ...body } = contact;
    await client
      .call("contacts.create", { body: { ...body, group_id } }, { signal })
      .catch((error: unknown) => {
        throw toRefusalError(error, location);
      });
  }
}

async function plantCall(
  control: Control,
  seed: SeedOrganization,
  { assistant, minutes_ago, ...callFields }: SeedCall,
  index: number,
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  const { now } = await control("clock.get");
  const created_at =
    minutes_ago === undefined
      ? callFields["created_at"]
      : new Date(parseTime(now) - minutes_ago * 60_000).toISOString();
  await control("calls.create", {
    body: { ...callFields, assistant_id: ids.get(assistant), created_at },
  }).catch((error: unknown) => {
    const message = messageOf(error);
    throw new ConfigError("config_invalid", `${seed.locate(["calls", index])}: ${message}`);
  });
}
