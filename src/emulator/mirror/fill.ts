import type { SqlValue } from "../../base/database.js";
import { stringifyExactJson } from "../../base/exact-json.js";
import { isDistributorResource, type MirrorResource, type PublicResource } from "../../contract/mirror.js";
import type { AnyHandler, PublicContext } from "../context.js";
import type { EmulatorState } from "../emulator-state.js";
import { isoTimes } from "../kernel/clock.js";
import { JsonText } from "../kernel/json-text.js";
import { reserveNumber } from "../public/numbers.js";
import { findMirroredOrganization } from "./begin.js";
import type { RawRecord } from "./conversions.js";
import { copiedResources } from "./copied-resources.js";
import { type Contract, judgeRecord } from "./judge.js";
import {
  countChanges,
  keepRows,
  type Rows,
  readId,
  readStoredRecord,
  type Stored,
  type StoredRows,
} from "./keep-rows.js";
import { removeOrganizations } from "./organizations.js";
import { sealText } from "./sealed.js";

/**
 * The handler that reads resources from the tables: GET, or the list for resources without a GET operation.
 */
export interface ResourceReader {
  operation: string;
  handler: AnyHandler;
  contract: Contract;
}

/** Returns whether resources of this type must be read one by one with GET. */
export function wantsDetail(resource: PublicResource, request: { call_details: boolean }): boolean {
  return resource === "knowledge" || (resource === "calls" && request.call_details);
}

/** @throws Refusal validation_failed for a row without an ID */
export function storeRows(
  state: EmulatorState,
  organizationId: string,
  input: Rows & { resource: PublicResource; wantsDetail: boolean },
  reader: ResourceReader,
): StoredRows {
  const { resource } = input;
  const writeRecord = createWriter(state, organizationId, resource);
  const write = (raw: RawRecord, isNew: boolean) => {
    judgeRecord(state, resource, raw, reader.contract, "listed");
    return writeRecord(raw, isNew);
  };
  const copied = copiedResources[resource];
  if ("records" in copied) {
    const { records } = copied;
    return keepRows(state, input, {
      write,
      shown: (id) => records.find(state.database, organizationId, id)?.text,
    });
  }
  return keepRows(state, input, {
    write,
    written: (changed) => storeShown(state, organizationId, resource, changed, reader, "list"),
  });
}

/** Stores fields that only GET returns, such as the text of knowledge items and the transcripts of calls. */
export function storeDetails(
  state: EmulatorState,
  organizationId: string,
  input: { resource: PublicResource; pass: number; rows: readonly RawRecord[]; progress: unknown },
  reader: ResourceReader,
): Stored {
  const { database } = state;
  const { resource } = input;
  const unlisted = new Set(copiedResources[resource].unlisted);
  const stored: Stored = { changed: 0, signs: 0 };
  const listedRecords: RawRecord[] = [];
  const write = createWriter(state, organizationId, resource);
  for (const raw of input.rows) {
    const id = readId(raw);
    const row = database.prepare("SELECT raw FROM mirrored WHERE resource = ? AND id = ?").get(resource, id);
    if (!row) continue;
    const listedRecord = readStoredRecord(state, resource, row["raw"]);
    listedRecords.push(listedRecord);
    database
      .prepare("UPDATE mirrored SET detail = ?, wants_detail = 0 WHERE resource = ? AND id = ?")
      .run(sealText(state.options, resource, stringifyExactJson(raw)), resource, id);
    // If the fields differ, the resource changed between the list and the GET.
    const listed = Object.fromEntries(Object.entries(raw).filter(([name]) => !unlisted.has(name)));
    if (JSON.stringify(listed) !== JSON.stringify(listedRecord)) stored.changed += 1;
    write(raw, false);
    judgeRecord(state, resource, raw, reader.contract, "shown");
    if (resource === "knowledge")
      database
        .prepare(
          "INSERT INTO knowledge_texts (knowledge_item_id, text) VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text",
        )
        .run(id, String(raw["text"] ?? ""));
  }
  storeShown(state, organizationId, resource, input.rows, reader, "detail");
  // The tables now contain GET's values, which may differ from the list's. Compare them with the list again.
  storeShown(state, organizationId, resource, listedRecords, reader, "list");
  countChanges(state, input.pass, stored, input.progress);
  return stored;
}

