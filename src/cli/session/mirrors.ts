import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../base/clock.js";
import { isFileName } from "../../base/file-names.js";
import { quoteWord } from "../../base/shell-words.js";
import { parseTime } from "../../base/time-text.js";
import { environmentName } from "../../contract/environment-variables.js";
import type { MirrorManifest, MirrorRequest } from "../../contract/mirror.js";
import { CliError, exits, notFoundError, refusedError, usageError } from "../errors/errors.js";
import type { Folders } from "../profiles/folders.js";

export interface MirrorFile {
  name: string;
  folder: string;
  /** Path of the database. A fork copies this file and `PATH.key`. */
  path: string;
  /** Undefined if the command that fills the mirror was interrupted before its first request. */
  request: MirrorRequest | undefined;
  /** Undefined while the mirror is unfinished, or if a different version of voxctl finished it. */
  manifest: MirrorManifest | undefined;
  isOtherVersion: boolean;
}

export interface FinishedMirror extends MirrorFile {
  request: MirrorRequest;
  manifest: MirrorManifest;
}

interface Parts {
  folders: Folders;
  clock: Clock;
}

/** Returns the paths of a mirror, which might not exist. @throws usage error (2) for an invalid name */
export function locateMirror(
  folders: Folders,
  name: string,
): Omit<MirrorFile, "request" | "manifest" | "isOtherVersion"> {
  if (!isFileName(name))
    throw usageError(`invalid mirror name "${name}"`, {
      hint: "use letters, digits, dots, hyphens and underscores; device names such as CON are not allowed",
    });
  const folder = join(folders.data, "mirrors", name);
  return { name, folder, path: join(folder, "world.db") };
}

/**
 * Returns a mirror by name; undefined if it doesn't exist. Deletes an expired mirror.
 * @throws usage error (2) for an invalid name
 */
export async function describeMirror(
  { folders, clock }: Parts,
  name: string,
): Promise<MirrorFile | undefined> {
  const location = locateMirror(folders, name);
  if (!existsSync(location.path)) return undefined;
  const { readMirror } = await import("../../emulator/index.js");
  const { request, manifest, isOtherVersion = false } = (await readMirror(location.path)) ?? {};
  if (manifest?.expires_at && parseTime(manifest.expires_at) <= clock.now()) {
    deleteMirror(location);
    return undefined;
  }
  return { ...location, request, manifest, isOtherVersion };
}

/** @throws not found (4); still pending (8) for an unfinished mirror */
export async function openMirror(parts: Parts, name: string): Promise<FinishedMirror> {
  const mirror = await describeMirror(parts, name);
  if (!mirror)
    throw notFoundError(`mirror "${name}" not found`, `create the mirror: \`voxctl mirror create ${name}\``);
  assertThisVersion(mirror);
  const { request, manifest } = mirror;
  if (request && manifest) return { ...mirror, request, manifest };
  throw new CliError({
    exit: exits.pending,
    code: "mirror_unfinished",
    message: `mirror "${name}" is unfinished`,
    hint: `to finish the mirror, run \`voxctl mirror create ${name}\``,
  });
}

/** @throws refused error (12) for a mirror from a different version of voxctl */
export function assertThisVersion({ name, isOtherVersion }: MirrorFile): void {
  if (!isOtherVersion) return;
  throw refusedError(
    "unsuitable_mirror",
    `mirror "${name}" was created by a different version of voxctl`,
    `to create the mirror again, first delete it: \`voxctl mirror delete ${quoteWord(name)}\``,
  );
}

/** @throws like `openMirror`; refused error (12) for a mirror of the distributor API */
export async function openPublicMirror(parts: Parts, name: string): Promise<FinishedMirror> {
  const mirror = await openMirror(parts, name);
  if (mirror.manifest.surface === "public") return mirror;
  throw refusedError(
    "unsuitable_mirror",
    `mirror "${name}" contains a distributor's organizations, but not their resources`,
    "use the mirror with `voxctl rehearse`",
  );
}

export function findMirrorProfile(mirror: { profile: string } | undefined): string | undefined {
  return mirror?.profile === environmentName ? undefined : mirror?.profile;
}

export async function listMirrors(parts: Parts): Promise<MirrorFile[]> {
  const folder = join(parts.folders.data, "mirrors");
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const mirrors = await Promise.all(names.map((name) => describeMirror(parts, name)));
  return mirrors.filter((mirror) => mirror !== undefined);
}

/**
 * Returns the profile's only mirror; undefined if the profile has no finished mirror.
 * @param hint formats the hint of the usage error, with the name of one mirror
 * @throws usage error (2) if the profile has several mirrors
 */
export async function findOnlyMirror(
  parts: Parts,
  profile: string,
  hint: (name: string) => string,
): Promise<FinishedMirror | undefined> {
  const mirrors = (await listMirrors(parts)).flatMap(({ request, manifest, ...mirror }) =>
    request && manifest?.profile === profile ? [{ ...mirror, request, manifest }] : [],
  );
  const [first, ...furtherMirrors] = mirrors;
  if (first === undefined || furtherMirrors.length === 0) return first;
  const names = mirrors.map(({ name }) => name).join(", ");
  throw usageError(`profile "${profile}" has ${mirrors.length} mirrors: ${names}`, {
    hint: hint(first.name),
  });
}

export function deleteMirror({ folder }: Pick<MirrorFile, "folder">): void {
  rmSync(folder, { recursive: true, force: true });
}
