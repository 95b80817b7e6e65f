import type { Client } from "../../client/types.js";
import type { ImportAdapter } from "../engine/import-adapter.js";
import type { RemoteItem } from "../engine/reconcile.js";
import { compareAgain } from "./compare-again.js";
import { createExistingContacts } from "./existing-contacts.js";
import { readGroup } from "./group.js";
import { fingerprintOf, type GroupContact, groupContact } from "./identity.js";

/** What an import of contacts, and its undo, need to know of contacts. */
export function contactAdapter(client: Client, groupId: string): ImportAdapter {
  return {
    type: "contacts",
    operations: {
      create: "contacts.create",
      get: "contacts.get",
      update: "contacts.update",
      delete: "contacts.delete",
    },
    parameter: "contact_id",
    async *remoteItems() {
      for await (const contact of readGroup(client, groupId)) yield remoteItem(contact);
    },
    remoteItem(data) {
      const contact = groupContact(data);
      return contact && remoteItem(contact);
    },
    hasFields(value, fields) {
      const contact = groupContact(value);
      const changed = groupContact({ ...contact, ...fields });
      return contact && changed ? fingerprintOf(changed) === fingerprintOf(contact) : false;
    },
    existedBefore: (journal, id) => createExistingContacts(journal.database, undefined).has(id),
    compareAgain: (journal, signal) => compareAgain(client, journal, groupId, signal),
  };
}

function remoteItem(contact: GroupContact): RemoteItem {
  return { id: contact.id, fingerprint: fingerprintOf(contact), value: contact };
}
