import { readFile } from "node:fs/promises";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { getRunsFolder } from "../../../cli/bulk/target.js";
import { notFoundError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Session } from "../../../cli/session/session.js";
import type { FleetReport } from "../index.js";
import { getLiveReport } from "./execute.js";
import { runArgument } from "./flags.js";
import { formatCounts, showReport } from "./show-result.js";

/** `voxctl fleet show RUN` */
export const showRun: Command = {
  name: "show",
  summary: "Show the members of a fleet run",
  description: "Shows the state of each member, also while the run is in progress.",
  arguments: [runArgument],
  examples: [
    { command: "voxctl fleet show 2aa82de186e4" },
    { command: "voxctl fleet show 2aa82de186e4 -o json" },
  ],
  run: (session, input) =>
    withRefusals(async () => {
      const [id = ""] = input.arguments;
      const report = await findReport(session, id);
      if (report === undefined) throw notFoundError(`run ${id} not found`, "list runs: `voxctl runs list`");
      await showReport(session, report);
      session.notes.note(formatCounts(report.counts));
    }),
};

async function findReport(session: Session, id: string): Promise<FleetReport | undefined> {
  const [{ readReport }, { readRun }, { BulkError }] = await Promise.all([
    import("../index.js"),
    import("../../../write/journal/read.js"),
    import("../../../write/errors.js"),
  ]);
  try {
    return await readRun(getRunsFolder(session), id, (journal) => readReport(id, journal));
  } catch (error) {
    if (!(error instanceof BulkError) || error.code !== "run_busy") throw error;
    // Another process has locked the journal, so read the report that it keeps up to date.
    const text = await readFile(getLiveReport(session, id), "utf8").catch(() => undefined);
    if (text === undefined) throw error;
    const report: FleetReport = JSON.parse(text);
    return report;
  }
}
