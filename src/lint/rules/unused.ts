import { idOf, type Thing, text, texts } from "../organization.js";
import type { LintRule } from "../rule.js";

/** The resource that lies in a group of each type, and how assistants name it. Contacts are used by no assistant. */
const types = {
  knowledges: { members: "knowledge", field: "knowledge_group_ids", flag: "--knowledge-group" },
  forwardings: { members: "forwardings", field: "forwarding_group_ids", flag: "--forwarding-group" },
  glossaries: { members: "glossary", field: "glossary_group_ids", flag: "--glossary-group" },
  pronunciations: {
    members: "pronunciation",
    field: "pronunciation_group_ids",
  },
} as const;

function isUsable(type: string): type is keyof typeof types {
  return Object.hasOwn(types, type);
}

export const groupUnused: LintRule = {
  id: "group-unused",
  severity: "note",
  summary: "A group that holds something is used by an assistant",
  resource: "groups",
  reads: ["assistants", "knowledge", "forwardings", "glossary", "pronunciation"],
  *check({ things, says }) {
    const used = usedIds(
      things("assistants"),
      Object.values(types).map(({ field }) => field),
    );
    for (const thing of things("groups")) {
      const type = text(thing, "type");
      if (!isUsable(type) || used.has(idOf(thing))) continue;
      if (!things("assistants").every((assistant) => says(assistant, types[type].field))) continue;
      const count = things(types[type].members).filter((one) => one["group_id"] === thing["id"]).length;
      if (count === 0) continue;
      yield {
        thing,
        message: `no assistant uses this group of ${type}, which holds ${count}`,
        // An update's flags replace the whole list; in the editor it is added to.
        help: `voxctl assistants edit <assistant>, and add ${idOf(thing)} to ${types[type].field}`,
      };
    }
  },
};

export const toolUnused: LintRule = {
  id: "tool-unused",
  severity: "note",
  summary: "A tool is used by an assistant",
  resource: "tools",
  reads: ["assistants"],
  *check({ things, says }) {
    if (!things("assistants").every((assistant) => says(assistant, "tool_ids"))) return;
    const used = usedIds(things("assistants"), ["tool_ids"]);
    for (const thing of things("tools")) {
      if (used.has(idOf(thing))) continue;
      yield {
        thing,
        message: "no assistant uses this tool",
        help: `voxctl assistants edit <assistant>, and add ${idOf(thing)} to tool_ids`,
      };
    }
  },
};

function usedIds(assistants: readonly Thing[], names: readonly string[]): ReadonlySet<string> {
  return new Set(assistants.flatMap((assistant) => names.flatMap((name) => texts(assistant, name))));
}
