import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseTime } from "../../../base/time-text.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { refusedError } from "../../../cli/errors/errors.js";
import { refuseInRehearsal } from "../../../cli/profiles/rehearsal-file.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import {
  type FinishedMirror,
  findMirrorProfile,
  findOnlyMirror,
  openMirror,
} from "../../../cli/session/mirrors.js";
import type { Connection, Session } from "../../../cli/session/session.js";
import type { MirrorManifest } from "../../../contract/mirror.js";
import { fillMirror, showMirror } from "./fill.js";
import { collectFlags, readCollectFlags } from "./flags.js";
import { assertSameOrganization } from "./same-organization.js";

export const refresh: Command = {
  name: "refresh",
  summary: "Update a mirror",
  description:
    "Reads the organization again until two passes are equal or --passes is reached, then replaces the mirror. Reads an item's text again only if the item has changed. Rehearsals in progress continue to use the old data.",
  arguments: [
    { name: "name", description: "Name of the mirror (default: the profile's only mirror)", optional: true },
  ],
  flags: collectFlags,
  examples: [{ command: "voxctl mirror refresh acme" }],
  run: (session, input) => withRefusals(() => runRefresh(session, input)),
};

async function runRefresh(session: Session, input: Input): Promise<void> {
  refuseInRehearsal(session.io.env, "mirror refresh");
  const [given] = input.arguments;
  const mirror = given === undefined ? await findDefaultMirror(session) : await openMirror(session, given);
  const { name } = mirror;
  const flags = readCollectFlags(input, mirror.manifest.surface);
  const { manifest } = mirror;
  await session.profile(session.flags.profile ?? findMirrorProfile(manifest));
  const connection = await session.connect({ quiet: true });
  assertSameService(connection, mirror);
  await assertSameOrganization(session, connection, manifest);
  const work = await openWorkFile(mirror);
  const { request } = mirror;
  const earlierPasses = Math.max(0, ...manifest.passes.map(({ pass }) => pass));
  const updated = await fillMirror(session, connection, {
    name,
    path: work.path,
    request,
    madeAt: manifest.made_at,
    flags,
    earlierPasses,
    keep: flags.expire === undefined ? getPreviousKeep(manifest) : flags.expire,
    prepare: async (mirrorEmulator) => {
      if (work.isContinued) session.notes.note(`Resuming the interrupted refresh of mirror "${name}"…`);
      else await mirrorEmulator.reopen();
    },
  });
  await replaceMirror(mirror, work.path);
  await showMirror(session, updated, { path: mirror.path });
}

/**
 * Returns the only mirror of the profile.
 * @throws usage error (2) if the profile has several mirrors; the errors of `openMirror` if it has none
 */
async function findDefaultMirror(session: Session): Promise<FinishedMirror> {
  const profile = await session.profile(session.flags.profile);
  const hint = (name: string) => `specify one: \`voxctl mirror refresh ${name}\``;
  return (await findOnlyMirror(session, profile.name, hint)) ?? openMirror(session, profile.name);
}

async function openWorkFile({
  folder,
  path,
}: FinishedMirror): Promise<{ path: string; isContinued: boolean }> {
  const { readMirror } = await import("../../../emulator/index.js");
  const work = join(folder, "refresh.db");
  const unfinished = await readMirror(work).catch(() => undefined);
  if (unfinished && unfinished.manifest === undefined) return { path: work, isContinued: true };
  removeDatabase(work);
  copyFileSync(`${path}.key`, `${work}.key`);
  copyFileSync(path, work);
  return { path: work, isContinued: false };
}

/**
 * Returns the lifetime for which the mirror was created, in milliseconds; null if the mirror never expires.
 */
function getPreviousKeep({ made_at, refreshed_at, expires_at }: MirrorManifest): number | null {
  return expires_at === null ? null : parseTime(expires_at) - parseTime(refreshed_at ?? made_at);
}

/** @throws refused error (12) if the profile uses a different service than the mirror */
function assertSameService(connection: Connection, { manifest }: FinishedMirror): void {
  const { name, base_url } = manifest;
  const present = connection.baseUrl(manifest.surface);
  if (present !== base_url)
    throw refusedError(
      "wrong_target",
      `mirror "${name}" is a copy of ${base_url}, but the profile uses ${present}`,
      "select the mirror's profile with --profile",
    );
}

/** Replaces a mirror's file atomically. Processes that have the old file open continue to use it. */
async function replaceMirror({ path }: FinishedMirror, work: string): Promise<void> {
  // Delete the old file's write-ahead log, because SQLite would apply it to the new file.
  for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
  renameSync(work, path);
  removeDatabase(work);
}

function removeDatabase(path: string): void {
  for (const suffix of ["", "-wal", "-shm", ".key", ".lock"])
    if (existsSync(`${path}${suffix}`)) rmSync(`${path}${suffix}`, { force: true });
}
