import type { Database, Row, SqlValue } from "../../base/database.js";
import type { Page, PublicContext } from "../context.js";
import { notFound } from "../refusal.js";
import { isoTimes } from "./clock.js";
import { JsonText } from "./json-text.js";
import { longestPage, parsePosition } from "./paging.js";

type Values = Readonly<Record<string, unknown>>;

interface ListStatements {
  next: string;
  sizes: string;
  page: string;
  remaining: string;
}

/**
 * Returns the last row of a full page and, if more rows follow, the first row of the next page. Returns an
 * empty list if there are too few rows to fill the page.
 * @param rows up to `limit + 1` rows
 */
function endOfLongPage(rows: readonly Row[], limit: number): readonly Row[] {
  let size = 0;
  const full = rows.findIndex((row) => {
    size += Number(row["size"]);
    return size > longestPage;
  });
  const last = full === -1 ? limit - 1 : Math.min(full, limit - 1);
  return rows.slice(last, last + 2);
}

export interface Stored {
  id: string;
  created_at: string;
  updated_at: string;
}

/**
 * A row stores the form that the API shows (`T`) as JSON text, so that reads don't have to build it. Changing
 * this form requires a migration.
 *
 * A field has its own column only if foreign keys or the filters of lists use the field. The column `members`
 * contains the text of all other fields, including the closing brace.
 */
export class Table<T extends Stored> {
  private readonly insertion: string;
  private readonly replacement: string;
  private readonly change: string;
  private readonly selection: string;
  private readonly object: string;
  private readonly isoTime = isoTimes();
  private readonly lists = new Map<string, ListStatements>();

  constructor(
    private readonly table: string,
    private readonly label: string,
    /** In the API's order; each field in `columns` contains an ID and has its own column. */
    private readonly fields: {
      readonly columns: readonly string[];
      readonly members: readonly string[];
      /** Whether pages must be checked for their maximum length (D-page). */
      readonly areLong?: boolean;
    },
  ) {
    const { columns } = fields;
    const all = ["organization_id", "id", ...columns, "members"];
    const assign = (value: (name: string) => string) =>
      [...columns, "members"].map((name) => `${name} = ${value(name)}`).join(", ");
    this.insertion = `INSERT INTO ${table} (${all.join(", ")}) VALUES (${all.map(() => "?").join(", ")})`;
    this.replacement = `${this.insertion} ON CONFLICT DO UPDATE SET ${assign((name) => `excluded.${name}`)}`;
    this.change = `UPDATE ${table} SET ${assign(() => "?")} WHERE organization_id = ? AND id = ?`;
    const render = ["id", ...columns].map((name) => `"${name}":"', ${name}, '",`);
    // `concat` builds one string for each object; with ||, SQLite would build one for each part. The columns
    // contain IDs, which need no escaping.
    this.object = `concat('{${render.join("")}', members)`;
    this.selection = `SELECT ${this.object} AS object FROM ${table} WHERE organization_id = ? AND id = ?`;
  }

  insert(context: PublicContext, values: Values): JsonText {
    const id = context.newId();
    const now = this.isoTime(context.now);
    const members = this.toMembers(values, now, now);
    context.database
      .prepare(this.insertion)
      .run(context.organization.id, id, ...this.toColumns(values), members);
    return this.render(id, values, members);
  }

  /** For writes that don't come from requests. */
  put(database: Database, organizationId: string, record: Values & Stored): JsonText {
    return this.write(this.replacement, database, organizationId, record);
  }

  /** Like `put`, but a third faster. The ID must be new. */
  add(database: Database, organizationId: string, record: Values & Stored): JsonText {
    return this.write(this.insertion, database, organizationId, record);
  }

  private write(statement: string, database: Database, organizationId: string, record: Values & Stored) {
    const members = this.toMembers(record, record.created_at, record.updated_at);
    database.prepare(statement).run(organizationId, record.id, ...this.toColumns(record), members);
    return this.render(record.id, record, members);
  }

  /**
   * @throws Refusal not_found if the resource is missing or belongs to another organization (public.errors.4)
   */
  get({ database, organization }: PublicContext, id: string): JsonText {
    const record = this.find(database, organization.id, id);
    if (!record) throw notFound(`${this.label} ${id}`);
    return record;
  }

  find(database: Database, organizationId: string, id: string): JsonText | undefined {
    const row = database.prepare(this.selection).get(organizationId, id); // public.errors.4
    return row && new JsonText(String(row["object"]));
  }

