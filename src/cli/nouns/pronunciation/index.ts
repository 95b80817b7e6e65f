import { type Fields, getText, isFields } from "../../../base/fields.js";
import { pronunciation as pronunciationOperations } from "../../../contract/public/pronunciation.js";
import type { Noun } from "../../derive/noun.js";
import { showIfPresent } from "../../output/fields.js";
import { groupOf } from "../../session/references/group.js";

function formatSpoken(rule: Fields): string {
  const rate = rule["speaking_rate"];
  return [
    getText(rule, "replacement") && `"${getText(rule, "replacement")}"`,
    rule["spell_out"] === true ? "spelled out" : "",
    typeof rate === "number" ? `at ${rate}` : "",
    getText(rule, "ipa") && `/${getText(rule, "ipa")}/`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

export const pronunciation: Noun = {
  name: "pronunciation",
  noun: "pronunciation rule",
  plural: "pronunciation rules",
  summary: "Manage assistants' pronunciation rules",
  description:
    "Replacements and spelling work with all voices. v1 voices ignore the speaking rate and IPA; list and create show a warning if an assistant with such a voice uses the group.",
  operations: pronunciationOperations,
  columns: [
    { header: "ID", value: "id", keep: true },
    { header: "TOKEN", value: "token" },
    {
      header: "SPOKEN",
      value: showIfPresent(["replacement", "spell_out", "speaking_rate", "ipa"], formatSpoken),
    },
    { header: "GROUP", value: "group_id", optional: true },
  ],
  referable: { list: "pronunciation.list", noun: "pronunciation rule", label: "token" },
  references: { group_id: groupOf("pronunciations") },
  verbs: {
    "pronunciation.list": {
      examples: [
        { command: "voxctl pronunciation list" },
        { command: 'voxctl pronunciation list --group "Namen und Kürzel" -o json' },
      ],
      flagHelp: { group_id: "List only rules in this group" },
    },
    "pronunciation.get": { examples: [{ command: "voxctl pronunciation get Veneer" }] },
    "pronunciation.create": {
      description: "At least one of --replacement, --spell-out, --speaking-rate and --ipa is required.",
      examples: [
        { command: 'voxctl pronunciation create --group "Namen und Kürzel" --token KVA --spell-out' },
        {
          command:
            'voxctl pronunciation create --group "Namen und Kürzel" --token Inlay --replacement Inlee --speaking-rate 0.9',
        },
      ],
      flagHelp: {
        token: "A single word, as spelled in the text",
        speaking_rate: "0.5 (slow) to 2.0 (fast); v2 voices only",
        ipa: "Pronunciation in the International Phonetic Alphabet; v2 voices only",
        spell_out: "Spell the word letter by letter",
      },
    },
    "pronunciation.update": {
      examples: [
        { command: "voxctl pronunciation update Lindenallee --speaking-rate 0.8" },
        {
          command: "voxctl pronunciation update Veneer --set ipa=null",
          note: "Remove the IPA transcription",
        },
      ],
      flagHelp: {
        token: "A single word, as spelled in the text",
        speaking_rate: "0.5 (slow) to 2.0 (fast); v2 voices only",
        ipa: "Pronunciation in the International Phonetic Alphabet; v2 voices only",
        spell_out: "Spell the word letter by letter",
      },
    },
    "pronunciation.delete": {
      examples: [{ command: "voxctl pronunciation delete DVT" }],
      loses: async ({ client, id, signal }) => {
        const { data } = await client.call(
          "pronunciation.get",
          { path: { pronunciation_id: id } },
          { signal },
        );
        return { what: `pronunciation rule for "${isFields(data) ? getText(data, "token") : id}"` };
      },
    },
  },
  commands: [
    {
      name: "list",
      aliases: ["ls"],
      summary: "List pronunciation rules",
      load: async () => (await import("./checked.js")).checkedCommand("pronunciation.list", pronunciation),
    },
    {
      name: "create",
      summary: "Create a pronunciation rule",
      load: async () => (await import("./checked.js")).checkedCommand("pronunciation.create", pronunciation),
    },
    {
      name: "import",
      summary: "Import pronunciation rules from a CSV, TSV, XLSX, JSONL or JSON file",
      load: async () => (await import("./import.js")).importPronunciation,
    },
    {
      name: "sync",
      summary: "Update a group of pronunciation rules to match a file",
      load: async () => (await import("./sync.js")).syncPronunciation,
    },
    {
      name: "export",
      summary: "Export pronunciation rules to a CSV, XLSX or JSONL file",
      load: async () => (await import("./export.js")).exportPronunciation,
    },
  ],
};
