import { homedir } from "node:os";
import { posix, resolve, win32 } from "node:path";
import type { Io } from "../../base/io.js";
import { usageError } from "../errors/errors.js";

/** The directories of voxctl's configuration and data. */
export interface Folders {
  config: string;
  data: string;
}

function readFolderVariable(
  io: Pick<Io, "env" | "cwd">,
  name: "VOXCTL_CONFIG_DIR" | "VOXCTL_DATA_DIR",
): string | undefined {
  const path = io.env[name];
  if (path === "") throw usageError(`${name} is set, but empty`, { hint: `Set it to a folder or unset it` });
  return path === undefined ? undefined : resolve(io.cwd, path);
}

/** Returns the directories: VOXCTL_CONFIG_DIR and VOXCTL_DATA_DIR, else XDG's directories, else Windows' own. */
export function findFolders(
  io: Pick<Io, "env" | "cwd">,
  platform: NodeJS.Platform = process.platform,
): Folders {
  const windows = platform === "win32";
  const { isAbsolute, join } = windows ? win32 : posix;
  /** An XDG variable counts only if it is absolute, as its specification requires. */
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
    config: readFolderVariable(io, "VOXCTL_CONFIG_DIR") ?? join(config(), "voxctl"),
    data: readFolderVariable(io, "VOXCTL_DATA_DIR") ?? join(data(), "voxctl"),
  };
  // No directory can be created there, and Node's mkdir never ends.
  const path = windows
    ? undefined
    : Object.values(folders).find((folder) => /^\/(?:proc|sys)\//.test(folder));
  if (path !== undefined)
    throw usageError(`${path} is no place to keep files in`, {
      hint: "Set HOME, or VOXCTL_CONFIG_DIR and VOXCTL_DATA_DIR, to a folder that can be written",
    });
  return folders;
}

/** @throws usage error (2) in a container without HOME and an entry for its user */
function findHome({ env }: Pick<Io, "env">): string {
  if (env.HOME || env.USERPROFILE) return env.HOME || env.USERPROFILE || "";
  try {
    return homedir();
  } catch (cause) {
    throw usageError("there is no home folder to keep configuration and data in", {
      hint: "Set HOME, or VOXCTL_CONFIG_DIR and VOXCTL_DATA_DIR",
      cause,
    });
  }
}
