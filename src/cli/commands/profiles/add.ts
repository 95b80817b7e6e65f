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

/** `voxctl profiles add NAME --url URL --key-stdin` */
export const addProfile: Command = {
  name: "add",
  summary: "Add a deployment, or another interface of one",
  description:
    "Run it once per API. The key comes from standard input, an environment variable, a file or a prompt, never from a flag. voxctl tests it with a read before it stores anything. A typed or piped key is stored in the system's keychain, or, without a keychain, in a file that only you can read. The first profile becomes the default. To replace a key, add the same URL again. A URL of a different host or service requires confirmation (--yes, or --confirm=<name> for a production profile).",
  arguments: [{ name: "name", description: "Name of the profile (default: prompted)", optional: true }],
  flags: [
    { name: "url", value: "address", description: "Base address of the interface: https://host/api/v1" },
    {
      name: "api",
      value: "name",
      description: "API of the URL",
      choices: apiNames,
      strict: true,
      default: "detected from the URL's path",
    },
    { name: "key-stdin", description: "Read the key from standard input" },
    {
      name: "key-env",
      value: "variable",
      description: "Take the key from this environment variable, each time",
    },
    { name: "key-file", value: "file", description: "Take the key from this file, each time" },
    {
      name: "keychain",
      description: "Store a typed or piped key in the system's keychain (default if available)",
      negatable: true,
    },
    {
      name: "expires",
      value: "date",
      description: "Expiry date of the key, such as 2027-03-31 (default for distributor keys: in a year)",
    },
    {
      name: "check",
      description: "Try the key before it is stored (the default); --no-check stores it untried",
      negatable: true,
    },
    {
      name: "ca-file",
      value: "file",
      description: "PEM file with additional certificate authorities for all APIs of the profile",
    },
    {
      name: "from-emulator",
      description: "Addresses and keys of all interfaces of a running emulator, in one step",
    },
    { name: "port", value: "port", description: "With --from-emulator: the one that listens there" },
    {
      name: "from-mirror",
      value: "name",
      description: "Create an offline profile with a copy of this mirror",
    },
    { name: "offline", description: "Create another offline profile instead of a deployment" },
    { name: "db", value: "file", description: "With --offline or --from-mirror: its SQLite file" },
    {
      name: "production",
      description: "Mark it: a banner, and destructive commands want --confirm=<name>",
      negatable: true,
    },
  ],
  examples: [
    { command: "voxctl profiles add acme --url https://voice.example.com/api/v1", note: "Asks for the key" },
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
        `"${name}" can't be a profile's name: letters, digits, dots, dashes and underscores, at most 64, and no device's name as CON or NUL`,
      );
    if (name === offlineName) throw usageError(`${offlineName} is the embedded emulator; take another name`);
    const configuration = await readConfiguration(session.folders);
    const broken = findBrokenProfile(configuration, name);
    if (broken !== undefined) throw createBrokenProfileError(name, broken);
    assertDistinctName(name, [
      offlineName,
      ...Object.keys({ ...configuration.profiles, ...configuration.broken }),
    ]);
    assertWritable(configuration, session.folders);
    const stored = findStoredProfile(configuration, name);
    if (input.has("port") && !input.on("from-emulator")) throw usageError("--port requires --from-emulator");
    const addition = await createAddition(name, stored, session, input);
    await storeProfile(name, addition, session);
  },
};

/** @throws usage error (2) without a terminal */
async function askName({ prompts }: Session): Promise<string> {
  if (!prompts.available) throw usageError("<name> is missing: what to call the profile");
  return (await prompts.text({ message: "name of the profile:", required: true })).trim();
}

/** Rejects names that differ only in case: on a case-insensitive file system they would share a database. */
function assertDistinctName(name: string, existingNames: readonly string[]): void {
  const twin = existingNames.find(
    (existingName) => existingName !== name && existingName.toLowerCase() === name.toLowerCase(),
  );
  if (twin !== undefined) throw usageError(`"${name}" differs from the profile ${twin} in capitals only`);
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
