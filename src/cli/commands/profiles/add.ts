import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { isFileName } from "../../../base/file-names.js";
import { makePrivateFolder } from "../../../base/private-file.js";
import type { SurfaceName } from "../../../contract/surfaces.js";
import { type CliError, usageError } from "../../errors/errors.js";
import { parseAddress, readSurface } from "../../profiles/address.js";
import { offlineFile, offlineName, storedProfile } from "../../profiles/choose.js";
import {
  assertUnchanged,
  assertWritable,
  changeConfiguration,
  readConfiguration,
  type StoredKey,
  type StoredProfile,
  type StoredRemote,
  surfaceNames,
} from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import { copyMirror } from "../../session/mirror-fork.js";
import { openPublicMirror } from "../../session/mirrors.js";
import type { Session } from "../../session/session.js";
import { askForPlace, confirmProfile } from "./ask.js";
import { forgetKey, keepKey, keyFlags, keyValue, readKey } from "./key.js";
import { profileRow } from "./known-profiles.js";
import { tryKey } from "./try.js";

/** The profile to be added. */
interface Addition {
  /** The profile, made from what is stored of it when the file is changed. @throws conflict (6) */
  onto(stored: StoredProfile | undefined): StoredProfile;
  /** The key it brings along, and the one whose place it takes. */
  key?: { added: StoredKey; replaced: StoredKey | undefined };
}

/** `voxctl profiles add NAME --url URL --key-stdin` */
export const addProfile: Command = {
  name: "add",
  summary: "Add a deployment, or another interface of one",
  description:
    "Run it once per interface. The key comes from standard input, an environment variable, a file or a prompt, never from a flag. It is tried, by the interface's cheapest read, before anything is stored. What is typed or piped goes to the system's keychain, or, where there is none, to a file that only you can read. The first profile becomes the default.",
  arguments: [{ name: "name", description: "what to call it" }],
  flags: [
    { name: "url", value: "address", description: "base address of the interface: https://host/api/v1" },
    {
      name: "surface",
      value: "name",
      description: "which interface it is",
      choices: surfaceNames,
      strict: true,
      default: "what the address ends in says",
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
    {
      name: "check",
      description: "try the key before it is stored (the default); --no-check stores it untried",
      negatable: true,
    },
    {
      name: "ca-file",
      value: "file",
      description: "trust the authorities in this PEM file, too, for all of the profile's interfaces",
    },
    {
      name: "from-emulator",
      description: "addresses and keys of all interfaces of a running emulator, in one step",
    },
    { name: "port", value: "port", description: "with --from-emulator: the one that listens there" },
    {
      name: "from-mirror",
      value: "name",
      description: "an offline world that begins as a copy of this mirror",
    },
    { name: "offline", description: "another offline world instead of a deployment" },
    { name: "db", value: "file", description: "with --offline or --from-mirror: its SQLite file" },
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
        "voxctl profiles add acme --url https://voice.example.com/api/distributor/v2 --key-env ACME_DISTRIBUTOR_KEY",
    },
    { command: "voxctl profiles add rehearsal --offline" },
    { command: "voxctl profiles add local --from-emulator" },
    { command: "voxctl profiles add acme-copy --from-mirror acme" },
  ],
  async run(session, input) {
    const name = input.arguments[0] ?? "";
    if (!isFileName(name))
      throw usageError(
        `"${name}" can't be a profile's name: letters, digits, dots, dashes and underscores, at most 64, and no device's name as CON or NUL`,
      );
    if (name === offlineName) throw usageError(`${offlineName} is the embedded emulator; take another name`);
    const configuration = await readConfiguration(session.folders);
    assertUnlikeOthers(name, [offlineName, ...Object.keys(configuration.profiles)]);
    await assertWritable(configuration, session.folders);
    const stored = storedProfile(configuration, name);
    if (input.has("port") && !input.on("from-emulator")) throw usageError("--port goes with --from-emulator");
    const addition = await additionOf(name, stored, session, input);
    await store(name, addition, session, input);
  },
};

