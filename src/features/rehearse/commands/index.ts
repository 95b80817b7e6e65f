import type { Command } from "../../../cli/session/command.js";
import { rehearseFlags } from "./flags.js";
import { runRehearse } from "./run.js";

export const rehearse: Command = {
  name: "rehearse",
  summary: "Run a command against a copy of the organization",
  description: `Runs a voxctl command or any other program against a temporary copy (fork) of a mirror. Time is virtual: instead of waiting, voxctl advances the fork's clock. At the end, prints the changes, the rejected requests and the estimated duration. With an output format other than \`table\`, prints only the number of changes, and the command's own output goes to stderr.

To create a mirror, run \`voxctl mirror create\`. To save the changes for \`voxctl apply\`, use --plan. The rehearsed command and \`apply\` ask for confirmation as usual; without a terminal, they require --yes, or --confirm=NAME with a production profile.

During a rehearsal, voxctl sends no requests to the service. Other programs get the fork's URL and key, and a proxy that blocks the service. A program that uses neither can still reach the service.

Exits with the command's exit code, or with exit code 12 if the proxy blocked a request or the plan is not reliable.`,
  arguments: [
    {
      name: "command",
      description: "Command with its arguments, after --",
      variadic: true,
      optional: true,
    },
  ],
  flags: rehearseFlags,
  examples: [
    {
      command: "voxctl rehearse --plan kunden.plan -- contacts import kunden.csv --group Kunden --country DE",
      note: "To make the changes, run `voxctl apply kunden.plan`",
    },
    { command: "voxctl rehearse -- sh -c 'voxctl groups list && ./cleanup.sh'" },
    { command: "voxctl rehearse --serve", note: "Use the copy from another shell until you press Ctrl-C" },
  ],
  verdict: true,
  run: runRehearse,
};
