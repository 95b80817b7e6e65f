import { mergeConfig } from "vitest/config";
import { ExternalProgramsFirst } from "./test/helpers/sequence.js";
import { loading } from "./vitest.config.js";

/** Tests that need other programs; each test names a missing one. */
export default mergeConfig(loading, {
  test: {
    include: ["test/tools/**/*.test.ts"],
    sequence: { sequencer: ExternalProgramsFirst },
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});
