/** Keeps hashes of text fields between commands, by ID and `updated_at`, because lists omit these fields. */
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import { makePrivateFolder, writePrivateFile } from "../../base/private-file.js";

const Entries = z.record(z.string(), z.tuple([z.string(), z.string()]));

export interface TextCache {
  /** Returns a text's hash; undefined if the text was never read or has changed since then. */
  hashOf(id: string, updatedAt: unknown): string | undefined;
  keep(id: string, updatedAt: unknown, hash: string): void;
  /** Ignores errors, because without the cache, the next command sends more requests but works. */
  save(): Promise<void>;
}

export async function openTextCache(path: string): Promise<TextCache> {
  const text = await readFile(path, "utf8").catch(() => "{}");
  const entries = new Map<string, [string, string]>(Object.entries(parse(text)));
  let isChanged = false;
  return {
    hashOf(id, updatedAt) {
      const [at, hash] = entries.get(id) ?? [];
      return typeof updatedAt === "string" && at === updatedAt ? hash : undefined;
    },
    keep(id, updatedAt, hash) {
      if (typeof updatedAt !== "string") return;
      entries.set(id, [updatedAt, hash]);
      isChanged = true;
    },
    async save() {
      if (!isChanged) return;
      isChanged = false;
      const content = JSON.stringify(Object.fromEntries(entries));
      const write = () => writePrivateFile(path, content, { replace: true });
      await makePrivateFolder(dirname(path))
        .then(write)
        .catch(() => {});
    },
  };
}

/** Treats a damaged cache as empty, because it only saves requests. */
function parse(text: string): Record<string, [string, string]> {
  try {
    return Entries.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return {};
  }
}
