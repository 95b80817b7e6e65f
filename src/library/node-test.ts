/** The exports of `voxctl/node-test`: a test of `node:test` with a world of its own. */
import { after, type TestContext, test } from "node:test";
import { createTestEmulators, type EmulatorFixture, type EmulatorTestOptions } from "./test-emulators.js";

export type { EmulatorFixture, EmulatorTestOptions } from "./test-emulators.js";

/**
 * `test("…", async ({ emulator, client }) => …)`: each test has a world of its own in memory, a copy of one that is
 * made and filled once, its clock frozen.
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
