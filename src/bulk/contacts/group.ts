import type { Client } from "../../client/types.js";
import { type GroupContact, groupContact } from "./identity.js";

/** Contacts asked for per page. */
export const pageSize = 200;

/** The contacts of a group, one page held at a time. */
export async function* readGroup(client: Client, groupId: string): AsyncGenerator<GroupContact, void> {
  for await (const value of client.items("contacts.list", { query: { group_id: groupId } }, { pageSize })) {
    const contact = groupContact(value);
    // A filter is never trusted.
    if (contact && belongsTo(value, groupId)) yield contact;
  }
}

function belongsTo(value: unknown, groupId: string): boolean {
  return typeof value !== "object" || value === null || !("group_id" in value) || value.group_id === groupId;
}
