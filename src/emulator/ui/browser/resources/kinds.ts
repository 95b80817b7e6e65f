/** A kind of thing: where the API has it, and the schemas that describe it. */
export interface Kind {
  /** As lists of the control interface call it. */
  name: string;
  title: string;
  /** One of them. */
  noun: string;
  path: string;
  schema: string;
}

const kind = (name: string, noun: string, schema: string, path = `/${name}`, title = name): Kind => ({
  name,
  title: title.charAt(0).toUpperCase() + title.slice(1),
  noun,
  path: `/api/v1${path}`,
  schema,
});

export const kinds: readonly Kind[] = [
  kind("assistants", "assistant", "Assistant"),
  kind("contacts", "contact", "Contact"),
  kind("groups", "group", "Group"),
  kind("knowledge", "knowledge item", "KnowledgeItem", "/knowledge-items"),
  kind("prompts", "prompt", "Prompt"),
  kind("forwardings", "forwarding", "Forwarding"),
  kind("glossary", "glossary entry", "GlossaryItem"),
  kind("pronunciation", "pronunciation rule", "PronunciationItem"),
  kind("calendars", "calendar", "Calendar"),
  kind("tools", "tool", "Tool"),
];

/** The resource that a field refers to, by its name: `prompt_id` to a prompt, `calendar_ids` to calendars. */
export function referredBy(field: string): string | undefined {
  if (!/_ids?$/.test(field)) return undefined;
  if (field === "voice_id") return "voices";
  if (/(^|_)group_ids?$/.test(field)) return "groups";
  if (/(^|_)prompt_id$/.test(field)) return "prompts";
  const name = `${field.replace(/_ids?$/, "")}s`;
  return kinds.some((known) => known.name === name) ? name : undefined;
}

/** The type of the groups that a field names, or that things of a kind are in; undefined: any. */
export function groupTypeOf(field: string, kindName: string): string | undefined {
  const types: Readonly<Record<string, string>> = {
    contacts: "contacts",
    knowledge: "knowledges",
    forwardings: "forwardings",
    forwarding: "forwardings",
    glossary: "glossaries",
    pronunciation: "pronunciations",
  };
  const [, prefix] = /^(.+)_group_ids$/.exec(field) ?? [];
  return types[prefix ?? kindName];
}
