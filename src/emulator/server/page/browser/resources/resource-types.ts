export interface ResourceType {
  name: string;
  title: string;
  noun: string;
  path: string;
  schema: string;
}

const createResourceType = (
  name: string,
  noun: string,
  schema: string,
  path = `/${name}`,
  title = name,
): ResourceType => ({
  name,
  title: title.charAt(0).toUpperCase() + title.slice(1),
  noun,
  path: `/api/v1${path}`,
  schema,
});

export const resourceTypes: readonly ResourceType[] = [
  createResourceType("assistants", "assistant", "Assistant"),
  createResourceType("contacts", "contact", "Contact"),
  createResourceType("groups", "group", "Group"),
  createResourceType("knowledge", "knowledge item", "KnowledgeItem", "/knowledge-items"),
  createResourceType("prompts", "prompt", "Prompt"),
  createResourceType("forwardings", "forwarding", "Forwarding"),
  createResourceType("glossary", "glossary entry", "GlossaryItem"),
  createResourceType("pronunciation", "pronunciation rule", "PronunciationItem"),
  createResourceType("calendars", "calendar", "Calendar"),
  createResourceType("tools", "tool", "Tool"),
];

/** Finds the resource type to which a field refers, by the field's name: `prompt_id` refers to prompts. */
export function findReferencedResource(field: string): string | undefined {
  if (!/_ids?$/.test(field)) return undefined;
  if (field === "voice_id") return "voices";
  if (/(^|_)group_ids?$/.test(field)) return "groups";
  if (/(^|_)prompt_id$/.test(field)) return "prompts";
  const name = `${field.replace(/_ids?$/, "")}s`;
  return resourceTypes.some((known) => known.name === name) ? name : undefined;
}

/**
 * Returns the type of groups to which a field refers; undefined for groups of any type.
 * `forwarding_group_ids` refers to groups of forwardings, `group_id` to groups of the resource's own type.
 */
export function findGroupType(field: string, resourceTypeName: string): string | undefined {
  const types: Readonly<Record<string, string>> = {
    contacts: "contacts",
    knowledge: "knowledges",
    forwardings: "forwardings",
    forwarding: "forwardings",
    glossary: "glossaries",
    pronunciation: "pronunciations",
  };
  const [, prefix] = /^(.+)_group_ids$/.exec(field) ?? [];
  return types[prefix ?? resourceTypeName];
}
