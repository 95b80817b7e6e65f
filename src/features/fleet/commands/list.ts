import { formatCount } from "../../../base/text.js";
import { CliError, exits } from "../../../cli/errors/errors.js";
import type { View } from "../../../cli/output/output.js";
import type { Command } from "../../../cli/session/command.js";
import { withConfigErrors } from "../../config/commands/errors.js";
import { checkMembers, type MemberCheck } from "./check-members.js";
import { memberFlags } from "./flags.js";
import { describeReference, type Member, openFleet } from "./open-members.js";

const view: View = {
  columns: [
    { header: "MEMBER", value: "name", keep: true },
    { header: "LABELS", value: ({ labels }) => formatLabels(Object(labels)) },
    { header: "PROFILE", value: "profile", optional: true },
    { header: "URL", value: "url", optional: true },
    { header: "KEY", value: "key", as: "status" },
    { header: "STATUS", value: "status", as: "status", keep: true },
  ],
  fields: ["name", "labels", "profile", "url", "key", "listed", "production", "status", "problem"],
  noun: "member",
};

export const listMembers: Command = {
  name: "list",
  summary: "List the members of a fleet",
  description:
    "Shows each member with its labels and whether its key is available. With --check, voxctl sends a read request with each key; " +
    "if a member can't be read, the command exits with code 68.",
  flags: [
    ...memberFlags,
    { name: "check", description: "Check each member's address and key with a read request" },
  ],
  examples: [
    { command: "voxctl fleet list" },
    { command: "voxctl fleet list --fleet kunden.yaml --select kind=dental --check" },
    { command: "voxctl fleet list -o json --jq '.[].name'", note: "For a loop in a script" },
  ],
  verdict: true,
  run: (session, input) =>
    withConfigErrors(async () => {
      const { members } = await openFleet(session, input);
      const checks = input.on("check") === true ? await checkMembers(session, members) : undefined;
      const rows = members.map((member) => toRow(member, checks?.get(member.name)));
      await session.output.list(rows, view);
      const failed = rows.filter(({ status }) => status === "failed");
      // Each problem names its member.
      for (const { problem } of failed) session.notes.warn(problem ?? "");
      if (failed.length > 0)
        throw new CliError({
          exit: exits.partlyDone,
          code: "partly_done",
          message: `${formatCount(failed.length, "member")} of ${members.length} could not be read`,
        });
    }),
};

function toRow(
  { name, labels, reference, access, isListed, problem }: Member,
  check: MemberCheck | undefined,
) {
  const { name: _, profile = null, ...own } = labels;
  const error = problem ?? check?.problem;
  return {
    ...{ name, labels: own, profile },
    url: describeReference(reference, access?.profile),
    key: access === undefined ? "missing" : "available",
    listed: isListed,
    production: access?.profile.production ?? false,
    status: check === undefined ? null : check.problem === undefined ? "ok" : "failed",
    problem: error?.message ?? null,
  };
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(",");
}
