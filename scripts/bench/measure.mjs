import { readFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Runs each candidate once a round, in turn, so that a machine whose speed drifts slows all alike.
 * @param {Record<string, () => Promise<number> | number>} candidates
 * @returns {Promise<Record<string, number[]>>} what each came to, by rounds
 */
export async function interleaved(rounds, candidates) {
  const results = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(candidates)) results[name].push(await run());
  }
  return results;
}

/** The median of the ratios of two candidates, round by round. */
export function medianRatio(values, bases) {
  return median(values.map((value, round) => value / bases[round]));
}

/** What a process has used of processors so far, in microseconds; not a number where the system does not tell. */
export function processorMicroseconds(pid) {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ").slice(11, 13);
    // In ticks of a hundredth of a second.
    return (Number(user) + Number(system)) * 10_000;
  } catch {
    return Number.NaN;
  }
}

/** A table in Markdown; numbers are right. */
export function table(headings, rows) {
  const cells = (row) => `| ${row.join(" | ")} |`;
  const rules = headings.map((_, index) => (rows.every((row) => isNumber(row[index])) ? "---:" : "---"));
  return [cells(headings), cells(rules), ...rows.map(cells)].join("\n");
}

function isNumber(cell) {
  return /^[≥≤]?\s?-?[\d,.]+(?: MB| ms| µs)?$|^$|^–$/.test(String(cell));
}

export function thousands(value) {
  return Math.round(value).toLocaleString("en-US");
}

export function machine() {
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const busy = loadavg()[0]?.toFixed(1);
  return `Node ${process.versions.node} on ${process.platform} ${process.arch}, ${cpus().length} × ${first?.model.trim() ?? "?"}, ${gigabytes} GB; load average before: ${busy}`;
}
