import { existsSync, rmSync, writeFileSync } from "node:fs";
import type { Clock } from "../../../base/clock.js";
import type { Random } from "../../../base/random.js";
import { seedingMark } from "../../../base/seeding-mark.js";
import { parseTime } from "../../../base/time-text.js";
import type { Transport } from "../../../base/transport.js";
import { createClient } from "../../../client/client.js";
import { type Control, createControl } from "../../../client/control.js";
import type { Seed } from "./open.js";
import { type Planted, plantOrganizations } from "./plant.js";

export interface FillContext {
  clock: Clock;
  random: Random;
  signal: AbortSignal;
  secret(from: string): Promise<string | undefined>;
}

export interface SeedableEmulator {
  control: Control;
  /** Time in milliseconds to which the emulator's clock is advanced after filling. */
  beginsAt?: number;
  transport: Transport;
  baseUrl: string;
}

/** Milliseconds before `beginsAt` at which the emulator's clock starts. */
const fillingMilliseconds = 86_400_000;

/**
 * Returns the clock's time during filling (`startTime`) and after filling (`beginsAt`). Knowledge items are
 * indexed in between.
 */
export function fillingTimes(startTime: number | string): { startTime: number; beginsAt: number } {
  const beginsAt = typeof startTime === "number" ? startTime : parseTime(startTime);
  return { startTime: beginsAt - fillingMilliseconds, beginsAt };
}

/** @throws ConfigError if the emulator rejects a resource of the seed */
export function fillEmulator(
  { clock, random, signal, secret }: FillContext,
  { control, transport, baseUrl, beginsAt }: SeedableEmulator,
  { organizations }: Seed,
): Promise<Planted> {
  const client = (key: string) =>
    createClient({ targets: { public: { baseUrl, key } }, transport, clock, random });
  return plantOrganizations({ control, client, secret, signal, beginsAt }, organizations);
}

interface OpenedEmulator {
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  transport: Transport;
  startLine: { base_url: string };
}

/**
 * Fills a new emulator, or an emulator whose filling was interrupted.
 * @param target.hasExisted whether the database file existed before the emulator was opened
 * @returns undefined if the emulator already had data, which stays unchanged
 * @throws ConfigError if the emulator rejects a resource of the seed
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