  /**
   * Like `get`, but returns parsed fields.
   * @throws Refusal not_found
   */
  require(context: PublicContext, id: string): T {
    return JSON.parse(this.get(context, id).text);
  }

  update(context: PublicContext, before: T, changes: Values): JsonText {
    const given = Object.keys(changes).filter((name) => changes[name] !== undefined);
    const updated: Record<string, unknown> = Object.fromEntries(Object.entries(before));
    for (const name of given) updated[name] = changes[name];
    const updatedAt = given.length > 0 ? this.isoTime(context.now) : before.updated_at; // D-times
    const members = this.toMembers(updated, before.created_at, updatedAt);
    if (given.length > 0)
      context.database
        .prepare(this.change)
        .run(...this.toColumns(updated), members, context.organization.id, before.id);
    return this.render(before.id, updated, members);
  }

  /** @throws Refusal not_found */
  delete(context: PublicContext, id: string): void {
    const deleted = context.database
      .prepare(`DELETE FROM ${this.table} WHERE organization_id = ? AND id = ?`)
      .run(context.organization.id, id);
    if (deleted === 0) throw notFound(`${this.label} ${id}`);
  }

  /** Returns the page after a position, in ID order, which is the order of creation (D-limit). */
  page(
    context: PublicContext,
    query: { limit: number; cursor?: string | undefined },
    filters: Readonly<Record<string, string | undefined>> = {},
  ): Page {
    const position = parsePosition(context, query.cursor, context.organization.id, filters);
    const used = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const { next, sizes, page, remaining } = this.prepareList(used.map(([name]) => name));
    const { database } = context;
    const from = [
      context.organization.id,
      ...used.map(([, value]) => value),
      String(position?.[0] ?? ""), // position where the page begins
    ];
    const [last, further] = this.fields.areLong
      ? endOfLongPage(database.prepare(sizes).all(...from, query.limit + 1), query.limit)
      : database.prepare(next).all(...from, query.limit - 1);
    // If there is no `last`, too few rows remain to fill a page, so this is the last page.
    const row = last
      ? database.prepare(page).get(...from, String(last["id"]))
      : database.prepare(remaining).get(...from);
    return {
      rows: new JsonText(`[${row?.["objects"] ?? ""}]`),
      next: last && further ? [String(last["id"])] : null,
      filters,
    };
  }

  /**
   * Uses three statements: a single statement would take twice the time, because SQLite would copy each row's
   * JSON once more.
   */
  private prepareList(filters: readonly string[]): ListStatements {
    const name = filters.join("_");
    const known = this.lists.get(name);
    if (known) return known;
    // The list contains only rows of the key's organization, after the cursor's position (public.auth.2,
    // public.general.9a).
    const conditions = ["organization_id = ?", ...filters.map((filter) => `${filter} = ?`), "id > ?"].join(
      " AND ",
    );
    // Without this index, SQLite would read a filtered list by its primary key and skip all rows that don't
    // match.
    const index = filters.length > 0 ? `INDEXED BY ${this.table}_by_${name}` : "";
    const from = `FROM ${this.table} ${index} WHERE ${conditions}`;
    const objects = (end: string) =>
      `SELECT group_concat(object) AS objects FROM (SELECT ${this.object} AS object ${from}${end} ORDER BY id)`;
    const made = {
      next: `SELECT id ${from} ORDER BY id LIMIT 2 OFFSET ?`,
      // SQLite gets the length in bytes without reading the value.
      sizes: `SELECT id, octet_length(members) AS size ${from} ORDER BY id LIMIT ?`,
      page: objects(" AND id <= ?"),
      remaining: objects(""),
    };
    this.lists.set(name, made);
    return made;
  }

  private render(id: string, values: Values, members: string): JsonText {
    const columns = this.fields.columns.map((name) => `,"${name}":${JSON.stringify(values[name])}`);
    return new JsonText(`{"id":${JSON.stringify(id)}${columns.join("")},${members}`);
  }

  private toColumns(values: Values): SqlValue[] {
    return this.fields.columns.map((name) => String(values[name]));
  }

  private toMembers(values: Values, createdAt: string, updatedAt: string): string {
    const members: Record<string, unknown> = {};
    for (const name of this.fields.members) members[name] = values[name] ?? null;
    members["created_at"] = createdAt; // public.general.5a
    members["updated_at"] = updatedAt;
    return JSON.stringify(members).slice(1);
  }
}
