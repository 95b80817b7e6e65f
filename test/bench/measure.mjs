import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Runs each candidate once per round, in turn, so that a change of the machine's speed affects all candidates
 * equally. A round starts when other processes use at most half of the processors. If they stay busy, the
 * round starts anyway and the results are marked as noisy.
 * @param {Record<string, () => Promise<number> | number>} candidates
 * @returns {Promise<{ results: Record<string, number[]>, noisy: boolean }>} the figures of each candidate, by round
 */
export async function interleaved(rounds, candidates) {
  const results = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  let noisy = false;
  for (let round = 0; round < rounds; round += 1) {
    if (!(await isQuiet())) noisy = true;
    const entries = Object.entries(candidates);
    // The order alternates, because the first candidate of a round runs after a pause.
    for (const [name, run] of round % 2 === 0 ? entries : entries.reverse()) results[name].push(await run());
  }
  return { results, noisy };
}

/** @returns {Promise<boolean>} false if the machine stayed busy */
async function isQuiet() {
  for (let attempt = 0; attempt < 4; attempt += 1) {
    if ((await busyProcessors()) <= cpus().length / 2) return true;
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  return false;
}

/**
 * Returns the average number of processors that other processes use during a short wait. The system's load average
 * would also count this process.
 */
async function busyProcessors() {
  const times = () =>
    cpus().map(({ times: { idle, ...busy } }) => ({
      idle,
      busy: busy.user + busy.nice + busy.sys + busy.irq,
    }));
  const before = times();
  await new Promise((resolve) => setTimeout(resolve, 100));
  return times().reduce((sum, { idle, busy }, index) => {
    const worked = busy - (before[index]?.busy ?? 0);
    const all = worked + idle - (before[index]?.idle ?? 0);
    return sum + (all > 0 ? worked / all : 0);
  }, 0);
}

/** Returns the median of the ratios of two candidates in each round. */
export function medianRatio(values, bases) {
  return median(values.map((value, round) => value / bases[round]));
}

/** Returns the processor time of a process, in microseconds; NaN if the system does not report this time. */
export function processorMicroseconds(pid) {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ").slice(11, 13);
    // The system reports the time in hundredths of a second.
    return (Number(user) + Number(system)) * 10_000;
  } catch {
    return Number.NaN;
  }
}

/**
 * Returns a row of the table and prints it to stderr.
 * @param {string} name
 * @param {{ wanted?: string, value: string, noisy?: boolean }} figure
 */
export function row(name, { wanted = "", value, noisy = false }) {
  console.error(`  ${name}: ${value}${noisy ? " (noisy)" : ""}${wanted ? `, wanted ${wanted}` : ""}`);
  return { name, wanted, value: noisy ? `${value} ~` : value };
}

/** Formats a Markdown table with right-aligned numbers. */
export function table(headings, rows) {
  const cells = (cell) => `| ${cell.join(" | ")} |`;
  const rules = headings.map((_, index) => (rows.every((one) => isNumber(one[index])) ? "---:" : "---"));
  return [cells(headings), cells(rules), ...rows.map(cells)].join("\n");
}

function isNumber(cell) {
  return /^[≥≤]?\s?-?[\d,.]+(?: (?:B|MB|ms|µs))?(?: ~)?$|^$|^–$/.test(String(cell));
}

export function thousands(value) {
  return Math.round(value).toLocaleString("en-US");
}

export function machine() {
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${process.platform} ${process.arch}, ${cpus().length} × ${first?.model.trim() ?? "?"}, ${gigabytes} GB`;
}
