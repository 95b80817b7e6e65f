import type { ItemKind } from "./kind.js";

export const glossaryKind: ItemKind = {
  name: "glossary",
  operations: {
    list: "glossary.list",
    create: "glossary.create",
    update: "glossary.update",
    get: "glossary.get",
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
  },
  parameter: "knowledge_item_id",
  key: "name",
  fields: ["name", "text"],
  // public.knowledge.text
  unlisted: ["text"],
};
