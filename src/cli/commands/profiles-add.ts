import { resolve } from "node:path";
import * as z from "zod";
import type { SurfaceName } from "../../contract/surfaces.js";
import type { Command, Input } from "../command.js";
import { usageError } from "../errors.js";
import { parseAddress } from "../profiles/address.js";
import { offlineFile, offlineName, storedProfile, surfaceNames } from "../profiles/choose.js";
import {
  type Configuration,
  readConfiguration,
  type StoredProfile,
  writeConfiguration,
} from "../profiles/store.js";
import type { Session } from "../session.js";
import { askForPlace, confirmProfile } from "./profiles-ask.js";
import { keepKey, keyFlags, readKey } from "./profiles-key.js";
import { profileRow } from "./profiles-manage.js";

/** `voxctl profiles add NAME --url URL --key-stdin` */
export const addProfile: Command = {
  name: "add",
  summary: "Add a deployment, or another interface of one",
  description:
    "Run it once per interface. The key comes from standard input, an environment variable, a file or a prompt, never from a flag. What is typed or piped goes to the system's keychain, or, where there is none, to a file that only you can read. The first profile becomes the default.",
  arguments: [{ name: "name", description: "what to call it" }],
  flags: [
    { name: "url", value: "address", description: "base address of the interface: https://host/api/v1" },
    {
      name: "surface",
      value: "name",
      description: "which interface it is",
      choices: surfaceNames,
      strict: true,
      default: "public",
    },
    { name: "key-stdin", description: "read the key from standard input" },
    {
      name: "key-env",
      value: "variable",
      description: "take the key from this environment variable, each time",
    },
    { name: "key-file", value: "file", description: "take the key from this file, each time" },
    {
      name: "keychain",
      description:
        "keep a key that is typed or piped in the system's keychain (the default where there is one)",
      negatable: true,
    },
    {
      name: "expires",
      value: "date",
      description: "when the key ends, 2027-03-31; of a distributor's key a year from now unless given",
    },
    { name: "offline", description: "another offline world instead of a deployment" },
    { name: "db", value: "file", description: "with --offline: its SQLite file" },
    {
      name: "production",
      description: "mark it: a banner, and destructive commands want --confirm=<name>",
      negatable: true,
    },
    { name: "use", description: "make it the default" },
  ],
  examples: [
    { command: "voxctl profiles add acme --url https://voice.example.com/api/v1", note: "asks for the key" },
    {
      command:
        "voxctl profiles add acme --surface distributor-v2 --url https://voice.example.com/api/distributor/v2 --key-env ACME_DISTRIBUTOR_KEY",
    },
    { command: "voxctl profiles add rehearsal --offline" },
  ],
  async run(session, input) {
    const name = input.arguments[0] ?? "";
    if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
      throw usageError(
        `"${name}" can't be a profile's name: letters, digits, dots, dashes and underscores, at most 64`,
      );
    if (name === offlineName) throw usageError(`${offlineName} is the embedded emulator; take another name`);
    const configuration = await readConfiguration(session.folders);
    const stored = storedProfile(configuration, name);
    const profile = input.on("offline")
      ? offline(name, stored, session, input)
      : await remote(name, stored, session, input);
    const first = Object.keys(configuration.profiles).length === 0 && configuration.default === undefined;
    const changed: Configuration = {
      ...configuration,
      ...(first || input.on("use") ? { default: name } : {}),
      profiles: { ...configuration.profiles, [name]: profile },
    };
    await writeConfiguration(session.folders, changed);
    await session.output.item(profileRow(name, profile, changed));
    if (first) session.notes.note(`${name} is the default now; voxctl profiles use offline goes back`);
  },
};

function offline(
  name: string,
  stored: StoredProfile | undefined,
  session: Session,
  input: Input,
): StoredProfile {
  for (const flag of ["url", "surface", "expires", "keychain", ...keyFlags])
    if (input.has(flag)) throw usageError(`--${flag} does not go with --offline`);
  if (stored?.kind === "remote")
    throw usageError(`"${name}" is a deployment; remove it first or take another name`);
  const file = input.text("db");
  const db =
    file === undefined ? (stored?.db ?? offlineFile(session.folders, name)) : resolve(session.io.cwd, file);
  return { kind: "offline", production: input.on("production") ?? stored?.production ?? false, db };
}

async function remote(
  name: string,
  stored: StoredProfile | undefined,
  session: Session,
  input: Input,
): Promise<StoredProfile> {
  if (input.has("db")) throw usageError("--db goes with --offline");
  if (stored?.kind === "offline")
    throw usageError(`"${name}" is an offline world; remove it first or take another name`);
  const given = surfaceNames.find((one) => one === input.text("surface"));
  const address = input.text("url");
  if (address === undefined && !session.prompts.available)
    throw usageError("--url: the base address is missing");
  // An address that was typed is checked before anything is asked.
  if (address !== undefined) parseAddress(address, given ?? "public", "--url");
  const said = { surface: given, address, production: input.on("production") ?? stored?.production };
  const { surface, url, production } =
    address === undefined
      ? await askForPlace(said, session)
      : {
          surface: given ?? "public",
          url: parseAddress(address, given ?? "public", "--url"),
          production: said.production,
        };
  const expires = readExpiry(session, input, surface);
  const found = await readKey(name, session, input);
  if (address === undefined) {
    await confirmProfile(session, {
      name,
      surface,
      url,
      production,
      expires: input.text("expires"),
      key: found,
    });
  }
  const key =
    found.from === "typed"
      ? await keepKey(found.value, { profile: name, stored, surface }, session, input)
      : found;
  noteExpiry(session, input, expires);
  return {
    kind: "remote",
    production: production ?? false,
    surfaces: { ...stored?.surfaces, [surface]: { url, key, ...(expires === undefined ? {} : { expires }) } },
    paths: stored?.paths ?? {},
  };
}

const day = 86_400_000;
const distributorDays = 365;

/** The day on which the key ends; of a distributor's key one is assumed (dist.auth.expired). */
function readExpiry(session: Session, input: Input, surface: SurfaceName): string | undefined {
  const text = input.text("expires");
  if (text === undefined) {
    if (!surface.startsWith("distributor")) return undefined;
    return new Date(session.clock.now() + distributorDays * day).toISOString().slice(0, 10);
  }
  if (!z.iso.date().safeParse(text).success)
    throw usageError(`--expires: "${text}" is no date; write 2027-03-31`);
  return text;
}

function noteExpiry(session: Session, input: Input, expires: string | undefined): void {
  if (expires === undefined) return;
  if (!input.has("expires"))
    session.notes.note(`The key is taken to end on ${expires}, a year from now; --expires says otherwise`);
  else if (Date.parse(expires) < session.clock.now())
    session.notes.warn(`--expires: ${expires} has passed; the key will hardly open anything`);
}
