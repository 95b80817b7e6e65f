/** Worlds that begin as a configuration folder, or one file, says: `--seed PATH`. */
import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { seedingMark } from "../../../base/seeding-mark.js";
import type { FillContext, Planted, Seed, SeedableEmulator } from "../../../config/index.js";
import type { Emulator, EmulatorOptions } from "../../../emulator/types.js";
import { usageError } from "../../errors/errors.js";
import { accessFlags } from "../../session/access-flags.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";

const builtIn = ["demo", "empty"];

/** @param description of the world at which they are aimed */
export function createSeedFlags(description: string): readonly Flag[] {
  return [
    {
      name: "seed",
      value: "seed",
      description: `${description}: demo, empty, or a configuration folder or a file (voxctl schema seed)`,
      choices: builtIn,
      default: "demo",
    },
    {
      name: "seed-target",
      value: "name",
      description: "which target of the folder that --seed names",
    },
    ...accessFlags,
  ];
}

/** Values of keys that a seed declares, by their names. */
export type SeedKeys = Readonly<Record<string, string>>;

/** The seed that the emulator plants itself: under one of a path it is empty. */
export function readBuiltInSeed(input: Input): "demo" | "empty" {
  const seed = input.text("seed") ?? "demo";
  return seed === "demo" ? "demo" : "empty";
}

/**
 * Reads the seed that a path names, before there is a world.
 * @returns undefined for one of the emulator's own
 * @throws usage error (2) with all that is wrong with it
 */
export async function readSeed(session: Session, input: Input): Promise<Seed | undefined> {
  const seed = input.text("seed");
  const target = input.text("seed-target");
  if (seed === undefined || builtIn.includes(seed)) {
    if (target !== undefined)
      throw usageError("--seed-target belongs to --seed FOLDER, which is missing", {
        hint: "it says which target of a configuration folder the world is to be",
      });
    return undefined;
  }
  const path = resolve(session.io.cwd, seed);
  if (!existsSync(path))
    throw usageError(`--seed: "${seed}" is neither demo nor empty, and there is no such folder or file`);
  const { openSeed } = await import("../../../config/index.js");
  const { withConfigErrors } = await import("../config/errors.js");
  let read: Seed | undefined;
  await withConfigErrors(async () => {
    const { openLocalAccess: localAccess } = await import("../../session/folder-access.js");
    const root = statSync(path).isDirectory() ? path : dirname(path);
    const access = await localAccess(session, input, undefined, root);
    read = await openSeed(path, { target, env: session.io.env, access });
  });
  return read;
}

/**
 * Fills an empty world.
 * @throws usage error (2) for what the world does not take
 */
export async function plantSeed(session: Session, emulator: SeedableEmulator, seed: Seed): Promise<SeedKeys> {
  const { fillEmulator } = await import("../../../config/index.js");
  return plantWith(session, seed, (context) => fillEmulator(context, emulator, seed));
}

/** Options of a world that a seed fills. */
export async function addSeedOptions(
  options: EmulatorOptions,
  seed: Seed | undefined,
  now: number,
): Promise<{ options: EmulatorOptions; beginsAt: number }> {
  if (seed === undefined) return { options, beginsAt: now };
  const { fillingTimes } = await import("../../../config/index.js");
  const { startTime, beginsAt } = fillingTimes(options.startTime ?? now);
  return { options: { ...options, startTime }, beginsAt };
}

/**
 * Fills a world that is new, or whose filling was interrupted before it was ever served.
 * @param place.wasThere its file was there before it was opened
 */
export async function plantNewSeed(
  session: Session,
  emulator: Emulator,
  seed: Seed,
  database: { db: string; hasExisted: boolean; beginsAt: number },
): Promise<SeedKeys> {
  const { fillNewEmulator } = await import("../../../config/index.js");
  return plantWith(
    session,
    seed,
    (context) => fillNewEmulator(context, emulator, seed, database),
    () =>
      session.notes.note(
        `${database.db} holds a world already: it is served as it is. voxctl emulator reset --seed fills it anew`,
      ),
  );
}

/** Fills a world, and tells what it had to make up. */
async function plantWith(
  session: Session,
  seed: Seed,
  fill: (context: FillContext) => Promise<Planted | undefined>,
  onAlreadyFilled: () => void = () => {},
): Promise<SeedKeys> {
  const { random, clock, signal, notes } = session;
  const [{ withConfigErrors }, { createSourceReader }] = await Promise.all([
    import("../config/errors.js"),
    import("../config/secret-sources.js"),
  ]);
  const { access } = seed;
  const read = await createSourceReader(session, seed.root, access);
  // A world needs no real secret: one that the folder may not read is made up.
  const secret = async (from: string) => (access?.allows(from) === false ? undefined : read(from));
  let keys: SeedKeys = {};
  await withConfigErrors(async () => {
    const done = await fill({ random, clock, signal, secret });
    if (done === undefined) return onAlreadyFilled();
    keys = done.keys;
    if (done.voices.length > 0) notes.note(`the world got voices of its own for ${done.voices.join(", ")}`);
    if (done.madeUp.length > 0)
      notes.note(
        `${done.madeUp.join(", ")}: unset or not allowed, so the world has made-up secrets; --allow-env and --allow-file allow them`,
      );
  });
  return keys;
}

/** @throws usage error (2) where a world's filling was interrupted, and no seed is there to fill it anew */
export function assertSeeded(db: string): void {
  if (db === ":memory:" || !existsSync(seedingMark(db))) return;
  throw usageError(`${db} was not filled to its end by --seed, and holds a part of it only`, {
    hint: "start it with --seed PATH once more, or delete it",
  });
}
