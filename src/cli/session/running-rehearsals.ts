// A file in the real data directory marks a running rehearsal. A voxctl process that the rehearsal started, but
// without the rehearsal's environment variables, finds this file and sends no requests to the service.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { parseJsonSafely } from "../../base/json.js";
import { isAlive } from "../../base/processes.js";
import { once } from "../../contract/once.js";
import { refusedError } from "../errors/errors.js";
import type { Folders } from "../profiles/folders.js";
import type { ChosenProfile } from "../profiles/profile.js";
import { findProcessStart, listAncestors } from "./ancestors.js";

const Running = once(() =>
  z.object({
    pid: z.int(),
    /** Start time in the system's format; null if the system does not report it. */
    start: z.string().nullable(),
    base_url: z.string(),
    profile: z.string(),
  }),
);
type Running = z.output<ReturnType<typeof Running>>;

export function getRehearsalsFolder({ data }: Pick<Folders, "data">): string {
  return join(data, "rehearsals");
}

/** Returns a function that removes the mark. */
export function registerRehearsal(
  folders: Pick<Folders, "data">,
  { profile, baseUrl }: { profile: string; baseUrl: string },
): () => void {
  const folder = getRehearsalsFolder(folders);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, String(process.pid));
  const running: Running = {
    pid: process.pid,
    start: findProcessStart(process.pid) ?? null,
    base_url: baseUrl,
    profile,
  };
  writeFileSync(path, `${JSON.stringify(running)}\n`, { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/** Deletes the directories of finished rehearsals, because they contain personal data. */
export function removeFinishedRehearsals(folders: Pick<Folders, "data">): void {
  const all = getRehearsalsFolder(folders);
  if (!existsSync(all)) return;
  const running = new Set(listRunning(folders).map(({ pid }) => pid));
  for (const name of readdirSync(all)) {
    const pid = Number(/^(\d+)(?:\.files)?$/.exec(name)?.[1]);
    if (!Number.isNaN(pid) && !running.has(pid)) rmSync(join(all, name), { recursive: true, force: true });
  }
}

/**
 * Call this function if the process lacks the environment of a rehearsal.
 * @throws refused error (12) if a rehearsal of the profile's service started this process
 */
export function assertNotBelowRehearsal(folders: Folders, profile: ChosenProfile): void {
  if (profile.type !== "remote" || !existsSync(getRehearsalsFolder(folders))) return;
  const origins = new Set(
    [...Object.values(profile.targets), ...Object.values(profile.unreadable ?? {})].map(({ baseUrl }) =>
      getOrigin(baseUrl),
    ),
  );
  const matching = listRunning(folders).filter(({ base_url }) => origins.has(getOrigin(base_url)));
  if (matching.length === 0) return;
  const above = new Set(listAncestors());
  const rehearsal = matching.find(({ pid }) => above.has(pid));
  if (!rehearsal) return;
  throw refusedError(
    "not_rehearsed",
    `a rehearsal of ${rehearsal.profile} started this command, but VOXCTL_REHEARSAL is not set`,
    "pass VOXCTL_REHEARSAL to the command",
  );
}

function listRunning(folders: Pick<Folders, "data">): Running[] {
  const folder = getRehearsalsFolder(folders);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d+$/.test(name)) : [];
  return names.flatMap((name) => {
    const parsed = Running().safeParse(parseJsonSafely(textOf(join(folder, name))));
    if (!parsed.success) return [];
    const { pid, start } = parsed.data;
    const isSame = start === null || findProcessStart(pid) === start;
    return isAlive(pid) && isSame ? [parsed.data] : [];
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function getOrigin(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}
