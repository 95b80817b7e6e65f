import { collectTexts } from "../../../base/text-matching.js";
import { contacts as contactOperations } from "../../../contract/public/contacts.js";
import type { SpecialFields } from "../../derive/ask.js";
import type { Noun } from "../../derive/noun.js";
import { sendCommand } from "../../derive/send.js";
import { getText, isFields, showIfPresent } from "../../output/fields.js";
import { contact } from "../../session/references/contact.js";
import { groupOf } from "../../session/references/group.js";
import { searchFilter } from "./search.js";

function formatFullName(contact: Readonly<Record<string, unknown>>): string {
  return [getText(contact, "first_name"), getText(contact, "last_name")]
    .filter((part) => part !== "")
    .join(" ");
}

/** The name, then what tells it apart from others of its name. */
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
  "A whole name, number or address that one contact alone has stands for its id. A number without its country's code is " +
  "read as one of the profile's country (voxctl profiles set).";

export const contacts: Noun = {
  name: "contacts",
  noun: "contact",
  plural: "contacts",
  summary: "Contacts: who calls and who is called",
  operations: contactOperations,
  columns: [
    { header: "ID", value: "id", keep: true },
    { header: "NAME", value: showIfPresent(["first_name", "last_name"], formatFullName) },
    { header: "PHONE NUMBERS", value: "phone_numbers", keep: true },
    { header: "E-MAILS", value: "emails" },
    { header: "GROUP", value: "group_id", optional: true },
  ],
  references: { group_id: groupOf("contacts") },
  commands: [
    {
      name: "import",
      summary: "Import contacts from a CSV, TSV, XLSX, JSONL or JSON file",
      load: async () => (await import("./import.js")).importContactsCommand,
    },
    {
      name: "sync",
      summary: "Make a group equal to a file: create, change and, with --delete, delete contacts",
      load: async () => (await import("./sync.js")).syncContacts,
    },
    {
      name: "dedupe",
      summary: "Find contacts of a group that are the same, and keep one of each",
      load: async () => (await import("./dedupe.js")).dedupeContacts,
    },
    {
      name: "delete",
      aliases: ["rm"],
      summary: contactOperations["contacts.delete"].summary,
      load: async () => (await import("./delete.js")).createDeleteCommand(contacts),
    },
    {
      name: "export",
      summary: "Write contacts as CSV, JSONL or a spreadsheet",
      load: async () => (await import("./export.js")).exportContacts,
    },
  ],
  verbs: {
    "contacts.list": {
      description:
        "--search compares words from their beginnings: case, accents and the way umlauts and ß are written don't count. " +
        "A number with + begins so, one with 0 begins so in the profile's country, or behind any country's code where the profile has none; other digits stand anywhere.",
      examples: [
        { command: "voxctl contacts list" },
        { command: "voxctl contacts list --search schmidt" },
        { command: "voxctl contacts list --search lukasz", note: "Łukasz, too; mueller finds Müller" },
        { command: "voxctl contacts list --search +4930", note: "numbers that begin so" },
        {
          command: "voxctl contacts list --group Patienten --all -o csv",
          note: "everything, for a spreadsheet",
        },
      ],
      flagHelp: { group_id: "only contacts of this group" },
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
        phone_numbers: "with country code: +4915112345678; without it one of the profile's country",
        emails: "e-mail address",
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
          note: "takes all addresses away",
        },
      ],
      flagHelp: {
        phone_numbers: "with country code, or of the profile's country; replaces all there are",
        emails: "replaces all there are",
      },
    },
    "contacts.delete": {
      referable: contact,
      examples: [
        { command: "voxctl contacts delete 65f1a0b2c3d4e5f601234567 --yes" },
        {
          command: 'voxctl contacts delete "Françoise Schäfer"',
          note: "shows the one that is found, and asks",
        },
      ],
      loses: async ({ client, id, signal }) => {
        const { data } = await client.call("contacts.get", { path: { contact_id: id } }, { signal });
        return { what: ["contact", ...(isFields(data) ? describeContact(data) : [])].join(" ") };
      },
    },
  },
};
