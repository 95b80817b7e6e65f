import type { Database, Row } from "../../base/database.js";
import { messageOf } from "../../base/error-code.js";
import type { SnapshotFile } from "../../contract/control/snapshots.js";
import { createMemoryDatabase } from "../database/memory.js";
import { toTextRow } from "../database/texts-migration.js";
import type { EmulatorState } from "../emulator-state.js";
import { isoTime } from "../kernel/clock.js";
import { decryptHeaders, decryptSecret, encryptHeaders, encryptSecret } from "../kernel/secrets.js";
import { insertRows } from "../kernel/snapshots.js";
import { listColumnNames, listTableNames } from "../kernel/tables.js";
import { invalid } from "../refusal.js";

type Cell = SnapshotFile["tables"][string][number][string];

/** The rows of these tables are history or apply only to this emulator. */
const excludedTables = new Set(["requests", "windows", "snapshots"]);
/** Columns of the settings table that each database must fill with its own values. */
const ownColumns = new Set(["world_id", "cursor_key", "control_token", "key_generation"]);
const secretColumns = new Set(["assistants.webhook_credential", "tools.secret"]);
const headerColumns = new Set(["assistants.webhook_headers", "tools.headers"]);

/** Without `secrets`, the content includes no API keys, credentials or header values. */
export function toSnapshotFile(
  state: EmulatorState,
  { takenAt, tables }: { takenAt: number; tables: ReadonlyMap<string, readonly Row[]> },
  { secrets }: { secrets: boolean },
): SnapshotFile {
  const toCell = (column: string, value: Row[string]): Cell => {
    if (value === null) return null;
    if (secretColumns.has(column)) {
      const text = secrets ? decryptSecret(state.options, String(value)) : undefined;
      return text === undefined ? null : { $secret: text };
    }
    if (headerColumns.has(column))
      return { $headers: secrets ? decryptHeaders(state.options, JSON.parse(String(value))) : {} };
    if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") };
    return typeof value === "bigint" ? Number(value) : value;
  };
  const exportedTables = [...tables].filter(
    ([table]) => !excludedTables.has(table) && (secrets || table !== "keys"),
  );
  return {
    voxctl_snapshot: 1,
    taken_at: isoTime(takenAt),
    secrets,
    tables: Object.fromEntries(
      exportedTables.map(([table, rows]) => [
        table,
        rows.map((row) =>
          Object.fromEntries(
            Object.entries(row)
              .filter(([column]) => table !== "world" || !ownColumns.has(column))
              .map(([column, value]) => [column, toCell(`${table}.${column}`, value)]),
          ),
        ),
      ]),
    ),
  };
}

/**
 * Creates a database from a snapshot file. The constraints of the tables check the file's content. If the
 * file contains no keys, this emulator's seeded keys give access to the first organization and distributor.
 * @throws Refusal validation_failed if the file is not a snapshot
 */
export async function createSnapshotDatabase(state: EmulatorState, file: SnapshotFile): Promise<Database> {
  const database = await createMemoryDatabase();
  const refuse = (path: string[], message: string) => invalid("emulator.snapshots", [{ path, message }]);
  try {
    const known = new Set(listTableNames(database));
    const tables = new Map<string, Row[]>();
    for (const [table, rows] of Object.entries(file.tables)) {
      if (!known.has(table) || excludedTables.has(table))
        throw refuse(["tables", table], "is not a table that this version of voxctl supports");
      const columns = new Set(listColumnNames(database, table));
      tables.set(
        table,
        rows.map((written) => {
          // A file from an older version of voxctl has a column for each field.
          const row = toTextRow(table, toRow(state, written));
          for (const column of Object.keys(row))
            if (!columns.has(column)) throw refuse(["tables", table, column], "unknown column");
          return row;
        }),
      );
    }
    const currentRow = state.database.prepare("SELECT * FROM world").get() ?? {};
    const [fileRow = {}] = tables.get("world") ?? [];
    tables.set("world", [{ ...currentRow, ...fileRow, ...pick(currentRow, ownColumns), id: 1 }]);
    if (!file.secrets) tables.set("keys", remapSeededKeys(state, tables));
    let broken: { path: string[]; message: string } | undefined;
    try {
      database.transaction(() => {
        database.exec("PRAGMA defer_foreign_keys = ON");
        for (const [table, rows] of tables) {
          database.exec(`DELETE FROM "${table}"`);
          insertRows(database, table, rows);
        }
        broken = findBrokenReference(database);
      });
    } catch (cause) {
      if (broken !== undefined) throw refuse(broken.path, broken.message);
      const message = messageOf(cause);
      throw refuse(["tables"], `are not a consistent emulator state: ${message}`);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Finds a row that refers to a missing row, because SQLite's own error names neither the table nor the row. */
function findBrokenReference(database: Database): { path: string[]; message: string } | undefined {
  const broken = database.prepare("PRAGMA foreign_key_check").get();
  if (broken === undefined) return undefined;
  const table = String(broken["table"]);
  const key = database
    .prepare(`PRAGMA foreign_key_list("${table}")`)
    .all()
    .find(({ id }) => id === broken["fkid"]);
  const [column, parent] = [String(key?.["from"]), String(broken["parent"])];
  // The check doesn't name the row, because the tables have no row IDs.
  const row = database
    .prepare(`SELECT * FROM "${table}" WHERE "${column}" NOT IN (SELECT "${key?.["to"]}" FROM "${parent}")`)
    .get();
  const position = row?.["id"] === undefined ? [] : [String(row["id"])];
  const message = `refers to ${row?.[column] ?? "a row"}, which is not in the table ${parent}`;
  return { path: ["tables", table, ...position, column], message };
}

function toRow(state: EmulatorState, row: Readonly<Record<string, Cell>>): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, cell]) => {
      if (typeof cell !== "object" || cell === null) return [column, cell];
      if ("$bytes" in cell) return [column, Buffer.from(cell.$bytes, "base64")];
      if ("$secret" in cell) return [column, encryptSecret(state.options, cell.$secret)];
      return [column, JSON.stringify(encryptHeaders(state.options, cell.$headers))];
    }),
  );
}

function remapSeededKeys(state: EmulatorState, tables: ReadonlyMap<string, readonly Row[]>): Row[] {
  const first = (table: string) =>
    (tables.get(table) ?? []).map((row) => String(row["id"])).sort()[0] ?? null;
  const [organization, distributor] = [first("organizations"), first("distributors")];
  return state.database
    .prepare("SELECT * FROM keys WHERE seeded = 1")
    .all()
    .map((key) => ({
      ...key,
      organization_id: key["organization_id"] === null ? null : organization,
      distributor_id: key["distributor_id"] === null ? null : distributor,
    }));
}

function pick(row: Row, columns: ReadonlySet<string>): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => columns.has(column)));
}
