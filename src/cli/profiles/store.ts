import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../base/clock.js";
import { describeFsError } from "../../base/describe-fs-error.js";
import { findFirstIssue } from "../../base/describe-issue.js";
import { makePrivateFolder } from "../../base/private-file.js";
import { readUtf8Sync } from "../../base/utf8.js";
import type { ApiName } from "../../contract/apis.js";
import { CliError, exits, refusedError, usageError } from "../errors/errors.js";
import { unusableFileError } from "../errors/unusable-file.js";
import type { Folders } from "./folders.js";
import type { BrokenProfile, Configuration } from "./stored.js";

export type { BrokenProfile, Configuration, StoredKey, StoredProfile, StoredRemote } from "./stored.js";

const fileName = "config";
const lastGoodName = `${fileName}.last-good`;

export const apiNames = [
  "public",
  "distributor-v1",
  "distributor-v2",
  "legacy",
] as const satisfies readonly ApiName[];

/** Longest wait while another voxctl process changes the file. A change takes milliseconds. */
const lockMilliseconds = 10_000;
const lockPollMilliseconds = 20;

export function getConfigurationFile(folders: Folders): string {
  return join(folders.config, `${fileName}.json`);
}

/**
 * Reads the configuration; empty if the file does not exist. Reads synchronously, because that is faster.
 * @throws usage error (2) if the file can't be read or is invalid
 */
export async function readConfiguration(folders: Folders): Promise<Configuration> {
  const file = getConfigurationFile(folders);
  let text: string;
  try {
    text = readUtf8Sync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return { version: 1, profiles: {}, broken: {} };
    throw usageError(`${file} can't be read: ${describeFsError(error)}`, { cause: error });
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    // Don't show the parser's message: it quotes the text, which contains keys.
    throw usageError(`${file} is not valid JSON`, { hint: buildRepairHint(folders), cause: error });
  }
  return parseConfiguration(content, folders);
}

async function parseConfiguration(content: unknown, folders: Folders): Promise<Configuration> {
  const { ConfigurationFile, StoredProfile } = await import("./stored.js");
  const parsed = ConfigurationFile.safeParse(content);
  const version = readNewerVersion(content);
  if (!parsed.success) {
    const file = getConfigurationFile(folders);
    const fieldPath = findFirstIssue(parsed.error).path;
    if (version !== undefined)
      throw usageError(
        `cannot read ${fieldPath} in ${file}, written by a newer voxctl (file version ${version})`,
        {
          hint: "update voxctl, or set VOXCTL_CONFIG_DIR to another directory",
        },
      );
    throw usageError(`${file}: invalid ${fieldPath}`, { hint: buildRepairHint(folders) });
  }
  const profiles: Configuration["profiles"] = {};
  const broken: Record<string, BrokenProfile> = {};
  for (const [name, profile] of Object.entries(parsed.data.profiles)) {
    const read = StoredProfile.safeParse(profile);
    if (read.success) profiles[name] = read.data;
    else {
      const { path, message } = findFirstIssue(read.error, "");
      // zod's own messages are not for users.
      const reason = read.error.issues[0]?.code === "custom" ? `: ${message}` : "";
      const problem = path === "" ? "not a profile" : `invalid ${path}${reason}`;
      const newer = version === undefined ? "" : `, written by a newer voxctl (file version ${version})`;
      broken[name] = { problem: `${problem}${newer}`, content: profile };
    }
  }
  return { ...parsed.data, profiles, broken };
}

function readNewerVersion(content: unknown): number | undefined {
  if (typeof content !== "object" || content === null || !("version" in content)) return undefined;
  const { version } = content;
  return typeof version === "number" && isNewer({ version }) ? version : undefined;
}

export function isNewer({ version }: Pick<Configuration, "version">): boolean {
  return version > 1;
}

function buildRepairHint(folders: Folders): string {
  const copy = join(folders.config, `${lastGoodName}.json`);
  return existsSync(copy)
    ? `correct the file, or restore the last valid version: ${copy}`
    : "correct the file";
}

/**
 * Call this function before any prompt or request.
 * @throws refused error (12) for a file from a newer voxctl, because the meaning of its fields is unknown
 */
export function assertWritable(configuration: Configuration, folders: Folders): void {
  if (!isNewer(configuration)) return;
  throw refusedError(
    "configuration_too_new",
    `${getConfigurationFile(folders)} was written by a newer voxctl (file version ${configuration.version}); this version can only read it`,
    "update voxctl, or set VOXCTL_CONFIG_DIR to another directory",
  );
}

/**
 * Changes the configuration file. Reads it again first, because another process may change it during a
 * prompt. Writes atomically, for the owner only, and keeps a backup copy.
 * @param change returns the new configuration; if it throws, the file is unchanged
 * @throws refused error (12) if another process keeps the file locked, or if a newer voxctl wrote the file
 */
export async function changeConfiguration(
  folders: Folders,
  clock: Clock,
  change: (current: Configuration) => Configuration,
): Promise<Configuration> {
  await makePrivateFolder(folders.config);
  const { default: Conf } = await import("conf");
  const lock = await lockConfiguration(folders, clock);
  try {
    const current = await readConfiguration(folders);
    assertWritable(current, folders);
    const changed = change(current);
    for (const configName of [fileName, lastGoodName]) {
      const conf = new Conf<Record<string, unknown>>({
        cwd: folders.config,
        configName,
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
        // Don't parse the existing files: the configuration may start with a byte order mark, and the backup
        // may be damaged.
        deserialize: () => ({}),
      });
      conf.store = toStoredForm(changed);
    }
    return changed;
  } finally {
    lock.release();
  }
}

/** Keeps unusable profiles unchanged. */
function toStoredForm({ broken, profiles, ...settings }: Configuration): Record<string, unknown> {
  const unread = Object.entries(broken).map(([name, { content }]) => [name, content]);
  return { ...settings, profiles: { ...Object.fromEntries(unread), ...profiles } };
}

async function lockConfiguration(folders: Folders, clock: Clock): Promise<{ release(): void }> {
  const { lockFile, LockedError } = await import("../../base/file-lock.js");
  for (let waited = 0; ; waited += lockPollMilliseconds) {
    try {
      return await lockFile(join(folders.config, fileName), "exclusive", 0);
    } catch (error) {
      if (!(error instanceof LockedError))
        throw unusableFileError(`${folders.config} can't be written: ${describeFsError(error)}`, error);
      if (waited >= lockMilliseconds)
        throw new CliError({
          exit: exits.refused,
          code: "configuration_in_use",
          message: `another voxctl process has locked ${getConfigurationFile(folders)}; no changes were made`,
          cause: error,
        });
    }
    await clock.sleep(lockPollMilliseconds);
  }
}

/**
 * Refuses a change if the profile was changed while a prompt waited, possibly for hours.
 * @throws conflict (6)
 */
export function assertUnchanged(name: string, before: unknown, now: unknown): void {
  if (JSON.stringify(before) === JSON.stringify(now)) return;
  throw new CliError({
    exit: exits.conflict,
    code: "profile_changed",
    message: `another voxctl process changed profile ${name}; no changes were made`,
    retryable: true,
    hint: `to show the profile's current state, run \`voxctl profiles show ${name}\``,
  });
}
