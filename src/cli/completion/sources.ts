import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Io } from "../../base/io.js";
import type { Folders } from "../profiles/folders.js";
import type { Candidate, Source } from "./complete.js";
import { readRemembered } from "./remembered/cache.js";

/** Suggest IDs instead of names: calls have no name, and users know partners and customers by external ID. */
const byIdOnly = new Set(["calls.list", "partners.list", "customers.list"]);

/**
 * Suggests profiles, aliases, files, runs, and rows that earlier list commands stored. Doesn't validate the
 * files that it reads.
 */
export function createLocalSource(io: Io, folders: Folders): Source {
  return (of, given, begun) => {
    if (of === "profiles") return listProfileCandidates(folders);
    if (of === "aliases") return listAliasCandidates(folders);
    if (of === "at-files") return listFileCandidates(io.cwd, begun);
    if (of === "runs") return listRunCandidates(folders);
    const [list = "", condition] = of.split("?");
    const type = condition?.split("=")[1];
    const rows = readRemembered(folders, given ?? findProfileInUse(io, folders))[list] ?? [];
    const fitting = rows.filter((row) => type === undefined || row.type === type);
    const byId = fitting.map(({ id, name }) => ({ value: id, description: name ?? "" }));
    if (byIdOnly.has(list)) return byId;
    const named = fitting.flatMap(({ id, name }): Candidate[] =>
      name === undefined || name === "" ? [] : [{ value: name, description: id }],
    );
    const ids = byId.map((candidate) => ({ ...candidate, onceBegun: named.length > 0 }));
    return [...new Map([...ids, ...named].map((candidate) => [candidate.value, candidate])).values()];
  };
}

/**
 * Completes paths after an `@`, as in `--data @order.yaml`, because a shell's own completion stops at the
 * `@`.
 */
function listFileCandidates(cwd: string, begun: string): Candidate[] {
  if (begun !== "" && !begun.startsWith("@")) return [];
  const typed = begun.slice(1);
  const folder = typed.slice(0, typed.lastIndexOf("/") + 1);
  try {
    return readdirSync(resolve(cwd, folder || "."), { withFileTypes: true })
      .filter(({ name }) => !name.startsWith(".") || typed.slice(folder.length).startsWith("."))
      .map((entry) => ({
        value: `@${folder}${entry.name}${entry.isDirectory() ? "/" : ""}`,
        description: entry.isDirectory() ? "directory" : "file",
      }))
      .sort((left, right) => (left.value < right.value ? -1 : 1));
  } catch {
    return [];
  }
}

/** Sorts by file time, because reading each journal would be slow. */
function listRunCandidates(folders: Folders): Candidate[] {
  const folder = join(folders.data, "runs");
  try {
    return readdirSync(folder)
      .flatMap((name) => {
        const id = /^(.+)\.sqlite$/.exec(name)?.[1];
        return id === undefined ? [] : [{ id, at: statSync(join(folder, name)).mtime }];
      })
      .sort((left, right) => right.at.getTime() - left.at.getTime())
      .map(({ id, at }) => ({ value: id, description: at.toISOString().slice(0, 16).replace("T", " ") }));
  } catch {
    return [];
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

function readStoredProfiles(folders: Folders): { default: string | undefined; names: string[] } {
  const content = readJson(join(folders.config, "config.json"));
  if (typeof content !== "object" || content === null) return { default: undefined, names: [] };
  const preset = "default" in content && typeof content.default === "string" ? content.default : undefined;
  const profiles = "profiles" in content ? content.profiles : undefined;
  const names = typeof profiles === "object" && profiles !== null ? Object.keys(profiles) : [];
  return { default: preset, names };
}

function listAliasCandidates(folders: Folders): Candidate[] {
  return Object.entries(readAliases(folders)).map(([value, line]) => ({ value, description: line }));
}

export function readAliases(folders: Folders): Readonly<Record<string, string>> {
  const content = readJson(join(folders.config, "config.json"));
  const aliases =
    typeof content === "object" && content !== null && "aliases" in content ? content.aliases : {};
  if (typeof aliases !== "object" || aliases === null) return {};
  return Object.fromEntries(
    Object.entries(aliases).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function listProfileCandidates(folders: Folders): Candidate[] {
  const { names } = readStoredProfiles(folders);
  return [...new Set([...names, "offline"])].map((value) => ({
    value,
    description: value === "offline" ? "local emulator" : "profile",
  }));
}

/** Ignores errors, because completion can't show them. */
function findProfileInUse(io: Io, folders: Folders): string {
  return (
    io.env["VOXCTL_PROFILE"] || findPinnedProfile(io.cwd) || readStoredProfiles(folders).default || "offline"
  );
}

function findPinnedProfile(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    for (const name of [".voxctl.yaml", ".voxctl.yml"]) {
      try {
        const text = readFileSync(join(current, name), "utf8");
        return /^profile:\s*["']?([^\s"'#]+)/m.exec(text)?.[1];
      } catch {
        // The file can't be read: try the next file.
      }
    }
    if (dirname(current) === current) return undefined;
  }
}