/** Names that differ in capitals only would share a world's file where the system doesn't tell them apart. */
function assertUnlikeOthers(name: string, others: readonly string[]): void {
  const twin = others.find((other) => other !== name && other.toLowerCase() === name.toLowerCase());
  if (twin !== undefined) throw usageError(`"${name}" differs from the profile ${twin} in capitals only`);
}

async function additionOf(
  name: string,
  stored: StoredProfile | undefined,
  session: Session,
  input: Input,
): Promise<Addition> {
  const mirror = input.text("from-mirror");
  if (input.on("from-emulator")) return fromEmulator(name, session, input);
  if (mirror !== undefined) return fromMirror({ name, mirror, stored }, session, input);
  return input.on("offline") ? offline(name, session, input) : remote(name, stored, session, input);
}

async function store(name: string, { onto, key }: Addition, session: Session, input: Input): Promise<void> {
  let first = false;
  const changed = await changeConfiguration(session.folders, session.clock, (current) => {
    first = Object.keys(current.profiles).length === 0 && current.default === undefined;
    return {
      ...current,
      ...(first || input.on("use") ? { default: name } : {}),
      profiles: { ...current.profiles, [name]: onto(storedProfile(current, name)) },
    };
  }).catch(async (error: unknown) => {
    if (key) await forgetKey(key.added, session);
    throw error;
  });
  if (key?.replaced) await forgetKey(key.replaced, session);
  const profile = storedProfile(changed, name);
  if (profile) await session.output.item(profileRow(name, profile, changed));
  if (first) session.notes.note(`${name} is the default now; voxctl profiles use offline goes back`);
}

/** The words about a deployment, and the facts about an emulator. */
const deploymentFlags = ["url", "surface", "expires", "keychain", "check", "ca-file", ...keyFlags];

function refuseBeside(kind: string, flags: readonly string[], input: Input): void {
  const stray = flags.find((flag) => input.on(flag) !== undefined || input.has(flag));
  if (stray !== undefined) throw usageError(`--${stray} does not go with --${kind}`);
}

/** A running emulator's addresses, with the keys that its world began with: they open nothing else. */
async function fromEmulator(name: string, session: Session, input: Input): Promise<Addition> {
  refuseBeside("from-emulator", [...deploymentFlags, "offline", "from-mirror", "db", "production"], input);
  const { runningEmulator } = await import("../emulator/running.js");
  const surfaces = await runningEmulator(session, input.text("port"));
  return {
    onto(stored) {
      if (stored?.kind === "offline") throw kindError(name, stored);
      return {
        ...stored,
        kind: "remote",
        production: stored?.production ?? false,
        surfaces: Object.fromEntries(
          Object.entries(surfaces).map(([surface, { url, key }]) => [
            surface,
            { url, key: { from: "stored" as const, value: key } },
          ]),
        ),
        paths: {},
      };
    },
  };
}

function offline(name: string, session: Session, input: Input): Addition {
  refuseBeside("offline", deploymentFlags, input);
  const file = input.text("db");
  return {
    onto(stored) {
      if (stored?.kind === "remote") throw kindError(name, stored);
      const db =
        file === undefined
          ? (stored?.db ?? offlineFile(session.folders, name))
          : resolve(session.io.cwd, file);
      const production = input.on("production") ?? stored?.production ?? false;
      return { ...stored, kind: "offline", production, db };
    },
  };
}

/** A copy of a mirror, to keep and to write into: what the mirror is deleted for does not concern it. */
async function fromMirror(
  { name, mirror, stored }: { name: string; mirror: string; stored: StoredProfile | undefined },
  session: Session,
  input: Input,
): Promise<Addition> {
  refuseBeside("from-mirror", [...deploymentFlags, "offline"], input);
  if (stored?.kind === "remote") throw kindError(name, stored);
  const file = input.text("db");
  const db = file === undefined ? offlineFile(session.folders, name) : resolve(session.io.cwd, file);
  if (existsSync(db)) throw usageError(`${db} is there already; give another name, or another file by --db`);
  const found = await openPublicMirror(session, mirror);
  await makePrivateFolder(dirname(db));
  copyMirror(found, db);
  if (!found.manifest.pseudonymized)
    session.notes.note(`${db} holds the personal data of ${mirror}, and does not expire`);
  return offlineAddition(name, db, input);
}

