import { forgetRemembered } from "../../completion/remembered/cache.js";
import { addIgnoreNotFoundFlag } from "../../derive/ignore-not-found.js";
import { refusedError, usageError } from "../../errors/errors.js";
import { findBrokenProfile, findStoredProfile, offlineName } from "../../profiles/choose.js";
import {
  apiNames,
  assertUnchanged,
  assertWritable,
  changeConfiguration,
  readConfiguration,
} from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import { listStoreAccounts } from "../../session/store-secrets.js";
import { forgetKey } from "./key.js";
import { listAllProfiles, toUnknownProfileError } from "./known-profiles.js";

export const removeProfile: Command = addIgnoreNotFoundFlag({
  name: "remove",
  // Accept the names that other resources use for this action.
  aliases: ["rm", "delete"],
  summary: "Remove a profile and its keys",
  arguments: [{ name: "name", description: "Name of the profile" }],
  confirms: true,
  confirmsLocally: true,
  examples: [{ command: "voxctl profiles remove acme --yes" }],
  async run(session, input) {
    const name = input.arguments[0] ?? "";
    const configuration = await readConfiguration(session.folders);
    assertWritable(configuration, session.folders);
    const stored = findStoredProfile(configuration, name);
    const broken = findBrokenProfile(configuration, name);
    if (!stored && !broken && name === offlineName)
      throw usageError(`profile ${offlineName} can't be removed; to reset it, run \`voxctl emulator reset\``);
    if (!stored && !broken)
      throw toUnknownProfileError(name, [
        ...listAllProfiles(configuration, session).map(([profileName]) => profileName),
        ...Object.keys(configuration.broken),
      ]);
    if (!session.flags.yes) {
      if (!session.prompts.available)
        throw refusedError(
          "confirmation_required",
          "confirmation required, but stdin is not a terminal",
          "use --yes to confirm",
        );
      if (
        !(await session.prompts.confirm({
          message: `Remove profile "${name}" and its keys?`,
          default: false,
        }))
      )
        throw refusedError("not_confirmed", "not confirmed; nothing was removed");
    }
    await changeConfiguration(session.folders, session.clock, (current) => {
      assertUnchanged(
        name,
        stored ?? broken,
        findStoredProfile(current, name) ?? findBrokenProfile(current, name),
      );
      const { [name]: _, ...profiles } = current.profiles;
      const { [name]: __, ...otherBroken } = current.broken;
      const { default: preset, ...unchanged } = current;
      const kept = preset === undefined || preset === name ? {} : { default: preset };
      return { ...unchanged, ...kept, profiles, broken: otherBroken };
    });
    if (stored?.kind === "remote")
      for (const api of apiNames) {
        const target = stored.surfaces[api];
        if (target) await forgetKey(target.key, session);
      }
    for (const account of listStoreAccounts(session.folders, name, stored?.defaults))
      await forgetKey({ from: "keychain", account }, session);
    forgetRemembered(session.folders, name);
    if (stored?.kind === "offline") session.notes.note(`Kept the profile's database ${stored.db}.`);
    await session.output.item({ name, deleted: true });
  },
});
