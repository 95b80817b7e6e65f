/**
 * Stores the secrets that a rehearsed command sent to the fork, so that the rehearsal summary can mask them.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { parseJsonSafely } from "../../base/json.js";
import { writePrivateFile } from "../../base/private-file.js";

const fileOf = (data: string) => join(data, "sources.json");

/** @param sources secrets by source, such as `env:NAME` */
export async function keepSources(data: string, sources: ReadonlyMap<string, string>): Promise<void> {
  if (sources.size === 0) return;
  const known = await readSources(data);
  for (const [source, value] of sources) known.set(value, source);
  await writePrivateFile(fileOf(data), JSON.stringify([...known]), { replace: true });
}

/** Returns a map from each secret to its source. */
export async function readSources(data: string): Promise<Map<string, string>> {
  const text = await readFile(fileOf(data), "utf8").catch(() => "[]");
  return new Map(z.array(z.tuple([z.string(), z.string()])).parse(parseJsonSafely(text)));
}
