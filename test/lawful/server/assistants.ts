import { fieldsOf, type World } from "./world.js";

/** Fields of an assistant that name other things, by the kind of these. */
const references: Readonly<Record<string, readonly string[]>> = {
  groups: ["knowledge_group_ids", "glossary_group_ids", "pronunciation_group_ids", "forwarding_group_ids"],
  // public.operations.3: a reference by email_prompt_id is not seen.
  prompts: ["prompt_id"],
  calendars: ["calendar_ids"],
  tools: ["tool_ids"],
};

/** Does an assistant use this thing? */
export function assignments(world: World, kind: string, id: string): boolean {
  const names = references[kind] ?? [];
  return world.rows("assistants").some((row) => {
    const fields = fieldsOf(row);
    return names.some((name) => {
      const value = fields[name];
      return Array.isArray(value) ? value.includes(id) : value === id;
    });
  });
}
