import { availableParallelism } from "node:os";
import { defineConfig, mergeConfig } from "vitest/config";
import { checks } from "./test/helpers/checks.js";
import { LongestFirst } from "./test/helpers/sequence.js";
import { compiledSources } from "./test/helpers/sources.js";

/** Options for loading test files, with or without other programs. */
export const loading = defineConfig({
  plugins: [compiledSources()],
  test: {
    // Processes instead of threads: a terminated thread with the native SQLite driver crashes Node 20.
    pool: "forks",
    // Each process takes one file after the other and keeps its loaded modules: ours have no state, and
    // loading and warming up took half of the suite's time. A test restores everything that it replaces.
    isolate: false,
    server: { deps: { external: [/\/dist-tests\//] } },
    // Transformed tests are cached in node_modules, by content. CI doesn't need the cache. Imports contain
    // complete file names, so none can resolve differently while its importer is unchanged.
    experimental: { fsModuleCache: !process.env["CI"] },
    // The default of one second is too short for a browser on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    // One more than the number of cores: some tests wait for real time, for a page, and for separate
    // processes.
    maxWorkers: availableParallelism() + 1,
    globalSetup: ["test/helpers/sources.ts", "test/helpers/build.ts"],
  },
});

/** The common options of test runs that need only Node. */
export const common = mergeConfig(loading, {
  test: {
    exclude: ["test/tools/**", "**/node_modules/**"],
    // A larger young generation: with the usual 16 MiB, a tenth of the suite's time goes into copying
    // short-lived objects.
    execArgv: ["--min-semi-space-size=16", "--max-semi-space-size=64"],
    sequence: { sequencer: LongestFirst },
    setupFiles: ["test/helpers/refusals.ts", "test/helpers/random-inputs.ts"],
    globalSetup: ["test/helpers/scratch.ts"],
    // The complete proofs take longer.
    testTimeout: process.env["PROOF"] ? 1_800_000 : 60_000,
  },
});

export default mergeConfig(common, {
  test: { include: ["test/**/*.test.ts"], exclude: process.env["PROOF"] ? [] : checks },
});
