import { chooseProfile, offlineName } from "../../profiles/choose.js";
import type { RemoteProfile } from "../../profiles/profile.js";
import type { Command } from "../../session/command.js";
import { findStored, toProfileRow } from "./known-profiles.js";

export const showProfile: Command = {
  name: "show",
  aliases: ["get"],
  summary: "Show a profile, by default the selected one",
  arguments: [
    { name: "name", description: "Name of the profile (default: the current one)", optional: true },
  ],
  examples: [{ command: "voxctl profiles show" }, { command: "voxctl profiles show acme" }],
  async run(session, input) {
    const [given] = input.arguments;
    const chosen = given === undefined ? await chooseProfile(session, session.flags.profile) : undefined;
    if (chosen?.type === "remote" && chosen.chosenBy === "environment")
      return session.output.item(toEnvironmentRow(chosen));
    const name = given ?? chosen?.name ?? offlineName;
    const { configuration, profile } = await findStored(name, session);
    await session.output.item({
      ...toProfileRow(name, profile, configuration),
      ...(chosen && { chosen_by: chosen.chosenBy }),
    });
  },
};

function toEnvironmentRow({ name, type, chosenBy, production, targets }: RemoteProfile) {
  const apis = Object.entries(targets).map(([api, { baseUrl }]) => [api, { url: baseUrl }]);
  return { name, type, chosen_by: chosenBy, production, apis: Object.fromEntries(apis) };
}
