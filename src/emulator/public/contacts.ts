import type { Contact, contacts } from "../../contract/public/contacts.js";
import { type Handlers, markSingleStatement } from "../context.js";
import { Table } from "../kernel/table.js";
import { requireGroup } from "./groups.js";

const table = new Table<Contact>("contacts", "the contact", {
  columns: ["group_id"],
  members: ["first_name", "last_name", "phone_numbers", "emails"],
});

export { table as contactTable };

export const contactHandlers: Handlers<typeof contacts> = {
  "contacts.list": (context, { query }) => table.page(context, query, { group_id: query.group_id }),

  "contacts.create": markSingleStatement((context, { body }) => {
    requireGroup(context, body.group_id, "contacts", "public.contact.group");
    // Contacts have no unique fields, so duplicates are allowed (D-contact).
    return table.insert(context, body);
  }),

  "contacts.get": (context, { path }) => table.get(context, path.contact_id),

  "contacts.update": markSingleStatement((context, { path, body }) => {
    const contact = table.require(context, path.contact_id);
    if (body.group_id !== undefined) requireGroup(context, body.group_id, "contacts", "public.contact.group");
    return table.update(context, contact, body);
  }),

  "contacts.delete": markSingleStatement((context, { path }) => table.delete(context, path.contact_id)),
};
