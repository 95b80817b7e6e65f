// Runs all proofs, of which `npm test` runs samples: `npm run proof [-- PART…]`. Takes hours. PROOF_SEED
// repeats the random choices of an earlier run. With `--shard 1/3`, the suite on another day is only a third
// of the files.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runSuiteAt } from "./moments.js";
import { chosenParts, type Part } from "./parts.js";
import { createRunner } from "./processes.js";
import { runSuiteOn } from "./versions.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const toolsConfig = "vitest.tools.config.ts";
const seed = process.env["PROOF_SEED"] ?? String(Date.now() % 1e6);
const runner = createRunner();
const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { shard: { type: "string" } },
});

try {
  const results: string[][] = [];
  for (const [name, part] of chosenParts(names)) {
    if (runner.stopped) {
      results.push([name, "not run", "", ""]);
      continue;
    }
    console.log(`\n== ${name}: ${part.about}`);
    const began = performance.now();
    const code = await attempt(part);
    results.push([name, outcomeOf(code), duration(performance.now() - began), part.seeded ? seed : ""]);
  }
  printTable([["part", "result", "time", "seed"], ...results]);
  const isGood = results.every(([, outcome]) => outcome === "passed" || outcome === "skipped");
  process.exitCode = runner.stopped || (isGood ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

function outcomeOf(code: number | undefined): string {
  if (runner.stopped) return "stopped";
  if (code === undefined) return "skipped";
  return code === 0 ? "passed" : "FAILED";
}

/** Returns the exit code of a part; undefined if this machine can't run the part. */
async function attempt(part: Part): Promise<number | undefined> {
  if (part.moment !== undefined) return runSuiteAt(part.moment, options.shard, root, runner);
  if (part.node !== undefined) {
    try {
      return await runSuiteOn(part.node, root, runner);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      return 1;
    }
  }
  const files = part.files ?? [];
  const config = files.some((file) => file.startsWith("test/tools/")) ? ["--config", toolsConfig] : [];
  const args = part.script ?? ["node_modules/vitest/vitest.mjs", "run", ...config, ...files];
  const env = { ...process.env, PROOF: "1", PROOF_SEED: seed, MODEL_SEED: seed, FUZZ_SEED: seed };
  return runner.run(process.execPath, args, { cwd: root, env });
}

function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function printTable(rows: readonly string[][]): void {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  console.log(`\n${lines.join("\n")}`);
}