function offlineAddition(name: string, db: string, input: Input): Addition {
  return {
    onto(stored) {
      if (stored?.kind === "remote") throw kindError(name, stored);
      const production = input.on("production") ?? stored?.production ?? false;
      return { ...stored, kind: "offline", production, db };
    },
  };
}

function kindError(name: string, { kind }: StoredProfile): CliError {
  const what = kind === "remote" ? "a deployment" : "an offline world";
  return usageError(`"${name}" is ${what}; remove it first or take another name`);
}

async function remote(
  name: string,
  stored: StoredProfile | undefined,
  session: Session,
  input: Input,
): Promise<Addition> {
  if (input.has("db")) throw usageError("--db goes with --offline or --from-mirror");
  if (stored?.kind === "offline") throw kindError(name, stored);
  const caFile = (await readCaFile(session, input)) ?? stored?.ca_file;
  const { surface, url, production } = await readPlace(stored, session, input);
  const expires = readExpiry(session, input, surface);
  const found = await readKey(name, session, input);
  if (input.text("url") === undefined) {
    await confirmProfile(session, {
      name,
      surface,
      url,
      production,
      expires: input.text("expires"),
      key: found,
    });
  }
  if (input.on("check") !== false) {
    const key = await keyValue(found, name, session);
    await tryKey({ name, surface, url, key, paths: stored?.paths ?? {}, caFile }, session);
  }
  const former = stored?.surfaces[surface];
  const key =
    found.from === "typed"
      ? await keepKey(found.value, { profile: name, stored, surface }, session, input)
      : found;
  noteExpiry(session, input, expires);
  return {
    key: { added: key, replaced: former?.key },
    onto(now) {
      if (now?.kind === "offline") throw kindError(name, now);
      assertUnchanged(name, former, now?.surfaces[surface]);
      const { expires: _, ...kept } = former ?? {};
      const target = { ...kept, url, key, ...(expires === undefined ? {} : { expires }) };
      return {
        ...now,
        kind: "remote",
        production: production ?? now?.production ?? false,
        surfaces: { ...now?.surfaces, [surface]: target },
        paths: now?.paths ?? {},
        ...(caFile === undefined ? {} : { ca_file: caFile }),
      };
    },
  };
}

/** The file's absolute path. @throws usage error (2) when it holds no certificates */
async function readCaFile(session: Session, input: Input): Promise<string | undefined> {
  const file = input.text("ca-file");
  if (file === undefined) return undefined;
  const { readAuthorities } = await import("../../../client/authorities.js");
  const path = resolve(session.io.cwd, file);
  const found = readAuthorities(path);
  if ("problem" in found) throw usageError(`--ca-file: ${file} can't be used: ${found.problem}`);
  return path;
}

/** Which interface of which address, from the flags or by asking; undefined leaves `production` as it is. */
async function readPlace(
  stored: StoredRemote | undefined,
  session: Session,
  input: Input,
): Promise<{ surface: SurfaceName; url: string; production: boolean | undefined }> {
  const given = surfaceNames.find((one) => one === input.text("surface"));
  const address = input.text("url");
  const production = input.on("production");
  if (address === undefined) {
    if (!session.prompts.available) throw usageError("--url: the base address is missing");
    return askForPlace({ surface: given, production: production ?? stored?.production }, session);
  }
  const surface = given ?? readSurface(address, "--url");
  if (given === undefined && surface !== "public")
    session.notes.note(`Interface: ${surface}, as the address says`);
  // An address that was typed is checked before anything is asked.
  return { surface, url: parseAddress(address, surface, "--url"), production };
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
