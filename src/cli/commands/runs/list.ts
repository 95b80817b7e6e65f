import { usageError } from "../../errors/errors.js";
import type { View } from "../../output/output.js";
import type { Command } from "../../session/command.js";
import { parseCount } from "../../session/globals.js";
import { getRunsFolder } from "../bulk/target.js";

const view: View = {
  columns: [
    { header: "RUN", value: "id", keep: true },
    { header: "STATE", value: "state", as: "status", keep: true },
    { header: "STARTED", value: "started_at", as: "time" },
    { header: "FILE", value: "file" },
    { header: "GROUP", value: "group" },
    { header: "DONE", value: "done", keep: true, align: "right" },
    { header: "FAILED", value: "failed", keep: true, align: "right" },
    { header: "OPEN", value: "open", keep: true, align: "right" },
    { header: "KIND", value: ({ command, kind }) => command ?? kind, optional: true },
    { header: "PROFILE", value: "profile", optional: true },
  ],
  fields: [
    ...["id", "state", "kind", "command", "file", "group", "group_id", "profile", "base_url"],
    ...["done", "failed", "open", "started_at", "finished_at", "report"],
  ],
  empty: "no runs",
};

export const listRuns: Command = {
  name: "list",
  summary: "List bulk runs, the newest first",
  description: "Finished ones are kept for 30 days.",
  flags: [
    { name: "limit", value: "n", description: "show no more than this many", default: "50" },
    { name: "all", description: "show all" },
  ],
  examples: [{ command: "voxctl runs list" }, { command: "voxctl runs list --limit 5 -o json" }],
  async run(session, input) {
    const { listRuns } = await import("../../../bulk/runs.js");
    const limitText = input.text("limit");
    if (limitText !== undefined && input.on("all")) throw usageError("--limit and --all exclude each other");
    const limit = input.on("all") ? Number.POSITIVE_INFINITY : parseCount(limitText ?? "50", "--limit");
    const runs = await listRuns(getRunsFolder(session));
    await session.output.list(runs.slice(0, limit), {
      ...view,
      more: () => (runs.length > limit ? "certain" : "none"),
    });
  },
};
