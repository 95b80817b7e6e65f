import { createExportCommand } from "../../bulk/export-items.js";

export const exportContacts = createExportCommand({
  name: "contacts",
  list: "contacts.list",
  groupType: "contacts",
  noun: "contact",
  plural: "contacts",
  fields: ["first_name", "last_name", "phone_numbers", "emails"],
  group: "Patienten",
});
