import { getText, getValueAt, isFields } from "../../../base/fields.js";
import { knowledge as knowledgeOperations } from "../../../contract/public/knowledge.js";
import type { Noun } from "../../derive/noun.js";
import { groupOf } from "../../session/references/group.js";
import { knowledgeItem } from "../../session/references/knowledge.js";

export const knowledge: Noun = {
  name: "knowledge",
  noun: "knowledge item",
  plural: "knowledge items",
  summary: "Manage the knowledge that assistants use",
  description:
    "The service indexes an item after each create and update. Indexing takes time; to wait for it, run `voxctl knowledge wait`. Only `voxctl knowledge get` shows the text.",
  operations: knowledgeOperations,
  columns: [
    { header: "ID", value: "id", keep: true },
    { header: "NAME", value: "name" },
    { header: "INDEX", value: "sync_status.state", as: "status", keep: true },
    { header: "ACTIVE", value: "active", keep: true, optional: true },
    { header: "GROUP", value: "group_id", optional: true },
    { header: "UPDATED", value: "updated_at", as: "time", keep: true, optional: true },
  ],
  referable: knowledgeItem,
  references: { group_id: groupOf("knowledges") },
  verbs: {
    "knowledge.list": {
      examples: [
        { command: "voxctl knowledge list" },
        { command: "voxctl knowledge list --group Praxiswissen" },
      ],
      // public.states.failed
      isFinal: (item) => ["synced", "failed"].includes(String(getValueAt(item, "sync_status.state"))),
      flagHelp: { group_id: "List only items in this group" },
    },
    "knowledge.get": {
      examples: [
        { command: 'voxctl knowledge get "Sprechzeiten und Anfahrt"' },
        { command: "voxctl knowledge get Implantate -o json --fields name,text,sync_status.state" },
      ],
    },
    "knowledge.create": {
      examples: [
        {
          command:
            'voxctl knowledge create --group Praxiswissen --name "Urlaub" --text "Vom 3. bis 14. August ist die Praxis geschlossen."',
        },
      ],
      flagHelp: { active: "Let assistants use the item (default)" },
    },
    "knowledge.update": {
      description: "Every update indexes the item again.",
      examples: [
        { command: 'voxctl knowledge update Implantate --name "Zahnimplantate"' },
        { command: "voxctl knowledge update Kinder --no-active" },
        {
          command: "voxctl knowledge update Kinder --data '{}'",
          note: "Index the item again, without changes",
        },
      ],
      flagHelp: { active: "Let assistants use the item", text: "New text; replaces the whole text" },
    },
    "knowledge.delete": {
      examples: [{ command: 'voxctl knowledge delete "Preisliste 2019 (Scan)"' }],
      loses: async ({ client, id, signal }) => {
        const { data } = await client.call("knowledge.get", { path: { knowledge_item_id: id } }, { signal });
        return { what: `knowledge item "${isFields(data) ? getText(data, "name") : id}"` };
      },
    },
  },
  commands: [
    {
      name: "wait",
      summary: "Wait until knowledge items are indexed",
      load: async () => (await import("./wait.js")).waitForKnowledge,
    },
    {
      name: "edit",
      summary: "Edit the resource in your editor and send the changes",
      load: async () => (await import("./edit.js")).editKnowledge(knowledge),
    },
    {
      name: "import",
      summary: "Import a directory of Markdown and text files",
      load: async () => (await import("./import.js")).importKnowledge,
    },
    {
      name: "export",
      summary: "Export knowledge items to a directory of Markdown files",
      load: async () => (await import("./export.js")).exportKnowledge,
    },
  ],
};
