import type { Row, SqlValue } from "../../base/database.js";
import { parseTime } from "../../base/time-text.js";
import type { Page, PublicContext } from "../context.js";
import { notFound } from "../refusal.js";
import { isoTime } from "./clock.js";
import { longestPage, parsePosition, toPage } from "./paging.js";
import type { Stored } from "./table.js";

/** Column type. A `time` is milliseconds in the database and ISO 8601 elsewhere. */
type ColumnType = "text" | "number" | "boolean" | "json" | "time";

type Values = Readonly<Record<string, unknown>>;

/**
 * Used instead of `Table` if a resource contains a secret, depends on the clock, or is read by other SQL
 * statements.
 */
export class ColumnTable<T extends Stored> {
  private readonly names: readonly string[];
  private readonly insertion: string;
  private readonly selection: string;
  private readonly cells = new Map<string, string>();

  constructor(
    private readonly table: string,
    private readonly what: string,
    private readonly columns: Readonly<Record<string, ColumnType>>,
  ) {
    this.names = Object.keys(columns);
    const all = ["id", "organization_id", ...this.names, "created_at", "updated_at"];
    this.insertion = `INSERT INTO ${table} (${all.join(", ")}) VALUES (${all.map(() => "?").join(", ")})`;
    this.selection = `SELECT * FROM ${table} WHERE id = ? AND organization_id = ?`;
  }

  insert(context: PublicContext, values: Values): T {
    const id = context.newId();
    const row: Row = { id, created_at: context.now, updated_at: context.now };
    for (const name of this.names) row[name] = this.toColumn(name, values[name]);
    context.database
      .prepare(this.insertion)
      .run(
        id,
        context.organization.id,
        ...this.names.map((name) => row[name] ?? null),
        context.now,
        context.now,
      );
    return this.fromRow(row);
  }

  find(context: PublicContext, id: string): T | undefined {
    const row = context.database.prepare(this.selection).get(id, context.organization.id);
    return row && this.fromRow(row);
  }

  valueOf(context: PublicContext, id: string, column: string): Row[string] | undefined {
    let cell = this.cells.get(column);
    if (cell === undefined) {
      cell = `SELECT ${column} FROM ${this.table} WHERE id = ? AND organization_id = ?`;
      this.cells.set(column, cell);
    }
    return context.database.prepare(cell).get(id, context.organization.id)?.[column];
  }

  /** @throws Refusal not_found if the row is missing or belongs to another organization (public.errors.4) */
  require(context: PublicContext, id: string): T {
    const row = this.find(context, id);
    if (!row) throw notFound(`${this.what} ${id}`);
    return row;
  }

  update(context: PublicContext, id: string, changes: Values): T {
    const names = this.names.filter((name) => changes[name] !== undefined);
    if (names.length > 0) {
      context.database
        .prepare(
          // D-times
          `UPDATE ${this.table} SET ${names.map((name) => `${name} = ?`).join(", ")}, updated_at = ? WHERE id = ? AND organization_id = ?`,
        )
        .run(
          ...names.map((name) => this.toColumn(name, changes[name])),
          context.now,
          id,
          context.organization.id,
        );
    }
    return this.require(context, id);
  }

  /** @throws Refusal not_found */
  delete(context: PublicContext, id: string): void {
    const deleted = context.database
      .prepare(`DELETE FROM ${this.table} WHERE id = ? AND organization_id = ?`)
      .run(id, context.organization.id);
    if (deleted === 0) throw notFound(`${this.what} ${id}`);
  }

  /** Returns the page after a position, in ID order, which is the order of creation (D-limit). */
  page(
    context: PublicContext,
    query: { limit: number; cursor?: string | undefined },
    filters: Readonly<Record<string, string | undefined>> = {},
  ): Page<T> & { rows: T[] } {
    const position = parsePosition(context, query.cursor, context.organization.id, filters);
    const used = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const conditions = ["organization_id = ?", ...used.map(([name]) => `${name} = ?`), "id > ?"];
    const matchingRows = context.database
      .prepare(`SELECT * FROM ${this.table} WHERE ${conditions.join(" AND ")} ORDER BY id LIMIT ?`)
      .iterate(
        context.organization.id,
        ...used.map(([, value]) => value),
        String(position?.[0] ?? ""),
        query.limit + 1,
      );
    const rows: T[] = [];
    let remaining = longestPage;
    for (const row of matchingRows) {
      // A page has at least one row. One additional row shows whether more rows follow (D-page).
      const isFull = remaining <= 0 && rows.length > 0;
      rows.push(this.fromRow(row));
      if (isFull) return toPage(rows, rows.length - 1, filters, (last) => [last.id]);
      remaining -= lengthOfRow(row);
    }
    return toPage(rows, query.limit, filters, (row) => [row.id]);
  }

  fromRow(row: Row): T {
    const resource: Partial<Stored> & Record<string, unknown> = { id: String(row["id"]) };
    for (const name of this.names) resource[name] = this.fromColumn(name, row[name] ?? null);
    resource["created_at"] = isoTime(Number(row["created_at"]));
    resource["updated_at"] =
      row["updated_at"] === row["created_at"] ? resource["created_at"] : isoTime(Number(row["updated_at"]));
    // The columns match the resource's schema, and only this class writes them.
    return resource as T;
  }

  private toColumn(name: string, value: unknown): SqlValue {
    if (value === undefined || value === null) return null;
    switch (this.columns[name]) {
      case "json":
        return JSON.stringify(value);
      case "boolean":
        return value ? 1 : 0;
      case "number":
        return Number(value);
      case "time":
        return typeof value === "number" ? value : parseTime(String(value));
      default:
        return String(value);
    }
  }

  private fromColumn(name: string, value: Row[string]): unknown {
    if (value === null) return null;
    switch (this.columns[name]) {
      case "json":
        return JSON.parse(String(value));
      case "boolean":
        return value === 1;
      case "time":
        return isoTime(Number(value));
      default:
        return value;
    }
  }
}

function lengthOfRow(row: Row): number {
  let length = 0;
  for (const name in row) {
    const value = row[name];
    if (typeof value === "string") length += value.length;
  }
  return length;
}
