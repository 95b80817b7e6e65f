import type { ItemType } from "./item-type.js";

export const glossaryType: ItemType = {
  name: "glossary",
  key: "term",
  fields: ["term", "definition"],
  unlisted: [],
};

export const pronunciationType: ItemType = {
  name: "pronunciation",
  key: "token",
  fields: ["token", "replacement", "spell_out", "speaking_rate", "ipa"],
  unlisted: [],
};

export const knowledgeType: ItemType = {
  name: "knowledge",
  key: "name",
  fields: ["name", "text", "active"],
  // Lists omit the text (public.knowledge.text).
  unlisted: ["text"],
};

/** Returns the item type of an import run; undefined for imports of contacts and organizations. */
export function itemTypeOf(runType: string): ItemType | undefined {
  return [glossaryType, pronunciationType, knowledgeType].find((type) => type.name === runType);
}
