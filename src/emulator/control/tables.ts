import type { Row } from "../../base/database.js";
import { secretMask } from "../../base/secret-mask.js";
import type { tables } from "../../contract/control/tables.js";
import { isoTime } from "../kernel/clock.js";
import { tableNames } from "../kernel/tables.js";
import { notFound } from "../refusal.js";
import type { World } from "../world.js";
import type { ControlHandlers } from "./handlers.js";

/** Columns that open something, or would once their encryption is broken. */
const secretColumns = new Set([
  "webhook_credential",
  "webhook_headers",
  "secret",
  "headers",
  "pseudonym_key",
]);

/** The columns by which a table's rows are told apart, in order. */
function keyColumns(world: World, table: string): string[] {
  return world.database
    .prepare("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
    .all(table)
    .map(({ name }) => String(name));
}

function shown(row: Row): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value === null) return [name, null];
      if (secretColumns.has(name)) return [name, secretMask];
      if (value instanceof Uint8Array) return [name, `(${value.length} bytes)`];
      const isTime = name === "at" || name.endsWith("_at");
      return [name, isTime && typeof value === "number" ? isoTime(value) : value];
    }),
  );
}

export const tableHandlers: ControlHandlers<typeof tables> = {
  "tables.rows": ({ world }, { path: { name: asked }, query }) => {
    // Only names that the file itself has are put into a statement.
    const table = tableNames(world.database).find((name) => name === asked);
    if (table === undefined) throw notFound(`the table ${asked}`, "emulator.control");
    const columns = keyColumns(world, table).map((name) => `"${name}" DESC`);
    const order = columns.length > 0 ? `ORDER BY ${columns.join(", ")}` : "";
    return world.database
      .prepare(`SELECT * FROM "${table}" ${order} LIMIT ? OFFSET ?`)
      .all(query.limit, query.offset)
      .map(shown);
  },
};
