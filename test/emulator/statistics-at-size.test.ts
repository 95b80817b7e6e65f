import { expect, it } from "vitest";
import { measureUsage } from "../helpers/many-calls.js";

/** Numbers of calls in the week and elsewhere in the file. */
const [inWeek, elsewhere] = process.env["PROOF"] ? [10_000, 990_000] : [2_000, 40_000];

it("[D-stats] the cost of usage depends on its week and month, not on the file's size", async () => {
  const small = await measureUsage(inWeek, 0);
  const large = await measureUsage(inWeek, elsewhere);
  expect(large).toBeLessThan(5 * Math.max(small, 0.5));
});
