import { readFile } from "node:fs/promises";
import { parseJsonSafely } from "../../../base/json.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import type { Command } from "../../../cli/session/command.js";
import type { Session } from "../../../cli/session/session.js";
import type { FleetReport } from "../index.js";
import { getLiveReport } from "./execute.js";
import { runArgument } from "./flags.js";
import { readFleetRun } from "./open-run.js";
import { formatCounts, showReport } from "./show-result.js";

export const showRun: Command = {
  name: "show",
  summary: "Show the members of a fleet run",
  description: "Shows the state of each member, during and after the run.",
  arguments: [runArgument],
  examples: [
    { command: "voxctl fleet show 2aa82de186e4" },
    { command: "voxctl fleet show 2aa82de186e4 -o json" },
  ],
  run: (session, input) =>
    withRefusals(async () => {
      const [id = ""] = input.arguments;
      const report = await findReport(session, id);
      await showReport(session, report);
      session.notes.note(`${formatCounts(report.counts)}${report.is_undone ? "; the run was undone" : ""}`);
    }),
};

async function findReport(session: Session, id: string): Promise<FleetReport> {
  const [{ buildReport, FleetReport }, { BulkError }] = await Promise.all([
    import("../index.js"),
    import("../../../write/errors.js"),
  ]);
  try {
    return buildReport((await readFleetRun(session, id)).snapshot);
  } catch (error) {
    if (!(error instanceof BulkError) || error.code !== "run_busy") throw error;
    // Another process has locked the journal, so read the report that the other process keeps up to date.
    const text = await readFile(getLiveReport(session, id), "utf8").catch(() => "");
    const { data } = FleetReport.safeParse(parseJsonSafely(text));
    if (data === undefined) throw error;
    return data;
  }
}
