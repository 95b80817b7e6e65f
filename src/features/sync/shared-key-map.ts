/** Stores a group's key map as one blob in a store that several machines share. */
import { basename } from "node:path";
import type { SharedBlobs } from "../../write/engine/shared-runs.js";
import { type KeyMap, type KeyMapHeader, keyMapPath, openKeyMap } from "./key-map.js";
import { fillKeyMap, formatKeyMap, type KeyMapStore } from "./key-map-store.js";

interface GroupLocation {
  baseUrl: string;
  groupId: string;
}

export const keyMapBlobs = "keys/";

export function blobNameOf({ baseUrl, groupId }: GroupLocation): string {
  return `${keyMapBlobs}${basename(keyMapPath({ baseUrl, groupId, folder: "" }, ""), ".")}`;
}

export function encodeKeyMap(table: KeyMap): Buffer {
  return Buffer.from(formatKeyMap(table));
}

export async function writeKeyMap(path: string, content: Buffer): Promise<KeyMapHeader | undefined> {
  const table = await openKeyMap(path);
  try {
    fillKeyMap(table, content.toString("utf8"), "the store");
    return table.header();
  } finally {
    table.close();
  }
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