/** Removes resources for which GET returned 404. */
export function removeRecords(
  state: EmulatorState,
  input: { resource: MirrorResource; pass: number; ids: readonly string[]; progress: unknown },
): Stored {
  const { database } = state;
  const { resource, ids } = input;
  if (resource === "orgs") removeOrganizations(state, ids);
  for (const id of ids) {
    // Hide a deleted group instead of deleting its row, because items might still refer to the group.
    if (resource === "groups") hideGroup(state, id);
    else if (resource === "licenses") database.prepare("DELETE FROM licenses WHERE external_id = ?").run(id);
    else if (!isDistributorResource(resource)) removeRecord(state, resource, id);
    database.prepare("DELETE FROM mirrored WHERE resource = ? AND id = ?").run(resource, id);
    database
      .prepare("INSERT INTO mirror_dangling (resource, id) VALUES (?, ?) ON CONFLICT DO NOTHING")
      .run(resource, id);
  }
  const stored = { changed: ids.length, signs: 0 };
  countChanges(state, input.pass, stored, input.progress);
  return stored;
}

/** Some primary keys start with the organization's ID: without that ID, SQLite would scan the whole table. */
function removeRecord(state: EmulatorState, resource: PublicResource, id: string): void {
  const { table, owned } = copiedResources[resource];
  const deletion = `DELETE FROM ${table} WHERE id = ?`;
  if (owned)
    state.database.prepare(`${deletion} AND organization_id = ?`).run(id, findMirroredOrganization(state));
  else state.database.prepare(deletion).run(id);
}

/** The created function returns the resource's JSON if the table stores the resource as JSON. */
function createWriter(
  state: EmulatorState,
  organizationId: string,
  resource: PublicResource,
): (raw: RawRecord, isNew: boolean) => string | undefined {
  const copied = copiedResources[resource];
  const conversion = { now: state.clock.now(), isoTime: isoTimes(), sealing: state.options };
  const requireGroup = createGroupRequirement(state, copied.groupType);
  if ("records" in copied) {
    const { fields, records } = copied;
    const entries = Object.entries(fields).filter(([name]) => !name.endsWith("_at"));
    return (raw, isNew) => {
      const values: Record<string, unknown> = {};
      for (const [name, convert] of entries) values[name] = convert(raw, conversion);
      requireGroup(String(values["group_id"]));
      const times = {
        created_at: fields.created_at(raw, conversion),
        updated_at: fields.updated_at(raw, conversion),
      };
      const record = Object.assign(values, { id: readId(raw) }, times);
      const kept = isNew
        ? records.add(state.database, organizationId, record)
        : records.put(state.database, organizationId, record);
      return kept.text;
    };
  }
  const { table, columns, owned } = copied;
  return (raw) => {
    const values: Record<string, SqlValue> = { id: readId(raw) };
    if (owned) values["organization_id"] = organizationId;
    for (const [name, convert] of Object.entries(columns)) values[name] = convert(raw, conversion);
    requireGroup(String(values["group_id"]));
    if (resource === "assistants") values["phone_number"] = claimNumber(state, organizationId, raw);
    const names = Object.keys(values);
    state.database
      .prepare(
        `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
         ON CONFLICT(id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(", ")}`,
      )
      .run(...names.map((name) => values[name] ?? null));
    return undefined;
  };
}

/**
 * Returns null if another assistant already has the number, because numbers are unique in the table. For both
 * assistants, the mirror still returns the source's number.
 */
