import { expect, it } from "vitest";
import { usageMilliseconds } from "../helpers/many-calls.js";

it("with 1,000,000 calls in the file one usage query takes no more than 5 times what it takes with 10,000", async () => {
  const small = await usageMilliseconds(10_000, 0);
  const large = await usageMilliseconds(10_000, 990_000);
  expect(large).toBeLessThan(5 * small);
});
