import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Clock, monotonicMilliseconds, systemClock } from "../../base/clock.js";
import { type Database, openDatabase } from "../../base/database.js";
import { describeFsError } from "../../base/describe-fs-error.js";
import { type FileLock, LockedError, lockFile } from "../../base/file-lock.js";
import { makePrivateFolder } from "../../base/private-file.js";
import { seededBytes, systemRandom } from "../../base/random.js";
import { parseTime } from "../../base/time-text.js";
import { EmulatorState } from "../emulator-state.js";
import { isEmulatorTime } from "../kernel/clock.js";
import { MemorySnapshots } from "../kernel/memory-snapshots.js";
import { renewIdentity } from "../kernel/snapshots.js";
import { loadDemo, loadMigrations } from "../resources.js";
import { settleSeededKeys } from "../seed/keys.js";
import type { EmulatorOptions } from "../types.js";
import { createDamagedError, describeFileError, toFileError } from "./file-errors.js";
import { readFileKey } from "./file-key.js";
import { openMemoryDatabase } from "./memory.js";
import { resolveRealPath } from "./resolve-real-path.js";
import { assertSinglePath, createSameFileCheck } from "./same-file-check.js";
import {
  assertUsable,
  createContentError,
  createTables,
  isOutdated,
  migrate,
  UnusableFileError,
} from "./schema.js";

/** Longest time that a starting server waits for commands that use the file (emulator.md, "Starting"). */
const serverWaitMilliseconds = 5_000;

export interface OpenedEmulatorState {
  state: EmulatorState;
  close(): void;
}

/**
 * @throws LockedError if a server has locked the file, or if an exclusive lock is required and other
 * processes are using the file
 * @throws UnusableFileError if the file has a newer version or a different format, or can't be read or
 * written
 */
export async function openEmulatorState(options: EmulatorOptions): Promise<OpenedEmulatorState> {
  const memory = options.db === undefined || options.db === ":memory:";
  const path = memory ? ":memory:" : resolveRealPath(options.db ?? "");
  const owned = memory || options.exclusive === true;
  const random = options.random ?? systemRandom();
  const clock = options.systemClock ?? systemClock();

  let lock: FileLock | undefined;
  let database: Database | undefined;
  try {
    if (!memory) {
      await makePrivateFolder(dirname(path));
      await assertUsablePath(path);
      const isNew = !existsSync(path);
      if (isNew) await createFile(path, options, { clock, random });
      // A command doesn't wait for a server's lock, because it can use the server over HTTP. For a new file,
      // a command waits: the process that created the file may still hold the lock.
      const waitMilliseconds = owned || isNew ? serverWaitMilliseconds : 0;
      lock = await lockFile(path, owned ? "exclusive" : "shared", waitMilliseconds);
    }
    database = memory ? await openMemoryDatabase() : await openFile(path);
    // Check the file first, because the pragma for the journal mode writes to the file, which may be another
    // program's.
    assertUsable(database, path);
    if (!memory) assertNotEmpty(database, path);
    if (owned && !memory) assertSound(database, path);
    const fileKey = memory ? random.bytes(32) : readFileKey(path, random).key;
    configure(database, options);
    if (isOutdated(database)) migrate(database, { fileKey, random }, await loadMigrations());
    else createTables(database);
    const assertSameFile = memory ? () => {} : createSameFileCheck(path);
    const parts = { path, owned, clock, random, fileKey, assertSameFile };
    const state = memory
      ? await createEmulatorState(database, options, parts)
      : buildEmulatorState(database, options, parts);
    settleSeededKeys(state);
    applyClock(state, options);
    const opened = database;
    return {
      state,
      close() {
        try {
          state.close();
          // The file must be complete without its journal. SQLite itself might not run a final checkpoint,
          // because the driver keeps a closed connection until its statements are garbage-collected.
          if (!memory) opened.exec(`PRAGMA wal_checkpoint(${owned ? "TRUNCATE" : "PASSIVE"})`);
        } catch (error) {
          // If the disk is full, committed writes stay in the `-wal` file, and the next process reads this
          // file.
          if (describeFileError(error) === undefined) throw error;
        } finally {
          opened.close();
          lock?.release();
        }
      },
    };
  } catch (error) {
    database?.close();
    lock?.release();
    throw memory ? error : toFileError(path, error);
  }
}

