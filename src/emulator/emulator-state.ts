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

/** Time for which a write by another process counts as recent. */
const momentMilliseconds = 1_000;

/** After this time without commits, the write-ahead log is copied to the database file. */
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
 * If only this process uses the file, it writes the counters and the log in batches. If other processes share
 * the file, each transaction first reads their changes, and writes the counters at its end.
 */
export class EmulatorState {
  readonly clock: EmulatorClock;
  readonly ids: IdSource;
  readonly keys: KeyStore;
  readonly organizations: OrganizationStore;
  readonly limiter: Limiter;
  readonly faults: FaultPlan;
  readonly log: RequestLog;
  readonly changes = new Changes();
  readonly mirror: MirrorStore;
  /**
   * Seeded keys by the string from which each is derived; cached, because opening an emulator needs each key
   * several times.
   */
  readonly seededValues = new Map<string, string>();
  readonly group: CommitGroup;
  readonly recorder: Recorder | undefined;
  readonly controlToken: string;
  readonly openedAt = monotonicMilliseconds();
  readonly snapshots: SnapshotStore;
  /** To wait for the end of exclusive use, use `while (state.busy) await state.busy`. */
  busy: Promise<void> | undefined;
  private row: EmulatorRow;
  private dataVersion = 0;
  private externalWriteAt = Number.NEGATIVE_INFINITY;
  /** Whether a transaction is open for this turn of the event loop. */
  private isTurn = false;
  private isReadingTogether = false;
  private batch: ReturnType<typeof setTimeout> | undefined;
  private saving: ReturnType<typeof setTimeout> | undefined;
  /** Monotonic times; `unsavedSince` is the time of the first commit that is not yet in the database file. */
  private committedAt = 0;
  private unsavedSince = 0;

  constructor(
    readonly database: Database,
    readonly options: {
      path: string;
      owned: boolean;
      systemClock: Clock;
      random: Random;
      fileKey: Buffer;
      limits: Record<string, number>;
      keys?: EmulatorOptions["keys"];
      /** @throws UnusableFileError if the file was removed or replaced after it was opened */
      assertSameFile: () => void;
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

  /** ID that changes with every reset and restore, so that clients notice the new state. */
  get emulatorId(): string {
    return this.row.emulatorId;
  }
  get randomSeed(): number {
    return this.row.randomSeed;
  }
  get cursorHmac(): Hmac {
    return this.row.cursorHmac;
  }
  /** Each generation has different seeded keys. */
  get keyGeneration(): number {
    return this.row.keyGeneration;
  }

  /** If other processes share the file, reads their changes and runs the request in its own transaction. */
  inRequest<T>(work: () => T): T {
    if (this.options.owned) {
      const result = work();
      this.scheduleBatch();
      return result;
    }
    return this.isTurn ? work() : this.shared(work);
  }

  /**
   * Opens one transaction for all reads in this turn of the event loop, because opening a transaction takes
   * longer than a small read.
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
   * Runs several requests on a shared database in one transaction. No request gets its response before the
   * commit.
   * @returns undefined if the commit failed; the caller must then run each request separately
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

  /**
   * Whether another process has written recently. Such a process might have used up limits that clients
   * consider available.
   */
  get isWrittenByOthers(): boolean {
    return monotonicMilliseconds() - this.externalWriteAt < momentMilliseconds;
  }

  get isCommittedTogether(): boolean {
    return this.isTurn || this.group.current !== undefined;
  }

  /**
   * Checks nothing while several requests share a commit, because the shared commit checks the file.
   * @throws UnusableFileError if the file was replaced
   */
  assertSameFile(): void {
    if (!this.isCommittedTogether) this.options.assertSameFile();
  }

  /** Runs work in a transaction that also writes the counters and the log. */
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
      // The rollback doesn't revert the counts in memory. Because of this invalid version, the next
      // transaction reads the counts from the file again.
      this.dataVersion = -1;
      this.log.discard();
      throw error;
    }
  }

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

  reload(): void {
    const former = this.emulatorId;
    this.row = readEmulatorRow(this.database);
    // A restore can set the emulator's time back.
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
   * Schedules a checkpoint for a time without requests, because no request is handled during a checkpoint.
   * The delay after the last commit is short, because users might copy the file without its `-wal` file.
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
      // The checkpoint can fail, for example because the disk is full. The committed data is still in the
      // write-ahead log.
    }
  }

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
    // A crash can lose the counts of the last 100 ms and unwritten log entries, but no data.
    this.batch = setTimeout(() => this.flushInTime(), 100);
    this.batch.unref();
  }

  private flushInTime(): void {
    try {
      this.write(() => this.log.flushBatch());
      if (this.log.pending) this.scheduleBatch();
    } catch {
      // The write can fail, for example because the disk is full. No request waits for this batch. The next
      // write reports the error.
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