function claimNumber(state: EmulatorState, organizationId: string, raw: RawRecord): string | null {
  const number = raw["phone_number"];
  if (typeof number !== "string") return null;
  const currentOwner = state.database
    .prepare("SELECT 1 FROM assistants WHERE phone_number = ? AND id <> ?")
    .get(number, readId(raw));
  if (currentOwner) return null;
  reserveNumber(state.database, organizationId, number);
  return number;
}

/**
 * Creates a function that adds a placeholder for an item's missing group. No request can find the
 * placeholder.
 */
function createGroupRequirement(state: EmulatorState, type: string | undefined): (id: string) => void {
  const { database } = state;
  const existing = new Set<string>();
  return (id) => {
    if (type === undefined || existing.has(id)) return;
    existing.add(id);
    if (database.prepare("SELECT 1 FROM groups WHERE id = ?").get(id)) return;
    database
      .prepare(
        "INSERT INTO groups (id, organization_id, type, name, created_at, updated_at) VALUES (?, ?, ?, '', 0, 0)",
      )
      .run(id, requirePlaceholderOrganization(state), type);
  };
}

function hideGroup(state: EmulatorState, id: string): void {
  state.database
    .prepare("UPDATE groups SET organization_id = ? WHERE id = ?")
    .run(requirePlaceholderOrganization(state), id);
}

/**
 * Returns an organization that no key can access. This organization owns placeholder rows for missing
 * resources to which copied resources refer.
 */
function requirePlaceholderOrganization(state: EmulatorState): string {
  const { database } = state;
  const name = "(does not exist)";
  const existing = database.prepare("SELECT id FROM organizations WHERE name = ?").get(name);
  if (existing) return String(existing["id"]);
  // This organization gets the highest ID, because the copied one must have the lowest.
  const id = "f".repeat(24);
  database
    .prepare(
      "INSERT INTO organizations (id, name, features, created_at, updated_at) VALUES (?, ?, '[]', 0, 0)",
    )
    .run(id, name);
  return id;
}

/**
 * Stores the form in which the tables show each resource, if that form differs from the source's response.
 */
function storeShown(
  state: EmulatorState,
  organizationId: string,
  resource: PublicResource,
  records: readonly RawRecord[],
  { operation, handler }: ResourceReader,
  view: "list" | "detail",
): void {
  if (records.length === 0) return;
  const context = createContext(state, organizationId, operation);
  const unlisted = new Set(view === "list" ? copiedResources[resource].unlisted : []);
  const listedFields = (value: unknown) =>
    Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => !unlisted.has(name)));
  const isList = operation.endsWith(".list");
  const all = isList ? handler(context, { path: {}, query: {}, body: {} }) : undefined;
  const column = view === "list" ? "shown" : "shown_detail";
  const update = state.database.prepare(`UPDATE mirrored SET ${column} = ? WHERE resource = ? AND id = ?`);
  for (const raw of records) {
    const id = readId(raw);
    const shown = Array.isArray(all)
      ? all.find((row) => row?.id === id)
      : handler(context, { path: { [parameterByResource[resource] ?? "id"]: id }, query: {}, body: {} });
    const text = shown instanceof JsonText ? shown.text : JSON.stringify(listedFields(shown));
    const isSame = text === stringifyExactJson(raw);
    update.run(isSame ? null : sealText(state.options, resource, text), resource, id);
  }
}

const parameterByResource: Readonly<Partial<Record<MirrorResource, string>>> = {
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

function createContext(state: EmulatorState, organizationId: string, operation: string): PublicContext {
  const { database } = state;
  const organization = state.organizations.get(organizationId);
  if (!organization) throw new Error("the emulator has no organization to fill");
  return {
    state,
    database,
    now: state.clock.now(),
    operation,
    requestHeaders: {},
    organization,
    newId: () => state.ids.next(),
    strikes: () => false,
  };
}