/**
 * Checks an existing file, so that no key or lock is created next to an unusable file. If a lock file exists,
 * voxctl has used the file before, and the content needs no check.
 * @throws UnusableFileError
 */
async function assertUsablePath(path: string): Promise<void> {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) return;
  if (!status.isFile())
    throw new UnusableFileError(
      `${path} can't be used: it is ${status.isDirectory() ? "a directory" : "not a regular file"}`,
    );
  assertSinglePath(path);
  if (existsSync(`${path}.lock`)) return;
  const database = await openFile(path);
  try {
    assertUsable(database, path);
  } catch (error) {
    throw toFileError(path, error);
  } finally {
    database.close();
  }
}

/**
 * An empty file may be a copy whose data is still in the original's `-wal` file; filling it would create a
 * new emulator with the original's keys.
 * @throws UnusableFileError
 */
function assertNotEmpty(database: Database, path: string): void {
  const hasTables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'world'").get() !== undefined;
  if (hasTables && database.prepare("SELECT 1 FROM world").get() !== undefined) return;
  throw createContentError(path, "is empty, possibly because it was copied while in use");
}

/** For a larger file, the check at startup would take more than 0.1 s. */
const soundnessBytes = 64 * 1024 * 1024;

/**
 * Reports damage at startup instead of in a later request.
 * @throws UnusableFileError
 */
function assertSound(database: Database, path: string): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > soundnessBytes) return;
  const [first] = database.prepare("PRAGMA quick_check(1)").all();
  if (Object.values(first ?? {})[0] !== "ok") throw createDamagedError(path);
}

/** @throws Error if the emulator uses a file */
export async function forkEmulatorState(state: EmulatorState): Promise<OpenedEmulatorState> {
  const { options, snapshots } = state;
  if (!(snapshots instanceof MemorySnapshots)) {
    throw new Error(`only an emulator in memory can be forked; copy ${options.path} and its .key instead`);
  }
  const database = await state.alone(() => state.database.copy());
  configure(database, {});
  const copy = new EmulatorState(database, { ...options, copyOf: snapshots });
  renewIdentity(copy, state.clock.now());
  copy.reload();
  return {
    state: copy,
    close() {
      copy.flush();
      database.close();
    },
  };
}

async function openFile(path: string): Promise<Database> {
  try {
    return await openDatabase(path);
  } catch (error) {
    throw new UnusableFileError(`${path} can't be opened: ${describeFsError(error, "write")}`, {
      cause: error,
    });
  }
}

