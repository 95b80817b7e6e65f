import { setAside } from "../../../base/set-aside.js";
import type { Command } from "../../../cli/session/command.js";
import { changeEmulator, confirmLoss, emulatorFlags } from "./control.js";
import { formatEmulator } from "./emulator-target.js";
import { createSeedFlags, plantSeed, readBuiltInSeed, readSeed } from "./seed.js";

export const resetCommand: Command = {
  name: "reset",
  summary: "Reset an emulator to its initial data",
  description: "If the profile's database is damaged, renames the file and creates a new database.",
  flags: [
    ...createSeedFlags("Data after the reset"),
    { name: "new-keys", description: "Replace the initial API keys (default: keep them)" },
    ...emulatorFlags,
  ],
  confirms: true,
  examples: [
    { command: "voxctl emulator reset --seed empty --yes" },
    {
      command: "voxctl emulator reset --seed praxis --seed-target dev --yes",
      note: "Seeded from a configuration directory",
    },
    {
      command: "voxctl emulator reset --profile rehearsal",
      note: "Creates the profile's database if it doesn't exist",
    },
  ],
  async run(session, input) {
    const seed = await readSeed(session, input);
    await changeEmulator(
      session,
      input,
      async (control, target, { made, api }) => {
        // If this command created the database, there is no data to lose.
        if (!made)
          await confirmLoss(
            session,
            target,
            `Reset ${formatEmulator(target)}? All its data will be deleted.`,
          );
        const line = await control("reset", {
          body: { seed: readBuiltInSeed(input), new_keys: input.on("new-keys") === true },
        });
        const keys = seed === undefined ? {} : await plantSeed(session, { control, ...api }, seed);
        const more = Object.keys(keys).length === 0 ? {} : { seed_keys: keys };
        await session.output.item({ ...line, ...more });
      },
      {
        makes: true,
        async onDamaged(target) {
          await confirmLoss(
            session,
            target,
            `Replace the damaged database ${target.path}? It will be kept under another name.`,
          );
          session.notes.note(`Kept the damaged database as ${await setAside(target.path)}.`);
        },
      },
    );
  },
};
