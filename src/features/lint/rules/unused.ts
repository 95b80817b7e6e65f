import { formatCount } from "../../../base/text.js";
import type { LintRule } from "../lint-rule.js";
import { getId, getText, getTexts, type Organization, type ResourceRecord } from "../organization.js";

/**
 * For each group type: the resource type of its items, and the assistants' field that refers to such groups.
 * Contact groups are omitted, because assistants don't use them.
 */
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
  summary: "Every group with items is used by at least one assistant",
  resource: "groups",
  reads: ["assistants", "knowledge", "forwardings", "glossary", "pronunciation"],
  *check({ records, isFieldKnown }) {
    const used = collectUsedIds(
      records("assistants"),
      Object.values(types).map(({ field }) => field),
    );
    for (const group of records("groups")) {
      const type = getText(group, "type");
      if (!isUsable(type) || used.has(getId(group))) continue;
      if (!isShown(types[type].field, records("assistants"), isFieldKnown)) continue;
      const count = records(types[type].members).filter(
        (member) => member["group_id"] === group["id"],
      ).length;
      if (count === 0) continue;
      yield {
        record: group,
        message: `no assistant uses this group, which contains ${formatCount(count, "item")}`,
        // Suggest `edit`, because the flags of `update` replace the whole list.
        help: `voxctl assistants edit <assistant>, then add ${getId(group)} to ${types[type].field}`,
      };
    }
  },
};

export const toolUnused: LintRule = {
  id: "tool-unused",
  severity: "note",
  summary: "Every tool is used by at least one assistant",
  resource: "tools",
  reads: ["assistants"],
  *check({ records, isFieldKnown }) {
    if (!isShown("tool_ids", records("assistants"), isFieldKnown)) return;
    const used = collectUsedIds(records("assistants"), ["tool_ids"]);
    for (const tool of records("tools")) {
      if (used.has(getId(tool))) continue;
      yield {
        record: tool,
        message: "no assistant uses this tool",
        help: `voxctl assistants edit <assistant>, then add ${getId(tool)} to tool_ids`,
      };
    }
  },
};

/**
 * The documents don't specify these field names, so a service may use other names; it may also omit an empty
 * field.
 */
function isShown(
  field: string,
  assistants: readonly ResourceRecord[],
  isFieldKnown: Organization["isFieldKnown"],
): boolean {
  return (
    assistants.every((assistant) => isFieldKnown(assistant, field)) &&
    (assistants.length === 0 || assistants.some((assistant) => field in assistant))
  );
}

function collectUsedIds(
  assistants: readonly ResourceRecord[],
  names: readonly string[],
): ReadonlySet<string> {
  return new Set(assistants.flatMap((assistant) => names.flatMap((name) => getTexts(assistant, name))));
}