function configure(database: Database, options: EmulatorOptions): void {
  // With NORMAL, an acknowledged write survives SIGKILL. With FULL, it also survives a power loss
  // (emulator.md).
  const synchronous = options.durability === "full" ? "FULL" : "NORMAL";
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`);
  // 2,000 pages are twice SQLite's default, so that SQLite copies frequently changed pages to the file half
  // as often. With an even longer journal, each checkpoint would block the server for longer.
  database.exec("PRAGMA wal_autocheckpoint = 2000");
}

/**
 * Uses a temporary name first, so that a file with the final name is complete even if its `-wal` is lost or
 * this process is killed.
 */
async function createFile(path: string, options: EmulatorOptions, time: Pick<Parts, "clock" | "random">) {
  const { random } = time;
  const lock = await lockForCreation(path);
  if (!lock) return;
  const draft = `${path}.${random.bytes(6).toString("hex")}.part`;
  const fresh = `${draft}.copy`;
  try {
    if (existsSync(path)) return;
    const fileKey = readFileKey(path, random).key;
    const database = await openFile(draft);
    try {
      chmodSync(draft, 0o600);
      configure(database, options);
      createTables(database);
      const parts = { path: draft, owned: true, fileKey, assertSameFile: () => {}, ...time };
      const state = await createEmulatorState(database, options, parts);
      settleSeededKeys(state);
      state.close();
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } finally {
      database.close();
    }
    // Use a copy that SQLite has never opened, because the driver still has the temporary file open. After a
    // rename of that file, this process would use a different index of the write-ahead log than all other
    // processes.
    copyFileSync(draft, fresh);
    chmodSync(fresh, 0o600);
    // A database that was moved or deleted may have left its journal here. Remove the journal, because SQLite
    // would apply it to the new database.
    for (const ending of ["-wal", "-shm"]) rmSync(path + ending, { force: true });
    renameSync(fresh, path);
  } finally {
    for (const ending of ["", "-wal", "-shm"]) rmSync(draft + ending, { force: true });
    rmSync(fresh, { force: true });
    lock.release();
  }
}

/**
 * Waits asynchronously, because this process itself may hold the lock.
 * @returns undefined if the file was created while this function waited
 */
async function lockForCreation(path: string): Promise<FileLock | undefined> {
  const deadline = monotonicMilliseconds() + serverWaitMilliseconds;
  for (;;) {
    try {
      return await lockFile(path, "exclusive", 0);
    } catch (error) {
      if (existsSync(path)) return undefined;
      if (!(error instanceof LockedError) || monotonicMilliseconds() > deadline) throw error;
    }
    await systemClock().sleep(20);
  }
}

interface Parts {
  path: string;
  owned: boolean;
  clock: Clock;
  random: ReturnType<typeof systemRandom>;
  fileKey: Buffer;
  assertSameFile: () => void;
}

function buildEmulatorState(
  database: Database,
  { limits = {}, keys }: EmulatorOptions,
  parts: Parts,
): EmulatorState {
  const { clock: systemClock, ...own } = parts;
  return new EmulatorState(database, { ...own, systemClock, limits: { ...limits }, keys });
}

async function createEmulatorState(
  database: Database,
  options: EmulatorOptions,
  parts: Parts,
): Promise<EmulatorState> {
  // Load the seed only if a database is created, because most commands open an existing database.
  const { plantSeed } = await import("../seed/seed.js");
  const demo = options.seed === "demo" ? await loadDemo() : undefined;
  return database.transaction(() => {
    const start = parseStartTime(options, parts.clock);
    const randomSeed = options.randomSeed ?? 1;
    database
      .prepare(
        "INSERT INTO world (id, world_id, random_seed, clock_mode, clock_offset, clock_frozen, id_prefix, cursor_key) VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
      )
      .run(
        parts.random.bytes(12).toString("hex"),
        randomSeed,
        options.clock ?? "real",
        start - parts.clock.now(),
        start,
        seededBytes(5, randomSeed, "database").toString("hex"),
        parts.random.bytes(32),
      );
    const state = buildEmulatorState(database, options, parts);
    plantSeed(state, demo);
    return state;
  });
}

function parseStartTime(options: EmulatorOptions, clock: Clock): number {
  if (options.startTime === undefined) return clock.now();
  const start = typeof options.startTime === "number" ? options.startTime : parseTime(options.startTime);
  if (!Number.isFinite(start))
    throw new Error(`invalid start time "${options.startTime}": expected an ISO 8601 time`);
  if (!isEmulatorTime(start))
    throw new Error(`the start time ${options.startTime} is not between 1971 and 2100`);
  return start;
}

function applyClock(state: EmulatorState, options: EmulatorOptions): void {
  if (options.clock !== undefined && options.clock !== state.clock.current)
    state.clock.setMode(options.clock);
}
