import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { makePrivateFolder } from "../../base/private-file.js";
import { normalizedText } from "../fields.js";

const MadeGroup = z.object({ id: z.string(), base_url: z.string(), name: z.string() });
type MadeGroup = z.output<typeof MadeGroup>;

/**
 * Records a new group that no journal contains yet. Without the record, a run after a crash could create a
 * second group, because lists may not show the first group yet.
 */
export async function rememberMadeGroup(folder: string, group: MadeGroup): Promise<void> {
  // On a new machine, the directory doesn't exist yet.
  await makePrivateFolder(folder);
  await writeFile(pathOf(folder, group.id), JSON.stringify(group), { mode: 0o600 });
}

export async function madeGroups(folder: string, baseUrl: string, name: string): Promise<string[]> {
  const names: string[] = await readdir(folder).catch(() => []);
  const ids: string[] = [];
  for (const file of names.filter((fileName) => fileName.startsWith(prefix))) {
    const group = await readMade(join(folder, file));
    if (group?.base_url === baseUrl && normalizedText(group.name) === normalizedText(name))
      ids.push(group.id);
  }
  return ids;
}

/** Called when a journal contains the group. */
export async function forgetMadeGroup(folder: string, groupId: string): Promise<void> {
  await rm(pathOf(folder, groupId), { force: true });
}

export interface GroupAttempt {
  baseUrl: string;
  type: string;
  name: string;
  /** ID of the organization's oldest group; null if it has no groups. */
  oldestGroup: string | null;
}

const SentAttempt = z.object({ sent_at: z.number() });

/**
 * Records that a command is about to create a group. If the command is killed, the next command waits until
 * it is certain whether the group exists.
 * @param now milliseconds since 1970
 */
export async function rememberGroupAttempt(
  folder: string,
  attempt: GroupAttempt,
  now: number,
): Promise<void> {
  await makePrivateFolder(folder);
  await writeFile(attemptPathOf(folder, attempt), JSON.stringify({ sent_at: now }), { mode: 0o600 });
}

/** Returns the time of an earlier attempt that got no response; undefined without such an attempt. */
export async function sentGroupAttempt(folder: string, attempt: GroupAttempt): Promise<number | undefined> {
  try {
    return SentAttempt.parse(JSON.parse(await readFile(attemptPathOf(folder, attempt), "utf8"))).sent_at;
  } catch {
    // There was no attempt, or a process was killed before it sent the request.
    return undefined;
  }
}

/** Returns whether there is an attempt in any organization, so that most runs needn't identify theirs. */
export async function hasGroupAttempts(
  folder: string,
  attempt: Omit<GroupAttempt, "oldestGroup">,
): Promise<boolean> {
  const names: string[] = await readdir(folder).catch(() => []);
  const start = attemptPrefixOf(attempt);
  return names.some((name) => name.startsWith(start));
}

/** Called when the result of the attempt is known. */
export async function forgetGroupAttempt(folder: string, attempt: GroupAttempt): Promise<void> {
  await rm(attemptPathOf(folder, attempt), { force: true });
}

const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** The group's name may be long and contain any character, so hash it. */
function attemptPrefixOf({ baseUrl, type, name }: Omit<GroupAttempt, "oldestGroup">): string {
  return `attempt-${hash(JSON.stringify([baseUrl, type, normalizedText(name)]))}-`;
}

function attemptPathOf(folder: string, attempt: GroupAttempt): string {
  return join(folder, attemptPrefixOf(attempt) + hash(attempt.oldestGroup ?? ""));
}

async function readMade(path: string): Promise<MadeGroup | undefined> {
  try {
    return MadeGroup.safeParse(JSON.parse(await readFile(path, "utf8"))).data;
  } catch {
    // A process was killed while it wrote this file.
    return undefined;
  }
}

const prefix = "made-";

/** The ID may contain any character, so encode it. */
function pathOf(folder: string, groupId: string): string {
  return join(folder, `${prefix}${encodeURIComponent(groupId)}`);
}
