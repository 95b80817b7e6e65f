import { type Clock, monotonicMilliseconds } from "../base/clock.js";
import type { Database } from "../base/database.js";
import type { Random } from "../base/random.js";
import { Changes } from "./kernel/changes.js";
import { EmulatorClock } from "./kernel/clock.js";
import { CommitGroup } from "./kernel/commit-group.js";
import { FaultPlan } from "./kernel/faults.js";
import { createKeyedHmac, type Hmac } from "./kernel/hmac.js";
import { IdSource } from "./kernel/ids.js";
import { KeyStore } from "./kernel/keys.js";
import { Limiter } from "./kernel/limiter.js";
import { MemorySnapshots } from "./kernel/memory-snapshots.js";
import { OrganizationStore } from "./kernel/organizations.js";
import { Recorder } from "./kernel/recorder.js";
import { RequestLog } from "./kernel/request-log.js";
import { deriveControlToken } from "./kernel/secrets.js";
import { FileSnapshots, type SnapshotStore } from "./kernel/snapshots.js";
import { MirrorStore } from "./mirror/mirror-store.js";

import type { EmulatorOptions } from "./types.js";

/** A process that wrote to the database within this time, in milliseconds, is assumed to be still writing. */
const momentMilliseconds = 1_000;

/** Time without commits after which the write-ahead log is written into the database. */
const quietMilliseconds = 900;
const longestUnsavedMilliseconds = 5_000;

interface EmulatorRow {
  emulatorId: string;
  randomSeed: number;
  cursorHmac: Hmac;
  keyGeneration: number;
  limits: Record<string, number>;
}

/**
 * The state of one emulator, for its requests. If the process owns the file, caches live as long as the
 * process, and counters and log are written in batches. If the file is shared, each transaction first reads
 * the changes of others and at its end writes its counts.
 */
export class EmulatorState {
  readonly clock: EmulatorClock;
  readonly ids: IdSource;
  readonly keys: KeyStore;
  readonly organizations: OrganizationStore;
  readonly limiter: Limiter;
  readonly faults: FaultPlan;
  readonly log: RequestLog;
  /** Notifies watchers of changes. */
  readonly changes = new Changes();
  /** The organization that this emulator mirrors, if any. */
  readonly mirror: MirrorStore;
  /**
   * Values of seeded keys by what they derive from: they are needed several times while an emulator is
   * opened.
   */
  readonly seededValues = new Map<string, string>();
  readonly group: CommitGroup;
  /** Set in a fork: records every write. */
  readonly recorder: Recorder | undefined;
  /** The token of the control interface. */
  readonly controlToken: string;
  /** Monotonic time, not the emulator's clock. */
  readonly openedAt = monotonicMilliseconds();
  readonly snapshots: SnapshotStore;
  /** Pending while one caller has exclusive use: await it repeatedly before using the state. */
  busy: Promise<void> | undefined;
  private row: EmulatorRow;
  private dataVersion = 0;
  /** Last time at which another process's write to the file was seen, by the stopwatch. */
  private externalWriteAt = Number.NEGATIVE_INFINITY;
  /** Whether a turn's transaction is open. */
  private isTurn = false;
  private isReadingTogether = false;
  private batch: ReturnType<typeof setTimeout> | undefined;
  private saving: ReturnType<typeof setTimeout> | undefined;
  /** Times of the last commit and of the first one not yet in the file itself, by the stopwatch. */
  private committedAt = 0;
  private unsavedSince = 0;

  constructor(
    readonly database: Database,
    readonly options: {
      path: string;
      owned: boolean;
      systemClock: Clock;
      random: Random;
      /** Encrypts secrets at rest and derives the seeded keys. */
      fileKey: Buffer;
      limits: Record<string, number>;
      /** Specified values of seeded keys. */
      keys?: EmulatorOptions["keys"];
      /** @throws UnusableFileError if the file was removed or replaced since it was opened */
      assertSameFile: () => void;
      /** The snapshots of the emulator in memory from which this one was copied. */
      copyOf?: MemorySnapshots | undefined;
    },
  ) {
    this.group = new CommitGroup(database, options.assertSameFile);
    this.controlToken = deriveControlToken(options.fileKey);
    this.clock = new EmulatorClock(database, options.systemClock);
    this.ids = new IdSource(database, this.clock);
    this.keys = new KeyStore(database);
    this.organizations = new OrganizationStore(database);
    this.row = readEmulatorRow(database);
    this.limiter = new Limiter(database, { ...this.row.limits, ...options.limits });
    this.faults = new FaultPlan(database, () => this.row.randomSeed);
    this.log = new RequestLog(database);
    this.mirror = new MirrorStore(database, options);
    this.recorder = Recorder.of(database, options);
    this.snapshots =
      options.path === ":memory:" ? new MemorySnapshots(this, options.copyOf) : new FileSnapshots(this);
    this.dataVersion = this.readDataVersion();
  }

  /** Changes with every reset and restore, so that clients detect the new state. */
  get emulatorId(): string {
    return this.row.emulatorId;
  }
  get randomSeed(): number {
    return this.row.randomSeed;
  }
  /** Signs cursors. */
  get cursorHmac(): Hmac {
    return this.row.cursorHmac;
  }
  /** Generation of the seeded keys: they differ in each. */
  get keyGeneration(): number {
    return this.row.keyGeneration;
  }

  /** Runs one request: in its own transaction if the file is shared, after reloading changes. */
  inRequest<T>(work: () => T): T {
    if (this.options.owned) {
      const result = work();
      this.scheduleBatch();
      return result;
    }
    return this.isTurn ? work() : this.shared(work);
  }

