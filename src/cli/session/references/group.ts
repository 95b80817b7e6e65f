import type { groupTypes } from "../../../contract/public/groups.js";
import type { Referable } from "./references.js";

type GroupType = (typeof groupTypes)[number];

const nouns: Readonly<Record<GroupType, string>> = {
  contacts: "contact group",
  forwardings: "forwarding group",
  glossaries: "glossary group",
  knowledges: "knowledge group",
  pronunciations: "pronunciation group",
};

export function groupOf(type: GroupType): Referable {
  return { list: "groups.list", noun: nouns[type], query: { type } };
}
