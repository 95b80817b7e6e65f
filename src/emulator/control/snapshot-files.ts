import type { Database, Row } from "../../base/database.js";
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

/** Tables of what happened in a world, or is for its server only: not part of what it holds. */
const excludedTables = new Set(["requests", "windows", "snapshots"]);
/** Columns of the world's own row: each file has its own. */
const ownColumns = new Set(["world_id", "cursor_key", "control_token", "key_generation"]);
const secretColumns = new Set(["assistants.webhook_credential", "tools.secret"]);
const headerColumns = new Set(["assistants.webhook_headers", "tools.headers"]);

/** A snapshot's rows as a file: without API keys, credentials and header values unless they are asked for. */
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
 * A database that holds what a file says, checked by the tables' own constraints. Without keys in the file, the world's
 * seeded ones open its first organization and distributor.
 * @throws Refusal validation_failed for a file that is no world
 */
export async function createSnapshotDatabase(state: EmulatorState, file: SnapshotFile): Promise<Database> {
  const database = await createMemoryDatabase();
  const refuse = (path: string[], message: string) => invalid("emulator.snapshots", [{ path, message }]);
  try {
    const known = new Set(listTableNames(database));
    const tables = new Map<string, Row[]>();
    for (const [table, rows] of Object.entries(file.tables)) {
      if (!known.has(table) || excludedTables.has(table))
        throw refuse(["tables", table], "is no table of a world that this voxctl knows");
      const columns = new Set(listColumnNames(database, table));
      tables.set(
        table,
        rows.map((written) => {
          // A file may be of a voxctl that kept each field in a column.
          const row = toTextRow(table, toRow(state, written));
          for (const column of Object.keys(row))
            if (!columns.has(column))
              throw refuse(["tables", table, column], "is no column that this voxctl knows");
          return row;
        }),
      );
    }
    const currentRow = state.database.prepare("SELECT * FROM world").get() ?? {};
    const [fileRow = {}] = tables.get("world") ?? [];
    tables.set("world", [{ ...currentRow, ...fileRow, ...pick(currentRow, ownColumns), id: 1 }]);
    if (!file.secrets) tables.set("keys", remapSeededKeys(state, tables));
    try {
      database.transaction(() => {
        database.exec("PRAGMA defer_foreign_keys = ON");
        for (const [table, rows] of tables) {
          database.exec(`DELETE FROM "${table}"`);
          insertRows(database, table, rows);
        }
      });
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw refuse(["tables"], `do not make a world: ${message}`);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
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

/** The keys that a world began with, for another world's organization and distributor. */
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
