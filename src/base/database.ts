import { addPath } from "./error-code.js";
import { systemRandom } from "./random.js";
import { type DatabaseSync, type Driver, loadDriver } from "./sqlite-driver.js";

export type SqlValue = null | number | bigint | string | Uint8Array;
export type Row = Record<string, null | number | bigint | string | Uint8Array>;
type StatementSync = ReturnType<DatabaseSync["prepare"]>;

interface Statement {
  /** Returns the number of changed rows. */
  run(...parameters: SqlValue[]): number;
  get(...parameters: SqlValue[]): Row | undefined;
  all(...parameters: SqlValue[]): Row[];
  iterate(...parameters: SqlValue[]): IterableIterator<Row>;
}

export interface Database {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  /** Runs `work` in a transaction, or in a savepoint if a transaction is open. */
  transaction<T>(work: () => T): T;
  /**
   * Runs `work` in the open transaction without a savepoint. Only the last statement of `work` may write,
   * because an error after a write makes the whole transaction fail.
   */
  lastly<T>(work: () => T): T;
  begin(): void;
  /**
   * @param check called before the commit; throws to prevent it
   * @throws the driver's error, or the error from `check`
   */
  commit(check?: () => void): void;
  /**
   * Starts a read transaction, so that SQLite acquires its locks once instead of for each statement. The
   * transaction ends at `endReading` or at the first write.
   */
  beginReading(): void;
  endReading(): void;
  beforeCommit(write: () => void): void;
  /** Not allowed in a transaction. */
  image(): Promise<MemoryImage>;
  /** Not allowed in a transaction. Don't use this database until the promise resolves. */
  copy(): Promise<Database>;
  /**
   * Replaces the content of an in-memory database. Not allowed in a transaction. Don't use this database
   * until the promise resolves. Can reset connection settings to the driver's defaults.
   */
  become(image: MemoryImage): Promise<void>;
  /** Starts to record row changes, except in tables without a primary key. */
  recordChanges(): ChangeRecorder;
  /** A second call with the same changes is safe. */
  applyChanges(changes: Uint8Array): void;
  close(): void;
}

export interface ChangeRecorder {
  /**
   * Returns the rows that changed since the last call, with their current content. Not allowed in a
   * transaction.
   */
  take(): Uint8Array;
}

/** A database's content at one moment: its bytes, or a copy if the driver can't provide bytes. */
export type MemoryImage = { readonly bytes: Uint8Array } | { readonly copy: DatabaseSync };

/** Functions that only newer drivers have. */
interface Serializing {
  serialize(): Uint8Array;
  deserialize(bytes: Uint8Array): void;
}

function isSerializing(connection: object): connection is Serializing {
  return "serialize" in connection && "deserialize" in connection;
}

/**
 * A statement with a reference to its database. Without the reference, the database could be
 * garbage-collected, and then a statement of @photostructure/sqlite crashes.
 */
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
  private readonly written = { rows: 0 };
  /** Whether a function passed to `lastly` failed after its write. */
  private isSpoiled = false;
  private isReading = false;
  private endedBy: unknown;

  constructor(
    private readonly driver: Driver,
    private connection: DatabaseSync,
    /** Name under which another connection in this process can open the database. */
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

  private fail(error: unknown): never {
    if (!this.connection.isTransaction) this.endedBy ??= error;
    throw addDatabasePath(error, this.address);
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
    // A second commit must report the same error as the first, which requires a depth of at least 0.
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

  private finish(): void {
    if (this.isSpoiled) throw new Error("an operation failed and left changes in the transaction");
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
      // If the disk is full, the driver has already rolled back the transaction.
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
   * Without this check, statements after a rollback by the driver (full disk) would be committed
   * individually.
   */
  private assertTransactionOpen(): void {
    if (!this.connection.isTransaction)
      throw this.endedBy ?? new Error("the surrounding transaction was aborted");
  }

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
    // Open a new connection. On the current connection, table-valued functions such as json_each would still
    // refer to the old schema, and SQLite would crash.
    const fresh = new driver.DatabaseSync(address, { timeout: 0 });
    if (isSerializing(fresh)) fresh.deserialize(image.bytes);
    this.statements.clear();
    this.savepoints = [];
    this.connection = fresh;
    connection.close();
  }

  recordChanges(): ChangeRecorder {
    let session = this.connection.createSession();
    return {
      take: () => {
        const changes = session.patchset();
        session.close();
        session = this.connection.createSession();
        return changes;
      },
    };
  }

  applyChanges(changes: Uint8Array): void {
    const { constants } = this.driver;
    this.connection.applyChangeset(changes, {
      // If a row is missing, an earlier call with the same changes has deleted the row, so skip the change.
      onConflict: (kind) =>
        kind === constants.SQLITE_CHANGESET_NOTFOUND
          ? constants.SQLITE_CHANGESET_OMIT
          : constants.SQLITE_CHANGESET_REPLACE,
    });
  }

  close(): void {
    this.endReading();
    this.statements.clear();
    this.savepoints = [];
    this.connection.close();
  }
}

/**
 * Opens an SQLite file or, with `:memory:`, a new database in memory.
 * @param options.busyMilliseconds how long a statement waits for another process's lock (default: 5,000)
 * @throws the driver's error if the file is not a database or can't be opened
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
    throw addDatabasePath(error, address);
  }
}

function addDatabasePath(error: unknown, address: string): unknown {
  const isFile = address !== ":memory:" && !address.startsWith("file:");
  return isFile ? addPath(error, address) : error;
}

/** The driver's backup function requires a named database. */
function createMemoryAddress(): string {
  return `file:/${systemRandom().bytes(12).toString("hex")}?vfs=memdb`;
}

/** Connection settings are not part of an image. */
export async function openImage(image: MemoryImage): Promise<Database> {
  const database = await openDatabase(":memory:");
  await database.become(image);
  return database;
}
