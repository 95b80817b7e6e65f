import { defineConfig } from "vitest/config";

/** What needs foreign programs; each test says what it lacks. */
export default defineConfig({
  test: {
    include: ["test/tools/**/*.test.ts"],
    pool: "forks",
    globalSetup: ["test/helpers/build.ts"],
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});
