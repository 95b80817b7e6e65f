import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { parseTime } from "../../../base/time-text.js";
import type { ApiName } from "../../../contract/apis.js";
import { usageError } from "../../errors/errors.js";
import { parseAddress, readApi } from "../../profiles/address.js";
import { apiNames, assertUnchanged, type StoredProfile, type StoredRemote } from "../../profiles/store.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { type Addition, assertNoConflictingFlags, deploymentFlags, toTypeError } from "./addition.js";
import { askForDeployment, confirmProfile } from "./ask.js";
import { keepKey, readKey, resolveKeyValue } from "./key.js";
import { assertConfirmedMove, assertStillConfirmed } from "./replace.js";
import { tryKey } from "./try.js";

/**
 * Creates a profile with a running emulator's URLs and initial keys. The keys are valid only for that
 * emulator.
 */
export async function createFromEmulator(
  name: string,
  former: StoredProfile | undefined,
  session: Session,
  input: Input,
): Promise<Addition> {
  assertNoConflictingFlags("from-emulator", [...deploymentFlags, "offline", "from-mirror", "db"], input);
  const { readRunningAccess } = await import("../../../features/emulate/commands/running.js");
  const accessByApi = await readRunningAccess(session, input.text("port"));
  const addresses = Object.entries(accessByApi).map(([api, { url }]) => [api, url] as const);
  await assertConfirmedMove(name, former, Object.fromEntries(addresses), session);
  return {
    onto(stored) {
      if (stored?.kind === "offline") throw toTypeError(name, stored);
      if (stored !== undefined) assertUnchanged(name, former, stored);
      return {
        ...stored,
        kind: "remote",
        production: input.on("production") ?? stored?.production ?? false,
        surfaces: Object.fromEntries(
          Object.entries(accessByApi).map(([api, { url, key }]) => [
            api,
            { url, key: { from: "stored" as const, value: key } },
          ]),
        ),
        paths: {},
      };
    },
  };
}

export async function createRemote(
  name: string,
  stored: StoredProfile | undefined,
  session: Session,
  input: Input,
): Promise<Addition> {
  if (input.has("db")) throw usageError("--db requires --offline or --from-mirror");
  if (stored?.kind === "offline") throw toTypeError(name, stored);
  const caFile = (await readCaFile(session, input)) ?? stored?.ca_file;
  const { api, url, production } = await readDeployment(stored, session, input);
  await assertConfirmedMove(name, stored, { [api]: url }, session);
  const expires = readExpiry(session, input, api);
  const givenKey = await readKey(name, session, input);
  if (input.text("url") === undefined) {
    await confirmProfile(session, {
      name,
      api,
      url,
      production,
      expires: input.text("expires"),
      key: givenKey,
    });
  }
  if (input.on("check") !== false) {
    const key = await resolveKeyValue(givenKey, name, session);
    await tryKey({ name, api, url, key, paths: stored?.paths ?? {}, caFile }, session);
  }
  const former = stored?.surfaces[api];
  const key =
    givenKey.from === "typed"
      ? await keepKey(givenKey.value, { profile: name, stored, api }, session, input)
      : givenKey;
  noteExpiry(session, input, expires);
  return {
    key: { added: key, replaced: former?.key },
    ...(former && !isDeepStrictEqual(former.key, key)
      ? { note: `Replaced the key of profile "${name}" (${api}).` }
      : {}),
    onto(now) {
      if (now?.kind === "offline") throw toTypeError(name, now);
      assertUnchanged(name, former, now?.surfaces[api]);
      assertStillConfirmed(name, stored, now, { [api]: url });
      const { expires: _, ...kept } = former ?? {};
      const target = { ...kept, url, key, ...(expires === undefined ? {} : { expires }) };
      return {
        ...now,
        kind: "remote",
        production: production ?? now?.production ?? false,
        surfaces: { ...now?.surfaces, [api]: target },
        paths: now?.paths ?? {},
        ...(caFile === undefined ? {} : { ca_file: caFile }),
      };
    },
  };
}

/** @throws usage error (2) if the file contains no certificates */
async function readCaFile(session: Session, input: Input): Promise<string | undefined> {
  const file = input.text("ca-file");
  if (file === undefined) return undefined;
  const { readAuthorities } = await import("../../../client/authorities.js");
  const path = resolve(session.io.cwd, file);
  const authorities = readAuthorities(path);
  if ("problem" in authorities) throw usageError(`--ca-file: ${file} can't be used: ${authorities.problem}`);
  return path;
}

/** If `production` is undefined, the profile keeps the stored value. */
async function readDeployment(
  stored: StoredRemote | undefined,
  session: Session,
  input: Input,
): Promise<{ api: ApiName; url: string; production: boolean | undefined }> {
  const given = apiNames.find((candidate) => candidate === input.text("api"));
  const address = input.text("url");
  const production = input.on("production");
  if (address === undefined) {
    if (!session.prompts.available) throw usageError("missing required flag: --url");
    return askForDeployment({ api: given, production: production ?? stored?.production }, session);
  }
  const api = given ?? readApi(address, "--url");
  if (given === undefined && api !== "public") session.notes.note(`API: ${api} (detected from the URL)`);
  return { api, url: parseAddress(address, api, "--url"), production };
}

const day = 86_400_000;

const distributorDays = 365;

/** Without --expires, a distributor key expires after one year (dist.auth.expired). */
function readExpiry(session: Session, input: Input, api: ApiName): string | undefined {
  const text = input.text("expires");
  if (text === undefined) {
    if (!api.startsWith("distributor")) return undefined;
    return new Date(session.clock.now() + distributorDays * day).toISOString().slice(0, 10);
  }
  if (!z.iso.date().safeParse(text).success)
    throw usageError(`invalid --expires "${text}": expected a date such as 2027-03-31`);
  return text;
}

function noteExpiry(session: Session, input: Input, expires: string | undefined): void {
  if (expires === undefined) return;
  if (!input.has("expires"))
    session.notes.note(
      `Assuming that the key expires on ${expires}, one year from now. To change this, use --expires.`,
    );
  else if (parseTime(expires) < session.clock.now())
    session.notes.warn(`--expires ${expires} is in the past: the service will probably reject the key`);
}
