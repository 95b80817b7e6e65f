/** Texts of live things that nothing is bound to: lists leave them out. */
import type { Decision } from "./decision.js";
import type { Folder } from "./folder/open.js";
import { kinds } from "./kinds/index.js";
import { type LiveRecord, type Reading, readThings } from "./live.js";

/** @throws ClientError */
export async function unlistedTexts(
  reading: Reading,
  { live, lock }: Decision,
  { project }: Folder,
): Promise<Map<string, LiveRecord>> {
  const bound = new Set([...lock.lines.values()].map(({ id }) => id));
  const texts = new Map<string, LiveRecord>();
  for (const name of project.kinds) {
    const { resource, unlisted } = kinds[name].thing;
    if (unlisted === undefined) continue;
    const ids = [...live.things(resource).keys()].filter((id) => !bound.has(id));
    const read = await readThings(
      reading,
      ids.map((id) => ({ resource, id })),
    );
    for (const [index, id] of ids.entries()) texts.set(id, read[index] ?? {});
  }
  return texts;
}
