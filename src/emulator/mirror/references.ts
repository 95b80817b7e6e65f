import type { MirrorResource } from "../../contract/mirror.js";
import type { EmulatorState } from "../emulator-state.js";

export interface Reference {
  resource: MirrorResource;
  id: string;
  in: string;
}

interface Referring {
  resource: MirrorResource;
  select: string;
}

const multipleReference = (field: string, resource: MirrorResource): Referring => ({
  resource,
  select: `SELECT 'assistants' AS holder, assistants.id AS holder_id, reference.value AS id
    FROM assistants, json_each(assistants.${field}) AS reference`,
});
const singleReference = (
  table: string,
  holder: MirrorResource,
  field: string,
  resource: MirrorResource,
): Referring => ({
  resource,
  select: `SELECT '${holder}' AS holder, id AS holder_id, ${field} AS id FROM ${table} WHERE ${field} IS NOT NULL`,
});

const references: readonly Referring[] = [
  singleReference("contacts", "contacts", "group_id", "groups"),
  singleReference("knowledge_items", "knowledge", "group_id", "groups"),
  singleReference("forwardings", "forwardings", "group_id", "groups"),
  singleReference("glossary_items", "glossary", "group_id", "groups"),
  singleReference("pronunciation_items", "pronunciation", "group_id", "groups"),
  singleReference("assistants", "assistants", "prompt_id", "prompts"),
  singleReference("assistants", "assistants", "email_prompt_id", "prompts"),
  multipleReference("knowledge_group_ids", "groups"),
  multipleReference("glossary_group_ids", "groups"),
  multipleReference("pronunciation_group_ids", "groups"),
  multipleReference("forwarding_group_ids", "groups"),
  multipleReference("calendar_ids", "calendars"),
  multipleReference("tool_ids", "tools"),
];

/**
 * Returns one reference to each resource that the copy refers to but doesn't contain.
 * @param options.known true: only resources that are already recorded as dangling; false: all others
 */
export function findOpenReferences(state: EmulatorState, { known }: { known: boolean }): Reference[] {
  const openByName = new Map<string, Reference>();
  for (const { resource, select } of references) {
    const rows = state.database
      .prepare(
        `SELECT id, min(holder || ' ' || holder_id) AS holder FROM (${select}) AS named
         WHERE NOT EXISTS (SELECT 1 FROM mirrored WHERE resource = ?1 AND mirrored.id = named.id)
           AND EXISTS (SELECT 1 FROM mirror_dangling WHERE resource = ?1 AND mirror_dangling.id = named.id) = ?2
         GROUP BY id ORDER BY id LIMIT 1000`,
      )
      .all(resource, known ? 1 : 0);
    for (const row of rows) {
      const id = String(row["id"]);
      openByName.set(`${resource} ${id}`, { resource, id, in: String(row["holder"]) });
    }
  }
  return [...openByName.values()];
}

/** Adds voices that assistants use but the list doesn't contain. Such voices are no longer selectable. */
export function addHiddenVoices(state: EmulatorState): void {
  state.database
    .prepare(
      `INSERT INTO voices (id, name, languages, gender, generation, selectable, created_at, updated_at)
       SELECT DISTINCT voice_id, '', '[]', '', 'v1', 0, ?1, ?1 FROM assistants
       WHERE voice_id <> '' AND voice_id NOT IN (SELECT id FROM voices)`,
    )
    .run(state.clock.now());
}

/** Decisions that can't be checked with a single field of one resource. Each query finds a contradiction. */
const contradictions: readonly (readonly [decision: string, select: string])[] = [
  ["D-group", buildDuplicateQuery("groups", "type, name", "two groups")],
  ["public.calendar.unique", buildDuplicateQuery("calendars", "name", "two calendars")],
  ["D-tool", buildDuplicateQuery("tools", "name", "two tools")],
  [
    "D-prompt",
    `SELECT 'assistants ' || assistants.id || ': prompt_id refers to a prompt of another kind' AS example
     FROM assistants JOIN prompts ON prompts.id = assistants.prompt_id AND prompts.kind <> 'answering' LIMIT 1`,
  ],
  [
    "D-prompt",
    `SELECT 'assistants ' || assistants.id || ': email_prompt_id refers to a prompt of another kind' AS example
     FROM assistants JOIN prompts ON prompts.id = assistants.email_prompt_id AND prompts.kind <> 'email' LIMIT 1`,
  ],
  [
    "D-pronunciation",
    `SELECT 'pronunciation ' || id || ': does not specify how its token is spoken' AS example FROM
       (SELECT id, '{' || members AS fields FROM pronunciation_items)
     WHERE fields ->> 'replacement' IS NULL AND NOT fields ->> 'spell_out'
       AND fields ->> 'speaking_rate' IS NULL AND fields ->> 'ipa' IS NULL LIMIT 1`,
  ],
];

function buildDuplicateQuery(table: string, columns: string, words: string): string {
  return `SELECT '${words} "' || name || '": ' || min(id) || ', ' || max(id) AS example FROM ${table}
    WHERE organization_id = ?1 GROUP BY ${columns} HAVING count(*) > 1 LIMIT 1`;
}

export function findContradictions(
  state: EmulatorState,
  organizationId: string,
): { decision: string; example: string }[] {
  const exampleByDecision = new Map<string, string>();
  for (const [decision, select] of contradictions) {
    const statement = state.database.prepare(select);
    const row = select.includes("?1") ? statement.get(organizationId) : statement.get();
    if (row && !exampleByDecision.has(decision)) exampleByDecision.set(decision, String(row["example"]));
  }
  for (const { decision, example } of state.database.prepare("SELECT * FROM mirror_contradictions").all())
    if (!exampleByDecision.has(String(decision))) exampleByDecision.set(String(decision), String(example));
  return [...exampleByDecision].sort().map(([decision, example]) => ({ decision, example }));
}
