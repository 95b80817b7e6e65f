import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { seedingMark } from "../../../base/seeding-mark.js";
import { usageError } from "../../../cli/errors/errors.js";
import { accessFlags } from "../../../cli/session/access-flags.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { Emulator, EmulatorOptions } from "../../../emulator/types.js";
import type { FillContext, Planted, Seed, SeedableEmulator } from "../../config/index.js";

const builtIn = ["demo", "empty"];

/** @param description first words of the description of `--seed` */
export function createSeedFlags(description: string): readonly Flag[] {
  return [
    {
      name: "seed",
      value: "seed",
      description: `${description}: demo, empty, or a configuration directory or file; see \`voxctl schema seed\``,
      choices: builtIn,
      default: "demo",
    },
    {
      name: "seed-target",
      value: "name",
      description: "Target in the configuration directory of --seed",
    },
    ...accessFlags,
  ];
}

export type SeedKeys = Readonly<Record<string, string>>;

/** With `--seed PATH`, the emulator starts empty and is filled later. */
export function readBuiltInSeed(input: Input): "demo" | "empty" {
  const seed = input.text("seed") ?? "demo";
  return seed === "demo" ? "demo" : "empty";
}

/**
 * @returns undefined for a built-in seed
 * @throws usage error (2) with all errors of the seed
 */
export async function readSeed(session: Session, input: Input): Promise<Seed | undefined> {
  const seed = input.text("seed");
  const target = input.text("seed-target");
  if (seed === undefined || builtIn.includes(seed)) {
    if (target !== undefined)
      throw usageError("--seed-target requires --seed DIRECTORY", {
        hint: "add --seed DIRECTORY",
      });
    return undefined;
  }
  const path = resolve(session.io.cwd, seed);
  if (!existsSync(path))
    throw usageError(`invalid --seed "${seed}": expected demo, empty, or an existing directory or file`);
  const { openSeed } = await import("../../config/index.js");
  const { withConfigErrors } = await import("../../config/commands/errors.js");
  let read: Seed | undefined;
  await withConfigErrors(async () => {
    const { openLocalAccess: localAccess } = await import("../../../cli/session/folder-access.js");
    const root = statSync(path).isDirectory() ? path : dirname(path);
    const access = await localAccess(session, input, undefined, root);
    read = await openSeed(path, { target, env: session.io.env, access });
  });
  return read;
}

/**
 * Fills an empty emulator.
 * @throws usage error (2) for values that the emulator rejects
 */
export async function plantSeed(session: Session, emulator: SeedableEmulator, seed: Seed): Promise<SeedKeys> {
  const { fillEmulator } = await import("../../config/index.js");
  return plantWith(session, seed, (context) => fillEmulator(context, emulator, seed));
}

export async function addSeedOptions(
  options: EmulatorOptions,
  seed: Seed | undefined,
  now: number,
): Promise<{ options: EmulatorOptions; beginsAt: number }> {
  if (seed === undefined) return { options, beginsAt: now };
  const { fillingTimes } = await import("../../config/index.js");
  const { startTime, beginsAt } = fillingTimes(options.startTime ?? now);
  return { options: { ...options, startTime }, beginsAt };
}

/**
 * Fills a new emulator, or one whose first seeding was interrupted.
 * @param database.hasExisted whether the file existed before it was opened
 */
export async function plantNewSeed(
  session: Session,
  emulator: Emulator,
  seed: Seed,
  database: { db: string; hasExisted: boolean; beginsAt: number },
): Promise<SeedKeys> {
  const { fillNewEmulator } = await import("../../config/index.js");
  return plantWith(
    session,
    seed,
    (context) => fillNewEmulator(context, emulator, seed, database),
    () =>
      session.notes.note(
        `--seed ignored: ${database.db} already has data; to replace it, use \`voxctl emulator reset --seed\``,
      ),
  );
}

async function plantWith(
  session: Session,
  seed: Seed,
  fill: (context: FillContext) => Promise<Planted | undefined>,
  onAlreadyFilled: () => void = () => {},
): Promise<SeedKeys> {
  const { random, clock, signal, notes } = session;
  const [{ withConfigErrors }, { createSourceReader }] = await Promise.all([
    import("../../config/commands/errors.js"),
    import("../../config/commands/secret-sources.js"),
  ]);
  const { access } = seed;
  const read = await createSourceReader(session, seed.root, access);
  // Without permission to read a secret, generate one: an emulator doesn't need the real secret.
  const secret = async (from: string) => (access?.allows(from) === false ? undefined : read(from));
  let keys: SeedKeys = {};
  await withConfigErrors(async () => {
    const done = await fill({ random, clock, signal, secret });
    if (done === undefined) return onAlreadyFilled();
    keys = done.keys;
    if (done.voices.length > 0) notes.note(`added voices to the emulator: ${done.voices.join(", ")}`);
    if (done.madeUp.length > 0)
      notes.note(
        `generated secrets for ${done.madeUp.join(", ")}, which are not set or not allowed; to allow them, use --allow-env or --allow-file`,
      );
  });
  return keys;
}

/** @throws usage error (2) if an earlier seeding was interrupted */
export function assertSeeded(db: string): void {
  if (db === ":memory:" || !existsSync(seedingMark(db))) return;
  throw usageError(`seeding of ${db} was interrupted: the database is incomplete`, {
    hint: "to complete it, use --seed PATH",
  });
}
