import { createHash } from "node:crypto";
import { join, relative, resolve } from "node:path";
import { CliError, exits, usageError } from "../../../cli/errors/errors.js";
import { chooseProfile } from "../../../cli/profiles/choose.js";
import { readEnvironmentTargets } from "../../../cli/profiles/environment.js";
import { rememberedFile } from "../../../cli/profiles/rehearsal-file.js";
import { confirmDestructive } from "../../../cli/session/confirm.js";
import type { Input } from "../../../cli/session/input.js";
import { listedIn } from "../../../cli/session/listed.js";
import type { Connection, Session } from "../../../cli/session/session.js";
import type { Access } from "../access.js";
import type { Folder } from "../folder/open.js";
import type { LockFile } from "../lock-file.js";
import type { Target } from "../project.js";
import type { TextCache } from "../text-cache.js";
import { withConfigErrors } from "./errors.js";

export interface TargetContext {
  target: string;
  settings: Target;
  folder: Folder;
  /** Uses the target's profile and shows the target's name in prompts. */
  session: Session;
  connection: Connection;
  baseUrl: string;
  lockFile: LockFile;
  cache: TextCache | undefined;
  access: Access;
}

/** @throws ConfigError; usage error (2) */
export async function openCommandFolder(session: Session, input: Input): Promise<Folder> {
  const { findFolder, openFolder } = await import("../index.js");
  const given = input.text("directory");
  const from = given === undefined ? session.io.cwd : resolve(session.io.cwd, given);
  return openFolder(given === undefined ? await findFolder(from) : from);
}

/** @throws usage error (2) */
export function readTargetNames(input: Input): string[] {
  const given = input.text("target");
  if (given === undefined) throw usageError("missing required flag: --target");
  return [...new Set(listedIn(given, "--target"))];
}

/**
 * Runs `work` for each target in order. If `mutates` is false, continues after a failure with exit code 10 or
 * 12.
 * @throws the error of `work`; if several targets fail, an error that lists them
 */
export async function forEachTarget(
  session: Session,
  input: Input,
  folder: Folder,
  { mutates }: { mutates: boolean },
  work: (targetContext: TargetContext) => Promise<void>,
): Promise<void> {
  const { targetOf } = await import("../index.js");
  const names = readTargetNames(input);
  for (const name of names) targetOf(folder, name);
  if (names.length > 1 && input.has("lock")) throw usageError("--lock can't be used with several targets");
  const isSingle = names.length === 1;
  if (!isSingle && hasEnvironmentTargets(session))
    throw usageError(
      "VOXCTL_BASE_URL and VOXCTL_API_KEY select one organization, but --target names several",
      {
        hint: "use one target per command, or unset both variables",
      },
    );
  const failed: { target: string; error: CliError }[] = [];
  for (const [index, target] of names.entries()) {
    const settings = targetOf(folder, target);
    const targetSession = isSingle
      ? await selectSession(session, target, settings)
      : await createTargetSession(session, target, settings);
    const connection = await targetSession.connect({ mutates, quiet: mutates });
    try {
      await withConfigErrors(async () =>
        work(await openTarget({ target, settings, folder, session: targetSession, connection }, input)),
      );
    } catch (error) {
      const remaining = names.slice(index + 1);
      if (mutates && remaining.length > 0) session.notes.note(`Not started: ${remaining.join(", ")}`);
      const isVerdict =
        error instanceof CliError && (error.exit === exits.differences || error.exit === exits.refused);
      if (mutates || isSingle || !isVerdict) throw error;
      failed.push({ target, error });
    } finally {
      if (!isSingle) await connection.close();
    }
  }
  const [first] = failed;
  if (first === undefined) return;
  throw failed.length === 1 ? first.error : toSeveralFailedError(failed, names.length);
}

function toSeveralFailedError(failed: readonly { target: string; error: CliError }[], all: number): CliError {
  const isRefused = failed.some(({ error }) => error.exit === exits.refused);
  return new CliError({
    exit: isRefused ? exits.refused : exits.differences,
    code: isRefused ? "config_refused" : "config_differs",
    message: `${failed.length} of ${all} targets failed: ${failed.map(({ target }) => target).join(", ")}`,
    details: failed.map(({ target, error: { message, hint } }) => ({
      path: [target],
      message: hint === undefined ? message : `${message}; ${hint}`,
    })),
  });
}

/** Returns false in a rehearsal, because the rehearsal sets these variables for every target. */
function hasEnvironmentTargets({ io: { env } }: Session): boolean {
  return env.VOXCTL_REHEARSAL === undefined && readEnvironmentTargets(env) !== undefined;
}

