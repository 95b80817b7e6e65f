import { createRunNotFoundError, findKnownRuns } from "../../../cli/bulk/known-runs.js";
import { groupByRun, readWritesOf, withWriteSources } from "../../../cli/bulk/known-writes.js";
import { runArgument } from "../../../cli/bulk/one-run.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import type { View } from "../../../cli/output/output.js";
import type { Command } from "../../../cli/session/command.js";
import type { Session } from "../../../cli/session/session.js";

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
    { header: "MEMBER", value: ({ member }) => String(member ?? "").split("/")[1], optional: true },
    { header: "JOB", value: "job", optional: true },
  ],
  fields: [
    ...["time", "by", "job", "command", "profile", "base_url", "member", "run", "item"],
    ...["operation", "resource_id", "outcome"],
  ],
  empty: "no writes",
};

export const exportRuns: Command = {
  name: "export",
  summary: "List each write of bulk runs, for an audit",
  description:
    "Lists who changed which resource, when and by which command, oldest run first. Deleted runs are included, because voxctl keeps the list of their writes. The list contains IDs, but no names, numbers or values. Commands that send a single change, such as `contacts create`, have no run and are not listed. With an ID, lists only that run; with the ID of a fleet run, the runs of its members.",
  arguments: [{ ...runArgument, optional: true }],
  examples: [
    { command: "voxctl runs export -o csv > writes.csv" },
    { command: "voxctl runs export 2aa82de186e4 -o ndjson" },
  ],
  run: (session, input) =>
    withRefusals(async () => {
      const [id] = input.arguments;
      const isFleet = id !== undefined && (await isFleetRun(session, id));
      await withWriteSources(session, async (sources) => {
        const listed = (await groupByRun(sources)).filter(
          (run) =>
            id === undefined || (isFleet ? run.member === undefined || isOf(run.member, id) : run.id === id),
        );
        if (id !== undefined && !isFleet && listed.length === 0)
          throw await createRunNotFoundError(session, id);
        const writes = readWritesOf(listed, (busyId) =>
          session.notes.warn(`run ${busyId} is active in another process: its writes are not listed yet`),
        );
        const shown = isFleet ? filterAsync(writes, ({ member }) => isOf(member, id)) : writes;
        await session.output.list(shown, { ...view, more: () => "none" });
      });
    }),
};

/** The runs of members contain the writes of a fleet run. */
async function isFleetRun(session: Session, id: string): Promise<boolean> {
  const run = await (await findKnownRuns(session)).find(id);
  return run?.kind?.startsWith("fleet") === true;
}

const isOf = (member: string | null, fleetRun: string) => member?.startsWith(`${fleetRun}/`) === true;

async function* filterAsync<T>(rows: AsyncIterable<T>, isKept: (row: T) => boolean): AsyncGenerator<T, void> {
  for await (const row of rows) if (isKept(row)) yield row;
}
