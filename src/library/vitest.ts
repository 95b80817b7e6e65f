/** The exports of `voxctl/vitest`: a test with a world of its own. */
import { afterAll, test as plainTest } from "vitest";
import { createTestEmulators, type EmulatorFixture, type EmulatorTestOptions } from "./test-emulators.js";

export type { EmulatorFixture, EmulatorTestOptions } from "./test-emulators.js";

/**
 * `test("…", async ({ emulator, client }) => …)`: each test has a world of its own in memory, a copy of one that is
 * made and filled once, its clock frozen.
 */
export function emulatorTest(options: EmulatorTestOptions = {}) {
  const testEmulators = createTestEmulators(options);
  afterAll(() => testEmulators.close());
  return plainTest.extend<{ fixture: EmulatorFixture } & EmulatorFixture>({
    // Vitest reads from the parameters what a fixture needs.
    // biome-ignore lint/correctness/noEmptyPattern: it must be an object pattern
    fixture: async ({}, use) => {
      const fixture = await testEmulators.open();
      await use(fixture);
      await fixture.close();
    },
    emulator: async ({ fixture }, use) => use(fixture.emulator),
    client: async ({ fixture }, use) => use(fixture.client),
  });
}
