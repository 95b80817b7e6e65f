import { createHash } from "node:crypto";
import type { Client } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import type { RunType } from "../journal/identity.js";
import { recordOf } from "../values.js";

/** An item's fields as voxctl writes them; what a row says nothing of is left out. */
export type ItemFields = Readonly<Record<string, unknown>>;

/** What makes one type of item differ from another: glossary entries, pronunciation rules, knowledge. */
export interface ItemType {
  /** By this a run finds the way back to its type. */
  name: Exclude<RunType, "contacts" | "provisioning">;
  operations: Readonly<Record<"list" | "create" | "get" | "update" | "delete", OperationName>>;
  /** The path's parameter: `glossary_id`. */
  parameter: string;
  /** The field by which a row and an item of the group are the same. */
  key: string;
  /** What a row may say. */
  fields: readonly string[];
  /** Of these, what only `get` shows. */
  unlisted: readonly string[];
}

/** An item of the group as it is. */
export interface ExistingItem {
  id: string;
  fields: ItemFields;
}

const pageSize = 200;

/** The items of a group, a page held at a time; without what lists don't show. */
export async function* readItems(
  client: Client,
  type: ItemType,
  groupId: string,
): AsyncGenerator<ExistingItem, void> {
  const query = { group_id: groupId };
  for await (const value of client.items(type.operations.list, { query }, { pageSize })) {
    const item = existingItemOf(type, value);
    // A filter is never trusted.
    if (item && (recordOf(value)["group_id"] ?? groupId) === groupId) yield item;
  }
}

/** An item of an answer; undefined without an id. */
export function existingItemOf(type: ItemType, value: unknown): ExistingItem | undefined {
  const record = recordOf(value);
  const id = record["id"];
  if (typeof id !== "string") return undefined;
  return { id, fields: Object.fromEntries(type.fields.map((field) => [field, record[field]])) };
}

/** The item with what only `get` shows. */
export async function completed(client: Client, type: ItemType, item: ExistingItem): Promise<ExistingItem> {
  if (type.unlisted.length === 0) return item;
  const { data } = await client.call(type.operations.get, { path: { [type.parameter]: item.id } });
  return existingItemOf(type, data) ?? item;
}

/** What a row changes of an item: a PATCH of what differs, undefined where nothing does. */
export function changesOf(item: ItemFields, row: ItemFields): ItemFields | undefined {
  const changed = Object.entries(row).filter(([field, value]) => !isSame(value, item[field]));
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** Two values that nobody would tell apart: nothing, an empty text and `false`; forms of the same character. */
function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): unknown {
  if (value === undefined || value === null || value === false) return "";
  return typeof value === "string" ? value.replace(/\r\n?/g, "\n").normalize("NFC") : value;
}

/** Equal for rows and items that are of the same key. */
export function keyOf(type: ItemType, fields: ItemFields): string {
  return String(canonical(fields[type.key])).trim();
}

/** Equal for items that are the same in all that voxctl writes; the item has to be completed before. */
export function fingerprintOf(type: ItemType, fields: ItemFields): string {
  const content = type.fields.map((field) =>
    field === type.key ? keyOf(type, fields) : canonical(fields[field]),
  );
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url").slice(0, 27);
}
