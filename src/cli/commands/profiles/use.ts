import { assertUnchanged, changeConfiguration } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import { findProfileIn, findStored, toProfileRow } from "./known-profiles.js";

export const useProfile: Command = {
  name: "use",
  summary: "Make a profile the default",
  arguments: [{ name: "name", description: "Name of the profile" }],
  examples: [{ command: "voxctl profiles use acme" }, { command: "voxctl profiles use offline" }],
  async run(session, input) {
    const name = input.arguments[0] ?? "";
    const { profile } = await findStored(name, session);
    const changed = await changeConfiguration(session.folders, session.clock, (current) => {
      assertUnchanged(name, profile, findProfileIn(current, name, session));
      return { ...current, default: name };
    });
    await session.output.item(toProfileRow(name, profile, changed));
  },
};
