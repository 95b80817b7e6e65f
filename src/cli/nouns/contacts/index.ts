import { getText, isFields } from "../../../base/fields.js";
import { collectTexts } from "../../../base/text-matching.js";
import { contacts as contactOperations } from "../../../contract/public/contacts.js";
import type { SpecialFields } from "../../derive/ask.js";
import type { Noun } from "../../derive/noun.js";
import { sendCommand } from "../../derive/send.js";
import { showIfPresent } from "../../output/fields.js";
import { contact } from "../../session/references/contact.js";
import { groupOf } from "../../session/references/group.js";
import { searchFilter } from "./search.js";

function formatFullName(contact: Readonly<Record<string, unknown>>): string {
  return [getText(contact, "first_name"), getText(contact, "last_name")]
    .filter((part) => part !== "")
    .join(" ");
}

function describeContact(contact: Readonly<Record<string, unknown>>): string[] {
  const addresses = [...collectTexts(contact["phone_numbers"]), ...collectTexts(contact["emails"])].join(
    ", ",
  );
  return [formatFullName(contact), addresses].filter((part) => part !== "");
}

const writtenNumbers: SpecialFields["written"] = {
  phone_numbers: async (...typed) => (await import("./written-number.js")).readWrittenNumber(...typed),
};

const byNameOrNumber =
  "Instead of an ID, you can use a complete name, number or email that only one contact has. A number without a country " +
  "code is treated as a number in the profile's country (see `voxctl profiles set`).";

export const contacts: Noun = {
  name: "contacts",
  noun: "contact",
  plural: "contacts",
  summary: "Manage contacts; import, sync and deduplicate them",
  operations: contactOperations,
  columns: [
    { header: "ID", value: "id", keep: true },
    { header: "NAME", value: showIfPresent(["first_name", "last_name"], formatFullName) },
    { header: "PHONE NUMBERS", value: "phone_numbers", keep: true },
    { header: "EMAILS", value: "emails" },
    { header: "GROUP", value: "group_id", optional: true },
  ],
  references: { group_id: groupOf("contacts") },
  commands: [
    {
      name: "import",
      summary: "Import contacts from a CSV, TSV, XLSX, JSONL, JSON or vCard file",
      load: async () => (await import("../../../features/import/commands/import.js")).importContactsCommand,
    },
    {
      name: "sync",
      summary: "Update a group of contacts to match a file",
      load: async () => (await import("../../../features/sync/commands/sync.js")).syncContacts,
    },
    {
      name: "dedupe",
      summary: "Find and delete duplicate contacts in a group",
      load: async () => (await import("../../../features/sync/commands/dedupe.js")).dedupeContacts,
    },
    {
      name: "delete",
      aliases: ["rm"],
      summary: contactOperations["contacts.delete"].summary,
      load: async () => (await import("./delete.js")).createDeleteCommand(contacts),
    },
    {
      name: "export",
      summary: "Export contacts to a CSV, XLSX, JSONL or vCard file",
      load: async () => (await import("./export.js")).exportContacts,
    },
  ],
  verbs: {
    "contacts.list": {
      description:
        "--search finds contacts with a word that starts with the text, such as a name or an email. It ignores case and accents, and treats ü as ue and ß as ss. " +
        "A number with + must match from its start. For a number with a leading 0, voxctl uses the profile's country code; " +
        "if the profile has none, any country code matches. Other digits match anywhere in a number, if there are at least three.",
      examples: [
        { command: "voxctl contacts list" },
        { command: "voxctl contacts list --search schmidt" },
        { command: "voxctl contacts list --search lukasz", note: "Also finds Łukasz" },
        { command: "voxctl contacts list --search +4930", note: "Numbers that start with +4930" },
        {
          command: "voxctl contacts list --group Patienten --all -o csv",
          note: "All contacts, for a spreadsheet",
        },
      ],
      flagHelp: { group_id: "List only contacts in this group" },
      rowFilters: [searchFilter],
    },
    "contacts.get": {
      description: byNameOrNumber,
      examples: [
        { command: "voxctl contacts get 65f1a0b2c3d4e5f601234567" },
        { command: 'voxctl contacts get "Françoise Schäfer"' },
        { command: "voxctl contacts get +491713920001" },
      ],
      referable: contact,
    },
    "contacts.create": {
      examples: [
        {
          command: "voxctl contacts create --group Patienten --first-name Anna --phone-number +4915112345678",
        },
        { command: "voxctl contacts create --group Patienten --data @contact.json --set last_name=Schmidt" },
      ],
      flagHelp: {
        phone_numbers: "Number with country code (+4915112345678), or a number in the profile's country",
        emails: "Email address",
      },
      command: (derivation) =>
        sendCommand(derivation, { written: writtenNumbers, ofProfile: { group_id: "group" } }),
    },
    "contacts.update": {
      description: byNameOrNumber,
      referable: contact,
      command: (derivation) => sendCommand(derivation, { written: writtenNumbers }),
      examples: [
        { command: "voxctl contacts update 65f1a0b2c3d4e5f601234567 --last-name Schmidt-Meier" },
        { command: 'voxctl contacts update +491713920001 --first-name "Françoise"' },
        {
          command: "voxctl contacts update 65f1a0b2c3d4e5f601234567 --set emails=[]",
          note: "Remove all emails",
        },
      ],
      flagHelp: {
        phone_numbers: "Number with country code, or a number in the profile's country; replaces all numbers",
        emails: "Email address; replaces all emails",
      },
    },
    "contacts.delete": {
      referable: contact,
      examples: [
        { command: "voxctl contacts delete 65f1a0b2c3d4e5f601234567 --yes" },
        {
          command: 'voxctl contacts delete "Françoise Schäfer"',
          note: "Show the contact and ask before deleting it",
        },
      ],
      loses: async ({ client, id, signal }) => {
        const { data } = await client.call("contacts.get", { path: { contact_id: id } }, { signal });
        return { what: ["contact", ...(isFields(data) ? describeContact(data) : [])].join(" ") };
      },
    },
  },
};
