import type { Clock } from "../../base/clock.js";
import type { Database, Row } from "../../base/database.js";
import type { Random } from "../../base/random.js";
import { conflict, notFound } from "../refusal.js";
import { emptyTables, listColumnNames, listTableNames, snapshotPrefix } from "./tables.js";

export interface Snapshot {
  name: string;
  /** The emulator's time when the snapshot was created. */
  takenAt: number;
}

export interface SnapshottedState {
  readonly database: Database;
  readonly clock: { now(): number; rewind(): void };
  readonly options: { readonly systemClock: Clock; readonly random: Random };
  inRequest<T>(work: () => T): T;
}

/** While a snapshot is created or restored, no request is allowed to use the emulator. */
export interface SnapshotStore {
  list(): Snapshot[];
  /**
   * @param name default: `snapshot-1` and so on
   * @throws Refusal conflict if a snapshot with this name exists
   */
  take(name: string | undefined): Promise<Snapshot>;
  /**
   * Restores the state and the clock, but keeps all snapshots (emulator.snapshots). If the snapshot is from a
   * file, which has no request log, the current log is kept. The emulator gets a new ID, so that clients
   * discard cached data.
   * @throws Refusal not_found
   */
  restore(name: string): Promise<Snapshot>;
  /** @throws Refusal not_found */
  read(name: string): Promise<{ takenAt: number; tables: ReadonlyMap<string, readonly Row[]> }>;
  /**
   * Both databases must have the same tables.
   * @throws Refusal conflict if a snapshot with this name exists
   */
  add(snapshot: Snapshot, database: Database): Promise<Snapshot>;
  /** @throws Refusal not_found */
  delete(name: string): Promise<void>;
}

export function findFreeName(snapshots: readonly Snapshot[]): string {
  const taken = new Set(snapshots.map(({ name }) => name));
  let number = snapshots.length + 1;
  while (taken.has(`snapshot-${number}`)) number += 1;
  return `snapshot-${number}`;
}

export function createNameTakenError(name: string): Error {
  return conflict("emulator.snapshots", `snapshot "${name}" already exists; delete it first`);
}

export function createNotFoundError(name: string): Error {
  return notFound(`the snapshot "${name}"`, "emulator.snapshots");
}

/** In real mode, the clock continues from the snapshot's time. */
export function renewIdentity(state: SnapshottedState, takenAt: number): void {
  const { options } = state;
  state.database
    .prepare("UPDATE world SET world_id = ?, clock_offset = ?, clock_latest = ?")
    .run(options.random.bytes(12).toString("hex"), takenAt - options.systemClock.now(), takenAt);
  state.clock.rewind();
}

/** If the list of snapshots were restored, later snapshots would be lost. */
const excludedTables = new Set(["snapshots"]);

export const logTable = "requests";

const keptColumns = new Set(["id"]); // emulator.snapshots

export class FileSnapshots implements SnapshotStore {
  constructor(private readonly state: SnapshottedState) {}

  list(): Snapshot[] {
    return this.state.database
      .prepare("SELECT name, taken_at FROM snapshots ORDER BY serial")
      .all()
      .map((row) => ({ name: String(row["name"]), takenAt: Number(row["taken_at"]) }));
  }

  async take(name: string | undefined): Promise<Snapshot> {
    return this.inTransaction((database) => {
      const snapshot = { name: name ?? findFreeName(this.list()), takenAt: this.state.clock.now() };
      if (this.serialOf(snapshot.name) !== undefined) throw createNameTakenError(snapshot.name);
      const serial = nextSerial(database);
      for (const table of listTableNames(database)) {
        if (excludedTables.has(table)) continue;
        database.exec(`CREATE TABLE "${toCopyName(serial, table)}" AS SELECT * FROM "${table}"`);
      }
      database
        .prepare("INSERT INTO snapshots (name, serial, taken_at) VALUES (?, ?, ?)")
        .run(snapshot.name, serial, snapshot.takenAt);
      return snapshot;
    });
  }

  async read(name: string): ReturnType<SnapshotStore["read"]> {
    return this.inTransaction((database) => {
      const serial = this.requireSerial(name);
      const { takenAt = 0 } = this.list().find((candidate) => candidate.name === name) ?? {};
      const start = toCopyName(serial, "");
      const tables = findCopies(database, serial).map((copy): [string, Row[]] => [
        copy.slice(start.length),
        database.prepare(`SELECT * FROM "${copy}"`).all(),
      ]);
      return { takenAt, tables: new Map(tables) };
    });
  }

