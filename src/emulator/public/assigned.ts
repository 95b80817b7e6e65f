import type { PublicContext } from "../context.js";

export type ReferenceField =
  | "knowledge_group_ids"
  | "glossary_group_ids"
  | "pronunciation_group_ids"
  | "forwarding_group_ids"
  | "calendar_ids"
  | "tool_ids";

export function isAssigned(context: PublicContext, field: ReferenceField, id: string): boolean {
  return (
    context.database
      .prepare(
        `SELECT 1 FROM assistants, json_each(assistants.${field}) AS reference WHERE assistants.organization_id = ? AND reference.value = ? LIMIT 1`,
      )
      .get(context.organization.id, id) !== undefined
  );
}