  /**
   * Requests that arrive in one turn of the loop read in one transaction: starting one takes longer than a
   * small read.
   */
  readTogether(): void {
    this.database.beginReading();
    if (this.isReadingTogether) return;
    this.isReadingTogether = true;
    setImmediate(() => {
      this.isReadingTogether = false;
      this.database.endReading();
    });
  }

  /**
   * Runs several requests of a shared database in one transaction, which is committed before any of them gets
   * its response.
   * @returns undefined if the commit failed, so that each request must run separately
   */
  inTurn<T>(work: () => T): T | undefined {
    this.isTurn = true;
    try {
      return this.shared(() => {
        const result = work();
        this.options.assertSameFile();
        return result;
      });
    } catch {
      return undefined;
    } finally {
      this.isTurn = false;
    }
  }

  /** Whether other processes write to the database, so that clients' knowledge of their limits is outdated. */
  get isWrittenByOthers(): boolean {
    return monotonicMilliseconds() - this.externalWriteAt < momentMilliseconds;
  }

  /** Whether a write is committed together with other requests. */
  get isCommittedTogether(): boolean {
    return this.isTurn || this.group.current !== undefined;
  }

  /** Called before a write is committed; a shared commit checks once. @throws UnusableFileError if the file was replaced */
  assertSameFile(): void {
    if (!this.isCommittedTogether) this.options.assertSameFile();
  }

  /** Counters and log are written together with the changes that they count. */
  private shared<T>(work: () => T): T {
    try {
      return this.database.transaction(() => {
        const version = this.readDataVersion();
        if (version !== this.dataVersion) {
          this.dataVersion = version;
          this.externalWriteAt = monotonicMilliseconds();
          this.reload();
        }
        const result = work();
        this.limiter.flush();
        this.log.flush();
        this.clock.keep();
        this.scheduleSave();
        return result;
      });
    } catch (error) {
      // Counts in memory don't match the rolled-back file: read it again.
      this.dataVersion = -1;
      this.log.discard();
      throw error;
    }
  }

  /** Runs asynchronous work with exclusive use of the emulator. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.busy) await this.busy;
    let end = () => {};
    this.busy = new Promise((resolve) => {
      end = resolve;
    });
    try {
      this.flush();
      return await work();
    } finally {
      this.busy = undefined;
      this.reload();
      end();
    }
  }

  /** Clears all caches: after a control call, a restore or a change by another process. */
  reload(): void {
    const former = this.emulatorId;
    this.row = readEmulatorRow(this.database);
    // After a restore the state differs, and its time may be earlier.
    if (this.emulatorId === former) this.clock.reload();
    else this.clock.rewind();
    this.ids.reload();
    this.keys.reload();
    this.organizations.reload();
    this.limiter.configure({ ...this.row.limits, ...this.options.limits });
    this.limiter.reload();
    this.faults.reload();
    this.mirror.reload();
  }

  /** Writes counters and log that wait for their batch. */
  flush(): void {
    this.write(() => this.log.flush());
  }

  private write(log: () => void): void {
    if (this.batch) clearTimeout(this.batch);
    this.batch = undefined;
    this.group.commit();
    this.database.transaction(() => {
      this.clock.keep();
      this.limiter.flush();
      log();
      this.recorder?.flush();
    });
    this.scheduleSave();
  }

  /**
   * Users copy the file without its `-wal`: soon after the last commit it must be complete on its own. A
   * checkpoint during requests would delay them.
   */
  private scheduleSave(): void {
    if (this.options.path === ":memory:") return;
    this.committedAt = monotonicMilliseconds();
    if (this.saving) return;
    this.unsavedSince = this.committedAt;
    this.saveAfter(quietMilliseconds);
  }

  private saveAfter(milliseconds: number): void {
    this.saving = setTimeout(() => {
      const now = monotonicMilliseconds();
      const remaining = quietMilliseconds - (now - this.committedAt);
      if (remaining > 0 && now - this.unsavedSince < longestUnsavedMilliseconds) this.saveAfter(remaining);
      else this.save();
    }, milliseconds);
    this.saving.unref();
  }

  private save(): void {
    this.saving = undefined;
    try {
      this.database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      // A full disk, say: what is committed is in the -wal all the same.
    }
  }

  /** Writes pending data; the database is not used afterwards. */
  close(): void {
    try {
      this.flush();
    } finally {
      if (this.saving) clearTimeout(this.saving);
      this.saving = undefined;
    }
  }

  private scheduleBatch(): void {
    this.scheduleSave();
    if (this.batch) return;
    // A crash may lose the last 100 ms of counters and, on a busy server, waiting log entries; never data.
    this.batch = setTimeout(() => this.flushInTime(), 100);
    this.batch.unref();
  }

  private flushInTime(): void {
    try {
      this.write(() => this.log.flushBatch());
      if (this.log.pending) this.scheduleBatch();
    } catch {
      // A full disk, say: no request waits for this batch. The next request that writes gets the error and tells it.
    }
  }

  private readDataVersion(): number {
    return Number(this.database.prepare("PRAGMA data_version").get()?.["data_version"] ?? 0);
  }
}

function readEmulatorRow(database: Database): EmulatorRow {
  const row = database.prepare("SELECT * FROM world").get();
  if (!row) throw new Error("the database contains no emulator state");
  const cursorKey = row["cursor_key"];
  return {
    emulatorId: String(row["world_id"]),
    randomSeed: Number(row["random_seed"]),
    cursorHmac: createKeyedHmac(cursorKey instanceof Uint8Array ? cursorKey : new Uint8Array()),
    keyGeneration: Number(row["key_generation"]),
    limits: JSON.parse(String(row["limits"])),
  };
}
