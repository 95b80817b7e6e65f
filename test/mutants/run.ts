// Breaks the API rules one after the other in copies of the project: a test that names the rule must fail.
// Run by `node --import tsx test/mutants/run.ts [RULE…]`.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "rolldown/utils";
import { createTitlePattern, findTestsByRule, mutants } from "./list.js";
import { findLocations, mutatedFolders, readDeclarations } from "./locations.js";
import type { Mutant } from "./mutant.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const chosen = new Set(process.argv.slice(2));
const selectedMutants = mutants.filter(({ rule }) => chosen.size === 0 || chosen.has(rule));
const files = findTestsByRule(root);
const declarations = readDeclarations(join(root, "src"), mutatedFolders);
const folder = mkdtempSync(join(realpathSync(tmpdir()), "voxctl-mutants-"));
/**
 * Vitest's configuration for a copy. As in `npm test`, the sources are compiled once, because the
 * transformation of each module would take a minute.
 */
const config = `
import { compiledSources } from "./test/helpers/sources.js";
export default {
  plugins: [compiledSources()],
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    isolate: false,
    testTimeout: 60_000,
    server: { deps: { external: [/\\/dist-tests\\//] } },
    experimental: { fsModuleCache: true, fsModuleCachePath: "./module-cache" },
    globalSetup: ["test/helpers/sources.ts"],
  },
};
`;
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => stopping.abort(new Error(`ended by ${signal}`)));
}

type Fate = "killed" | "hung" | "SURVIVED" | "BROKEN" | "NO TEST";

try {
  if (selectedMutants.length === 0) throw new Error(`no mutant of ${[...chosen].join(", ")}`);
  const copies: string[] = [];
  while (copies.length < Math.min(availableParallelism(), selectedMutants.length))
    copies.push(await copyProject(join(folder, String(copies.length))));
  const sound = await run(
    copies[0] ?? "",
    selectedMutants.map(({ rule }) => rule),
    0,
    copies.length,
  );
  if (sound.failed.length > 0 || sound.passed === 0) {
    throw new Error(`without any mutant, these tests fail: ${sound.failed.join(", ")}`);
  }
  const left = [...selectedMutants.entries()];
  const tried = await Promise.allSettled(copies.map((copy) => tryAll(copy, left)));
  const survivors = tried.flatMap((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
  const rules = new Set(selectedMutants.map(({ rule }) => rule)).size;
  console.log(`${selectedMutants.length} mutants of ${rules} rules, ${survivors.length} survivors`);
  for (const { rule, find, replace } of survivors) console.log(`  ${rule}: ${find} → ${replace}`);
  if (survivors.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function copyProject(copy: string): Promise<string> {
  for (const name of ["src", "test", "scripts", "package.json", "tsconfig.json"]) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  // The emulator's web page needs these files of the build.
  cpSync(join(root, "dist/assets"), join(copy, "dist/assets"), { recursive: true });
  writeFileSync(join(copy, "vitest.config.ts"), config);
  const { default: compile } = await import(join(copy, "test/helpers/sources.ts"));
  await compile();
  return copy;
}

async function tryAll(copy: string, left: [number, Mutant][]): Promise<Mutant[]> {
  const survivors: Mutant[] = [];
  for (let next = left.shift(); next; next = left.shift()) {
    const [index, mutant] = next;
    const began = performance.now();
    const { fate, by } = await tryMutant(copy, mutant);
    const seconds = `${Math.round((performance.now() - began) / 1000)} s`;
    console.log(
      `${String(index + 1).padStart(3)}  ${fate.padEnd(8)} ${seconds.padStart(5)}  ${mutant.rule}${by && `  by ${by}`}`,
    );
    if (fate !== "killed" && fate !== "hung") survivors.push(mutant);
  }
  return survivors;
}

async function tryMutant(copy: string, mutant: Mutant): Promise<{ fate: Fate; by: string }> {
  const [location, ...otherLocations] = findLocations(declarations, mutant);
  if (!location || otherLocations.length > 0) return { fate: "BROKEN", by: "" };
  const source = readFileSync(join(copy, "src", location.file), "utf8");
  const broken = source.slice(0, location.start) + location.text + source.slice(location.end);
  const { code, errors } = transformSync(location.file, broken, { target: "node20.19" });
  if (errors.length > 0) return { fate: "BROKEN", by: "" };
  // Replace only the compiled module, so that the sources are not compiled again.
  const path = join(copy, "dist-tests", location.file.replace(/\.ts$/, ".js"));
  const sound = readFileSync(path, "utf8");
  writeFileSync(path, code);
  // A script that is generated from the migrations creates new databases, so it needs the mutant as well.
  const whole = join(copy, "dist-tests/generated/whole-schema.js");
  const soundWhole = readFileSync(whole, "utf8");
  if (/^emulator\/(?:database\/schema|public)\//.test(location.file))
    writeFileSync(whole, soundWhole.replaceAll(source.slice(location.start, location.end), location.text));
  try {
    const { failed, passed, unread, hung } = await run(copy, [mutant.rule], 1, 1);
    if (failed.length > 0) return { fate: "killed", by: failed[0] ?? "" };
    if (hung) return { fate: "hung", by: "" };
    // A source that can't be parsed is not a valid mutant.
    if (unread) return { fate: "BROKEN", by: "" };
    return { fate: passed === 0 ? "NO TEST" : "SURVIVED", by: "" };
  } finally {
    writeFileSync(path, sound);
    writeFileSync(whole, soundWhole);
  }
}

interface Ran {
  failed: string[];
  passed: number;
  unread: boolean;
  hung: boolean;
}

/** Runs the tests that name one of the rules; stops after `bail` failures. */
async function run(copy: string, rules: readonly string[], bail: number, workers: number): Promise<Ran> {
  const named = [...new Set(rules.flatMap((rule) => files.get(rule) ?? []))];
  if (named.length === 0) return { failed: [], passed: 0, unread: false, hung: false };
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const child = spawn(
    process.execPath,
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      ...["run", "-t", createTitlePattern(rules), "--bail", String(bail), "--maxWorkers", String(workers)],
      ...["--reporter", "json", "--outputFile", report, ...named],
    ],
    // Without this, the tests would run at full length for every mutant.
    { cwd: copy, env: { ...process.env, PROOF: undefined }, stdio: ["ignore", "ignore", "pipe"] },
  );
  let complaint = "";
  child.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  let hung = false;
  const end = () => child.kill("SIGTERM");
  stopping.signal.addEventListener("abort", end);
  const limit = setTimeout(
    () => {
      hung = true;
      child.kill("SIGKILL");
    },
    bail === 0 ? 900_000 : 180_000,
  );
  await new Promise((resolve) => child.once("close", resolve));
  clearTimeout(limit);
  stopping.signal.removeEventListener("abort", end);
  stopping.signal.throwIfAborted();
  if (hung) return { failed: [], passed: 0, unread: false, hung };
  const { testResults, numPassedTests } = readReport(report, complaint);
  return {
    failed: testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ title }) => `${name.slice(copy.length + 6)}: ${title}`),
    ),
    passed: numPassedTests,
    unread: testResults.some(
      ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
    ),
    hung,
  };
}

interface Report {
  numPassedTests: number;
  testResults: { name: string; status: string; assertionResults: { title: string; status: string }[] }[];
}

function readReport(path: string, complaint: string): Report {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new Error(`vitest printed no report:\n${complaint}`);
  }
}
