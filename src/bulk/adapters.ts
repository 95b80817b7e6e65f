import type { Client } from "../client/types.js";
import { contactAdapter } from "./contacts/adapter.js";
import type { ImportAdapter } from "./engine/import-adapter.js";
import { itemAdapter } from "./items/adapter.js";
import { itemTypeOf } from "./items/item-types.js";
import type { RunIdentity } from "./journal/identity.js";

/** What is to be known of an import to go on with it or to undo it; undefined for a run of another type. */
export function importAdapterOf({ kind, group_id }: RunIdentity, client: Client): ImportAdapter | undefined {
  if (kind === "contacts") return contactAdapter(client, group_id);
  const type = itemTypeOf(kind);
  return type && itemAdapter(type, client, group_id);
}
