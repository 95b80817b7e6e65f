const {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require("node:fs");
const { wrapper } = require("node:module");
const { basename, dirname, isAbsolute, join } = require("node:path");

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
    // Loaded where it is needed: HOME says it nearly always.
    return require("node:os").homedir();
  } catch {
    return undefined;
  }
}

/** A file of the bundle whose name changes with its content: only that of such a file can be known again. */
const named = /[/\\]dist[/\\]chunks[/\\][\w-]+-[\w-]{8}\.cjs$/;

/**
 * What Node's own compile cache does from 22.1 on: V8's code of each file that was run is kept when the process ends,
 * with the functions that were compiled by then, and taken the next time.
 * @param folder where, one for each version of Node; no other user can write to it
 */
function keepCode(folder) {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return;
  const { Script } = require("node:vm");
  const [before, after] = wrapper;
  /** Compiled in this process, by the file that is to hold them. */
  const compiled = new Map();
  const usual = require.extensions[".js"];
  require.extensions[".cjs"] = (module, path) => {
    if (!named.test(path)) return usual(module, path);
    const kept = join(folder, `${basename(path)}.code`);
    const cachedData = readIfThere(kept);
    const script = new Script(before + readFileSync(path, "utf8") + after, {
      filename: path,
      columnOffset: -before.length,
      cachedData,
    });
    // V8 refuses what was compiled by another version of itself, with other flags, or from a text of another length.
    if (cachedData === undefined || script.cachedDataRejected) compiled.set(kept, script);
    const load = (id) => module.require(id);
    script.runInThisContext().call(module.exports, module.exports, load, module, path, dirname(path));
  };
  process.once("exit", () => write(folder, compiled));
}

function write(folder, compiled) {
  try {
    if (compiled.size > 0) mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [kept, script] of compiled) {
      const draft = `${kept}.${process.pid}`;
      try {
        writeFileSync(draft, script.createCachedData(), { mode: 0o600 });
        // In one step: another process may be reading it.
        renameSync(draft, kept);
      } finally {
        rmSync(draft, { force: true });
      }
    }
    removeOld(folder, compiled);
  } catch {
    // A full disk, say: nothing is lost but time.
  }
}

const oldMilliseconds = 90 * 86_400_000;

/** Code of releases that are gone: what was written long before this process wrote. */
function removeOld(folder, compiled) {
  const [newest] = [...compiled.keys()].map((kept) => statSync(kept).mtimeMs);
  if (newest === undefined) return;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (name.endsWith(".code") && newest - statSync(file).mtimeMs > oldMilliseconds) rmSync(file);
  }
}

function readIfThere(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

module.exports = { compileCacheFolder, keepCode };
