import type { ItemKind } from "./kind.js";

export const glossaryKind: ItemKind = {
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

export const pronunciationKind: ItemKind = {
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

export const knowledgeKind: ItemKind = {
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

/** The kind of a run's name; undefined for one that is none of items. */
export function itemKindOf(name: string): ItemKind | undefined {
  return [glossaryKind, pronunciationKind, knowledgeKind].find((kind) => kind.name === name);
}
