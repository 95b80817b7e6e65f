import { createHash } from "node:crypto";
import type { SqlValue } from "../../base/database.js";
import type { MirrorResource } from "../../contract/mirror.js";
import type { AnyHandler, PublicContext } from "../context.js";
import { numberIsKept } from "../public/numbers.js";
import { invalid } from "../refusal.js";
import type { World } from "../world.js";
import { copiedResources, type RawThing } from "./copied-resources.js";
import { type Contract, judgeThing } from "./judge.js";
import { openedText, sealedText } from "./sealed.js";

/** A page of a list, or things that were read by their ids. */
export interface Rows {
  resource: MirrorResource;
  /** The list that they came by: a resource may be read by several. */
  list: string;
  pass: number;
  rows: readonly RawThing[];
  /** Where the list goes on; null at its end, or where it begins. */
  cursor: string | null;
  done: boolean;
  /** They were read by their ids, since no list showed them: T7. */
  hidden: boolean;
  /** Kept with the rows: they are counted exactly as often as they are stored. */
  progress: unknown;
}

/** What came of a page. */
export interface Stored {
  changed: number;
  signs: number;
}

/** The handlers that show what the tables hold: a get for each thing, or where there is none the list of all. */
export interface Showing {
  operation: string;
  handler: AnyHandler;
  contract: Contract;
}

/** Which resources are completed by a get of each thing. */
export function wantsDetail(resource: MirrorResource, request: { call_details: boolean }): boolean {
  return resource === "knowledge" || (resource === "calls" && request.call_details);
}

/**
 * M5: one page's rows, the place where its list goes on and the collector's counters, in the call's own transaction.
 * @throws Refusal validation_failed for a row without an id
 */
export function storeRows(
  world: World,
  organizationId: string,
  input: Rows & { wantsDetail: boolean },
  showing: Showing,
): Stored {
  const { database } = world;
  const { resource, list, pass } = input;
  const stored: Stored = { changed: 0, signs: input.hidden ? input.rows.length : 0 };
  const known = database.prepare("SELECT raw, hash, pass FROM mirrored WHERE resource = ? AND id = ?");
  const seen = database.prepare("UPDATE mirrored SET pass = ? WHERE resource = ? AND id = ?");
  const keep = database.prepare(
    `INSERT INTO mirrored (resource, id, raw, hash, pass, wants_detail) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET raw = excluded.raw, hash = excluded.hash, pass = excluded.pass,
       wants_detail = excluded.wants_detail`,
  );
  const changed: RawThing[] = [];
  for (const raw of input.rows) {
    const id = idOf(raw);
    const text = JSON.stringify(raw);
    const hash = hashOf(text);
    const before = known.get(resource, id);
    // T7: a row that comes twice says that pages are positions.
    if (before?.["pass"] === pass) stored.signs += 1;
    if (before?.["hash"] === hash) {
      seen.run(pass, resource, id);
      continue;
    }
    if (before && isSilentChange(storedThing(world, resource, before["raw"]), raw)) stored.signs += 1;
    stored.changed += 1;
    keep.run(resource, id, sealedText(world.options, resource, text), hash, pass, input.wantsDetail ? 1 : 0);
    writeThing(world, organizationId, resource, raw);
    judgeThing(world, resource, raw, showing.contract, "listed");
    changed.push(raw);
  }
  keepShown(world, organizationId, resource, changed, showing, "list");
  database
    .prepare(
      `INSERT INTO mirror_lists (name, resource, pass, cursor, done, rows) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET rows = excluded.rows + CASE WHEN pass = excluded.pass THEN rows ELSE 0 END,
         pass = excluded.pass, cursor = excluded.cursor, done = excluded.done`,
    )
    .run(list, resource, pass, input.cursor, input.done ? 1 : 0, input.rows.length);
  countChanges(world, pass, stored, input.progress);
  return stored;
}