/**
 * A URL and key in the environment take precedence over the target's profile, so that a CI job needs no
 * profile.
 */
async function selectSession(session: Session, target: string, { profile }: Target): Promise<Session> {
  const { io, folders, keychain, flags, notes } = session;
  if (flags.profile === undefined && profile !== undefined && hasEnvironmentTargets(session)) {
    const { name } = await session.profile();
    notes.note(`using the URL and key from the ${name}; ignoring profile "${profile}" of target ${target}`);
    return session;
  }
  try {
    await session.profile(flags.profile ?? profile);
  } catch (error) {
    // Throw an error that names the target's `profile` field in the project file.
    if (flags.profile === undefined && profile !== undefined)
      await chooseProfile({ io, folders, keychain }, profile, formatProfileField(target));
    throw error;
  }
  return session;
}

function formatProfileField(target: string): string {
  return `voxctl.project.yaml: targets.${target}.profile`;
}

async function createTargetSession(
  session: Session,
  target: string,
  { profile: name }: Target,
): Promise<Session> {
  const { io, folders, keychain, flags, prompts, notes } = session;
  const profile = await chooseProfile({ io, folders, keychain }, name, formatProfileField(target));
  if (profile.production) notes.banner(`PRODUCTION · profile ${profile.name}`);
  return {
    ...session,
    profile: async () => profile,
    connect: () => session.reach(profile),
    async confirm(question, about) {
      await confirmDestructive(question, { profile, flags, prompts, ...about });
    },
  };
}

async function openTarget(
  selected: Pick<TargetContext, "target" | "settings" | "folder" | "session" | "connection">,
  input: Input,
): Promise<TargetContext> {
  const { openTextCache, readLockFile } = await import("../index.js");
  const { target, settings, folder, session, connection } = selected;
  const baseUrl = connection.baseUrl("public") ?? "";
  const given = input.text("lock");
  const path = given === undefined ? getLockPath(folder, target, settings) : resolve(session.io.cwd, given);
  const lockFile = await readLockFile(
    rememberedFile(session.io.env, path),
    relative(folder.root, path) || path,
    {
      project: folder.project.project,
      baseUrl,
    },
  );
  const cache = await openTextCache(getCachePath(session, baseUrl, folder.project.project));
  const access = await openAccess(session, input, connection, folder);
  return { ...selected, baseUrl, lockFile, cache, access };
}

async function openAccess(
  session: Session,
  input: Input,
  { profile }: Connection,
  { root }: Folder,
): Promise<Access> {
  const { openFolderAccess: accessOf } = await import("../../../cli/session/folder-access.js");
  return accessOf(session, input, profile, root);
}

/** The caller must close the target's connection. */
export async function openFurtherTarget(
  session: Session,
  input: Input,
  folder: Folder,
  target: string,
): Promise<TargetContext> {
  const { openTextCache, readLockFile, targetOf } = await import("../index.js");
  const settings = targetOf(folder, target);
  const targetSession = await createTargetSession(session, target, settings);
  const connection = await targetSession.connect();
  const baseUrl = connection.baseUrl("public") ?? "";
  const path = getLockPath(folder, target, settings);
  const { project } = folder.project;
  const lockFile = await readLockFile(path, relative(folder.root, path), { project, baseUrl });
  const cache = await openTextCache(getCachePath(session, baseUrl, project));
  const access = await openAccess(targetSession, input, connection, folder);
  return { target, settings, folder, session: targetSession, connection, baseUrl, lockFile, cache, access };
}

/** Sends no requests. */
export async function openLock(
  session: Session,
  input: Input,
  folder: Folder,
  target: string,
): Promise<LockFile> {
  const { readLockFile, targetOf } = await import("../index.js");
  const given = input.text("lock");
  const path =
    given === undefined
      ? getLockPath(folder, target, targetOf(folder, target))
      : resolve(session.io.cwd, given);
  return readLockFile(path, relative(folder.root, path) || path, {
    project: folder.project.project,
    baseUrl: undefined,
  });
}

function getCachePath(session: Session, baseUrl: string, project: string): string {
  const name = createHash("sha256").update(`${baseUrl} ${project}`).digest("hex").slice(0, 24);
  return join(session.folders.data, "config", `${name}.json`);
}

function getLockPath({ root }: Folder, target: string, { lock }: Target): string {
  return resolve(root, lock ?? join("locks", `${target}.jsonl`));
}
