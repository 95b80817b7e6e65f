import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";

const { compileCacheFolder } = createRequire(import.meta.url)("../../bin/compile-cache.js") as {
  compileCacheFolder(
    env: Record<string, string>,
    platform: NodeJS.Platform,
    uid: number | undefined,
  ): string | undefined;
};
const uid = process.getuid?.();

test("compiled code is cached in a private cache directory of the user", () => {
  const home = temporaryFolder();
  expect(compileCacheFolder({ HOME: home }, "linux", uid)).toBe(join(home, ".cache", "voxctl", "compiled"));
  expect(statSync(join(home, ".cache", "voxctl")).mode & 0o777).toBe(0o700);
  expect(compileCacheFolder({ HOME: home }, "darwin", uid)).toBe(
    join(home, "Library", "Caches", "voxctl", "compiled"),
  );
  const own = { HOME: home, XDG_CACHE_HOME: join(home, "xdg") };
  expect(compileCacheFolder(own, "linux", uid)).toBe(join(home, "xdg", "voxctl", "compiled"));
  expect(compileCacheFolder({ HOME: home, XDG_CACHE_HOME: "not/absolute" }, "linux", uid)).toContain(home);
  expect(compileCacheFolder({ LOCALAPPDATA: home }, "win32", undefined)).toBe(
    join(home, "voxctl", "compiled"),
  );
  expect(compileCacheFolder({}, "win32", undefined)).toBeUndefined();
});

test("compiled code is stored only in a directory that other users can't write to", () => {
  const home = temporaryFolder();
  const folder = join(home, "voxctl");
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  expect(compileCacheFolder({ XDG_CACHE_HOME: home }, "linux", uid)).toBeUndefined();
  chmodSync(folder, 0o755);
  expect(compileCacheFolder({ XDG_CACHE_HOME: home }, "linux", uid)).toBe(join(folder, "compiled"));
  // With sudo, the home directory may belong to another user.
  expect(compileCacheFolder({ XDG_CACHE_HOME: home }, "linux", (uid ?? 0) + 1)).toBeUndefined();
  const otherFolder = temporaryFolder();
  symlinkSync(folder, join(otherFolder, "voxctl"));
  writeFileSync(join(otherFolder, "file"), "");
  expect(compileCacheFolder({ XDG_CACHE_HOME: join(otherFolder, "file") }, "linux", uid)).toBeUndefined();
  expect(existsSync(join(folder, "compiled"))).toBe(false);
});

