import { usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { callGroupings, runCallReport } from "./calls.js";
import { reportFormats } from "./monthly-report.js";
import { organizationGroupings, runOrganizationReport } from "./organizations.js";

interface ReportType {
  flags: readonly string[];
  groupings: readonly string[];
  run(session: Session, input: Input): Promise<void>;
}

const types: Readonly<Record<string, ReportType>> = {
  calls: { flags: ["by", "assistant", "timezone"], groupings: callGroupings, run: runCallReport },
  usage: {
    flags: ["by"],
    groupings: organizationGroupings,
    run: (session, input) => runOrganizationReport(session, input, "usage"),
  },
  billing: {
    flags: [],
    groupings: [],
    run: (session, input) => runOrganizationReport(session, input, "billing"),
  },
};

export const report: Command = {
  name: "report",
  summary: "Create the monthly report of calls, usage and billing",
  description:
    "calls: answered calls, their durations, and missed calls within and outside the assistants' opening hours. Each answered call is billed for at least one minute.\n\n" +
    "usage, billing: calls and billed minutes for a distributor's organizations, in UTC.\n\n" +
    "Each report includes the figures of the previous month. For a file, use -o html, md, xlsx or csv.",
  formats: reportFormats,
  arguments: [{ name: "type", description: "calls, usage or billing", choices: Object.keys(types) }],
  flags: [
    {
      name: "month",
      value: "month",
      description: "Month such as 2026-10 (default: the current month up to now)",
    },
    {
      name: "by",
      value: "group",
      description: `Grouping of the rows; for calls: ${callGroupings.join(", ")}; for usage: ${organizationGroupings.join(", ")}`,
      choices: [...new Set<string>([...callGroupings, ...organizationGroupings])],
      strict: true,
    },
    { name: "assistant", value: "name|id", description: "For calls: only this assistant's calls" },
    {
      name: "timezone",
      value: "zone",
      description:
        "For calls: time zone, such as Europe/Berlin (default: the time zone of the assistants' calendars)",
    },
    {
      name: "check",
      description: "Compare calls with statistics, or usage with billing; exit with code 10 if they differ",
    },
  ],
  examples: [
    { command: "voxctl report calls" },
    { command: "voxctl report calls --by hour -o html > report.html", note: "Create a file for a customer" },
    { command: "voxctl report usage --by day" },
    { command: "voxctl report billing --check", note: "Compare billing with usage" },
  ],
  verdict: true,
  run(session, input) {
    const [name = ""] = input.arguments;
    const type = Object.hasOwn(types, name) ? types[name] : undefined;
    if (type === undefined)
      throw usageError(`invalid report "${name}": expected ${Object.keys(types).join(", ")}`);
    const unused = ["by", "assistant", "timezone"].find(
      (flag) => input.has(flag) && !type.flags.includes(flag),
    );
    if (unused !== undefined) throw usageError(`report ${name} does not accept --${unused}`);
    const by = input.text("by");
    if (by !== undefined && !type.groupings.includes(by))
      throw usageError(`invalid --by "${by}": expected ${type.groupings.join(", ")}`);
    return type.run(session, input);
  },
};
