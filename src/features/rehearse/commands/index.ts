import type { Command } from "../../../cli/session/command.js";
import { rehearseFlags } from "./flags.js";
import { runRehearse } from "./run.js";

/** `voxctl rehearse -- COMMAND …` */
export const rehearse: Command = {
  name: "rehearse",
  summary: "Run a command against a copy of the organization",
  description: `Runs a voxctl command or any program against a fork of a mirror, in virtual time: waits advance the fork's clock. Then prints the changes, the refused requests and the estimated duration. To create a mirror, run voxctl mirror create. To save the changes for voxctl apply, use --plan.

No request of voxctl in a rehearsal reaches the service. Other programs get the URL and key of the fork, and a proxy that blocks the service; a program that ignores both is not stopped.

Exits with the exit code of the command, or with code 12 if the proxy blocked a request or the plan is not reliable.`,
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
      command:
        "voxctl rehearse --plan kunden.plan -- contacts import kunden.csv --group Kunden --on-match update",
      note: "Then: voxctl apply kunden.plan",
    },
    { command: "voxctl rehearse -- sh -c 'voxctl groups list && ./cleanup.sh'" },
    { command: "voxctl rehearse --serve", note: "For another shell, until Ctrl-C" },
  ],
  verdict: true,
  run: runRehearse,
};
