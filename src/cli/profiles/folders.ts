import { userInfo } from "node:os";
import { posix, win32 } from "node:path";
import type { Io } from "../../base/io.js";
import { usageError } from "../errors/errors.js";

export interface Folders {
  config: string;
  data: string;
}

/**
 * Returns a variable's directory. Expands `~`, because shells don't expand it in quoted values or in .env
 * files.
 * @throws usage error (2) for a relative path: each working directory would have different profiles and keys
 */
function readFolderVariable(
  io: Pick<Io, "env">,
  name: "VOXCTL_CONFIG_DIR" | "VOXCTL_DATA_DIR",
  { isAbsolute, join, normalize }: typeof posix,
): string | undefined {
  const path = io.env[name];
  if (path === "")
    throw usageError(`${name} is empty`, { hint: `set ${name} to a directory, or unset ${name}` });
  if (path === undefined) return undefined;
  const [, tail] = /^~(?:[/\\](.*))?$/s.exec(path) ?? [];
  const absolute = path === "~" || tail !== undefined ? join(findHome(io), tail ?? "") : path;
  if (isAbsolute(absolute)) return normalize(absolute);
  throw usageError(`invalid ${name} "${path}": expected an absolute path`);
}

/**
 * VOXCTL_CONFIG_DIR and VOXCTL_DATA_DIR take precedence over the XDG variables, which take precedence over
 * the defaults.
 */
export function findFolders(io: Pick<Io, "env">, platform: NodeJS.Platform = process.platform): Folders {
  const windows = platform === "win32";
  const paths = windows ? win32 : posix;
  const { isAbsolute, join } = paths;
  /** The XDG specification requires that relative paths are ignored. */
  const absolute = (path: string | undefined) => (path && isAbsolute(path) ? path : undefined);
  const config = () =>
    absolute(io.env.XDG_CONFIG_HOME) ??
    (windows ? absolute(io.env.APPDATA) : undefined) ??
    join(findHome(io), ".config");
  const data = () =>
    absolute(io.env.XDG_DATA_HOME) ??
    (windows ? absolute(io.env.LOCALAPPDATA) : undefined) ??
    join(findHome(io), ".local", "share");
  const folders = {
    config: readFolderVariable(io, "VOXCTL_CONFIG_DIR", paths) ?? join(config(), "voxctl"),
    data: readFolderVariable(io, "VOXCTL_DATA_DIR", paths) ?? join(data(), "voxctl"),
  };
  // In /proc and /sys, Node's mkdir would never return.
  const path = windows
    ? undefined
    : Object.values(folders).find((folder) => /^\/(?:proc|sys)\//.test(folder));
  if (path !== undefined)
    throw usageError(`cannot store files in ${path}`, {
      hint: "set HOME, or VOXCTL_CONFIG_DIR and VOXCTL_DATA_DIR, to a writable directory",
    });
  return folders;
}

/** @throws usage error (2) if HOME is not set and the system doesn't know the user, as in some containers */
export function findHome({ env }: Pick<Io, "env">): string {
  try {
    // `homedir()` would return an empty string if HOME is empty.
    return env.HOME || env.USERPROFILE || userInfo().homedir;
  } catch (cause) {
    throw usageError("no home directory found for configuration and data", {
      hint: "set HOME, or VOXCTL_CONFIG_DIR and VOXCTL_DATA_DIR",
      cause,
    });
  }
}

/** Error codes for a path in which voxctl can't create or change files. */
const unwritableCodes: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR"]);

export function findUnwritableHint(error: unknown, io: Pick<Io, "env">): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const path = "path" in error && typeof error.path === "string" ? error.path : undefined;
  if (path === undefined || !("code" in error && unwritableCodes.has(error.code)))
    return findUnwritableHint(error.cause, io);
  const folders = findFolders(io);
  // The error's path can be the directory, one of its parent directories, or a file in it.
  const isAffected = (folder: string) => `${folder}/`.startsWith(`${path}/`) || path.startsWith(`${folder}/`);
  const variables = [
    ...(isAffected(folders.config) ? ["VOXCTL_CONFIG_DIR"] : []),
    ...(isAffected(folders.data) ? ["VOXCTL_DATA_DIR"] : []),
  ];
  if (variables.length === 0) return undefined;
  return variables.length === 1
    ? `set ${variables[0]} to a writable directory`
    : "set VOXCTL_CONFIG_DIR and VOXCTL_DATA_DIR to writable directories";
}
