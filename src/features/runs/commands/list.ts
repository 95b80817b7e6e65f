import { findKnownRuns } from "../../../cli/bulk/known-runs.js";
import { findRun, runArgument } from "../../../cli/bulk/one-run.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { usageError } from "../../../cli/errors/errors.js";
import type { View } from "../../../cli/output/output.js";
import type { Command } from "../../../cli/session/command.js";
import { parseCount } from "../../../cli/session/globals.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { RunInfo } from "../../../write/journal/list.js";

const view: View = {
  columns: [
    { header: "RUN", value: "id", keep: true },
    { header: "STATE", value: "state", as: "status", keep: true },
    { header: "STARTED", value: "started_at", as: "time" },
    { header: "FILE", value: "file" },
    { header: "GROUP", value: "group" },
    { header: "DONE", value: "done", keep: true, align: "right" },
    { header: "REJECTED", value: "rejected", keep: true, align: "right" },
    { header: "SKIPPED", value: "skipped", keep: true, optional: true, align: "right" },
    { header: "KEPT", value: "kept", keep: true, optional: true, align: "right" },
    { header: "FAILED", value: "failed", keep: true, optional: true, align: "right" },
    { header: "OPEN", value: "open", keep: true, align: "right" },
    { header: "COMMAND", value: "started_with", optional: true },
    { header: "PROFILE", value: "profile", optional: true },
    { header: "MEMBER", value: ({ member }) => String(member ?? "").split("/")[1], optional: true },
    { header: "BY", value: "by", optional: true },
    { header: "SEEN", value: "seen_at", as: "time", optional: true },
  ],
  fields: [
    ...[
      "id",
      "state",
      "kind",
      "command",
      "started_with",
      "file",
      "group",
      "group_id",
      "profile",
      "member",
      "base_url",
    ],
    ...["done", "rejected", "skipped", "kept", "failed", "open", "started_at", "finished_at", "report"],
  ],
  empty: "no runs",
};

export const listRuns: Command = {
  name: "list",
  summary: "List bulk runs, newest first",
  description:
    "DONE, REJECTED and OPEN count rows or steps, but not unchanged rows and duplicates. SKIPPED counts the steps of a plan that were not sent because a resource had changed or a required step was not done. For an undo, all columns count resources. Finished runs are kept for 30 days; `voxctl runs export` also lists the writes of older runs. With an ID, shows only that run.",
  arguments: [{ ...runArgument, optional: true }],
  flags: [
    { name: "limit", value: "number", description: "Maximum number of runs", default: "50" },
    { name: "all", description: "List all runs" },
  ],
  examples: [
    { command: "voxctl runs list" },
    { command: "voxctl runs list --limit 5 -o json" },
    { command: "voxctl runs list 2aa82de186e4" },
  ],
  async run(session, input) {
    const [id] = input.arguments;
    if (id !== undefined) return showRun(session, input, id);
    const limitText = input.text("limit");
    if (limitText !== undefined && input.on("all")) throw usageError("--limit and --all can't be combined");
    const limit = input.on("all") ? Number.POSITIVE_INFINITY : parseCount(limitText ?? "50", "--limit");
    const runs = await (await findKnownRuns(session)).list();
    await session.output.list(runs.slice(0, limit).map(toShown), {
      ...view,
      more: () => (runs.length > limit ? "certain" : "none"),
    });
  },
};

function showRun(session: Session, input: Input, id: string): Promise<void> {
  const conflicting = ["limit", "all"].find((flag) => input.has(flag));
  if (conflicting !== undefined) throw usageError(`--${conflicting} can't be used with a run ID`);
  return withRefusals(async () =>
    session.output.item(toShown(await findRun(session, id)), { ...view, detail: toDetail }),
  );
}

/** Shows, like the list, the command that started the run. */
function toDetail({ started_with, ...run }: Readonly<Record<string, unknown>>) {
  return { ...run, command: started_with };
}

export function toShown({ world: _, ...shown }: RunInfo): Omit<RunInfo, "world"> {
  return shown;
}
