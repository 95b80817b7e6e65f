import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededDraw } from "../../src/base/random.js";
import type { Askers, Recorded, Step } from "./histories.js";
import { openTestEmulator, type TestEmulator } from "./test-emulator.js";

const lanes = 12;
const plenty = { read: 1e6, write: 1e6, outbound_trigger: 1e6, distributor: 1e6 };

export const settings = ["on one file", "over HTTP"] as const;

interface History {
  limits?: Record<string, number>;
  key?: "admin" | "distributor_v2";
  /** Number of requests per lane. */
  length: number;
  /** The returned function returns the nth request of a lane. */
  prepare(emulator: TestEmulator): Promise<(lane: number, step: number) => Step>;
  judge(histories: Recorded[][], emulator: TestEmulator): Promise<void>;
}

/** Sends requests from several processes with several lanes each, and checks their records. */
export async function withHistory(
  askers: Askers,
  setting: (typeof settings)[number],
  history: History,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-histories-"));
  try {
    const options = { db: join(folder, "world.db"), limits: { ...plenty, ...history.limits } };
    await using emulator =
      setting === "over HTTP"
        ? await openTestEmulator("over HTTP", { ...options, exclusive: true })
        : await openTestEmulator("in process", options);
    const step = await history.prepare(emulator);
    const histories = await askers.record({
      ...(setting === "over HTTP" ? { host: emulator.url } : { db: options.db }),
      limits: options.limits,
      key: emulator.keys[history.key ?? "admin"],
      lanes: Array.from({ length: lanes }, (_, lane) =>
        Array.from({ length: history.length }, (_, nth) => step(lane, nth)),
      ),
    });
    await history.judge(histories, emulator);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a pseudorandom integer below this bound. The same names give the same integer in every run. */
export const draw = (below: number, ...names: (string | number)[]) =>
  Math.floor(seededDraw(11, "histories", ...names) * below);

export const advance = (emulator: TestEmulator, seconds: number): Step => ({
  method: "PATCH",
  path: "/_emulator/clock",
  key: emulator.instance.startLine.control_token,
  body: { advance_seconds: seconds },
});

export const groupBy = <T, K>(all: readonly T[], by: (item: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>();
  for (const item of all) groups.set(by(item), [...(groups.get(by(item)) ?? []), item]);
  return groups;
};

interface Observed {
  value: string | undefined;
  began: number;
  ended: number;
}

/** Returns the reads that saw a value not yet written, or overwritten before the read started. */
export function findImpossibleReads(reads: readonly Observed[], writes: readonly Observed[]): Observed[] {
  const byValue = new Map(writes.map((write) => [write.value, write]));
  const start = { value: "start", began: 0, ended: 0 };
  return reads.filter((read) => {
    const written = read.value === "start" ? start : byValue.get(read.value);
    if (!written || written.began > read.ended) return true;
    return writes.some((laterWrite) => laterWrite.began > written.ended && laterWrite.ended < read.began);
  });
}
