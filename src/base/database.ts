/** SQLite behind one interface, whichever the driver is. */
import { systemRandom } from "./random.js";
import { type DatabaseSync, type Driver, loadDriver } from "./sqlite-driver.js";

export type SqlValue = null | number | bigint | string | Uint8Array;
export type Row = Record<string, null | number | bigint | string | Uint8Array>;
type StatementSync = ReturnType<DatabaseSync["prepare"]>;

interface Statement {
  /** Runs it; answers how many rows changed. */
  run(...parameters: SqlValue[]): number;
  get(...parameters: SqlValue[]): Row | undefined;
  all(...parameters: SqlValue[]): Row[];
  iterate(...parameters: SqlValue[]): IterableIterator<Row>;
}

export interface Database {
  /** The statement of this text, prepared once and kept as long as the database. */
  prepare(sql: string): Statement;
  exec(sql: string): void;
  /** Runs `work` in an immediate transaction, or in a savepoint inside another; rolled back when it throws. */
  transaction<T>(work: () => T): T;
  /**
   * Runs work that writes by one statement, its last: inside a transaction it needs no savepoint, since a statement that
   * fails leaves nothing. Where it fails after it wrote all the same, the transaction around it can't be committed.
   */
  lastly<T>(work: () => T): T;
  /** Begins a transaction that holds until `commit`; transactions meanwhile are savepoints in it. */
  begin(): void;
  /**
   * @param check what has to hold for it to be committed
   * @throws the driver's error when it can't be written, or the check's; it is rolled back then
   */
  commit(check?: () => void): void;
  /**
   * Begins a transaction that holds until `endReading`, or until something is written: SQLite takes its locks once for all
   * that is read meanwhile, not once for each statement.
   */
  beginReading(): void;
  endReading(): void;
  /** Has something written by each transaction that commits, right before it does: what the transaction's own writes made necessary. */
  beforeCommit(write: () => void): void;
  /** All that it holds, at little more than the cost of copying the bytes. Outside any transaction. */
  image(): Promise<MemoryImage>;
  /**
   * Another database in memory that holds the same. Outside any transaction; nothing else may use this one meanwhile.
   */
  copy(): Promise<Database>;
  /**
   * Makes a database in memory what an image is. Outside any transaction; nothing else may use it meanwhile. Settings
   * of the connection may be the driver's own afterwards.
   */
  become(image: MemoryImage): Promise<void>;
  close(): void;
}

/**
 * The content of a database when it was taken: bytes, or where the driver can't hand them out, a database of its own.
 */
export type MemoryImage = { readonly bytes: Uint8Array } | { readonly copy: DatabaseSync };

/** Further functions of newer drivers. */
interface Serializing {
  serialize(): Uint8Array;
  deserialize(bytes: Uint8Array): void;
}

function isSerializing(connection: object): connection is Serializing {
  return "serialize" in connection && "deserialize" in connection;
}

/** Keeps its database reachable: with @photostructure/sqlite a statement must not outlive it (it crashes). */
class KeptStatement implements Statement {
  constructor(
    readonly database: DatabaseSync,
    private readonly statement: StatementSync,
    private readonly written: { rows: number },
    private readonly endReading: () => void,
    private readonly fail: (error: unknown) => never,
  ) {}
  run(...parameters: SqlValue[]): number {
    this.endReading();
    try {
      const changes = Number(this.statement.run(...parameters).changes);
      this.written.rows += changes;
      return changes;
    } catch (error) {
      return this.fail(error);
    }
  }
  get(...parameters: SqlValue[]): Row | undefined {
    try {
      return this.statement.get(...parameters);
    } catch (error) {
      return this.fail(error);
    }
  }
  all(...parameters: SqlValue[]): Row[] {
    try {
      return this.statement.all(...parameters);
    } catch (error) {
      return this.fail(error);
    }
  }
  iterate(...parameters: SqlValue[]): IterableIterator<Row> {
    return this.statement.iterate(...parameters);
  }
}

interface Savepoint {
  readonly begin: Statement;
  readonly release: Statement;
  readonly rollBack: Statement;
}

class SqliteDatabase implements Database {
  private readonly statements = new Map<string, KeptStatement>();
  private savepoints: Savepoint[] = [];
  private depth = 0;
  private readonly lastWrites: (() => void)[] = [];
  /** By all statements so far. */
  private readonly written = { rows: 0 };
  /** Does the transaction hold part of work that failed? */
  private isSpoiled = false;
  private isReading = false;
  /** The error over which the driver ended the transaction by itself. */
  private endedBy: unknown;

  constructor(
    private readonly driver: Driver,
    private connection: DatabaseSync,
    /** Under which another connection of this process finds it. */
    private readonly address: string,
  ) {}

  prepare(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (!statement) {
      const prepared = this.connection.prepare(sql);
      statement = new KeptStatement(
        this.connection,
        prepared,
        this.written,
        () => this.endReading(),
        (error) => this.fail(error),
      );
      this.statements.set(sql, statement);
    }
    return statement;
  }

