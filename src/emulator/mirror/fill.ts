import type { SqlValue } from "../../base/database.js";
import { isDistributorResource, type MirrorResource, type PublicResource } from "../../contract/mirror.js";
import type { AnyHandler, PublicContext } from "../context.js";
import { isoTimes } from "../kernel/clock.js";
import { JsonText } from "../kernel/json-text.js";
import { numberIsKept } from "../public/numbers.js";
import type { World } from "../world.js";
import { mirroredOrganization } from "./begin.js";
import type { RawThing } from "./conversions.js";
import { copiedResources } from "./copied-resources.js";
import { type Contract, judgeThing } from "./judge.js";
import { countChanges, idOf, keepRows, type Rows, type Stored, storedThing } from "./keep-rows.js";
import { removeOrganizations } from "./organizations.js";
import { sealedText } from "./sealed.js";

/** The handlers that show what the tables hold: a get for each thing, or where there is none the list of all. */
export interface Showing {
  operation: string;
  handler: AnyHandler;
  contract: Contract;
}

/** Which resources are completed by a get of each thing. */
export function wantsDetail(resource: PublicResource, request: { call_details: boolean }): boolean {
  return resource === "knowledge" || (resource === "calls" && request.call_details);
}

/** A page of an organization's things. @throws Refusal validation_failed for a row without an id */
export function storeRows(
  world: World,
  organizationId: string,
  input: Rows & { resource: PublicResource; wantsDetail: boolean },
  showing: Showing,
): Stored {
  const { resource } = input;
  const writeThing = writerOf(world, organizationId, resource);
  const write = (raw: RawThing, isNew: boolean) => {
    judgeThing(world, resource, raw, showing.contract, "listed");
    return writeThing(raw, isNew);
  };
  const copied = copiedResources[resource];
  if ("things" in copied) {
    const { things } = copied;
    return keepRows(world, input, {
      write,
      shown: (id) => things.find(world.database, organizationId, id)?.text,
    });
  }
  return keepRows(world, input, {
    write,
    written: (changed) => keepShown(world, organizationId, resource, changed, showing, "list"),
  });
}

/** Stores the fields that only a get shows: the texts of knowledge, what was said in calls. */
export function storeDetails(
  world: World,
  organizationId: string,
  input: { resource: PublicResource; pass: number; rows: readonly RawThing[]; progress: unknown },
  showing: Showing,
): Stored {
  const { database } = world;
  const { resource } = input;
  const unlisted = new Set(copiedResources[resource].unlisted);
  const stored: Stored = { changed: 0, signs: 0 };
  const listedThings: RawThing[] = [];
  const write = writerOf(world, organizationId, resource);
  for (const raw of input.rows) {
    const id = idOf(raw);
    const row = database.prepare("SELECT raw FROM mirrored WHERE resource = ? AND id = ?").get(resource, id);
    if (!row) continue;
    const listedThing = storedThing(world, resource, row["raw"]);
    listedThings.push(listedThing);
    database
      .prepare("UPDATE mirrored SET detail = ?, wants_detail = 0 WHERE resource = ? AND id = ?")
      .run(sealedText(world.options, resource, JSON.stringify(raw)), resource, id);
    // It changed between the list and the get: what was collected is of no one moment.
    const listed = Object.fromEntries(Object.entries(raw).filter(([name]) => !unlisted.has(name)));
    if (JSON.stringify(listed) !== JSON.stringify(listedThing)) stored.changed += 1;
    write(raw, false);
    judgeThing(world, resource, raw, showing.contract, "shown");
    if (resource === "knowledge")
      database
        .prepare(
          "INSERT INTO knowledge_texts (knowledge_item_id, text) VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text",
        )
        .run(id, String(raw["text"] ?? ""));
  }
  keepShown(world, organizationId, resource, input.rows, showing, "detail");
  // Its columns were written anew.
  keepShown(world, organizationId, resource, listedThings, showing, "list");
  countChanges(world, input.pass, stored, input.progress);
  return stored;
}

/** Things that a get did not find any more. */
export function removeThings(
  world: World,
  input: { resource: MirrorResource; pass: number; ids: readonly string[]; progress: unknown },
): Stored {
  const { database } = world;
  const { resource, ids } = input;
  if (resource === "orgs") removeOrganizations(world, ids);
  for (const id of ids) {
    // A thing that still lies in a group that is gone keeps a reference to nothing.
    if (resource === "groups") hideGroup(world, id);
    else if (resource === "licenses") database.prepare("DELETE FROM licenses WHERE external_id = ?").run(id);
    else if (!isDistributorResource(resource)) removeThing(world, resource, id);
    database.prepare("DELETE FROM mirrored WHERE resource = ? AND id = ?").run(resource, id);
    database
      .prepare("INSERT INTO mirror_dangling (resource, id) VALUES (?, ?) ON CONFLICT DO NOTHING")
      .run(resource, id);
  }
  const stored = { changed: ids.length, signs: 0 };
  countChanges(world, input.pass, stored, input.progress);
  return stored;
}

/** By their key where they are an organization's: else the whole table would be looked through. */
function removeThing(world: World, resource: PublicResource, id: string): void {
  const { table, owned } = copiedResources[resource];
  const deletion = `DELETE FROM ${table} WHERE id = ?`;
  if (owned)
    world.database.prepare(`${deletion} AND organization_id = ?`).run(id, mirroredOrganization(world));
  else world.database.prepare(deletion).run(id);
}

