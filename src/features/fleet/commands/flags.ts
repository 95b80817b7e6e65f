import { quoteWord } from "../../../base/shell-words.js";
import { accessFlags } from "../../../cli/session/access-flags.js";
import type { Argument, Flag, Input } from "../../../cli/session/input.js";

export const memberFlags: readonly Flag[] = [
  { name: "fleet", value: "file", description: "Members file", default: "voxctl.fleet.yaml" },
  {
    name: "select",
    value: "labels",
    repeatable: true,
    description:
      "Members with these labels, such as kind=dental,ring!=canary; repeat the flag to add members",
  },
  ...accessFlags,
];

export function formatListCommand(input: Input): string {
  const file = input.text("fleet");
  return `voxctl fleet list${file === undefined ? "" : ` --fleet ${quoteWord(file)}`}`;
}

export const driveFlags: readonly Flag[] = [
  {
    name: "max-failures",
    value: "number|percent",
    description: "Number or share of members that may fail before the run stops",
    default: "from the members file, otherwise 0",
  },
  {
    name: "parallel",
    value: "number",
    description: "Number of members that run at the same time, across all machines",
    default: "from the members file, otherwise 4",
  },
  {
    name: "waves",
    value: "list",
    description: "Sizes of the waves, such as 1,10%,rest",
    default: "from the members file",
    conflicts: ["no-waves"],
  },
  { name: "no-waves", description: "Run all members in one wave" },
  { name: "report", value: "file", description: "File for the report, as JSON" },
  {
    name: "junit",
    value: "file",
    description: "File for the results as JUnit XML, with one test case per member",
  },
  { name: "force", description: "Overwrite the --report and --junit files even if they have other content" },
];

export const startFlags: readonly Flag[] = [
  {
    name: "ok-exit",
    value: "code",
    repeatable: true,
    description: "Exit code of a member that counts as success, in addition to 0",
  },
  {
    name: "require-keys",
    description: "Fail (exit code 12) if voxctl has no key for an organization listed by a distributor",
  },
];

export const commandArgument: Argument = {
  name: "command",
  description: "voxctl command and its arguments, after --",
  variadic: true,
};

export const runArgument: Argument = {
  name: "run",
  description: "ID of the fleet run; see `voxctl runs list`",
};
