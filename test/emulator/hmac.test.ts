import { createHmac } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { computeHmac } from "../../src/emulator/kernel/hmac.js";

test("computeHmac returns the same HMAC as Node.js, for keys and data of any length", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: "binary", maxLength: 300 }),
      (key, text) => {
        const own = createHmac("sha256", key).update(text).digest("hex");
        expect(Buffer.from(computeHmac(key, text)).toString("hex")).toBe(own);
      },
    ),
    { numRuns: 50 },
  );
});
