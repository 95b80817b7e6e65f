import { suggestName } from "../../../base/suggestions.js";
import { usageError } from "../../errors/errors.js";
import { findStoredProfile } from "../../profiles/choose.js";
import { assertUnchanged, changeConfiguration, type StoredProfile } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import { splitList } from "../../session/folder-access.js";
import { formats } from "../../session/globals.js";
import type { Session } from "../../session/session.js";
import { keepStoreSecret, listStoreAccounts } from "../../session/store-secrets.js";
import { forgetKey } from "./key.js";
import { findProfileIn, findStored, toProfileRow } from "./known-profiles.js";

type Defaults = NonNullable<StoredProfile["defaults"]>;

const names = [
  ...["country", "group", "output", "allow_env", "allow_files"],
  ...["store", "store_key", "store_password"],
] as const satisfies readonly (keyof Defaults)[];

export const setDefaults: Command = {
  name: "set",
  summary: "Set a profile's default values",
  description:
    "`country` sets the default for --country when a command reads contacts from a file. `group` sets the default for --group in `contacts import` and `contacts create`. `output` sets the default for --output on a terminal. To remove a default, use `NAME=`.\n\n`allow_env` and `allow_files` are comma-separated globs for the environment variables, keychain entries and files that a directory's configuration may read; relative paths are relative to that directory.\n\n`store` is the PostgreSQL database in which machines share runs; `store_key` and `store_password` name the sources of its key and password. With `keychain:`, voxctl asks for the value and stores it in the keychain.",
  arguments: [
    { name: "name", description: "Name of the profile" },
    {
      name: "default",
      description:
        "country=DE, group=NAME, output=FORMAT, allow_env=GLOBS, allow_files=GLOBS, store=URL, store_key=SOURCE, store_password=SOURCE",
      variadic: true,
    },
  ],
  examples: [
    { command: "voxctl profiles set acme country=DE group=Kunden" },
    {
      command: "voxctl profiles set acme output=yaml group=",
      note: "Set the output format and remove the default group",
    },
    {
      command: "voxctl profiles set acme 'allow_env=CRM_*' allow_files=/run/secrets/crm",
      note: "Allow a directory's configuration to read these variables and files",
    },
    { command: "voxctl profiles set offline country=DE", note: "Set a default for the local emulator" },
    {
      command:
        "voxctl profiles set acme store=postgres://voxctl@db.example.com/ops store_key=env:ACME_STORE_KEY",
      note: "Share runs with other machines",
    },
  ],
  async run(session, input) {
    const [name = "", ...pairs] = input.arguments;
    const given = pairs.map(readDefault);
    for (const [of, value] of given)
      if (of === "country" && typeof value === "string") {
        const { isCountry } = await import("../../../features/import/contacts/numbering.js");
        if (!(await isCountry(value)))
          throw usageError(`invalid country "${value}": expected a code such as DE, AT or CH`);
      }
    const { profile } = await findStored(name, session);
    const kept = await prepareStore(session, name, given);
    const changed = await changeConfiguration(session.folders, session.clock, (current) => {
      assertUnchanged(name, profile, findProfileIn(current, name, session));
      const { defaults: former, ...profileFields } = profile;
      const entries = Object.entries({ ...former, ...Object.fromEntries(given), ...kept }).filter(
        ([, value]) => value !== undefined,
      );
      const defaults = entries.length === 0 ? undefined : Object.fromEntries(entries);
      // The built-in offline profile is not stored, so its defaults are in a separate field.
      if (!findStoredProfile(current, name)) return { ...current, offline_defaults: defaults };
      const stored = defaults === undefined ? profileFields : { ...profileFields, defaults };
      return { ...current, profiles: { ...current.profiles, [name]: stored } };
    });
    const stored = findProfileIn(changed, name, session);
    const accounts = listStoreAccounts(session.folders, name, stored.defaults);
    for (const account of listStoreAccounts(session.folders, name, profile.defaults))
      if (!accounts.includes(account)) await forgetKey({ from: "keychain", account }, session);
    await session.output.item(toProfileRow(name, stored, changed));
  },
};

/** @throws usage error (2) */
async function prepareStore(
  session: Session,
  profile: string,
  given: readonly (readonly [name: keyof Defaults, value: string | readonly string[] | undefined])[],
): Promise<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of given) {
    if (typeof value !== "string") continue;
    if (name === "store") {
      const { assertStorable } = await import("../../bulk/store-choice.js");
      await assertStorable(value);
    }
    if (name === "store_key" || name === "store_password")
      kept[name] = await keepStoreSecret(session, profile, name, value);
  }
  return kept;
}

/** @throws usage error (2) that names the default */
function readDefault(pair: string): readonly [keyof Defaults, string | readonly string[] | undefined] {
  const at = pair.indexOf("=");
  const typed = at === -1 ? pair : pair.slice(0, at);
  const name = names.find((candidate) => candidate === typed);
  if (name === undefined || at === -1)
    throw usageError(
      `invalid default "${pair}": expected ${names.map((defaultName) => `${defaultName}=…`).join(", ")}`,
      {
        hint: suggestName(typed, names).trimEnd() || "for usage, run `voxctl profiles set --help`",
      },
    );
  const value = pair.slice(at + 1).trim();
  if (value === "") return [name, undefined];
  if (name === "country" && !/^[A-Za-z]{2}$/.test(value))
    throw usageError(`invalid country "${value}": expected a code such as DE`);
  if (name === "output" && !formats.some((format) => format === value))
    throw usageError(`invalid output "${value}": expected ${formats.join(", ")}`);
  if (name === "allow_env" || name === "allow_files") return [name, splitList(value)];
  return [name, name === "country" ? value.toUpperCase() : value];
}
