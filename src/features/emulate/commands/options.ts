import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseTime } from "../../../base/time-text.js";
import { CliError, exits, usageError } from "../../../cli/errors/errors.js";
import { getOfflineFile, offlineName } from "../../../cli/profiles/choose.js";
import { parseWholeNumber } from "../../../cli/session/globals.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { buckets } from "../../../contract/limits.js";
import type { BucketLimits, EmulatorOptions } from "../../../emulator/types.js";
import { readBuiltInSeed } from "./seed.js";

export async function readEmulatorOptions(session: Session, input: Input): Promise<EmulatorOptions> {
  const db = await databasePath(session, input);
  assertFolder(session, input.text("db"));
  await assertNoSeedForMirror(input, db);
  return {
    db,
    seed: readBuiltInSeed(input),
    ...(await readClock(input.text("clock"))),
    limits: parseLimits(input.text("limits"), session),
    ...(await readGivenKeys(session, input)),
    randomSeed: parseWholeNumber("random-seed", input.text("random-seed"), 1, Number.MAX_SAFE_INTEGER),
  };
}

/** @throws usage error (2) that names the flag */
async function readClock(typed: string | undefined): Promise<Pick<EmulatorOptions, "clock" | "startTime">> {
  if (typed === undefined) return {};
  if (typed === "virtual" || typed === "real") return { clock: typed };
  if (!Number.isFinite(parseTime(typed)))
    throw usageError(
      `invalid --clock "${typed}": expected real, virtual, or a time such as 2026-01-31T09:30:00Z`,
    );
  const { isEmulatorTime } = await import("../../../emulator/kernel/clock.js");
  if (!isEmulatorTime(parseTime(typed)))
    throw usageError(`invalid --clock "${typed}": expected a year between 1971 and 2100`);
  return { clock: "virtual", startTime: typed };
}

/**
 * Refuses `--random-seed` for a mirror: with the same seed, two mirrors would create the same IDs.
 * @throws usage error (2)
 */
async function assertNoSeedForMirror(input: Input, db: string): Promise<void> {
  if (!input.has("random-seed") || db === ":memory:") return;
  const { readMirror } = await import("../../../emulator/index.js");
  if (await readMirror(db).catch(() => undefined))
    throw usageError(`--random-seed can't be used with the mirror ${db}: its new IDs are always random`);
}

/**
 * `--db` takes precedence over the selected offline profile.
 * @throws usage error (2) if the profile doesn't exist
 */
async function databasePath(session: Session, input: Input): Promise<string> {
  const db = input.text("db");
  const named = db === undefined ? undefined : resolveDatabasePath(session, db);
  if (named !== undefined && session.flags.profile === undefined) return named;
  const profile = await session.profile().catch((error: unknown) => {
    // `--require-profile` concerns only real services, so ignore its error.
    if (error instanceof CliError && error.exit === exits.refused) return undefined;
    throw error;
  });
  if (named !== undefined) return named;
  return profile?.type === "offline" ? profile.db : getOfflineFile(session.folders, offlineName);
}

export function resolveDatabasePath({ io }: Pick<Session, "io">, db: string): string {
  return db === ":memory:" ? db : resolve(io.cwd, db);
}

/** Refuses a --db in a directory that doesn't exist, because the path probably has a typo. */
function assertFolder(session: Session, db: string | undefined): void {
  if (db === undefined || db === ":memory:") return;
  const folder = dirname(resolveDatabasePath(session, db));
  if (existsSync(folder)) return;
  throw usageError(`invalid --db: directory ${folder} doesn't exist`);
}

/**
 * Reads the values of seeded keys from the flags or from an environment variable. Other users can see flags,
 * but not the variable.
 */
async function readGivenKeys({ io }: Session, input: Input): Promise<Pick<EmulatorOptions, "keys">> {
  const variable = io.env["VOXCTL_EMULATOR_KEYS"]?.trim();
  const fromFlags = input.texts("key");
  const texts = fromFlags.length > 0 ? fromFlags : variable ? variable.split(",") : [];
  if (texts.length === 0) return {};
  const source = fromFlags.length > 0 ? "--key" : "VOXCTL_EMULATOR_KEYS";
  const given: Record<string, string> = {};
  for (const text of texts) {
    const [name = "", value = ""] = text.trim().split(/=(.*)/s);
    if (value === "")
      throw usageError(`invalid ${source}: expected NAME=VALUE, such as admin=test-admin-key`);
    given[name] = value;
  }
  const [{ checkKeys }, { seededNames }] = await Promise.all([
    import("../../../emulator/options.js"),
    import("../../../emulator/seed/keys.js"),
  ]);
  const problem = checkKeys(given);
  if (problem !== undefined) throw usageError(`${source}: keys ${problem}`);
  const keys: NonNullable<EmulatorOptions["keys"]> = {};
  for (const name of seededNames()) {
    const value = given[name];
    if (value !== undefined) keys[name] = value;
  }
  return { keys };
}

function parseLimits(text: string | undefined, { notes }: Session): BucketLimits {
  const limits: BucketLimits = {};
  for (const part of text?.split(",") ?? []) {
    const [name = "", value = ""] = part.split("=");
    let bucket: keyof BucketLimits;
    let known = false;
    for (bucket in buckets) {
      if (bucket !== name.trim()) continue;
      known = true;
      const limit = parseWholeNumber("limits", value.trim(), 0, Number.MAX_SAFE_INTEGER);
      if (limit === 0)
        notes.warn(`--limits ${bucket}=0: every request in this bucket will be rejected with 429`);
      limits[bucket] = limit;
    }
    if (!known)
      throw usageError(
        `invalid --limits "${part}": expected BUCKET=N with one of ${Object.keys(buckets).join(", ")}`,
      );
  }
  return limits;
}
