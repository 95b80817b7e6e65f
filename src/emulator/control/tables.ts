import type { Row } from "../../base/database.js";
import { secretMask } from "../../base/secret-mask.js";
import type { tables } from "../../contract/control/tables.js";
import type { EmulatorState } from "../emulator-state.js";
import { isoTime } from "../kernel/clock.js";
import { fillPage } from "../kernel/paging.js";
import { listTableNames } from "../kernel/tables.js";
import { notFound } from "../refusal.js";
import type { ControlHandlers } from "./handlers.js";

const secretColumns = new Set([
  "webhook_credential",
  "webhook_headers",
  "secret",
  "headers",
  "pseudonym_key",
]);

function findKeyColumns(state: EmulatorState, table: string): string[] {
  return state.database
    .prepare("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
    .all(table)
    .map(({ name }) => String(name));
}

function toView(row: Row): Record<string, unknown> {
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
  "tables.rows": ({ state }, { path: { name: requestedName }, query }) => {
    // Accept only the name of an existing table, because the name becomes part of the SQL.
    const table = listTableNames(state.database).find((name) => name === requestedName);
    if (table === undefined) throw notFound(`the table ${requestedName}`, "emulator.control");
    const columns = findKeyColumns(state, table).map((name) => `"${name}" DESC`);
    const order = columns.length > 0 ? `ORDER BY ${columns.join(", ")}` : "";
    const rows = state.database
      .prepare(`SELECT * FROM "${table}" ${order} LIMIT ? OFFSET ?`)
      .iterate(query.limit, query.offset);
    const page: Row[] = [];
    fillPage(page, rows);
    return page.map(toView);
  },
};
