import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/tools/**", "**/node_modules/**"],
    // Processes, not threads: a terminated thread that holds the native SQLite driver crashes Node 20.
    pool: "forks",
    globalSetup: ["test/helpers/build.ts"],
    // The whole proofs take their time.
    testTimeout: process.env["PROOF"] ? 1_800_000 : 30_000,
    reporters: process.env["CI"] ? ["default"] : ["default"],
  },
});
