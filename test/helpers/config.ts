import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { onTestFinished } from "vitest";
import type { Emulator } from "../../src/emulator/index.js";
import { commandLine, connectedTo, type Ran, type RunOptions } from "./cli.js";
import { readLog } from "./log.js";
import { openSeededEmulator } from "./templates.js";

/** Texts of files by path in a directory. Undefined removes the file. */
export type Files = Readonly<Record<string, string | undefined>>;

const allTypes = "[assistants, prompts, knowledge, forwardings, glossary, pronunciation, calendars, tools]";

/** Returns a project file whose target `dev` is the offline profile. */
export const projectText = (more = "", types = allTypes) => `version: 1
project: "0123456789ab"
kinds: ${types}
targets:
  dev: { profile: offline }
${more}`;

/** Sets up an emulator, and a configuration directory whose target `dev` is this emulator. */
export async function setUpConfig(
  files: Files = {},
  { seed = "empty", more = "" }: { seed?: "empty" | "demo"; more?: string } = {},
) {
  const emulator = await openSeededEmulator({
    seed,
    clock: "virtual",
    startTime: "2026-03-02T09:00:00.000Z",
  });
  onTestFinished(() => emulator.close());
  return setUpFolder(emulator, { "voxctl.project.yaml": projectText(more), ...files });
}

/** Sets up a configuration directory for an existing emulator. */
export function setUpFolder(emulator: Emulator, files: Files, options: RunOptions = {}) {
  const shell = commandLine({ overrides: connectedTo(emulator), ...options });
  const root = join(shell.home, "folder");
  mkdirSync(root, { recursive: true });
  const write = (changed: Files) => {
    for (const [path, text] of Object.entries(changed)) {
      const file = join(root, path);
      if (text === undefined) rmSync(file, { recursive: true, force: true });
      else {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    }
  };
  write(files);
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const all = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
        .map((path) => [relative(root, path), readFileSync(path, "utf8")]),
    );
  const config = (verb: string, ...args: string[]): Promise<Ran> =>
    shell.runWith(
      { cwd: root },
      "config",
      verb,
      ...(["check", "init"].includes(verb) || args.includes("--target") ? [] : ["--target", "dev"]),
      ...args,
    );
  const apply = (...args: string[]) =>
    config("apply", "--yes", "--allow", "assistants:create", "--allow", "assistants:delete", ...args);
  const json = async (...argv: string[]) =>
    (await shell.run(...argv, "--profile", "offline", "--yes", "-o", "json")).json;
  const list = (resource: string) => json(resource, "list", "--all");
  const lock = (
    target = "dev",
  ): Record<string, { id: string; made: boolean; applied: Record<string, unknown> }> => {
    const path = join(root, "locks", `${target}.jsonl`);
    if (!existsSync(path)) return {};
    const lines = readFileSync(path, "utf8").trimEnd().split("\n").slice(1);
    return Object.fromEntries(lines.map((line) => JSON.parse(line)).map((line) => [line.key, line]));
  };
  const writes = async () => {
    const requests = await readLog(emulator);
    return requests.filter(({ method, path }) => method !== "GET" && path.startsWith("/api/"));
  };
  return { ...shell, emulator, root, write, read, all, config, apply, json, list, lock, writes };
}

export function parseError({ stderr }: Ran): {
  code: string;
  message: string;
  hint: string | null;
  details: { message: string }[];
} {
  return JSON.parse(stderr.trim().split("\n").at(-1) ?? "{}").error;
}
