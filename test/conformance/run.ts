// Runs jobs against conforming deployments, each with one switch on, and reports failures:
// node --import tsx test/conformance/run.ts [--in clock|main|built] [--switch "A + B"]… [--job NAME]… [--write]
//   [--results FILE] [--verbose]
// `built` (the default) runs the built command over HTTP, several cells at a time. `--results FILE` keeps the result of
// each cell. If a run is interrupted, the next run with this file skips passed cells. `--write` builds
// docs/conformance.md from the results. `--only-write` builds it from the file without running cells.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { formatCellName, runCell } from "./cell.js";
import { findCells } from "./cells.js";
import type { Bench } from "./harness/bench.js";
import { createClockBench } from "./harness/in-process.js";
import { createSocketBench } from "./harness/sockets.js";
import { type JobName, jobNames } from "./jobs/index.js";
import { type Result, tableText } from "./result-table.js";
import { type SwitchName, switchNames, table } from "./server/switches.js";

const progressInterval = 200;

/** Time limit of a cell, in real time. The machine may run many other processes at the same time. */
const longestMilliseconds = 300_000;

const { values: options } = parseArgs({
  options: {
    in: { type: "string", default: "built" },
    switch: { type: "string", multiple: true },
    job: { type: "string", multiple: true },
    write: { type: "boolean", default: false },
    results: { type: "string" },
    "only-write": { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
  },
});
const target = parseTarget(options.in);

const earlier = options.results === undefined ? [] : readResults(options.results);
if (options["only-write"]) {
  writePage(earlier);
  process.exit(0);
}

const selectedJobs = options.job?.map(parseJob) ?? jobNames;
const selectedCells =
  options.switch?.map(parseSwitches).flatMap((switches) => selectedJobs.map((job) => ({ switches, job }))) ??
  (await findCells(selectedJobs));
const cells = selectedCells.filter(
  ({ switches }) => target !== "clock" || !switches.some((name) => table[name]?.wire),
);
const results: Result[] = [];
const begun = performance.now();
let next = 0;

// On the test's clock, cells run sequentially, because the clock advances only when the process is idle.
const width = target === "clock" ? 1 : 3 * availableParallelism();
await Promise.all(Array.from({ length: Math.min(width, cells.length) }, work));
const failed = results.filter(({ failure }) => failure !== undefined);
console.log(
  `${results.length} cells in ${Math.round((performance.now() - begun) / 1000)} s: ${results.length - failed.length} hold`,
);
for (const { name } of failed) console.log(`FAILED: ${name}`);
if (options.write) writePage(results);
process.exit(failed.length === 0 ? 0 : 1);

async function work(): Promise<void> {
  for (;;) {
    const cell = cells[next];
    next += 1;
    if (cell === undefined) return;
    const { switches, job } = cell;
    const name = formatCellName(switches, job);
    const existing = earlier.find(
      (result) => result.name === name && result.place === target && result.failure === undefined,
    );
    if (existing) {
      results.push(existing);
      continue;
    }
    const bench = await open(switches);
    const started = performance.now();
    const failure = await runCell(job, bench, target === "clock" ? undefined : longestMilliseconds);
    const seconds = (performance.now() - started) / 1000;
    const date = new Date().toISOString().slice(0, 10);
    keep({ name, switches, job, place: target, failure, date, seconds });
    if (failure !== undefined || options.verbose) show(name, failure, bench);
    await bench.remove();
  }
}

function writePage(all: readonly Result[]): void {
  writeFileSync(new URL("../../docs/conformance.md", import.meta.url), tableText(all));
}

function keep(result: Result): void {
  results.push(result);
  if (options.results !== undefined) appendFileSync(options.results, `${JSON.stringify(result)}\n`);
  if (results.length % progressInterval !== 0 || results.length === cells.length) return;
  console.log(
    `${results.length} of ${cells.length} cells after ${Math.round((performance.now() - begun) / 1000)} s`,
  );
}

function readResults(file: string): Result[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const all = lines.filter((line) => line !== "").map((line): Result => JSON.parse(line));
  return [...new Map(all.map((result) => [`${result.place} ${result.name}`, result])).values()];
}

async function open(switches: readonly SwitchName[]): Promise<Bench & { remove(): void | Promise<void> }> {
  return target === "clock"
    ? createClockBench(switches)
    : createSocketBench(switches, target === "main" ? "main" : "built");
}

function show(name: string, failure: string | undefined, { service }: Bench): void {
  const text = failure ?? "holds";
  console.log(`${name}: ${options.verbose ? text : text.split("\n").slice(0, 3).join(" | ").slice(0, 200)}`);
  if (!options.verbose) return;
  for (const { at, method, path, body } of service.log)
    console.log(`  ${new Date(at).toISOString().slice(11, 23)} ${method} ${path} ${body.slice(0, 120)}`);
}

function parseTarget(text: string): Result["place"] {
  if (text === "clock" || text === "main" || text === "built") return text;
  throw new TypeError(`invalid --in ${text}: expected clock, main or built`);
}

function parseSwitches(text: string): SwitchName[] {
  if (text === "none") return [];
  return text.split(" + ").map((part) => {
    const name = switchNames.find((candidate) => candidate === part);
    if (name === undefined)
      throw new TypeError(`unknown switch "${part}"; expected ${switchNames.join(", ")}`);
    return name;
  });
}

function parseJob(text: string): JobName {
  const name = jobNames.find((candidate) => candidate === text);
  if (name === undefined) throw new TypeError(`unknown job "${text}"; expected ${jobNames.join(", ")}`);
  return name;
}
