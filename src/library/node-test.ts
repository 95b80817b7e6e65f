/** The exports of `voxctl/node-test`: a test of `node:test` with a world of its own. */
import { after, type TestContext, test } from "node:test";
import { type TestWorld, testWorlds, type WorldOptions } from "./world.js";

export type { TestWorld, WorldOptions } from "./world.js";

/**
 * `test("…", async ({ emulator, client }) => …)`: each test has a world of its own in memory, a copy of one that is
 * made and filled once, its clock frozen.
 */
export function worldTest(options: WorldOptions = {}) {
  const worlds = testWorlds(options);
  after(() => worlds.close());
  return (
    name: string,
    body: (world: TestWorld, context: TestContext) => Promise<void> | void,
  ): Promise<void> =>
    test(name, async (context) => {
      const world = await worlds.open();
      try {
        await body(world, context);
      } finally {
        await world.close();
      }
    });
}
