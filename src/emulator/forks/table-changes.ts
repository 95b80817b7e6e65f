import type { Database, Row } from "../../base/database.js";
import { decryptHeaders, type Sealing } from "../kernel/secrets.js";
import { type Change, findChangedFields, type Shown, toStableJson } from "./changes.js";

type Key = Pick<Sealing, "fileKey">;

interface ComparedTable {
  resource: string;
  /** Each row of the result must have an `id`. */
  rows(schema: string): string;
  columns: Readonly<Record<string, "plain" | "json" | "members" | "boolean" | "headers" | "presence">>;
  /** Renames or merges columns, so that the fields match the API's fields. */
  shown?(fields: Shown): Shown;
}

/**
 * Selects the rows of organizations that exist in both databases. All other rows were created or deleted with
 * an organization, and the distributor API doesn't show them.
 */
const inBoth =
  "organization_id IN (SELECT id FROM main.organizations INTERSECT SELECT id FROM base.organizations)";

const selectTable = (name: string) => (schema: string) => `SELECT * FROM ${schema}.${name} WHERE ${inBoth}`;

/** These definitions share no code with the handlers that they check. */
const comparedTables: readonly ComparedTable[] = [
  { resource: "groups", rows: selectTable("groups"), columns: { type: "plain", name: "plain" } },
  {
    resource: "orgs",
    rows: (schema) =>
      `SELECT organization.*, license.external_id AS license FROM ${schema}.organizations AS organization
       LEFT JOIN ${schema}.licenses AS license ON license.assigned_id = organization.id
       WHERE organization.distributor_id IS NOT NULL`,
    columns: {
      type: "plain",
      name: "plain",
      parent_id: "plain",
      external_id: "plain",
      license: "plain",
      status: "plain",
      blocked_reason: "plain",
    },
    shown: ({ parent_id, external_id, license, blocked_reason, ...fields }) => ({
      ...fields,
      parentOrganizationId: parent_id,
      externalOrganizationId: external_id,
      externalLicenseId: license,
      blockedReason: blocked_reason,
    }),
  },
  {
    resource: "licenses",
    rows: (schema) =>
      `SELECT external_id AS id, product, status, owner_id, assigned_id FROM ${schema}.licenses`,
    columns: { product: "plain", status: "plain", owner_id: "plain", assigned_id: "plain" },
    shown: ({ owner_id, assigned_id, ...fields }) => ({
      ...fields,
      ownerOrganizationId: owner_id,
      assignedOrganizationId: assigned_id,
    }),
  },
  { resource: "contacts", rows: selectTable("contacts"), columns: { group_id: "plain", members: "members" } },
  {
    resource: "prompts",
    rows: selectTable("prompts"),
    columns: { name: "plain", kind: "plain", text: "plain" },
  },
  {
    resource: "knowledge",
    rows: (schema) =>
      `SELECT item.id, item.group_id, item.name, item.active, content.text FROM ${schema}.knowledge_items AS item
       LEFT JOIN ${schema}.knowledge_texts AS content ON content.knowledge_item_id = item.id
       WHERE ${inBoth}`,
    columns: { group_id: "plain", name: "plain", active: "boolean", text: "plain" },
  },
  {
    resource: "forwardings",
    rows: selectTable("forwardings"),
    columns: { group_id: "plain", members: "members" },
  },
  {
    resource: "glossary",
    rows: selectTable("glossary_items"),
    columns: { group_id: "plain", members: "members" },
  },
  {
    resource: "pronunciation",
    rows: selectTable("pronunciation_items"),
    columns: { group_id: "plain", members: "members" },
  },
  {
    resource: "calendars",
    rows: selectTable("calendars"),
    columns: { name: "plain", timezone: "plain", schedules: "json" },
  },
  {
    resource: "tools",
    rows: selectTable("tools"),
    columns: {
      name: "plain",
      description: "plain",
      type: "plain",
      url: "plain",
      method: "plain",
      headers: "headers",
      parameters: "json",
      secret: "presence",
    },
    shown: ({ secret, ...fields }) => ({ ...fields, has_secret: secret }),
  },
  {
    resource: "assistants",
    rows: selectTable("assistants"),
    columns: {
      name: "plain",
      language: "plain",
      voice_id: "plain",
      company_name: "plain",
      company_industry: "plain",
      introduction: "plain",
      phone_number: "plain",
      carrier: "plain",
      prompt_id: "plain",
      email_prompt_id: "plain",
      knowledge_group_ids: "json",
      glossary_group_ids: "json",
      pronunciation_group_ids: "json",
      forwarding_group_ids: "json",
      calendar_ids: "json",
      tool_ids: "json",
      pre_call_webhook: "json",
      webhook_headers: "headers",
    },
    shown: ({ pre_call_webhook, webhook_headers, ...fields }) => ({
      ...fields,
      pre_call_webhook:
        pre_call_webhook === null ? null : { ...Object(pre_call_webhook), headers: webhook_headers ?? {} },
    }),
  },
];

