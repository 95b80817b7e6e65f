// Speed of an import with wrong clocks or differently reported limits; PROOF=1 imports for an hour.
import { describe, expect, it } from "vitest";
import { parseOutput } from "./harness/bench.js";
import { createClockBench } from "./harness/in-process.js";
import type { Behavior, Bucket } from "./server/behavior.js";
import type { SwitchName } from "./server/switches.js";

const documented: Bucket = { limit: 200, seconds: 60 };
/** Longest allowed duration, as a ratio to the time that the documented limit requires. */
const longest = 1.05;
/**
 * Longest ratio for windows of 30 s. Their end is reported up to one second late, in whole seconds, and 2 of
 * 50 requests are reserved for users.
 */
const longestOfShort = 1.08;
const minutes = process.env["PROOF"] ? 60 : 1;

interface Variant {
  switches: readonly SwitchName[];
  /** Limit of the deployment; by default, the documented limit. */
  bucket?: Bucket;
}

const variants: readonly Variant[] = [
  { switches: ["Date two hours behind"] },
  { switches: ["Date two hours ahead"] },
  { switches: ["two nodes"] },
  { switches: ["two nodes", "clock two hours behind"] },
  { switches: ["clock two hours ahead"] },
  { switches: ["no Date"] },
  { switches: ["no limit headers"] },
  { switches: ["limit headers sometimes"] },
  { switches: ["Retry-After only"] },
  { switches: ["Reset only"] },
  { switches: ["Reset only", "Date two hours ahead"] },
  { switches: ["Retry-After is a date", "Date two hours behind"] },
  { switches: [], bucket: { limit: 50, seconds: 30 } },
  { switches: ["two nodes"], bucket: { limit: 50, seconds: 30 } },
];
const nameOf = ({ switches, bucket }: Variant) =>
  `${switches.join(" + ") || "none"}${bucket ? `, ${bucket.limit} in ${bucket.seconds} s` : ""} × pace`;
const chosen = variants.slice(0, process.env["PROOF"] ? variants.length : 1);

describe("the pace of an import", () => {
  it.each(chosen.map((variant) => [nameOf(variant), variant] as const))(
    "[T12] an import is as fast as the limits allow, with at most 3 refusals in a window: %s",
    async (_name, variant) => {
      const measured = await measure(variant);
      expect(measured.seconds).toBeLessThanOrEqual(
        (variant.bucket ? longestOfShort : longest) * minutes * 60,
      );
      expect(measured.refusals).toBeLessThanOrEqual(3);
    },
  );
});

/**
 * `stalls` is the number of minutes for the first window and for the wait after three refusals. `late` is the
 * number of seconds by which each other wait may exceed its window.
 */
const lowered: readonly { switches: readonly SwitchName[]; bucket: Bucket; stalls: number; late: number }[] =
  [
    { switches: [], bucket: { limit: 3, seconds: 3 }, stalls: 1, late: 1.5 },
    { switches: [], bucket: { limit: 1, seconds: 2 }, stalls: 1, late: 1.5 },
    { switches: ["Retry-After only"], bucket: { limit: 3, seconds: 3 }, stalls: 2, late: 1.5 },
    { switches: ["Retry-After only"], bucket: { limit: 1, seconds: 2 }, stalls: 2, late: 1.5 },
    { switches: ["no limit headers"], bucket: { limit: 3, seconds: 3 }, stalls: 2, late: 4 },
  ];

it.each(lowered)(
  // plain-words: allow title-long
  "[T12] an import adapts if the limit drops to $bucket.limit in $bucket.seconds s: $switches",
  async ({ switches, bucket, stalls, late }) => {
    const rows = 220;
    const later = { after: 30, buckets: { write: bucket } };
    const { seconds, refusals } = await measure(
      { switches },
      { rows, more: { buckets: { write: documented }, bucketsLater: later } },
    );
    expect(seconds).toBeLessThan(60 * stalls + (rows / bucket.limit) * (bucket.seconds + late));
    expect(refusals).toBeLessThanOrEqual(3);
  },
);

/** Returns the seconds from the first write to the last, and the most refusals in one window. */
async function measure(
  { switches, bucket = documented }: Variant,
  {
    rows = Math.round((minutes * 60 * bucket.limit) / bucket.seconds),
    more = {},
  }: { rows?: number; more?: Partial<Behavior> } = {},
) {
  const bench = createClockBench(switches, { more: { buckets: { write: bucket }, ...more } });
  try {
    const lines = Array.from({ length: rows }, (_, row) => `Person ${row},+4930${1_000_000 + row}`);
    const file = bench.write("many.csv", ["first_name,phone", ...lines, ""].join("\n"));
    const ran = await bench.run("contacts", "import", file, "--group", "Team", "-o", "json");
    expect(ran.code, ran.stderr).toBe(0);
    expect(parseOutput(ran).created).toBe(rows);
    const times = bench.service.log.filter(({ method }) => method === "POST").map(({ at }) => at);
    const refusals = Math.max(0, ...bench.service.limiter.refusals.values());
    return { seconds: ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000, refusals };
  } finally {
    bench.remove();
  }
}
