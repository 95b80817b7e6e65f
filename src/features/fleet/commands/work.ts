import { usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";

/** `voxctl fleet work` */
export const work: Command = {
  name: "work",
  summary: "Help with the fleet runs of a store",
  description: "Requires a store that several machines share; this version runs fleets on one machine.",
  examples: [{ command: "voxctl fleet work" }],
  async run() {
    throw usageError("fleet work requires a store, and fleet runs can't be shared through a store yet", {
      hint: "to run a fleet on this machine, run `voxctl fleet run -- COMMAND`",
    });
  },
};
