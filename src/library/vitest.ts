/** Exports of `voxctl/vitest`: tests for Vitest, each with its own emulator. */
import { afterAll, test as plainTest } from "vitest";
import { createTestEmulators, type EmulatorFixture, type EmulatorTestOptions } from "./test-emulators.js";

export type { EmulatorFixture, EmulatorTestOptions } from "./test-emulators.js";

/**
 * Returns a test function, used as `test("…", async ({ emulator, client }) => …)`. One emulator is opened and
 * seeded; each test gets its own in-memory copy with a frozen clock.
 */
export function emulatorTest(options: EmulatorTestOptions = {}) {
  const testEmulators = createTestEmulators(options);
  afterAll(() => testEmulators.close());
  return plainTest.extend<{ fixture: EmulatorFixture } & EmulatorFixture>({
    // Vitest parses the parameter list to detect the fixtures that a function needs.
    // biome-ignore lint/correctness/noEmptyPattern: Vitest requires an object pattern
    fixture: async ({}, use) => {
      const fixture = await testEmulators.open();
      await use(fixture);
      await fixture.close();
    },
    emulator: async ({ fixture }, use) => use(fixture.emulator),
    client: async ({ fixture }, use) => use(fixture.client),
  });
}
