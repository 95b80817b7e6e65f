import { describe, expect, it } from "vitest";
import { seededDraw } from "../../src/base/random.js";
import { mostRefusals } from "../../src/client/pacing.js";
import { createLimitedClient, createLimiter } from "./limiter.js";
import { createVirtualTime, startDate } from "./virtual-time.js";

const whole = process.env["PROOF"] !== undefined;
const create = { body: { group_id: "0123456789abcdef01234567", first_name: "Ada" } };
const createGroup = { body: { type: "contacts", name: "Kunden" } };

/** Writes that the service allows in a window of a minute. */
const limit = 120;
/** Concurrent requests of a run. */
const width = 8;

/** Tolerance, because the service rounds window ends to whole seconds and the last writes take time. */
const extraSeconds = 5;

interface Settings {
  machines: number;
  rows: number;
  /** Longest latency, in milliseconds. */
  slowest: number;
  /** Interval at which a machine's journal is published. The requests that wait for it start together. */
  interval: number;
  seed: number;
}

/** Returns how often the service refused each machine in each window. */
async function importOn({ machines, rows, slowest, interval, seed }: Settings) {
  const time = createVirtualTime((elapsed) => startDate + elapsed);
  const service = createLimiter({ limit }, () => startDate + time.elapsed());
  let requests = 0;
  const refused = Array.from({ length: machines }, () => new Map<number, number>());
  const importRows = async (counts: Map<number, number>, machine: number) => {
    const client = createLimitedClient(service, {
      clock: time.clock,
      latency() {
        requests += 1;
        return 2 + seededDraw(seed, requests) * slowest;
      },
      jitter: () => seededDraw(seed, "jitter", requests),
      answered(status) {
        const start = service.windowStart();
        if (status === 429) counts.set(start, (counts.get(start) ?? 0) + 1);
      },
    });
    await time.clock.sleep(seededDraw(seed, "start", machine) * 200);
    await client.call("groups.create", createGroup);
    // The machine reads the group and prepares its rows, while others already send theirs.
    await time.clock.sleep(seededDraw(seed, "prepare", machine) * 1_000);
    const pace = client.paced("contacts.create", { expected: rows });
    const inFlight = new Set<Promise<unknown>>();
    let using = 0;
    const waiting: (() => void)[] = [];
    const send = async (turn: Awaited<ReturnType<typeof pace.turn>>) => {
      await time.clock.sleep(interval - (time.elapsed() % interval));
      if (using < width) using += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        await client.call("contacts.create", create, { turn });
      } finally {
        const resume = waiting.shift();
        if (resume) resume();
        else using -= 1;
      }
    };
    for (let row = 0; row < rows; row += 1) {
      const turn = await pace.turn();
      const request = send(turn).finally(() => inFlight.delete(request));
      inFlight.add(request);
      if (inFlight.size >= 3 * width) await Promise.race(inFlight);
    }
    await Promise.all(inFlight);
  };
  await time.run(Promise.all(refused.map(importRows)));
  return {
    seconds: time.elapsed() / 1000,
    refusals: refused.flatMap((counts) => [...counts.values()]),
  };
}

describe("[T12] machines with one key, each with its own counts", () => {
  const latencies = whole ? [5, 30, 200, 2000] : [5, 2000];
  const publishIntervals = whole ? [5, 20, 60, 150] : [5, 60];
  const machineCounts = [
    { machines: 2, most: 1 },
    { machines: 3, most: 1 },
    { machines: 5, most: mostRefusals },
  ];
  const cases = latencies.flatMap((slowest) =>
    publishIntervals.flatMap((interval) => machineCounts.map((counts) => ({ ...counts, slowest, interval }))),
  );
  it.each(cases)(
    "$machines machines get at most $most refusals each (latency $slowest, interval $interval)",
    async ({ machines, most, slowest, interval }) => {
      for (const rows of whole ? [60, 100, 300] : [60, 100]) {
        for (let seed = 1; seed <= (whole ? 20 : 2); seed += 1) {
          const { refusals, seconds } = await importOn({ machines, rows, seed, slowest, interval });
          const isOnPace = seconds <= (machines * rows * 60) / limit / 0.95 + extraSeconds;
          expect({
            rows,
            seed,
            seconds,
            refusals,
            isOnPace,
            isModest: Math.max(...refusals) <= most,
          }).toMatchObject({
            isOnPace: true,
            isModest: true,
          });
        }
      }
    },
    300_000,
  );
});
