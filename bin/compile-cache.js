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
const { basename, dirname, isAbsolute, join, sep } = require("node:path");
const { hash } = require("node:crypto");

/**
 * Returns a directory for compiled code in the user's own cache. All users of the machine share Node's
 * default directory, where another user could place code that would be run.
 * @returns undefined if every candidate is writable by other users; then compiled code is not cached
 */
function compileCacheFolder(env, platform, uid) {
  const cache = cacheHome(env, platform);
  // Skip /proc and /sys: Node's mkdir would retry forever there.
  if (cache === undefined || /^\/(?:proc|sys)\//.test(cache)) return undefined;
  const folder = join(cache, "voxctl");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { mode, uid: owner } = lstatSync(folder);
    // With sudo, the home directory may belong to another user. On Windows, IDs and modes don't show this.
    const own = uid === undefined || (owner === uid && (mode & 0o022) === 0);
    return own ? join(folder, "compiled") : undefined;
  } catch {
    return undefined;
  }
}

function cacheHome(env, platform) {
  // Ignore a relative path, as the XDG specification requires.
  const named = env.XDG_CACHE_HOME;
  if (named && isAbsolute(named)) return named;
  if (platform === "win32") return env.LOCALAPPDATA || undefined;
  const home = env.HOME || userHome();
  if (!home || !isAbsolute(home)) return undefined;
  return platform === "darwin" ? join(home, "Library", "Caches") : join(home, ".cache");
}

/** Returns the home directory; undefined if a container has no entry for its user. */
function userHome() {
  try {
    // Load node:os only if HOME is not set.
    return require("node:os").userInfo().homedir;
  } catch {
    return undefined;
  }
}

/**
 * Start of the function that Node puts around a CommonJS file. On Node.js 22, loading it from `node:module` takes 5% of the startup time.
 */
const before = "(function (exports, require, module, __filename, __dirname) { ";

/** Loads node:fs/promises when it is first used: it loads streams, which most commands don't use. */
const filePromises = new Proxy({}, { get: (_, name) => require("node:fs/promises")[name] });

/** Matches bundle files that have a hash in their name. Their content never changes, so only their code is cached. */
const named = /[/\\]dist[/\\]chunks[/\\][\w-]+-[\w-]{8}\.cjs$/;
/** The directory of the bundle's other files. They are few and small. */
const bundle = join(__dirname, "..", "dist");

function isBundled(path) {
  return named.test(path) || (path.endsWith(".cjs") && dirname(path) === bundle);
}

/**
 * When the process ends, saves V8's compiled code of each bundle file, including the functions that were compiled on demand. The next
 * process uses this code. With Node's own compile cache (22.1 and later), `contacts list` takes a quarter longer: Node resolves each file
 * as a module and compiles more code again.
 * @param folder directory, one for each version of Node; no other user can write to it
 */
function keepCode(folder) {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return;
  const { Script } = require("node:vm");
  const mark = markStart(folder);
  /** Bundle files to cache. Each entry has the path of the cached code, the script, and the length of the cached code. */
  const scripts = [];
  /** Exports by path. Files refer to each other by name, so no path needs to be resolved. */
  const loaded = new Map();
  const run = (path, outside) => {
    const kept = named.test(path) ? join(folder, `${basename(path)}.code`) : undefined;
    const cachedData = kept && readKept(kept);
    // The build writes only ASCII.
    const script = new Script(`${before}${readFileSync(path, "latin1")}\n})`, {
      filename: path,
      columnOffset: -before.length,
      cachedData,
    });
    // V8 rejects code that was compiled by another version, with other flags or from source text of a different length.
    if (kept)
      scripts.push({ kept, script, length: script.cachedDataRejected ? 0 : (cachedData?.length ?? 0) });
    const own = dirname(path);
    const load = (id) => {
      if (id === "node:fs/promises") return filePromises;
      if (!id.startsWith(".")) return outside.require(id);
      const other = id.startsWith("./") ? `${own}${sep}${id.slice(2)}` : join(own, id);
      const known = loaded.get(other);
      if (known) return known.exports;
      return isBundled(other) ? run(other, outside).exports : outside.require(id);
    };
    const file = { exports: {} };
    loaded.set(path, file);
    try {
      script.runInThisContext().call(file.exports, file.exports, load, file, path, own);
    } catch (error) {
      loaded.delete(path);
      throw error;
    }
    return file;
  };
  const usual = require.extensions[".js"];
  require.extensions[".cjs"] = (module, path) => {
    if (!isBundled(path)) usual(module, path);
    else module.exports = (loaded.get(path) ?? run(path, module)).exports;
  };
  process.once("exit", () => {
    write(folder, scripts);
    rmSync(mark, { force: true });
  });
}

const markEnding = ".running";

/**
 * Marks that this process runs cached code. If an earlier process left a mark, the code may have crashed that process, so all cached code
 * is removed.
 * @returns the mark's path
 */
function markStart(folder) {
  const mark = join(folder, `${process.pid}${markEnding}`);
  try {
    const names = readdirSync(folder);
    const left = names.filter((name) => name.endsWith(markEnding) && isLeft(folder, name));
    if (left.length > 0)
      for (const name of names) if (name.endsWith(".code")) rmSync(join(folder, name), { force: true });
    writeFileSync(mark, "");
  } catch {
    // No code is cached yet, or the directory is not writable.
  }
  return mark;
}

/** Returns whether an ended process left this mark. If so, removes the mark. */
function isLeft(folder, name) {
  const id = Number.parseInt(name, 10);
  try {
    // A mark with this process's ID was left by an earlier process.
    if (id !== process.pid) {
      process.kill(id, 0);
      return false;
    }
  } catch ({ code }) {
    if (code !== "ESRCH") return false;
  }
  try {
    rmSync(join(folder, name));
    return true;
  } catch {
    // The process has removed the mark in the meantime.
    return false;
  }
}

/**
 * If any file ran without cached code, saves the code of all files, because this command may have compiled more functions. Never replaces
 * cached code with less: in a long process, V8 drops the code of functions that were not called for a while.
 */
function write(folder, scripts) {
  if (scripts.every(({ length }) => length > 0)) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const { kept, script, length } of scripts) {
      const code = script.createCachedData();
      if (code.length <= length) continue;
      const draft = `${kept}.${process.pid}`;
      try {
        writeFileSync(draft, Buffer.concat([code, sumOf(code)]), { mode: 0o600 });
        // Replace the file atomically, because another process may be reading it.
        renameSync(draft, kept);
      } finally {
        rmSync(draft, { force: true });
      }
    }
    removeOld(folder, scripts);
  } catch {
    // An error, such as a full disk, only makes the next command slower.
  }
}

const oldMilliseconds = 90 * 86_400_000;

/** Removes code of earlier releases: files that are more than 90 days older than the newest file in use. */
function removeOld(folder, scripts) {
  const newest = Math.max(...scripts.map(({ kept }) => statSync(kept).mtimeMs));
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (name.endsWith(".code") && newest - statSync(file).mtimeMs > oldMilliseconds) rmSync(file);
  }
}

/** @returns undefined if the code is missing or incomplete */
function readKept(path) {
  try {
    const content = readFileSync(path);
    const code = content.subarray(0, -sumBytes);
    return sumOf(code).equals(content.subarray(-sumBytes)) ? code : undefined;
  } catch {
    return undefined;
  }
}

const sumBytes = 20;

/** V8 runs damaged code as well, so every byte must be checked. Commands load node:crypto anyway, unlike node:zlib. */
function sumOf(code) {
  return hash("sha1", code, "buffer");
}

module.exports = { compileCacheFolder, keepCode };
