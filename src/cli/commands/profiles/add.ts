import { isFileName } from "../../../base/file-names.js";
import { usageError } from "../../errors/errors.js";
import {
  createBrokenProfileError,
  findBrokenProfile,
  findStoredProfile,
  offlineName,
} from "../../profiles/choose.js";
import {
  apiNames,
  assertWritable,
  changeConfiguration,
  readConfiguration,
  type StoredProfile,
} from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { createFromEmulator, createRemote } from "./add-deployment.js";
import { createFromMirror, createOffline } from "./add-offline.js";
import type { Addition } from "./addition.js";
import { forgetKey } from "./key.js";
import { becomesDefault, formatDefaultNote, toProfileRow } from "./known-profiles.js";

export const addProfile: Command = {
  name: "add",
  summary: "Create a profile, or add an API to it",
  description:
    "Run the command once per API. The key comes from standard input, an environment variable, a file or a prompt, never from a flag. voxctl tests the key with a read request before it stores anything.\n\nA typed or piped key is stored in the system's keychain, or, without a keychain, in a file that only you can read. The first profile becomes the default.\n\nTo replace a key, add the same URL again. A URL of a different host or service requires confirmation (--yes, or --confirm=<name> for a production profile).",
  arguments: [{ name: "name", description: "Name of the profile (default: prompted)", optional: true }],
  flags: [
    { name: "url", value: "address", description: "Base URL of the API: https://host/api/v1" },
    {
      name: "api",
      value: "name",
      description: "API that the URL belongs to",
      choices: apiNames,
      strict: true,
      default: "detected from the URL's path",
    },
    { name: "key-stdin", description: "Read the key from standard input" },
    {
      name: "key-env",
      value: "variable",
      description: "Environment variable from which every command reads the key",
    },
    {
      name: "key-file",
      value: "file",
      description: "File from which every command reads the key",
    },
    {
      name: "keychain",
      description: "Store a typed or piped key in the system's keychain (default if available)",
      negatable: true,
    },
    {
      name: "expires",
      value: "date",
      description:
        "Expiry date of the key, such as 2027-03-31 (default for distributor keys: one year from now)",
    },
    {
      name: "check",
      description: "Test the key before it is stored (default); --no-check skips the test",
      negatable: true,
    },
    {
      name: "ca-file",
      value: "file",
      description: "PEM file with additional certificate authorities for all of the profile's APIs",
    },
    {
      name: "from-emulator",
      description: "Add the URLs and keys for all APIs of a running emulator",
    },
    {
      name: "port",
      value: "port",
      description: "Port of the emulator, with --from-emulator",
      requires: "from-emulator",
    },
    {
      name: "from-mirror",
      value: "name",
      description: "Create an offline profile with a copy of this mirror",
    },
    { name: "offline", description: "Create an offline profile with its own emulator database" },
    { name: "db", value: "file", description: "SQLite file of the profile, with --offline or --from-mirror" },
    {
      name: "production",
      description: "Mark as production: show a banner and require --confirm=<name> for destructive commands",
      negatable: true,
    },
  ],
  examples: [
    {
      command: "voxctl profiles add acme --url https://voice.example.com/api/v1",
      note: "Create a profile; voxctl asks for the key",
    },
    {
      command:
        "voxctl profiles add acme --url https://voice.example.com/api/distributor/v2 --key-env ACME_DISTRIBUTOR_KEY",
    },
    { command: "voxctl profiles add rehearsal --offline" },
    { command: "voxctl profiles add local --from-emulator" },
    { command: "voxctl profiles add acme-copy --from-mirror acme" },
  ],
  async run(session, input) {
    const name = input.arguments[0] ?? (await askName(session));
    if (!isFileName(name))
      throw usageError(
        `invalid profile name "${name}": expected at most 64 letters, digits, dots, dashes or underscores, but not a device name such as CON`,
      );
    if (name === offlineName) throw usageError(`profile name "${offlineName}" is reserved; use another name`);
    const configuration = await readConfiguration(session.folders);
    const broken = findBrokenProfile(configuration, name);
    if (broken !== undefined) throw createBrokenProfileError(name, broken);
    assertDistinctName(name, [
      offlineName,
      ...Object.keys({ ...configuration.profiles, ...configuration.broken }),
    ]);
    assertWritable(configuration, session.folders);
    const stored = findStoredProfile(configuration, name);
    const addition = await createAddition(name, stored, session, input);
    await storeProfile(name, addition, session);
  },
};

/** @throws usage error (2) without a terminal */
async function askName({ prompts }: Session): Promise<string> {
  if (!prompts.available) throw usageError("missing argument: <name>");
  return (await prompts.text({ message: "Profile name:", required: true })).trim();
}

/**
 * Refuses a name that differs from an existing name only in case. On some file systems, the two profiles
 * would share a database.
 */
function assertDistinctName(name: string, existingNames: readonly string[]): void {
  const twin = existingNames.find(
    (existingName) => existingName !== name && existingName.toLowerCase() === name.toLowerCase(),
  );
  if (twin !== undefined)
    throw usageError(`"${name}" differs from profile "${twin}" only in upper and lower case`);
}

async function createAddition(
  name: string,
  stored: StoredProfile | undefined,
  session: Session,
  input: Input,
): Promise<Addition> {
  const mirror = input.text("from-mirror");
  if (input.on("from-emulator")) return createFromEmulator(name, stored, session, input);
  if (mirror !== undefined) return createFromMirror({ name, mirror, stored }, session, input);
  return input.on("offline")
    ? createOffline(name, stored, session, input)
    : createRemote(name, stored, session, input);
}

async function storeProfile(name: string, { onto, key, note }: Addition, session: Session): Promise<void> {
  let first = false;
  const changed = await changeConfiguration(session.folders, session.clock, (current) => {
    first = becomesDefault(current);
    return {
      ...current,
      ...(first ? { default: name } : {}),
      profiles: { ...current.profiles, [name]: onto(findStoredProfile(current, name)) },
    };
  }).catch(async (error: unknown) => {
    if (key) await forgetKey(key.added, session);
    throw error;
  });
  if (key?.replaced) await forgetKey(key.replaced, session);
  if (note !== undefined) session.notes.note(note);
  const profile = findStoredProfile(changed, name);
  if (profile) await session.output.item(toProfileRow(name, profile, changed));
  if (first) session.notes.note(formatDefaultNote(name));
}
