import { groupByRun, readWritesOf, withWriteSources } from "../../../cli/bulk/known-writes.js";
import { runArgument } from "../../../cli/bulk/one-run.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { notFoundError } from "../../../cli/errors/errors.js";
import type { View } from "../../../cli/output/output.js";
import type { Command } from "../../../cli/session/command.js";

const view: View = {
  columns: [
    { header: "TIME", value: "time", as: "time", keep: true },
    { header: "BY", value: "by", keep: true },
    { header: "OPERATION", value: "operation", keep: true },
    { header: "ID", value: "resource_id", keep: true },
    { header: "OUTCOME", value: "outcome", as: "status", keep: true },
    { header: "RUN", value: "run", isId: true },
    { header: "COMMAND", value: "command" },
    { header: "PROFILE", value: "profile", optional: true },
    { header: "JOB", value: "job", optional: true },
  ],
  fields: [
    ...["time", "by", "job", "command", "profile", "base_url", "run", "item", "operation"],
    ...["resource_id", "outcome"],
  ],
  empty: "no writes",
};

export const exportRuns: Command = {
  name: "export",
  summary: "List each write of bulk runs, for an audit",
  description:
    "Lists who changed which resource, when and by which command, oldest run first. Deleted runs are included, because voxctl keeps the list of their writes. The list contains IDs, but no names, numbers or values. Commands that send a single change, such as `contacts create`, have no run and are not listed. With an ID, lists only that run.",
  arguments: [{ ...runArgument, optional: true }],
  examples: [
    { command: "voxctl runs export -o csv > writes.csv" },
    { command: "voxctl runs export 2aa82de186e4 -o ndjson" },
  ],
  run: (session, input) =>
    withRefusals(async () => {
      const [id] = input.arguments;
      await withWriteSources(session, async (sources) => {
        const listed = (await groupByRun(sources)).filter((run) => id === undefined || run.id === id);
        if (id !== undefined && listed.length === 0)
          throw notFoundError(`run ${id} not found`, "list runs: `voxctl runs list`");
        const writes = readWritesOf(listed, (busyId) =>
          session.notes.warn(`run ${busyId} is active in another process: its writes are not listed yet`),
        );
        await session.output.list(writes, { ...view, more: () => "none" });
      });
    }),
};
