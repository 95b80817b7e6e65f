import type { ItemType } from "./item-type.js";

export const glossaryType: ItemType = {
  name: "glossary",
  operations: {
    list: "glossary.list",
    create: "glossary.create",
    update: "glossary.update",
    get: "glossary.get",
    delete: "glossary.delete",
  },
  parameter: "glossary_id",
  key: "term",
  fields: ["term", "definition"],
  unlisted: [],
};

export const pronunciationType: ItemType = {
  name: "pronunciation",
  operations: {
    list: "pronunciation.list",
    create: "pronunciation.create",
    update: "pronunciation.update",
    get: "pronunciation.get",
    delete: "pronunciation.delete",
  },
  parameter: "pronunciation_id",
  key: "token",
  fields: ["token", "replacement", "spell_out", "speaking_rate", "ipa"],
  unlisted: [],
};

export const knowledgeType: ItemType = {
  name: "knowledge",
  operations: {
    list: "knowledge.list",
    create: "knowledge.create",
    update: "knowledge.update",
    get: "knowledge.get",
    delete: "knowledge.delete",
  },
  parameter: "knowledge_item_id",
  key: "name",
  fields: ["name", "text"],
  // public.knowledge.text
  unlisted: ["text"],
};

/** The type of item that a run of this type is about; undefined for one of contacts or organizations. */
export function itemTypeOf(runType: string): ItemType | undefined {
  return [glossaryType, pronunciationType, knowledgeType].find((type) => type.name === runType);
}
