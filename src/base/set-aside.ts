import { rename, stat } from "node:fs/promises";

/** Renames a file to an unused name in the same directory and returns that name. */
export async function setAside(path: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const kept = `${path}.${count}.bad`;
    if ((await stat(kept).catch(() => undefined)) !== undefined) continue;
    await rename(path, kept);
    return kept;
  }
}
