import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededDraw } from "../../src/base/random.js";
import type { Askers, Recorded, Step } from "./histories.js";
import { openWorld, type TestWorld } from "./world.js";

const lanes = 12;
const plenty = { read: 1e6, write: 1e6, outbound_trigger: 1e6, distributor: 1e6 };

export const settings = ["on one file", "over HTTP"] as const;

/** The requests at once, and what must be true of them. */
interface History {
  limits?: Record<string, number>;
  key?: "admin" | "distributor_v2";
  /** Requests of each lane. */
  length: number;
  /** Answers what a lane sends as its nth request. */
  prepare(world: TestWorld): Promise<(lane: number, step: number) => Step>;
  judge(histories: Recorded[][], world: TestWorld): Promise<void>;
}

/** Lets several processes with several lanes each ask at once, and looks at what they recorded. */
export async function withHistory(
  askers: Askers,
  setting: (typeof settings)[number],
  history: History,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-histories-"));
  try {
    const options = { db: join(folder, "world.db"), limits: { ...plenty, ...history.limits } };
    await using world =
      setting === "over HTTP"
        ? await openWorld("over HTTP", { ...options, exclusive: true })
        : await openWorld("in process", options);
    const step = await history.prepare(world);
    const histories = await askers.record({
      ...(setting === "over HTTP" ? { host: world.url } : { db: options.db }),
      limits: options.limits,
      key: world.keys[history.key ?? "admin"],
      lanes: Array.from({ length: lanes }, (_, lane) =>
        Array.from({ length: history.length }, (_, nth) => step(lane, nth)),
      ),
    });
    await history.judge(histories, world);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A whole number below this one, the same in every run. */
export const draw = (below: number, ...names: (string | number)[]) =>
  Math.floor(seededDraw(11, "histories", ...names) * below);

/** Moves the clock while others ask. */
export const advance = (world: TestWorld, seconds: number): Step => ({
  method: "PATCH",
  path: "/_emulator/clock",
  key: world.emulator.startLine.control_token,
  body: { advance_seconds: seconds },
});

/** By what they have in common. */
export const grouped = <T, K>(all: readonly T[], by: (one: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>();
  for (const one of all) groups.set(by(one), [...(groups.get(by(one)) ?? []), one]);
  return groups;
};

interface Observed {
  value: string | undefined;
  began: number;
  ended: number;
}

/**
 * Reads of a register, which many write and read, that saw a value though it was not there yet, or though it had been
 * overwritten before the read began.
 */
export function impossible(reads: readonly Observed[], writes: readonly Observed[]): Observed[] {
  const byValue = new Map(writes.map((write) => [write.value, write]));
  const start = { value: "start", began: 0, ended: 0 };
  return reads.filter((read) => {
    const written = read.value === "start" ? start : byValue.get(read.value);
    if (!written || written.began > read.ended) return true;
    return writes.some((other) => other.began > written.ended && other.ended < read.began);
  });
}
