import { createHash } from "node:crypto";
import type { Client } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import { recordOf } from "../values.js";

/** An item's fields as voxctl writes them; what a row says nothing of is left out. */
export type ItemFields = Readonly<Record<string, unknown>>;

/** What makes one kind of item differ from another: glossary entries, pronunciation rules, knowledge. */
export interface ItemKind {
  /** By this a run finds the way back to its kind. */
  name: string;
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
export interface Member {
  id: string;
  fields: ItemFields;
}

const pageSize = 200;

/** The items of a group, a page held at a time; without what lists don't show. */
export async function* readMembers(
  client: Client,
  kind: ItemKind,
  groupId: string,
): AsyncGenerator<Member, void> {
  const query = { group_id: groupId };
  for await (const value of client.items(kind.operations.list, { query }, { pageSize })) {
    const member = memberOf(kind, value);
    // A filter is never trusted.
    if (member && (recordOf(value)["group_id"] ?? groupId) === groupId) yield member;
  }
}

/** An item of an answer; undefined without an id. */
export function memberOf(kind: ItemKind, value: unknown): Member | undefined {
  const record = recordOf(value);
  const id = record["id"];
  if (typeof id !== "string") return undefined;
  return { id, fields: Object.fromEntries(kind.fields.map((field) => [field, record[field]])) };
}

/** The member with what only `get` shows. */
export async function completed(client: Client, kind: ItemKind, member: Member): Promise<Member> {
  if (kind.unlisted.length === 0) return member;
  const { data } = await client.call(kind.operations.get, { path: { [kind.parameter]: member.id } });
  return memberOf(kind, data) ?? member;
}

/** What a row changes of a member: a PATCH of what differs, undefined where nothing does. */
export function changesOf(member: ItemFields, row: ItemFields): ItemFields | undefined {
  const changed = Object.entries(row).filter(([field, value]) => !isSame(value, member[field]));
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
export function keyOf(kind: ItemKind, fields: ItemFields): string {
  return String(canonical(fields[kind.key])).trim();
}

/** Equal for items that are the same in all that voxctl writes; the member has to be completed before. */
export function fingerprintOf(kind: ItemKind, fields: ItemFields): string {
  const content = kind.fields.map((field) =>
    field === kind.key ? keyOf(kind, fields) : canonical(fields[field]),
  );
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url").slice(0, 27);
}
