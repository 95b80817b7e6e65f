// The whole of what `npm test` samples, and what it leaves out: `npm run proof [-- PART…]`. Takes hours. Goes on after
// a part that failed, and says at the end what became of each. PROOF_SEED repeats the random choices of another run.
import { fileURLToPath } from "node:url";
import { chosenParts, parts } from "./proof/parts.mjs";
import { createRunner } from "./proof/processes.mjs";
import { runSuiteOn } from "./proof/versions.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const seed = process.env.PROOF_SEED ?? String(Date.now() % 1e6);
const results = [];
const runner = createRunner();

try {
  for (const name of chosenParts(process.argv.slice(2))) {
    if (runner.stopped) {
      results.push([name, "not run", "", ""]);
      continue;
    }
    console.log(`\n== ${name}: ${parts[name].about}`);
    const began = performance.now();
    const code = await attempt(parts[name]);
    const outcome = runner.stopped ? "stopped" : code === 0 ? "passed" : "FAILED";
    results.push([name, outcome, duration(performance.now() - began), parts[name].seeded ? seed : ""]);
  }
  printTable([["part", "result", "time", "seed"], ...results]);
  process.exitCode = runner.stopped || (results.every(([, outcome]) => outcome === "passed") ? 0 : 1);
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}

/** @returns its exit code */
async function attempt(part) {
  if (part.node !== undefined) {
    try {
      return await runSuiteOn(part.node, root, runner);
    } catch (error) {
      console.error(error.message);
      return 1;
    }
  }
  const args = part.script ?? ["node_modules/vitest/vitest.mjs", "run", ...part.files];
  const env = { ...process.env, PROOF: "1", PROOF_SEED: seed, MODEL_SEED: seed, FUZZ_SEED: seed };
  return runner.run(process.execPath, args, { cwd: root, env });
}

function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join("  ")
      .trimEnd(),
  );
  console.log(`\n${lines.join("\n")}`);
}
