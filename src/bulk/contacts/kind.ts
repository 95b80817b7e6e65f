import type { Client } from "../../client/types.js";
import type { Work } from "../engine/execute.js";
import type { Lookup } from "../engine/reconcile.js";
import type { Kind } from "../engine/run.js";
import type { Item } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import { compareAgain } from "./again.js";
import { readGroup } from "./group.js";
import { fingerprintOf, type GroupContact, groupContact } from "./identity.js";
import { createMembers } from "./members.js";

/** An import's requests, and how to find out what became of them. */
export function importKind(client: Client, journal: Journal, groupId: string): Kind {
  const { has } = createMembers(journal.database, undefined);
  return {
    work: importWork(groupId),
    lookup: contactLookup(client, groupId, has),
    compareAgain: compareAgain(client, journal, groupId),
  };
}

function importWork(groupId: string): Work {
  return {
    paces: "contacts.create",
    request: (item) =>
      item.action === "update"
        ? {
            operation: "contacts.update",
            input: { path: { contact_id: item.target ?? "" }, body: item.body },
          }
        : { operation: "contacts.create", input: { body: { group_id: groupId, ...recordOf(item.body) } } },
    targetOf: (item, data) => item.target ?? groupContact(data)?.id,
    rejects: (item, { status = 0 }) => {
      if (status === 401 || status === 402 || status === 403 || status >= 500) return false;
      // Of a create it is the group that is missing; of an update only the contact.
      return status !== 404 || item.action === "update";
    },
  };
}

/** Looks into the group. */
function contactLookup(client: Client, groupId: string, existedBefore: (id: string) => boolean): Lookup {
  return {
    async *things() {
      for await (const contact of readGroup(client, groupId)) {
        yield { id: contact.id, fingerprint: fingerprintOf(contact), value: contact };
      }
    },
    existedBefore,
    judgeUpdate(item, found) {
      const contact = groupContact(found.value);
      if (contact === undefined) return "changed";
      if (hasFields(contact, recordOf(item.body))) return "done";
      return hasFields(contact, beforeImage(item)) ? "undone" : "changed";
    },
  };
}

/** Of what an update changes, as it was. */
function beforeImage(item: Item): Readonly<Record<string, unknown>> {
  const before = recordOf(item.before);
  return Object.fromEntries(Object.keys(recordOf(item.body)).map((field) => [field, before[field]]));
}

/** Would these fields change nothing? */
export function hasFields(contact: GroupContact, fields: Readonly<Record<string, unknown>>): boolean {
  const changed = groupContact({ ...contact, ...fields });
  return changed !== undefined && fingerprintOf(changed) === fingerprintOf(contact);
}
