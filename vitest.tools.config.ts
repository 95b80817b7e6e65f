import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** What needs foreign programs; each test says what it lacks. */
export default defineConfig({
  test: {
    include: ["test/tools/**/*.test.ts"],
    pool: "forks",
    // One more than there are cores: a browser's tests wait for the page more than they compute.
    maxWorkers: availableParallelism() + 1,
    globalSetup: ["test/helpers/build.ts"],
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});
