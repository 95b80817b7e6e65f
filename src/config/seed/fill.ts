/** Fills a world with a seed, whoever opened it: a command, a test, a program. */

import { existsSync, rmSync, writeFileSync } from "node:fs";
import type { Clock } from "../../base/clock.js";
import type { Random } from "../../base/random.js";
import { seedingMark } from "../../base/seeding-mark.js";
import { parseTime } from "../../base/time-text.js";
import type { Transport } from "../../base/transport.js";
import { createClient } from "../../client/client.js";
import { type Control, createControl } from "../../client/control.js";
import type { Seed } from "./open.js";
import { type Planted, plantOrganizations } from "./plant.js";

/** The options of a filling that its caller gives. */
export interface FillContext {
  clock: Clock;
  random: Random;
  signal: AbortSignal;
  /** Undefined where it is unset. */
  secret(from: string): Promise<string | undefined>;
}

/** A world's interfaces, as far as a seed needs them. */
export interface SeedableEmulator {
  control: Control;
  /** The time at which it begins, where its clock is behind that. */
  beginsAt?: number;
  transport: Transport;
  baseUrl: string;
}

/** So long before its beginning a world is filled. */
const fillingMilliseconds = 86_400_000;

/** The clock of a world that a seed fills begins earlier, so that texts are indexed when it is served. */
export function fillingTimes(startTime: number | string): { startTime: number; beginsAt: number } {
  const beginsAt = typeof startTime === "number" ? startTime : parseTime(startTime);
  return { startTime: beginsAt - fillingMilliseconds, beginsAt };
}

/**
 * Fills an empty world.
 * @throws ConfigError for what the world does not take
 */
export function fillEmulator(
  { clock, random, signal, secret }: FillContext,
  { control, transport, baseUrl, beginsAt }: SeedableEmulator,
  { organizations }: Seed,
): Promise<Planted> {
  const client = (key: string) =>
    createClient({ targets: { public: { baseUrl, key } }, transport, clock, random });
  return plantOrganizations({ control, client, secret, signal, beginsAt }, organizations);
}

/** An emulator that was opened a moment ago. */
interface OpenedEmulator {
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  transport: Transport;
  startLine: { base_url: string };
}

/**
 * Fills a world that is new, or whose filling was interrupted before it was ever used.
 * @param place.wasThere its file was there before it was opened
 * @returns undefined where it holds a world already, which stays as it is
 * @throws ConfigError for what the world does not take
 */
export async function fillNewEmulator(
  context: FillContext,
  { control: call, transport, startLine }: OpenedEmulator,
  seed: Seed,
  { db, hasExisted, beginsAt }: { db: string; hasExisted: boolean; beginsAt: number },
): Promise<Planted | undefined> {
  const mark = db === ":memory:" ? undefined : seedingMark(db);
  const isUnfinished = mark !== undefined && existsSync(mark);
  if (hasExisted && !isUnfinished) return undefined;
  const control = createControl(call);
  if (isUnfinished) await control("reset", { body: { seed: "empty" } });
  if (mark !== undefined) writeFileSync(mark, "", { mode: 0o600 });
  const planted = await fillEmulator(
    context,
    { control, transport, baseUrl: startLine.base_url, beginsAt },
    seed,
  );
  if (mark !== undefined) rmSync(mark, { force: true });
  return planted;
}
