import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { Io } from "../../base/io.js";
import { usageError } from "../errors/errors.js";

/** The folders that voxctl keeps its things in. */
export interface Folders {
  config: string;
  data: string;
}

/** An XDG variable counts only when it is absolute, as its specification says. */
function absolute(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined;
}

function own(io: Io, name: "VOXCTL_CONFIG_DIR" | "VOXCTL_DATA_DIR"): string | undefined {
  const path = io.env[name];
  if (path === "") throw usageError(`${name} is set, but empty`, { hint: `Set it to a folder or unset it` });
  return path === undefined ? undefined : resolve(io.cwd, path);
}

/** Where configuration and data lie: VOXCTL_CONFIG_DIR and VOXCTL_DATA_DIR, else XDG's folders, else Windows' own. */
export function findFolders(io: Io, platform: NodeJS.Platform = process.platform): Folders {
  const home = io.env.HOME || io.env.USERPROFILE || homedir();
  const windows = platform === "win32";
  const config =
    absolute(io.env.XDG_CONFIG_HOME) ??
    (windows ? absolute(io.env.APPDATA) : undefined) ??
    join(home, ".config");
  const data =
    absolute(io.env.XDG_DATA_HOME) ??
    (windows ? absolute(io.env.LOCALAPPDATA) : undefined) ??
    join(home, ".local", "share");
  return {
    config: own(io, "VOXCTL_CONFIG_DIR") ?? join(config, "voxctl"),
    data: own(io, "VOXCTL_DATA_DIR") ?? join(data, "voxctl"),
  };
}
