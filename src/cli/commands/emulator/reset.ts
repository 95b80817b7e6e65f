import type { Command } from "../../session/command.js";
import { changeWorld, confirmLoss, worldFlags } from "./control.js";
import { worldName } from "./world.js";

export const resetCommand: Command = {
  name: "reset",
  summary: "Empty a world and fill it anew; the keys that it began with stay",
  flags: [
    {
      name: "seed",
      value: "seed",
      description: "what it holds then",
      choices: ["demo", "empty"],
      strict: true,
      default: "demo",
    },
    { name: "new-keys", description: "change the keys that it began with, too" },
    ...worldFlags,
  ],
  examples: [
    { command: "voxctl emulator reset --seed empty --yes" },
    { command: "voxctl emulator reset --profile rehearsal", note: "makes the profile's world, if it is new" },
  ],
  run: (session, input) =>
    changeWorld(
      session,
      input,
      async (control, world, { made }) => {
        // A world that was not there loses nothing.
        if (!made)
          await confirmLoss(session, world, `Everything in ${worldName(world)} will be deleted. Go on?`);
        await session.output.item(
          await control("reset", {
            body: { seed: input.text("seed") ?? "demo", new_keys: input.on("new-keys") === true },
          }),
        );
      },
      { makes: true },
    ),
};
