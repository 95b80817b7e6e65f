/** The key map of a group that several machines share: one blob of a store, replaced as a whole. */
import { basename } from "node:path";
import type { SharedBlobs } from "../../write/engine/shared-runs.js";
import { type KeyMap, keyMapPath, openKeyMap } from "./key-map.js";
import { fillKeyMap, formatKeyMap, type KeyMapStore } from "./key-map-store.js";

interface GroupLocation {
  baseUrl: string;
  groupId: string;
}

/** The name of a key map in a store. */
export function blobNameOf({ baseUrl, groupId }: GroupLocation): string {
  return `keys/${basename(keyMapPath({ baseUrl, groupId, folder: "" }, ""), ".")}`;
}

/** Returns the content of a key map for a store. */
export function encodeKeyMap(table: KeyMap): Buffer {
  return Buffer.from(formatKeyMap(table));
}

export function createSharedKeyMapStore(blobs: SharedBlobs, location: GroupLocation): KeyMapStore {
  const name = blobNameOf(location);
  let table: KeyMap | undefined;
  let generation = 0;
  return {
    async load() {
      const blob = await blobs.load(name);
      generation = blob?.generation ?? 0;
      table = await openKeyMap(":memory:");
      if (blob !== undefined) fillKeyMap(table, blob.content.toString("utf8"), "the store");
      return table;
    },
    async save(next) {
      await blobs.save(name, generation, encodeKeyMap(next));
      generation += 1;
      table?.replaceWith(next);
    },
    release: () => table?.close(),
  };
}
