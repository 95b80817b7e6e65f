import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { readAuthors } from "./authors.js";
import { identityOf } from "./identity.js";
import type { Journal } from "./journal.js";

export const Origin = z.object({
  kind: z.string().nullable(),
  /** Command that created the run's plan, such as `contacts sync`. */
  command: z.string().nullable().default(null),
  /** Command that started the run, without arguments, such as `contacts import`. */
  started_with: z.string().nullable().default(null),
  file: z.string().nullable(),
  group: z.string().nullable(),
  group_id: z.string().nullable(),
  profile: z.string().nullable(),
  /** Fleet run and its member that started this run, such as `2aa82de186e4/praxis-weiss`. */
  member: z.string().nullable().default(null),
  base_url: z.string().nullable(),
  /** ID of the emulator state; null for a deployment. */
  world: z.string().nullable().default(null),
  started_at: z.string().nullable(),
});
export type RunOrigin = z.infer<typeof Origin>;

export function originOf(journal: Journal): RunOrigin {
  const text = (name: string) => {
    const value = journal.setting(name);
    return typeof value === "string" ? value : null;
  };
  const started = journal.setting("started_at");
  const identity = identityOf(journal);
  return {
    kind: identity?.kind ?? null,
    command: text("command"),
    started_with: readAuthors(journal)[0]?.command ?? text("command") ?? identity?.kind ?? null,
    file: text("file"),
    group: text("group_name"),
    // The run of an organization spec has no group.
    group_id: identity?.group_id || null,
    profile: text("profile"),
    member: text("fleet_member"),
    base_url: identity?.base_url ?? null,
    world: identity?.world ?? null,
    started_at: typeof started === "number" ? new Date(started).toISOString() : null,
  };
}

function pathOf(folder: string, id: string): string {
  return join(folder, `${id}.about.json`);
}

/** Stores a run's origin in a separate file, because other processes can't read the locked journal. */
export async function saveOrigin(folder: string, run: { id: string; journal: Journal }): Promise<void> {
  await writeFile(pathOf(folder, run.id), JSON.stringify(originOf(run.journal)), { mode: 0o600 });
}

export async function withOrigin<T>(
  folder: string,
  run: { id: string; journal: Journal },
  work: () => Promise<T>,
): Promise<T> {
  await saveOrigin(folder, run);
  try {
    return await work();
  } finally {
    await removeOrigin(folder, run.id);
  }
}

/** Returns the origin of a run in another process; undefined if the run has just started or has ended. */
export async function readOrigin(folder: string, id: string): Promise<RunOrigin | undefined> {
  try {
    return Origin.parse(JSON.parse(await readFile(pathOf(folder, id), "utf8")));
  } catch {
    return undefined;
  }
}

export async function removeOrigin(folder: string, id: string): Promise<void> {
  await rm(pathOf(folder, id), { force: true });
}
