import { runCell } from "./cell.js";
import { createClockBench } from "./harness/in-process.js";
import { type JobName, jobNames } from "./jobs/index.js";
import { type SwitchName, switchNames, table } from "./server/switches.js";

export interface Cell {
  switches: readonly SwitchName[];
  job: JobName;
}

/**
 * Returns each job once without a switch, and once with each switch that can change its result: the service
 * must read the switch's settings.
 */
export async function findCells(jobs: readonly JobName[] = jobNames): Promise<Cell[]> {
  const cells: Cell[] = [];
  // Run the jobs sequentially, because the test's clock advances only when the process is idle.
  for (const job of jobs) {
    cells.push({ switches: [], job });
    for (const name of await findSwitches(job)) cells.push({ switches: [name], job });
  }
  return cells;
}

async function findSwitches(job: JobName): Promise<SwitchName[]> {
  const bench = createClockBench([]);
  try {
    const failure = await runCell(job, bench);
    // A job that ends early reads few settings, so the run would skip most switches.
    if (failure !== undefined) throw new Error(`${job} fails without a switch: ${failure}`);
    const isRead = (setting: string) => bench.settingsRead.has(setting);
    return switchNames.filter(
      (name) => table[name]?.wire || Object.keys(table[name]?.change ?? {}).some(isRead),
    );
  } finally {
    bench.remove();
  }
}
