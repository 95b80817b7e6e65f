import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { makePrivateFolder } from "../../base/private-file.js";
import { normalizedText } from "../fields.js";

const MadeGroup = z.object({ id: z.string(), base_url: z.string(), name: z.string() });
type MadeGroup = z.output<typeof MadeGroup>;

/**
 * Records a group that a command has created, until a journal contains it. If the command is killed, the next run finds the group by this
 * record. Otherwise, it would treat the group as another user's, or create a second one because no list shows the first yet.
 */
export async function rememberMadeGroup(folder: string, group: MadeGroup): Promise<void> {
  // On a new machine, the directory doesn't exist yet.
  await makePrivateFolder(folder);
  await writeFile(pathOf(folder, group.id), JSON.stringify(group), { mode: 0o600 });
}

/** Returns the ids of recorded groups with this name. */
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

/** Deletes the record of a group, once a journal contains the group. */
export async function forgetMadeGroup(folder: string, groupId: string): Promise<void> {
  await rm(pathOf(folder, groupId), { force: true });
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

/** Encodes the id, which may contain any character. */
function pathOf(folder: string, groupId: string): string {
  return join(folder, `${prefix}${encodeURIComponent(groupId)}`);
}
