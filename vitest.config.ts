import { availableParallelism } from "node:os";
import { defineConfig, mergeConfig } from "vitest/config";
import { checks } from "./test/helpers/checks.js";
import { LongestFirst } from "./test/helpers/sequence.js";
import { compiledSources } from "./test/helpers/sources.js";

/** How files of tests are loaded, foreign programs or not. */
export const loading = defineConfig({
  plugins: [compiledSources()],
  test: {
    // Processes, not threads: a terminated thread that holds the native SQLite driver crashes Node 20.
    pool: "forks",
    // One process after the other takes files, with the modules that it has loaded: nothing of ours keeps state in a
    // module, and loading and warming up took half of the suite's time. What a test replaces is put back after it.
    isolate: false,
    server: { deps: { external: [/\/dist-tests\//] } },
    // What was transformed once of the tests is kept in node_modules, by its content. CI has no use for it. Imports name
    // whole files, so none can lead elsewhere while its importer stays as it is.
    experimental: { fsModuleCache: !process.env["CI"] },
    // What is waited for comes; a second, as is usual, is too short for a browser on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    // One more than there are cores: some tests wait for real time, for a page, and for processes of their own.
    maxWorkers: availableParallelism() + 1,
    globalSetup: ["test/helpers/sources.ts", "test/helpers/build.ts"],
  },
});

/** All that the runs of tests have in common which need only Node. */
export const common = mergeConfig(loading, {
  test: {
    exclude: ["test/tools/**", "**/node_modules/**"],
    // Room for what is new: with the usual 16 MiB a tenth of the suite's time goes into copying what dies soon after.
    execArgv: ["--min-semi-space-size=16", "--max-semi-space-size=64"],
    sequence: { sequencer: LongestFirst },
    setupFiles: ["test/helpers/refusals.ts", "test/helpers/random-inputs.ts"],
    globalSetup: ["test/helpers/scratch.ts"],
    // The whole proofs take their time.
    testTimeout: process.env["PROOF"] ? 1_800_000 : 60_000,
  },
});

export default mergeConfig(common, {
  test: { include: ["test/**/*.test.ts"], exclude: process.env["PROOF"] ? [] : checks },
});