/**
 * Computes a fork's effect from the tables instead of the recorded writes.
 * @param database database of the fork, with the base attached as `base`
 */
export function computeTableChanges(database: Database, key: Key): Map<string, Change> {
  const changes = new Map<string, Change>();
  const add = (change: Change) => changes.set(`${change.resource}/${change.id}`, change);
  for (const comparedTable of comparedTables)
    for (const change of compareTable(database, comparedTable, key)) add(change);
  const calls = database.prepare(
    `SELECT fork.id, base.id IS NULL AS is_new, fork.recording_erased_at IS NOT NULL AS is_erased,
       base.recording_erased_at IS NOT NULL AS was_erased
     FROM main.calls AS fork LEFT JOIN base.calls AS base ON base.id = fork.id
     WHERE base.id IS NULL OR (fork.recording_erased_at IS NOT NULL AND base.recording_erased_at IS NULL)`,
  );
  for (const row of calls.all()) {
    const id = String(row["id"]);
    if (row["is_new"] === 1) add({ resource: "calls", id, action: "created", fields: {} });
    if (row["is_erased"] === 1 && row["was_erased"] === 0)
      add({ resource: "recordings", id, action: "erased", fields: {} });
  }
  return changes;
}

function* compareTable(database: Database, comparedTable: ComparedTable, key: Key): Generator<Change, void> {
  const { resource, rows } = comparedTable;
  const ids = (in_: string, notIn: string) =>
    database
      .prepare(`SELECT id FROM (${rows(in_)}) WHERE id NOT IN (SELECT id FROM (${rows(notIn)})) ORDER BY id`)
      .all()
      .map(({ id }) => String(id));
  for (const id of ids("main", "base")) yield { resource, id, action: "created", fields: {} };
  for (const id of ids("base", "main")) yield { resource, id, action: "deleted", fields: {} };
  const names = Object.keys(comparedTable.columns);
  const pairs = names.map((name) => `fork."${name}" AS "fork_${name}", base."${name}" AS "base_${name}"`);
  const differ = names.map((name) => `fork."${name}" IS NOT base."${name}"`);
  const query = database.prepare(
    `SELECT fork.id, ${pairs.join(", ")} FROM (${rows("main")}) AS fork JOIN (${rows("base")}) AS base ON base.id = fork.id
     WHERE ${differ.join(" OR ")} ORDER BY fork.id`,
  );
  for (const row of query.all()) {
    const fields = findChangedFields(
      readFields(comparedTable, row, "base_", key),
      readFields(comparedTable, row, "fork_", key),
    );
    // Encryption gives a different result each time, so the query also finds rows whose decrypted values are
    // equal.
    if (Object.keys(fields).length > 0) yield { resource, id: String(row["id"]), action: "updated", fields };
  }
}

function readFields({ columns, shown }: ComparedTable, row: Row, prefix: string, key: Key): Shown {
  const fields: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(columns)) {
    const value = row[prefix + name] ?? null;
    if (type === "presence") fields[name] = value !== null;
    else if (value === null) fields[name] = null;
    else if (type === "boolean") fields[name] = value === 1;
    else if (type === "members") Object.assign(fields, JSON.parse(`{${value}`));
    else if (type === "json") fields[name] = JSON.parse(String(value));
    else if (type === "headers") fields[name] = decryptHeaders(key, JSON.parse(String(value)));
    else fields[name] = value;
  }
  return shown ? shown(fields) : fields;
}

export function findDisagreements(
  byWrites: ReadonlyMap<string, Change>,
  byTables: ReadonlyMap<string, Change>,
): string[] {
  const names = [...new Set([...byWrites.keys(), ...byTables.keys()])].sort();
  return names.flatMap((name) => {
    const [left, right] = [formatChange(byWrites.get(name)), formatChange(byTables.get(name))];
    return left === right
      ? []
      : [`${name}: ${left} according to the writes, ${right} according to the tables`];
  });
}

function formatChange(change: Change | undefined): string {
  if (change === undefined) return "unchanged";
  if (change.action !== "updated") return change.action;
  // Compare only new values. Old values may differ: for a field without a column, the tables don't contain
  // the value that the mirror's source returned.
  const after = Object.entries(change.fields).map(([name, field]) => [name, field.after]);
  return `updated ${toStableJson(Object.fromEntries(after))}`;
}
