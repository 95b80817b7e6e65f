import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/tools/**", "**/node_modules/**"],
    // Processes, not threads: a terminated thread that holds the native SQLite driver crashes Node 20.
    pool: "forks",
    // All of the cores: many of the tests wait for processes of their own.
    maxWorkers: Math.max(2, availableParallelism()),
    globalSetup: ["test/helpers/build.ts"],
    // The whole proofs take their time.
    testTimeout: process.env["PROOF"] ? 1_800_000 : 30_000,
  },
});
