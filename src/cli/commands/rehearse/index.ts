import type { Command } from "../../session/command.js";
import { rehearseFlags } from "./flags.js";
import { runRehearse } from "./run.js";

/** `voxctl rehearse -- COMMAND …` */
export const rehearse: Command = {
  name: "rehearse",
  summary: "Run a command against a copy of the organization, and see what it would do",
  description: `The command, a voxctl command or any program, runs against a fork of a mirror (voxctl mirror create), in virtual time: waits for limits and for answers move the fork's clock instead of lasting. Afterwards its effect is printed: what it created, changed and deleted, what was refused, how long it takes at the real limits. --plan seals exactly that as a plan for voxctl apply.

Nothing that voxctl sends in a rehearsal reaches the service, whichever profile is named and whatever a script does to its environment. Other programs are given the fork's address and key, and a proxy that refuses the service's own address; what ignores both can't be held, so for other programs the guard is advisory.

It ends with the command's own exit code; with 12 where the guard refused something or a plan would not be sound.`,
  arguments: [
    {
      name: "command",
      description: "the command and its arguments, after --",
      variadic: true,
      optional: true,
    },
  ],
  flags: rehearseFlags,
  examples: [
    {
      command:
        "voxctl rehearse --plan kunden.plan -- contacts import kunden.csv --group Kunden --on-match update",
      note: "then: voxctl apply kunden.plan",
    },
    { command: "voxctl rehearse -- sh -c 'voxctl groups list && ./cleanup.sh'" },
    { command: "voxctl rehearse --serve", note: "for another shell, until Ctrl-C" },
  ],
  verdict: true,
  run: runRehearse,
};
