import { join } from "node:path";
import type { Session } from "../../../cli/session/session.js";

/** Returns a new path for a command's results file, so that earlier results are kept. */
export function createResultsPath({ folders, clock, random }: Session, command: string): string {
  const time = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, "");
  return join(folders.data, "sync", `${command}-${time}-${random.bytes(2).toString("hex")}.report.ndjson`);
}
