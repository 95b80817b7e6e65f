import type { Client } from "../../client/types.js";
import type { Found } from "../engine/reconcile.js";
import type { Reversible } from "../engine/reversal.js";
import { readGroup } from "./group.js";
import { fingerprintOf, type GroupContact, groupContact } from "./identity.js";
import { hasFields, importKind } from "./kind.js";

/** What undoing an import of contacts needs to know. */
export function reversibleContacts(client: Client, groupId: string): Reversible {
  return {
    operations: { get: "contacts.get", update: "contacts.update", delete: "contacts.delete" },
    parameter: "contact_id",
    async *things() {
      for await (const contact of readGroup(client, groupId)) yield foundContact(contact);
    },
    found: (data) => {
      const contact = groupContact(data);
      return contact && foundContact(contact);
    },
    hasFields: (value, fields) => {
      const contact = groupContact(value);
      return contact !== undefined && hasFields(contact, fields);
    },
    requests: (journal) => importKind(client, journal, groupId),
  };
}

function foundContact(contact: GroupContact): Found {
  return { id: contact.id, fingerprint: fingerprintOf(contact), value: contact };
}
