import { join } from "node:path";
import type { Session } from "../../session/session.js";

/** Where a command lists what it means to change: a file per run, since an earlier one tells what an earlier run did. */
export function createResultsPath({ folders, clock, random }: Session, command: string): string {
  const time = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, "");
  return join(folders.data, "sync", `${command}-${time}-${random.bytes(2).toString("hex")}.report.ndjson`);
}