  async add(snapshot: Snapshot, source: Database): Promise<Snapshot> {
    return this.inTransaction((database) => {
      if (this.serialOf(snapshot.name) !== undefined) throw createNameTakenError(snapshot.name);
      const serial = nextSerial(database);
      for (const table of listTableNames(database)) {
        if (excludedTables.has(table) || table === logTable) continue;
        const copy = toCopyName(serial, table);
        database.exec(`CREATE TABLE "${copy}" AS SELECT * FROM "${table}" WHERE 0`);
        insertRows(database, copy, source.prepare(`SELECT * FROM "${table}"`).all());
      }
      database
        .prepare("INSERT INTO snapshots (name, serial, taken_at) VALUES (?, ?, ?)")
        .run(snapshot.name, serial, snapshot.takenAt);
      return snapshot;
    });
  }

  async restore(name: string): Promise<Snapshot> {
    return this.inTransaction((database) => {
      const serial = this.requireSerial(name);
      const copies = new Set(findCopies(database, serial));
      const keepsLog = !copies.has(toCopyName(serial, logTable));
      const tables = listTableNames(database).filter(
        (table) => !excludedTables.has(table) && table !== "world" && !(table === logTable && keepsLog),
      );
      emptyTables(database, tables);
      for (const table of tables) {
        const copy = toCopyName(serial, table);
        if (copies.has(copy)) copyRows(database, copy, table);
      }
      const stateTable = toCopyName(serial, "world");
      for (const column of listColumnNames(database, stateTable)) {
        if (keptColumns.has(column)) continue;
        database.exec(`UPDATE world SET "${column}" = (SELECT "${column}" FROM "${stateTable}")`);
      }
      const snapshot = this.list().find((candidate) => candidate.name === name) ?? { name, takenAt: 0 };
      renewIdentity(this.state, snapshot.takenAt);
      return snapshot;
    });
  }

  async delete(name: string): Promise<void> {
    this.inTransaction((database) => {
      const serial = this.requireSerial(name);
      for (const copy of findCopies(database, serial)) database.exec(`DROP TABLE "${copy}"`);
      database.prepare("DELETE FROM snapshots WHERE serial = ?").run(serial);
    });
  }

  private inTransaction<T>(work: (database: Database) => T): T {
    const { state } = this;
    return state.inRequest(() => state.database.transaction(() => work(state.database)));
  }

  private serialOf(name: string): number | undefined {
    const row = this.state.database.prepare("SELECT serial FROM snapshots WHERE name = ?").get(name);
    return row && Number(row["serial"]);
  }

  private requireSerial(name: string): number {
    const serial = this.serialOf(name);
    if (serial === undefined) throw createNotFoundError(name);
    return serial;
  }
}

function nextSerial(database: Database): number {
  const row = database.prepare("SELECT coalesce(max(serial), 0) + 1 AS serial FROM snapshots").get();
  return Number(row?.["serial"]);
}

export function insertRows(database: Database, table: string, rows: Iterable<Row>): void {
  for (const row of rows) {
    const columns = Object.keys(row);
    const names = columns.map((name) => `"${name}"`).join(", ");
    const placeholders = columns.map(() => "?").join(", ");
    database
      .prepare(`INSERT INTO "${table}" (${names}) VALUES (${placeholders})`)
      .run(...columns.map((name) => row[name] ?? null));
  }
}

function toCopyName(serial: number, table: string): string {
  return `${snapshotPrefix}${serial}_${table}`;
}

function findCopies(database: Database, serial: number): string[] {
  const start = toCopyName(serial, "");
  return database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, ?) = ?")
    .all(start.length, start)
    .map((row) => String(row["name"]));
}

/** Copies by column name, because the table might have had fewer columns when the snapshot was created. */
function copyRows(database: Database, copy: string, table: string): void {
  const copied = new Set(listColumnNames(database, copy));
  const columns = listColumnNames(database, table)
    .filter((column) => copied.has(column))
    .map((column) => `"${column}"`)
    .join(", ");
  database.exec(`INSERT INTO "${table}" (${columns}) SELECT ${columns} FROM "${copy}"`);
}
