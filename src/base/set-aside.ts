import { rename, stat } from "node:fs/promises";

export async function setAside(path: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const kept = `${path}.${count}.bad`;
    if ((await stat(kept).catch(() => undefined)) !== undefined) continue;
    await rename(path, kept);
    return kept;
  }
}
