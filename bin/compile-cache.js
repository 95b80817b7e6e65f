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
const { crc32 } = require("node:zlib");

/**
 * Returns a directory for compiled code in the user's own cache. All users of the machine share Node's
 * default directory, where another user could place code that would be run.
 * @returns undefined if every candidate is writable by other users; then compiled code is not cached
 */
function compileCacheFolder(env, platform, uid) {
  const cache = cacheHome(env, platform);
  // No file can be created in the kernel's directories, where Node's mkdir would retry forever.
  if (cache === undefined || /^\/(?:proc|sys)\//.test(cache)) return undefined;
  const folder = join(cache, "voxctl");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { mode, uid: owner } = lstatSync(folder);
    // With sudo, the home directory may belong to another user. On Windows, ids and modes don't show this.
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

/** The code that Node puts around a CommonJS file. Loading `node:module` to get it takes 5% of the startup time on Node.js 22. */
const before = "(function (exports, require, module, __filename, __dirname) { ";

/** Matches the files of the bundle whose names contain a hash. Only their code is cached, because their content never changes. */
const named = /[/\\]dist[/\\]chunks[/\\][\w-]+-[\w-]{8}\.cjs$/;
/** The directory of the bundle's other files. They are few and small. */
const bundle = join(__dirname, "..", "dist");

function isBundled(path) {
  return named.test(path) || (path.endsWith(".cjs") && dirname(path) === bundle);
}

/**
 * When the process ends, saves V8's compiled code of each bundle file, including the functions that were compiled on demand. The next
 * process uses this code. Node's own compile cache (22.1 and later) is slower: it makes `contacts list` take a quarter longer, because it
 * resolves each file like any module and compiles more of the code again.
 * @param folder directory, one for each version of Node; no other user can write to it
 */
function keepCode(folder) {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return;
  const { Script } = require("node:vm");
  const mark = markStart(folder);
  /** The cached files that this process runs: the path of each file's code, its script, and the length of the code that was used. */
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

/** Returns whether the mark's process ended without removing the mark. If so, removes the mark. */
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
    // The disk may be full, for example. The next command then only takes longer.
  }
}

const oldMilliseconds = 90 * 86_400_000;

/** Removes the code of earlier releases, which was written long before this process. */
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

const sumBytes = 4;

/** V8 runs damaged code as well, so every byte must be checked. */
function sumOf(code) {
  const bytes = Buffer.alloc(sumBytes);
  bytes.writeUInt32LE(crc32(code));
  return bytes;
}

module.exports = { compileCacheFolder, keepCode };
