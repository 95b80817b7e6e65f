import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Removes subdirectories whose files have not changed for `keepMilliseconds`, because they may contain
 * personal data.
 * @param options.prefix checks only subdirectories whose names start with this text
 * @param options.now current time by the machine's clock, in milliseconds
 */
export async function removeUnusedFolders(
  parent: string,
  { prefix = "", now, keepMilliseconds }: { prefix?: string; now: number; keepMilliseconds: number },
): Promise<void> {
  for (const name of await namesIn(parent)) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(parent, name);
    const paths = [folder, ...(await namesIn(folder)).map((file) => join(folder, file))];
    const times = await Promise.all(paths.map(changedAt));
    if (now - Math.max(...times) >= keepMilliseconds) await rm(folder, { recursive: true, force: true });
  }
}

function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
