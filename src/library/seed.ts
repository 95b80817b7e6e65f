import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { systemClock } from "../base/clock.js";
import { systemRandom } from "../base/random.js";
import { seedingMark } from "../base/seeding-mark.js";
import { openEmulator } from "../emulator/index.js";
import type { Emulator, EmulatorOptions, Seed } from "../emulator/types.js";
import type { Problem } from "../features/config/errors.js";

export class SeedError extends Error {
  override readonly name = "SeedError";
  constructor(
    message: string,
    /** All problems in the seed, each with its file and, if known, its line and field. */
    readonly problems: readonly Problem[],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function isBuiltIn(seed: string | undefined): seed is Seed | undefined {
  return seed === undefined || seed === "empty" || seed === "demo";
}

/** @throws SeedError if an earlier process was interrupted while it seeded the database */
export async function assertFilled(db = ":memory:"): Promise<void> {
  if (db === ":memory:" || !existsSync(seedingMark(db))) return;
  throw new SeedError(`${db} was only partly seeded; open it again with the same seed, or delete it`, []);
}

interface SeededOptions extends Omit<EmulatorOptions, "seed"> {
  /** Path of the configuration directory or seed file. */
  seed: string;
  seedTarget: string | undefined;
  seedEnv: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads and checks the whole seed before creating the emulator. Seeds only a new emulator.
 * @returns the emulator and the values of the keys that the seed declares
 * @throws SeedError
 */
export async function openFilled({
  seed: path,
  seedTarget,
  seedEnv,
  ...options
}: SeededOptions): Promise<{ emulator: Emulator; keys: Readonly<Record<string, string>> }> {
  const { fillingTimes, fillNewEmulator, openSeed, sourceReader } = await import(
    "../features/config/index.js"
  );
  const { db = ":memory:", systemClock: clock = systemClock(), random = systemRandom() } = options;
  const seed = await withSeedErrors(() => openSeed(resolve(path), { target: seedTarget, env: seedEnv }));
  const { startTime, beginsAt } = fillingTimes(options.startTime ?? clock.now());
  const alreadyExisted = db !== ":memory:" && existsSync(db);
  const emulator = await openEmulator({ ...options, startTime, seed: "empty" });
  try {
    const context = {
      clock: emulator.clock,
      random,
      signal: new AbortController().signal,
      secret: sourceReader({ env: seedEnv }, seed.root),
    };
    const filled = await withSeedErrors(() =>
      fillNewEmulator(context, emulator, seed, { db, hasExisted: alreadyExisted, beginsAt }),
    );
    return { emulator, keys: filled?.keys ?? {} };
  } catch (error) {
    await emulator.close();
    throw error;
  }
}

async function withSeedErrors<T>(work: () => Promise<T>): Promise<T> {
  const { ConfigError, problemText } = await import("../features/config/index.js");
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { message, hint, problems } = error;
    const lines = problems.length > 1 ? problems.map((problem) => `\n  ${problemText(problem)}`) : [];
    throw new SeedError(`${message}${lines.join("")}${hint === undefined ? "" : ` (${hint})`}`, problems, {
      cause: error,
    });
  }
}
