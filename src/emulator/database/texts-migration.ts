import type { Database, Row } from "../../base/database.js";
import { snapshotPrefix } from "../kernel/tables.js";
import { newName, textIndexSchema, textTableSchema } from "./schema/texts.js";

type FormerType = "plain" | "boolean" | "json";

/** Columns whose values become part of the JSON text, in the API's order. */
const formerColumns: Readonly<Record<string, Readonly<Record<string, FormerType>>>> = {
  contacts: { first_name: "plain", last_name: "plain", phone_numbers: "json", emails: "json" },
  glossary_items: { term: "plain", definition: "plain" },
  pronunciation_items: {
    token: "plain",
    replacement: "plain",
    spell_out: "boolean",
    speaking_rate: "plain",
    ipa: "plain",
  },
  forwardings: {
    name: "plain",
    type: "plain",
    destination_type: "plain",
    phone_number: "plain",
    sip_uri: "plain",
    sip_refer_target: "plain",
    timeout: "plain",
  },
};

const atOnce = 1_000;

/** Migrates the database and its snapshots to format 8, which stores some resources as JSON. */
export function keepTexts(database: Database): void {
  const copies = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, ?) = ?")
    .all(snapshotPrefix.length, snapshotPrefix)
    .map(({ name }) => String(name));
  for (const table of Object.keys(formerColumns)) {
    database.exec(textTableSchema(table));
    replace(database, table, table);
    database.exec(textIndexSchema(table));
    for (const copy of copies) {
      if (copy.replace(/^snapshot_\d+_/, "") !== table) continue;
      database.exec(
        `CREATE TABLE "${newName(copy)}" (organization_id TEXT, id TEXT, group_id TEXT, members TEXT)`,
      );
      replace(database, table, copy);
    }
  }
}

function replace(database: Database, table: string, name: string): void {
  const page = database.prepare(`SELECT * FROM "${name}" WHERE id > ? ORDER BY id LIMIT ${atOnce}`);
  const insert = database.prepare(
    `INSERT INTO "${newName(name)}" (organization_id, id, group_id, members) VALUES (?, ?, ?, ?)`,
  );
  for (let last = ""; ; ) {
    const rows = page.all(last);
    for (const former of rows) {
      const row = toTextRow(table, former);
      insert.run(
        row["organization_id"] ?? null,
        row["id"] ?? null,
        row["group_id"] ?? null,
        row["members"] ?? null,
      );
      last = String(row["id"]);
    }
    if (rows.length < atOnce) break;
  }
  database.exec(`DROP TABLE "${name}"; ALTER TABLE "${newName(name)}" RENAME TO "${name}"`);
}

export function toTextRow(table: string, row: Row): Row {
  const columns = formerColumns[table];
  if (columns === undefined || "members" in row) return row;
  const members: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(columns)) members[name] = toField(row[name] ?? null, type);
  for (const name of ["created_at", "updated_at"]) members[name] = new Date(Number(row[name])).toISOString();
  return {
    organization_id: row["organization_id"] ?? null,
    id: row["id"] ?? null,
    group_id: row["group_id"] ?? null,
    members: JSON.stringify(members).slice(1),
  };
}

function toField(value: Row[string], type: FormerType): unknown {
  if (value === null || type === "plain") return value;
  return type === "boolean" ? value === 1 : JSON.parse(String(value));
}
