const { lstatSync, mkdirSync } = require("node:fs");
const { homedir } = require("node:os");
const { isAbsolute, join } = require("node:path");

/**
 * Where Node may keep compiled code: in the user's own cache folder. In Node's default place, which all users of the
 * machine share, another one could lay code that would be run from it.
 * @returns undefined where there is none that nobody else can write to; then nothing is kept
 */
function compileCacheFolder(env, platform, uid) {
  const cache = cacheHome(env, platform);
  if (cache === undefined) return undefined;
  const folder = join(cache, "voxctl");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { mode, uid: owner } = lstatSync(folder);
    // By sudo, a home may be another's. On Windows neither says anything.
    const own = uid === undefined || (owner === uid && (mode & 0o022) === 0);
    return own ? join(folder, "compiled") : undefined;
  } catch {
    return undefined;
  }
}

function cacheHome(env, platform) {
  // An XDG variable counts only when it is absolute, as its specification says.
  const named = env.XDG_CACHE_HOME;
  if (named && isAbsolute(named)) return named;
  if (platform === "win32") return env.LOCALAPPDATA || undefined;
  const home = env.HOME || userHome();
  if (!home || !isAbsolute(home)) return undefined;
  return platform === "darwin" ? join(home, "Library", "Caches") : join(home, ".cache");
}

/** A container may have no entry for its user. */
function userHome() {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

module.exports = { compileCacheFolder };
