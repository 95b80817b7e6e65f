import type { Command } from "../../session/command.js";
import { rehearseFlags } from "./flags.js";
import { runRehearse } from "./run.js";

/** `voxctl rehearse -- COMMAND …` */
export const rehearse: Command = {
  name: "rehearse",
  summary: "Run a command against a copy of the organization",
  description: `Runs a voxctl command or any program against a fork of a mirror (voxctl mirror create), in virtual time: waits for limits and responses advance the fork's clock. Afterwards prints the created, changed and deleted resources, the rejected requests and the duration at the real limits. --plan saves exactly these changes as a plan file for voxctl apply.

No request of voxctl in a rehearsal reaches the service, regardless of the profile and of changes to the environment. Other programs get the fork's address and key, and a proxy that rejects the service's address. A program that ignores both can't be stopped: for other programs the guard is advisory.

Exits with the exit code of the command, or with code 12 if the guard rejected a request or the plan is not reliable.`,
  arguments: [
    {
      name: "command",
      description: "Command and its arguments, after --",
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
