import type { Database, Row } from "../../base/database.js";
import type { SnapshotFile } from "../../contract/control/snapshots.js";
import { newMemoryDatabase } from "../database/memory.js";
import { rowWithText } from "../database/texts-migration.js";
import { isoTime } from "../kernel/clock.js";
import { decryptHeaders, decryptSecret, encryptHeaders, encryptSecret } from "../kernel/secrets.js";
import { insertRows } from "../kernel/snapshots.js";
import { columnNames, tableNames } from "../kernel/tables.js";
import { invalid } from "../refusal.js";
import type { World } from "../world.js";

type Cell = SnapshotFile["tables"][string][number][string];

/** Tables of what happened in a world, or is for its server only: not part of what it holds. */
const leftOut = new Set(["requests", "windows", "snapshots"]);
/** Columns of the world's own row: each file has its own. */
const ownColumns = new Set(["world_id", "cursor_key", "control_token", "key_generation"]);
const secretColumns = new Set(["assistants.webhook_credential", "tools.secret"]);
const headerColumns = new Set(["assistants.webhook_headers", "tools.headers"]);

/** A snapshot's rows as a file: without API keys, credentials and header values unless they are asked for. */
export function fileOf(
  world: World,
  { takenAt, tables }: { takenAt: number; tables: ReadonlyMap<string, readonly Row[]> },
  { secrets }: { secrets: boolean },
): SnapshotFile {
  const cellOf = (column: string, value: Row[string]): Cell => {
    if (value === null) return null;
    if (secretColumns.has(column)) {
      const text = secrets ? decryptSecret(world.options, String(value)) : undefined;
      return text === undefined ? null : { $secret: text };
    }
    if (headerColumns.has(column))
      return { $headers: secrets ? decryptHeaders(world.options, JSON.parse(String(value))) : {} };
    if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") };
    return typeof value === "bigint" ? Number(value) : value;
  };
  const written = [...tables].filter(([table]) => !leftOut.has(table) && (secrets || table !== "keys"));
  return {
    voxctl_snapshot: 1,
    taken_at: isoTime(takenAt),
    secrets,
    tables: Object.fromEntries(
      written.map(([table, rows]) => [
        table,
        rows.map((row) =>
          Object.fromEntries(
            Object.entries(row)
              .filter(([column]) => table !== "world" || !ownColumns.has(column))
              .map(([column, value]) => [column, cellOf(`${table}.${column}`, value)]),
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
export async function databaseOf(world: World, file: SnapshotFile): Promise<Database> {
  const database = await newMemoryDatabase();
  const refuse = (path: string[], message: string) => invalid("emulator.snapshots", [{ path, message }]);
  try {
    const known = new Set(tableNames(database));
    const tables = new Map<string, Row[]>();
    for (const [table, rows] of Object.entries(file.tables)) {
      if (!known.has(table) || leftOut.has(table))
        throw refuse(["tables", table], "is no table of a world that this voxctl knows");
      const columns = new Set(columnNames(database, table));
      tables.set(
        table,
        rows.map((written) => {
          // A file may be of a voxctl that kept each field in a column.
          const row = rowWithText(table, rowOf(world, written));
          for (const column of Object.keys(row))
            if (!columns.has(column))
              throw refuse(["tables", table, column], "is no column that this voxctl knows");
          return row;
        }),
      );
    }
    const own = world.database.prepare("SELECT * FROM world").get() ?? {};
    const [told = {}] = tables.get("world") ?? [];
    tables.set("world", [{ ...own, ...told, ...pick(own, ownColumns), id: 1 }]);
    if (!file.secrets) tables.set("keys", keysFor(world, tables));
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

function rowOf(world: World, row: Readonly<Record<string, Cell>>): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, cell]) => {
      if (typeof cell !== "object" || cell === null) return [column, cell];
      if ("$bytes" in cell) return [column, Buffer.from(cell.$bytes, "base64")];
      if ("$secret" in cell) return [column, encryptSecret(world.options, cell.$secret)];
      return [column, JSON.stringify(encryptHeaders(world.options, cell.$headers))];
    }),
  );
}

/** The keys that a world began with, for another world's organization and distributor. */
function keysFor(world: World, tables: ReadonlyMap<string, readonly Row[]>): Row[] {
  const first = (table: string) =>
    (tables.get(table) ?? []).map((row) => String(row["id"])).sort()[0] ?? null;
  const [organization, distributor] = [first("organizations"), first("distributors")];
  return world.database
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