test("no bundled file uses dynamic imports", () => {
  const chunks = join(process.cwd(), "dist", "chunks");
  const files = readdirSync(chunks).filter((name) => name.endsWith(".cjs"));
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((name) => /\bimport\([`'"]/.test(readFileSync(join(chunks, name), "utf8")))).toEqual(
    [],
  );
});

test("files of the bundle are ASCII", () => {
  const dist = join(process.cwd(), "dist");
  const files = ["", "chunks"].flatMap((folder) =>
    readdirSync(join(dist, folder)).map((name) => join(dist, folder, name)),
  );
  const bundled = files.filter((file) => file.endsWith(".cjs"));
  expect(bundled.length).toBeGreaterThan(50);
  expect(bundled.filter((file) => !/^[\u0000-\u007f]*$/.test(readFileSync(file, "utf8")))).toEqual([]);
});

test("a list command reads at most a dozen bundled files", () => {
  const { env, inodes } = createCachingHome();
  const keptAfter = (...argv: string[]) => {
    rmSync(env.XDG_CACHE_HOME, { recursive: true, force: true });
    mkdirSync(env.XDG_CACHE_HOME);
    execFileSync(process.execPath, ["bin/voxctl.js", ...argv], { env, stdio: ["ignore", "ignore", "pipe"] });
    return inodes();
  };
  for (const argv of [[], ["--help"], ["-h"], ["help"], ["--version"]])
    expect(keptAfter(...argv)).toEqual([]);
  // The first command creates the database.
  keptAfter("contacts", "list");
  const kept = keptAfter("contacts", "list");
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.length).toBeLessThan(13);
});

/**
 * Creates a home directory. Returns the environment of its processes, and a function that reads the inode of
 * each file with cached code.
 */
function createCachingHome() {
  const home = temporaryFolder();
  return {
    env: {
      ...{ HOME: home, VOXCTL_DATA_DIR: join(home, "data"), VOXCTL_CONFIG_DIR: home },
      ...{ XDG_CACHE_HOME: join(home, "cache"), VOXCTL_KEYCHAIN: "off", VOXCTL_PROFILE: "offline" },
    },
    inodes() {
      const files = readdirSync(join(home, "cache"), { recursive: true, encoding: "utf8" });
      return files
        .filter((name) => name.endsWith(".code"))
        .map((name) => [name, statSync(join(home, "cache", name)).ino]);
    },
  };
}

test("a bulk run uses the code that an earlier run cached", () => {
  const { env, inodes } = createCachingHome();
  const file = join(env.HOME, "people.csv");
  writeFileSync(file, "First name,Phone\nAnna,+4930123456\n");
  const argv = ["bin/voxctl.js", "contacts", "import", file, "--group", "People", "--create-group", "--yes"];
  const run = () => execFileSync(process.execPath, argv, { env, stdio: ["ignore", "ignore", "pipe"] });
  // The first run creates the database and the group, so it compiles more functions.
  run();
  run();
  const before = inodes();
  run();
  expect(inodes()).toEqual(before);
});

function keepingProgram() {
  const home = temporaryFolder();
  const chunks = join(home, "dist", "chunks");
  mkdirSync(chunks, { recursive: true });
  writeFileSync(join(chunks, "other-12345678.cjs"), "exports.own = __filename.endsWith('78.cjs');");
  writeFileSync(
    join(chunks, "some-abcdefgh.cjs"),
    "exports.text = () => [require('./other-12345678.cjs').own, new Error('').stack.split('\\n')[1]].join(); exports.other = () => [1, 2, 3].map((one) => String(one));",
  );
  const kept = join(home, "kept");
  const run = (env = {}, script = "process.stdout.write(some.text())") =>
    execFileSync(
      process.execPath,
      [
        "-e",
        `require(${JSON.stringify(join(process.cwd(), "bin/compile-cache.js"))}).keepCode(${JSON.stringify(kept)});
        const some = require(${JSON.stringify(join(chunks, "some-abcdefgh.cjs"))});
        ${script}`,
      ],
      { encoding: "utf8", env },
    );
  return { chunks, kept, run };
}

test("the code of a bundled file is cached and used the next time", () => {
  const { chunks, kept, run } = keepingProgram();
  const uncached = run({ NODE_DISABLE_COMPILE_CACHE: "1" });
  expect(uncached).toMatch(/^true,/);
  expect(existsSync(kept)).toBe(false);
  // The stack trace shows the same lines and columns as without the cache.
  expect(run()).toBe(uncached);
  const files = readdirSync(kept).sort();
  expect(files).toEqual(["other-12345678.cjs.code", "some-abcdefgh.cjs.code"]);
  const code = join(kept, files[1] ?? "");
  const { ino } = statSync(code);
  expect(run()).toBe(uncached);
  expect(statSync(code).ino).toBe(ino);
  // A power failure can damage a sector of a cached file, and Node.js alone would still run the damaged code.
  const damaged = readFileSync(code).fill(0, 256, 768);
  writeFileSync(code, damaged);
  // When code is stored again, the code of an earlier release is removed.
  const old = join(kept, "some-00000000.cjs.code");
  writeFileSync(old, "");
  utimesSync(old, new Date(0), new Date(0));
  expect(run()).toBe(uncached);
  expect(readdirSync(kept).sort()).toEqual(files);
  expect(readFileSync(code).equals(damaged)).toBe(false);
  // A command that loads a new file stores the file's code. It also stores the functions of cached files that
  // no earlier command compiled.
  writeFileSync(join(chunks, "more-12345678.cjs"), "exports.more = require('./some-abcdefgh.cjs').text;");
  const { length } = readFileSync(code);
  run({}, "some.other()");
  expect(readFileSync(code)).toHaveLength(length);
  run({}, `require(${JSON.stringify(join(chunks, "more-12345678.cjs"))}).more(); some.other()`);
  expect(readFileSync(code).length).toBeGreaterThan(length);
  expect(run()).toBe(uncached);
});

test("damaged cached code is compiled again", () => {
  const { kept, run } = keepingProgram();
  const result = run();
  const file = join(kept, "some-abcdefgh.cjs.code");
  const sound = readFileSync(file);
  const flipped = [4, 24, 61, 333, sound.length >> 1, sound.length - 9, sound.length - 1].map((at) => {
    const bytes = Buffer.from(sound);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (at & 7)), at);
    return bytes;
  });
  for (const damaged of [...flipped, sound.subarray(0, 100), Buffer.alloc(4), Buffer.alloc(0)]) {
    writeFileSync(file, damaged);
    expect(run()).toBe(result);
    expect(readFileSync(file).equals(damaged)).toBe(false);
  }
});

test("after a process ended abnormally, cached code is compiled again", () => {
  const { kept, run } = keepingProgram();
  const result = run();
  const file = join(kept, "some-abcdefgh.cjs.code");
  const { ino } = statSync(file);
  expect(() => run({}, "process.kill(process.pid, 'SIGKILL')")).toThrow();
  expect(readdirSync(kept).filter((name) => name.endsWith(".running"))).toHaveLength(1);
  expect(run()).toBe(result);
  expect(statSync(file).ino).not.toBe(ino);
  expect(readdirSync(kept).sort()).toEqual(["other-12345678.cjs.code", "some-abcdefgh.cjs.code"]);
});

test("a running process does not invalidate the cache of other processes", () => {
  const { kept, run } = keepingProgram();
  const result = run();
  const { ino } = statSync(join(kept, "some-abcdefgh.cjs.code"));
  const mark = join(kept, `${process.pid}.running`);
  writeFileSync(mark, "");
  expect(run()).toBe(result);
  expect(statSync(join(kept, "some-abcdefgh.cjs.code")).ino).toBe(ino);
  expect(existsSync(mark)).toBe(true);
});