/** Writes things into the world's tables; answers what these show, where they lie there as they are shown. */
function writerOf(
  world: World,
  organizationId: string,
  resource: PublicResource,
): (raw: RawThing, isNew: boolean) => string | undefined {
  const copied = copiedResources[resource];
  const conversion = { now: world.clock.now(), isoTime: isoTimes(), sealing: world.options };
  const requireGroup = groupRows(world, copied.groupType);
  if ("things" in copied) {
    const { fields, things } = copied;
    const entries = Object.entries(fields).filter(([name]) => !name.endsWith("_at"));
    return (raw, isNew) => {
      const values: Record<string, unknown> = {};
      for (const [name, convert] of entries) values[name] = convert(raw, conversion);
      requireGroup(String(values["group_id"]));
      const times = {
        created_at: fields.created_at(raw, conversion),
        updated_at: fields.updated_at(raw, conversion),
      };
      const thing = Object.assign(values, { id: idOf(raw) }, times);
      const kept = isNew
        ? things.add(world.database, organizationId, thing)
        : things.put(world.database, organizationId, thing);
      return kept.text;
    };
  }
  const { table, columns, owned } = copied;
  return (raw) => {
    const values: Record<string, SqlValue> = { id: idOf(raw) };
    if (owned) values["organization_id"] = organizationId;
    for (const [name, convert] of Object.entries(columns)) values[name] = convert(raw, conversion);
    requireGroup(String(values["group_id"]));
    if (resource === "assistants") values["phone_number"] = freeNumber(world, organizationId, raw);
    const names = Object.keys(values);
    world.database
      .prepare(
        `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
         ON CONFLICT(id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(", ")}`,
      )
      .run(...names.map((name) => values[name] ?? null));
    return undefined;
  };
}

/** Two assistants of one number can't lie in the table: the second one's is shown from the raw thing. */
function freeNumber(world: World, organizationId: string, raw: RawThing): string | null {
  const number = raw["phone_number"];
  if (typeof number !== "string") return null;
  const other = world.database
    .prepare("SELECT 1 FROM assistants WHERE phone_number = ? AND id <> ?")
    .get(number, idOf(raw));
  if (other) return null;
  numberIsKept(world.database, organizationId, number);
  return number;
}

/** M4: an item may name a group that does not exist; that one's row lies where no request finds it. */
function groupRows(world: World, type: string | undefined): (id: string) => void {
  const { database } = world;
  const there = new Set<string>();
  return (id) => {
    if (type === undefined || there.has(id)) return;
    there.add(id);
    if (database.prepare("SELECT 1 FROM groups WHERE id = ?").get(id)) return;
    database
      .prepare(
        "INSERT INTO groups (id, organization_id, type, name, created_at, updated_at) VALUES (?, ?, ?, '', 0, 0)",
      )
      .run(id, nowhere(world), type);
  };
}

function hideGroup(world: World, id: string): void {
  world.database.prepare("UPDATE groups SET organization_id = ? WHERE id = ?").run(nowhere(world), id);
}

/** An organization without a key, for what is referred to and does not exist. */
function nowhere(world: World): string {
  const { database } = world;
  const name = "(does not exist)";
  const found = database.prepare("SELECT id FROM organizations WHERE name = ?").get(name);
  if (found) return String(found["id"]);
  // The copied organization has the lowest id of all.
  const id = "f".repeat(24);
  database
    .prepare(
      "INSERT INTO organizations (id, name, features, created_at, updated_at) VALUES (?, ?, '[]', 0, 0)",
    )
    .run(id, name);
  return id;
}

/** Keeps what the tables show of things, where that is not exactly what the source showed. */
function keepShown(
  world: World,
  organizationId: string,
  resource: PublicResource,
  things: readonly RawThing[],
  { operation, handler }: Showing,
  view: "list" | "detail",
): void {
  if (things.length === 0) return;
  const context = contextOf(world, organizationId, operation);
  const unlisted = new Set(view === "list" ? copiedResources[resource].unlisted : []);
  const listedFields = (found: unknown) =>
    Object.fromEntries(Object.entries(found ?? {}).filter(([name]) => !unlisted.has(name)));
  const isList = operation.endsWith(".list");
  const all = isList ? handler(context, { path: {}, query: {}, body: {} }) : undefined;
  const column = view === "list" ? "shown" : "shown_detail";
  const update = world.database.prepare(`UPDATE mirrored SET ${column} = ? WHERE resource = ? AND id = ?`);
  for (const raw of things) {
    const id = idOf(raw);
    const found = Array.isArray(all)
      ? all.find((one) => one?.id === id)
      : handler(context, { path: { [parameterOf[resource] ?? "id"]: id }, query: {}, body: {} });
    const text = found instanceof JsonText ? found.text : JSON.stringify(listedFields(found));
    const isSame = text === JSON.stringify(raw);
    update.run(isSame ? null : sealedText(world.options, resource, text), resource, id);
  }
}

/** The parameter of each resource's get. */
const parameterOf: Readonly<Partial<Record<MirrorResource, string>>> = {
  groups: "group_id",
  prompts: "prompt_id",
  calendars: "calendar_id",
  tools: "tool_id",
  forwardings: "forwarding_id",
  glossary: "glossary_id",
  pronunciation: "pronunciation_id",
  knowledge: "knowledge_item_id",
  assistants: "assistant_id",
  contacts: "contact_id",
  calls: "call_id",
};

/** A caller that may read all of the organization. */
function contextOf(world: World, organizationId: string, operation: string): PublicContext {
  const { database } = world;
  const organization = world.organizations.get(organizationId);
  if (!organization) throw new Error("the world has no organization to fill");
  return {
    world,
    database,
    now: world.clock.now(),
    operation,
    requestHeaders: {},
    organization,
    newId: () => world.ids.next(),
    strikes: () => false,
  };
}