/** What only a get shows: the texts of knowledge, what was said in calls. */
export function storeDetails(
  world: World,
  organizationId: string,
  input: { resource: MirrorResource; pass: number; rows: readonly RawThing[]; progress: unknown },
  showing: Showing,
): Stored {
  const { database } = world;
  const { resource } = input;
  const unlisted = new Set(copiedResources[resource].unlisted);
  const stored: Stored = { changed: 0, signs: 0 };
  const listedThings: RawThing[] = [];
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
    writeThing(world, organizationId, resource, raw);
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
  for (const id of ids) {
    // What still lies in a group that is gone keeps a reference to nothing.
    if (resource === "groups") hideGroup(world, id);
    else database.prepare(`DELETE FROM ${copiedResources[resource].table} WHERE id = ?`).run(id);
    database.prepare("DELETE FROM mirrored WHERE resource = ? AND id = ?").run(resource, id);
    database
      .prepare("INSERT INTO mirror_dangling (resource, id) VALUES (?, ?) ON CONFLICT DO NOTHING")
      .run(resource, id);
  }
  const stored = { changed: ids.length, signs: 0 };
  countChanges(world, input.pass, stored, input.progress);
  return stored;
}

function countChanges(world: World, pass: number, { changed, signs }: Stored, progress: unknown): void {
  world.database
    .prepare(
      `INSERT INTO mirror_passes (pass, changed, signs) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET changed = changed + excluded.changed, signs = signs + excluded.signs`,
    )
    .run(pass, changed, signs);
  world.database.prepare("UPDATE mirror SET progress = ?").run(JSON.stringify(progress));
}

function idOf(raw: RawThing): string {
  const { id } = raw;
  if (typeof id === "string" && id !== "") return id;
  throw invalid("emulator.control", [{ path: ["rows"], message: "each needs an id" }]);
}

/** A thing as the source showed it when it was stored. */
function storedThing({ options }: World, resource: MirrorResource, stored: unknown): RawThing {
  const value: unknown = JSON.parse(openedText(options, resource, String(stored)) ?? "{}");
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** Fields that the service changes by itself, and that no `updated_at` tells of. */
const restless = ["sync_status", "rating"];

/** Did a thing change though it says that it did not? */
function isSilentChange(old: RawThing, raw: RawThing): boolean {
  if (raw["updated_at"] === undefined || old["updated_at"] !== raw["updated_at"]) return false;
  const rest = (thing: RawThing) =>
    JSON.stringify(Object.entries(thing).filter(([name]) => !restless.includes(name)));
  return rest(old) !== rest(raw);
}

function writeThing(world: World, organizationId: string, resource: MirrorResource, raw: RawThing): void {
  const { table, columns, owned, groupType } = copiedResources[resource];
  const conversion = { now: world.clock.now(), sealing: world.options };
  const values: Record<string, SqlValue> = { id: idOf(raw) };
  if (owned) values["organization_id"] = organizationId;
  for (const [name, convert] of Object.entries(columns)) values[name] = convert(raw, conversion);
  if (groupType !== undefined) requireGroupRow(world, String(values["group_id"]), groupType);
  if (resource === "assistants") values["phone_number"] = freeNumber(world, organizationId, raw);
  const names = Object.keys(values);
  world.database
    .prepare(
      `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
       ON CONFLICT(id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(", ")}`,
    )
    .run(...names.map((name) => values[name] ?? null));
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

/** M4: an item may name a group that does not exist; its row lies where no request finds it. */
function requireGroupRow(world: World, id: string, type: string): void {
  const { database } = world;
  if (database.prepare("SELECT 1 FROM groups WHERE id = ?").get(id)) return;
  database
    .prepare(
      "INSERT INTO groups (id, organization_id, type, name, created_at, updated_at) VALUES (?, ?, ?, '', 0, 0)",
    )
    .run(id, nowhere(world), type);
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
  resource: MirrorResource,
  things: readonly RawThing[],
  { operation, handler }: Showing,
  view: "list" | "detail",
): void {
  if (things.length === 0) return;
  const context = contextOf(world, organizationId, operation);
  const unlisted = new Set(copiedResources[resource].unlisted);
  const isList = operation.endsWith(".list");
  const all = isList ? handler(context, { path: {}, query: {}, body: {} }) : undefined;
  const column = view === "list" ? "shown" : "shown_detail";
  const update = world.database.prepare(`UPDATE mirrored SET ${column} = ? WHERE resource = ? AND id = ?`);
  for (const raw of things) {
    const id = idOf(raw);
    const found = Array.isArray(all)
      ? all.find((one) => one?.id === id)
      : handler(context, { path: { [parameterOf[resource] ?? "id"]: id }, query: {}, body: {} });
    const shown =
      view === "list"
        ? Object.fromEntries(Object.entries(found ?? {}).filter(([name]) => !unlisted.has(name)))
        : found;
    const text = JSON.stringify(shown);
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
