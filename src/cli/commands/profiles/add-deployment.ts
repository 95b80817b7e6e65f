import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { parseTime } from "../../../base/time-text.js";
import type { SurfaceName } from "../../../contract/surfaces.js";
import { usageError } from "../../errors/errors.js";
import { parseAddress, readSurface } from "../../profiles/address.js";
import {
  assertUnchanged,
  type StoredProfile,
  type StoredRemote,
  surfaceNames,
} from "../../profiles/store.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { type Addition, deploymentFlags, kindError, refuseBeside } from "./addition.js";
import { askForPlace, confirmProfile } from "./ask.js";
import { keepKey, keyValue, readKey } from "./key.js";
import { assertMeant, assertStillMeant } from "./replace.js";
import { tryKey } from "./try.js";

/** A running emulator's addresses, with the keys that its world began with: they open nothing else. */
export async function fromEmulator(
  name: string,
  former: StoredProfile | undefined,
  session: Session,
  input: Input,
): Promise<Addition> {
  refuseBeside("from-emulator", [...deploymentFlags, "offline", "from-mirror", "db", "production"], input);
  const { runningEmulator } = await import("../emulator/running.js");
  const surfaces = await runningEmulator(session, input.text("port"));
  const addresses = Object.entries(surfaces).map(([surface, { url }]) => [surface, url] as const);
  await assertMeant(name, former, Object.fromEntries(addresses), session);
  return {
    onto(stored) {
      if (stored?.kind === "offline") throw kindError(name, stored);
      if (stored !== undefined) assertUnchanged(name, former, stored);
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

/** A deployment, or another interface of one, with a key that was tried. */
export async function remote(
  name: string,
  stored: StoredProfile | undefined,
  session: Session,
  input: Input,
): Promise<Addition> {
  if (input.has("db")) throw usageError("--db goes with --offline or --from-mirror");
  if (stored?.kind === "offline") throw kindError(name, stored);
  const caFile = (await readCaFile(session, input)) ?? stored?.ca_file;
  const { surface, url, production } = await readPlace(stored, session, input);
  await assertMeant(name, stored, { [surface]: url }, session);
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
    ...(former && !isDeepStrictEqual(former.key, key)
      ? { note: `the key of ${name} (${surface}) was replaced` }
      : {}),
    onto(now) {
      if (now?.kind === "offline") throw kindError(name, now);
      assertUnchanged(name, former, now?.surfaces[surface]);
      assertStillMeant(name, stored, now, { [surface]: url });
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
  const given = surfaceNames.find((one) => one === input.text("api"));
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
  else if (parseTime(expires) < session.clock.now())
    session.notes.warn(`--expires: ${expires} has passed; the key will hardly open anything`);
}
