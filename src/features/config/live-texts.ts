/** Reads the text fields that lists omit, for live resources without a lock entry. */
import type { Decision } from "./decision.js";
import type { Folder } from "./folder/open.js";
import { type LiveRecord, type Reading, readRecords } from "./live.js";
import { resourceTypes } from "./resource-types/index.js";

/** @throws ClientError */
export async function unlistedTexts(
  reading: Reading,
  { live, lock }: Decision,
  { project }: Folder,
): Promise<Map<string, LiveRecord>> {
  const bound = new Set([...lock.lines.values()].map(({ id }) => id));
  const texts = new Map<string, LiveRecord>();
  for (const name of project.kinds) {
    const { resource, unlisted } = resourceTypes[name].item;
    if (unlisted === undefined) continue;
    const ids = [...live.records(resource).keys()].filter((id) => !bound.has(id));
    const read = await readRecords(
      reading,
      ids.map((id) => ({ resource, id })),
    );
    for (const [index, id] of ids.entries()) texts.set(id, read[index] ?? {});
  }
  return texts;
}
