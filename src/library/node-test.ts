/** Exports of `voxctl/node-test`: tests for `node:test`, each with its own emulator. */
import { after, type TestContext, test } from "node:test";
import { createTestEmulators, type EmulatorFixture, type EmulatorTestOptions } from "./test-emulators.js";

export type { EmulatorFixture, EmulatorTestOptions } from "./test-emulators.js";

/**
 * Returns a test function, used as `test("…", async ({ emulator, client }) => …)`. One emulator is opened and
 * seeded; each test gets its own in-memory copy with a frozen clock.
 */
export function emulatorTest(options: EmulatorTestOptions = {}) {
  const testEmulators = createTestEmulators(options);
  after(() => testEmulators.close());
  return (
    name: string,
    body: (fixture: EmulatorFixture, context: TestContext) => Promise<void> | void,
  ): Promise<void> =>
    test(name, async (context) => {
      const fixture = await testEmulators.open();
      try {
        await body(fixture, context);
      } finally {
        await fixture.close();
      }
    });
}
