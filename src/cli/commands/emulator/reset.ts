import type { Command } from "../../session/command.js";
import { changeEmulator, confirmLoss, emulatorFlags } from "./control.js";
import { formatEmulator } from "./emulator-target.js";
import { createSeedFlags, plantSeed, readBuiltInSeed, readSeed } from "./seed.js";

export const resetCommand: Command = {
  name: "reset",
  summary: "Empty a world and fill it anew; the keys that it began with stay",
  flags: [
    ...createSeedFlags("what it holds then"),
    { name: "new-keys", description: "change the keys that it began with, too" },
    ...emulatorFlags,
  ],
  examples: [
    { command: "voxctl emulator reset --seed empty --yes" },
    {
      command: "voxctl emulator reset --seed praxis --seed-target dev --yes",
      note: "as a configuration folder says",
    },
    { command: "voxctl emulator reset --profile rehearsal", note: "makes the profile's world, if it is new" },
  ],
  async run(session, input) {
    const seed = await readSeed(session, input);
    await changeEmulator(
      session,
      input,
      async (control, target, { made, api }) => {
        // A world that was not there loses nothing.
        if (!made)
          await confirmLoss(
            session,
            target,
            `Everything in ${formatEmulator(target)} will be deleted. Go on?`,
          );
        const line = await control("reset", {
          body: { seed: readBuiltInSeed(input), new_keys: input.on("new-keys") === true },
        });
        const keys = seed === undefined ? {} : await plantSeed(session, { control, ...api }, seed);
        const more = Object.keys(keys).length === 0 ? {} : { seed_keys: keys };
        await session.output.item({ ...line, ...more });
      },
      { makes: true },
    );
  },
};
