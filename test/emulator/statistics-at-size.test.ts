import { expect, it } from "vitest";
import { measureUsage } from "../helpers/many-calls.js";

const [inWeek, elsewhere] = process.env["PROOF"] ? [10_000, 990_000] : [2_000, 40_000];

it("[D-stats] calls in other months hardly slow down the computation of usage", async () => {
  const small = await measureUsage(inWeek, 0);
  const large = await measureUsage(inWeek, elsewhere);
  expect(large).toBeLessThan(5 * Math.max(small, 0.5));
});