  exec(sql: string): void {
    this.endReading();
    try {
      this.connection.exec(sql);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Names the file in the driver's error, and keeps the error if no transaction is open after it. */
  private fail(error: unknown): never {
    if (!this.connection.isTransaction) this.endedBy ??= error;
    throw addPath(error, this.address);
  }

  beginReading(): void {
    if (this.depth > 0 || this.isReading) return;
    this.prepare("BEGIN").run();
    this.isReading = true;
  }

  endReading(): void {
    if (!this.isReading) return;
    this.isReading = false;
    this.prepare("COMMIT").run();
  }

  begin(): void {
    this.prepare("BEGIN IMMEDIATE").run();
    this.depth += 1;
    this.endedBy = undefined;
  }

  commit(check?: () => void): void {
    // 0 after a commit that failed: this one is to fail as that one did.
    this.depth = Math.max(0, this.depth - 1);
    try {
      if (!this.connection.isTransaction && this.endedBy !== undefined) throw this.endedBy;
      this.finish();
      check?.();
      this.prepare("COMMIT").run();
    } catch (error) {
      if (this.connection.isTransaction) this.prepare("ROLLBACK").run();
      throw error;
    } finally {
      this.isSpoiled = false;
    }
  }

  /** What comes before every commit. */
  private finish(): void {
    if (this.isSpoiled) throw new Error("work that failed has left a part of itself in the transaction");
    for (const write of this.lastWrites) write();
  }

  lastly<T>(work: () => T): T {
    if (this.depth === 0) return this.transaction(work);
    this.assertTransactionOpen();
    const { rows } = this.written;
    try {
      return work();
    } catch (error) {
      if (this.written.rows !== rows) this.isSpoiled = true;
      throw error;
    }
  }

  transaction<T>(work: () => T): T {
    if (this.depth > 0) this.assertTransactionOpen();
    const nested = this.depth > 0 ? this.savepoint(this.depth) : undefined;
    (nested?.begin ?? this.prepare("BEGIN IMMEDIATE")).run();
    if (!nested) this.endedBy = undefined;
    this.depth += 1;
    try {
      const result = work();
      if (!nested) this.finish();
      (nested?.release ?? this.prepare("COMMIT")).run();
      return result;
    } catch (error) {
      // A full disk ends the transaction by itself.
      if (this.connection.isTransaction) {
        nested?.rollBack.run();
        (nested?.release ?? this.prepare("ROLLBACK")).run();
      }
      throw error;
    } finally {
      this.depth -= 1;
      if (!nested) this.isSpoiled = false;
    }
  }

  /**
   * What is to be part of a transaction would be kept by itself where the driver has ended that one, as it does on a full
   * disk; and done again by whoever is told that the transaction failed.
   */
  private assertTransactionOpen(): void {
    if (!this.connection.isTransaction)
      throw this.endedBy ?? new Error("the transaction around it was ended");
  }

  /** Its statements, by how deep it is: their texts are not put together for each request. */
  private savepoint(depth: number): Savepoint {
    let savepoint = this.savepoints[depth];
    if (!savepoint) {
      const name = `nested_${depth}`;
      savepoint = {
        begin: this.prepare(`SAVEPOINT ${name}`),
        release: this.prepare(`RELEASE ${name}`),
        rollBack: this.prepare(`ROLLBACK TO ${name}`),
      };
      this.savepoints[depth] = savepoint;
    }
    return savepoint;
  }

  beforeCommit(write: () => void): void {
    this.lastWrites.push(write);
  }

  async image(): Promise<MemoryImage> {
    this.endReading();
    const { driver, connection } = this;
    if (isSerializing(connection)) return { bytes: connection.serialize() };
    const address = createMemoryAddress();
    const copy = new driver.DatabaseSync(address, { timeout: 0 });
    await driver.backup(connection, address, { rate: -1 });
    return { copy };
  }

  async copy(): Promise<Database> {
    this.endReading();
    const { connection } = this;
    return openImage(isSerializing(connection) ? { bytes: connection.serialize() } : { copy: connection });
  }

  async become(image: MemoryImage): Promise<void> {
    this.endReading();
    const { driver, connection, address } = this;
    if ("copy" in image) {
      await driver.backup(image.copy, address, { rate: -1 });
      return;
    }
    // Another connection, never the one in use: its table-valued functions (json_each) keep pointing into the schema
    // that was, and SQLite crashes over the next statement that names one.
    const fresh = new driver.DatabaseSync(address, { timeout: 0 });
    if (isSerializing(fresh)) fresh.deserialize(image.bytes);
    this.statements.clear();
    this.savepoints = [];
    this.connection = fresh;
    connection.close();
  }

  close(): void {
    this.endReading();
    this.statements.clear();
    this.savepoints = [];
    this.connection.close();
  }
}

/**
 * Opens an SQLite file (or `:memory:`).
 * @param options.busyMilliseconds how long a statement waits for another process's lock (default 5,000)
 * @throws the driver's error when the file is no database or can't be opened
 */
export async function openDatabase(
  path: string,
  options: { busyMilliseconds?: number } = {},
): Promise<Database> {
  const driver = await loadDriver();
  const address =
    path === ":memory:" && !isSerializing(driver.DatabaseSync.prototype) ? createMemoryAddress() : path;
  const timeout = options.busyMilliseconds ?? 5_000;
  try {
    return new SqliteDatabase(driver, new driver.DatabaseSync(address, { timeout }), address);
  } catch (error) {
    throw addPath(error, address);
  }
}

/** The driver's error with the path of its file, as those of `node:fs` have it. */
function addPath(error: unknown, address: string): unknown {
  const isFile = address !== ":memory:" && !address.startsWith("file:");
  if (isFile && error instanceof Error && !("path" in error)) Object.assign(error, { path: address });
  return error;
}

/** A name in memory by which the driver's backup finds a database; what it names is gone when it is closed. */
function createMemoryAddress(): string {
  return `file:/${systemRandom().bytes(12).toString("hex")}?vfs=memdb`;
}

/** A database in memory that holds what the image does. Settings of the connection are not part of it. */
export async function openImage(image: MemoryImage): Promise<Database> {
  const database = await openDatabase(":memory:");
  await database.become(image);
  return database;
}
