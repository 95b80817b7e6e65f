import type { Bench } from "./harness/bench.js";
import { type JobName, jobs } from "./jobs/index.js";
import type { SwitchName } from "./server/switches.js";

/** A job with real processes gets more time, because the machine may be busy. */
const longestMilliseconds = 60_000;

/** Returns the reason of the job's failure; undefined if the job passes. */
export async function runCell(
  job: JobName,
  bench: Bench,
  longest = longestMilliseconds,
): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("it hangs"), longest);
  });
  try {
    return await Promise.race([jobs[job].run(bench).then(() => undefined), hung]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}

export function formatCellName(switches: readonly SwitchName[], job: JobName): string {
  return `${switches.length === 0 ? "none" : switches.join(" + ")} × ${job}`;
}
