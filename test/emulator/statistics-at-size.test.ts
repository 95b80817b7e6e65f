import { expect, it } from "vitest";
import { usageMilliseconds } from "../helpers/many-calls.js";

it("[D-stats] usage costs what its week and month hold, not what the file holds", async () => {
  const small = await usageMilliseconds(2_000, 0);
  const large = await usageMilliseconds(2_000, 40_000);
  expect(large).toBeLessThan(5 * Math.max(small, 0.5));
});
