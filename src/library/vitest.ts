/** The exports of `voxctl/vitest`: a test with a world of its own. */
import { afterAll, test as plainTest } from "vitest";
import { type TestWorld, testWorlds, type WorldOptions } from "./world.js";

export type { TestWorld, WorldOptions } from "./world.js";

/**
 * `test("…", async ({ emulator, client }) => …)`: each test has a world of its own in memory, a copy of one that is
 * made and filled once, its clock frozen.
 */
export function worldTest(options: WorldOptions = {}) {
  const worlds = testWorlds(options);
  afterAll(() => worlds.close());
  return plainTest.extend<{ world: TestWorld } & TestWorld>({
    // Vitest reads from the parameters what a fixture needs.
    // biome-ignore lint/correctness/noEmptyPattern: it must be an object pattern
    world: async ({}, use) => {
      const world = await worlds.open();
      await use(world);
      await world.close();
    },
    emulator: async ({ world }, use) => use(world.emulator),
    client: async ({ world }, use) => use(world.client),
  });
}
