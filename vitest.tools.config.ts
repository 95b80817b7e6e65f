import { availableParallelism } from "node:os";
import { mergeConfig } from "vitest/config";
import { ExternalProgramsFirst } from "./test/helpers/sequence.js";
import { loading } from "./vitest.config.js";

/** Tests that need other programs; each test names a missing one. */
export default mergeConfig(loading, {
  test: {
    include: ["test/tools/**/*.test.ts"],
    // Most of these tests wait for leases and for other programs.
    maxWorkers: availableParallelism() + 4,
    sequence: { sequencer: ExternalProgramsFirst },
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});
