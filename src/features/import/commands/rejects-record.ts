import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder, writePrivateFile } from "../../../base/private-file.js";
import type { Folders } from "../../../cli/profiles/folders.js";

/** Directory with hashes of the rejects files that voxctl wrote. Contains no other data of these files. */
const recordsFolder = "rejects";

/** Returns whether a file is unchanged since voxctl wrote it; undefined if its hash is not recorded. */
export async function isAsWritten({ data }: Folders, path: string): Promise<boolean | undefined> {
  const record = await readFile(recordPath(data, path), "utf8").catch(() => undefined);
  if (record === undefined) return undefined;
  const hash = createHash("sha256");
  for await (const part of createReadStream(path)) hash.update(part);
  return record === `${hash.digest("hex")}\n`;
}

/** Yields the content of a rejects file unchanged, then records its hash. */
export async function* recorded(
  { data }: Folders,
  path: string,
  content: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array, void> {
  const hash = createHash("sha256");
  for await (const part of content) {
    hash.update(part);
    yield part;
  }
  await makePrivateFolder(join(data, recordsFolder));
  await writePrivateFile(recordPath(data, path), `${hash.digest("hex")}\n`, { replace: true });
}

function recordPath(data: string, path: string): string {
  return join(data, recordsFolder, createHash("sha256").update(path).digest("hex"));
}
