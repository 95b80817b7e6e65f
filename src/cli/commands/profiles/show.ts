import { chooseProfile } from "../../profiles/choose.js";
import type { Command } from "../../session/command.js";
import { findStored, toProfileRow } from "./known-profiles.js";

export const showProfile: Command = {
  name: "show",
  aliases: ["get"],
  summary: "Show a profile and how it was selected",
  arguments: [
    { name: "name", description: "Name of the profile (default: the current one)", optional: true },
  ],
  examples: [{ command: "voxctl profiles show" }, { command: "voxctl profiles show acme" }],
  async run(session, input) {
    const [name] = input.arguments;
    if (name !== undefined) {
      const { configuration, profile } = await findStored(name, session);
      await session.output.item(toProfileRow(name, profile, configuration));
      return;
    }
    const chosen = await chooseProfile(session, session.flags.profile);
    const shared = {
      name: chosen.name,
      type: chosen.type,
      chosen_by: chosen.chosenBy,
      production: chosen.production,
      ...(chosen.defaults ? { defaults: chosen.defaults } : {}),
    };
    if (chosen.type === "offline") await session.output.item({ ...shared, db: chosen.db });
    else {
      const addresses = Object.entries({ ...chosen.targets, ...chosen.unreadable }).map(([api, target]) => [
        api,
        { url: target.baseUrl },
      ]);
      await session.output.item({
        ...shared,
        apis: Object.fromEntries(addresses),
        ...(chosen.caFile === undefined ? {} : { ca_file: chosen.caFile }),
      });
    }
  },
};
