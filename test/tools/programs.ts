import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { findPostgres } from "./postgres.js";

/** Debian's packages of the required programs. */
const packages = {
  chromium: ["chromium"],
  "dbus-run-session": ["dbus"],
  file: ["file"],
  fish: ["fish"],
  flac: ["flac"],
  git: ["git"],
  mandoc: ["mandoc"],
  "gnome-keyring-daemon": ["gnome-keyring"],
  mpg123: ["mpg123"],
  pgbouncer: ["pgbouncer"],
  python3: ["python3"],
  "secret-tool": ["libsecret-tools"],
  soxi: ["sox", "libsox-fmt-mp3"],
  script: ["bsdutils", "bash-completion"],
  xmllint: ["libxml2-utils"],
  // Tests in terminals also need bash-completion, which the entry for `script` rarely installs, because most
  // systems already have `script`.
  zsh: ["zsh", "bash-completion"],
} as const;

type Program = keyof typeof packages;

export function findProgram(program: string): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * Ensures that programs exist, and installs missing ones as root.
 * @returns the programs that are still missing, also printed on stderr; undefined if all exist
 */
export function findMissingPrograms(...programs: Program[]): string | undefined {
  const missing = () => programs.filter((program) => findProgram(program) === undefined);
  return ensured(missing, (before) => before.flatMap((program) => packages[program]));
}

/**
 * Like `findMissingPrograms`, for a Python module. Uses `/usr/bin/python3`, because Debian's packages work only
 * with Debian's own Python.
 */
export function findMissingModule(module: string): string | undefined {
  const missing = () =>
    spawnSync(debianPython, ["-c", `import ${module}`]).status === 0 ? [] : [`Python's ${module}`];
  return ensured(missing, () => [`python3-${module}`]);
}

/** Like `findMissingPrograms`, for PostgreSQL, whose programs Debian keeps out of PATH. */
export function findMissingPostgres(): string | undefined {
  const missing = () => (findPostgres() === undefined ? ["PostgreSQL"] : []);
  return ensured(missing, () => ["postgresql"]);
}

export const debianPython = "/usr/bin/python3";

function ensured<Missing extends string>(
  missing: () => readonly Missing[],
  packagesOf: (before: readonly Missing[]) => readonly string[],
): string | undefined {
  const before = missing();
  if (before.length === 0) return undefined;
  const packages = packagesOf(before);
  const installer = findProgram("apt-get");
  if (installer !== undefined && process.getuid?.() === 0) {
    // Test files run in parallel, and apt-get fails if another apt-get is running.
    const lock = join(tmpdir(), "voxctl-tests-apt.lock");
    const aptGet = (...parameters: string[]) =>
      spawnSync("flock", [lock, installer, "-qq", ...parameters], {
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
        stdio: "ignore",
        timeout: 240_000,
      });
    aptGet("update");
    aptGet("install", "-y", "--no-install-recommends", ...packages);
  }
  const after = missing();
  if (after.length === 0) return undefined;
  const reason = `missing: ${after.join(", ")} (Debian: apt-get install ${packages.join(" ")})`;
  console.warn(`skipped, ${reason}`);
  return reason;
}
