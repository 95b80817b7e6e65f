/** Worlds that begin as a configuration folder, or one file, says: `--seed PATH`. */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Transport } from "../../../base/transport.js";
import { createClient } from "../../../client/client.js";
import { type Control, createControl } from "../../../client/control.js";
import type { Seed } from "../../../config/index.js";
import type { Emulator, EmulatorOptions } from "../../../emulator/types.js";
import { usageError } from "../../errors/errors.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { withConfigErrors } from "../config/errors.js";
import { sourceReader } from "../config/secret-sources.js";

const builtIn = ["demo", "empty"];

/** @param description of the world at which they are aimed */
export function seedFlags(description: string): readonly Flag[] {
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
  ];
}

/** Values of keys that a seed declares, by their names. */
export type SeedKeys = Readonly<Record<string, string>>;

/** The seed that the emulator plants itself: under one of a path it is empty. */
export function builtInSeed(input: Input): "demo" | "empty" {
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
  let read: Seed | undefined;
  await withConfigErrors(async () => {
    read = await openSeed(path, { target, env: session.io.env });
  });
  return read;
}

/** A world's interfaces, as far as a seed needs them. */
export interface SeedableWorld {
  control: Control;
  /** The time at which it begins, where its clock is behind that. */
  beginsAt?: number;
  transport: Transport;
  baseUrl: string;
}

/**
 * Fills an empty world.
 * @throws usage error (2) for what the world does not take
 */
export async function plantSeed(session: Session, world: SeedableWorld, seed: Seed): Promise<SeedKeys> {
  const { plantOrganizations } = await import("../../../config/index.js");
  const { control, transport, baseUrl, beginsAt } = world;
  const { random, clock, signal } = session;
  let keys: SeedKeys = {};
  await withConfigErrors(async () => {
    const planted = await plantOrganizations(
      {
        control,
        client: (key) => createClient({ targets: { public: { baseUrl, key } }, transport, clock, random }),
        secret: sourceReader(session, seed.root),
        signal,
        beginsAt,
      },
      seed.organizations,
    );
    keys = planted.keys;
    if (planted.voices.length > 0)
      session.notes.note(`the world got voices of its own for ${planted.voices.join(", ")}`);
    if (planted.madeUp.length > 0)
      session.notes.note(`${planted.madeUp.join(", ")}: unset, so the world has made-up secrets`);
  });
  return keys;
}

/** So long before its beginning a world is filled. */
const fillingMilliseconds = 86_400_000;

/** Options of a world that a seed fills: its clock begins earlier, so that texts are indexed when it is served. */
export function withSeed(
  options: EmulatorOptions,
  seed: Seed | undefined,
  now: number,
): { options: EmulatorOptions; beginsAt: number } {
  const { startTime = now } = options;
  const beginsAt = typeof startTime === "number" ? startTime : Date.parse(startTime);
  return seed === undefined
    ? { options, beginsAt }
    : { options: { ...options, startTime: beginsAt - fillingMilliseconds }, beginsAt };
}

/** The mark beside a world's file that it is not filled to its end. */
const markOf = (db: string) => `${db}.seeding`;

/**
 * Fills a world that is new, or whose filling was interrupted before it was ever served.
 * @param wasThere its file was there before it was opened
 */
export async function plantNew(
  session: Session,
  emulator: Emulator,
  seed: Seed,
  { db, wasThere, beginsAt }: { db: string; wasThere: boolean; beginsAt: number },
): Promise<SeedKeys> {
  const isFile = db !== ":memory:";
  const isUnfinished = isFile && existsSync(markOf(db));
  if (wasThere && !isUnfinished) {
    session.notes.note(
      `${db} holds a world already: it is served as it is. voxctl emulator reset --seed fills it anew`,
    );
    return {};
  }
  const control = createControl(emulator.control);
  if (isUnfinished) await control("reset", { body: { seed: "empty" } });
  if (isFile) writeFileSync(markOf(db), "", { mode: 0o600 });
  const { transport, startLine } = emulator;
  const keys = await plantSeed(session, { control, transport, baseUrl: startLine.base_url, beginsAt }, seed);
  if (isFile) rmSync(markOf(db), { force: true });
  return keys;
}

/** @throws usage error (2) where a world's filling was interrupted, and no seed is there to fill it anew */
export function assertSeeded(db: string): void {
  if (db === ":memory:" || !existsSync(markOf(db))) return;
  throw usageError(`${db} was not filled to its end by --seed, and holds a part of it only`, {
    hint: "start it with --seed PATH once more, or delete it",
  });
}
