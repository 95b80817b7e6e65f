/**
 * Identifies an organization by its oldest group, because the organizations of a service share the URL and
 * each can have several keys.
 */
import type { Fields } from "./fields.js";
import { listResources, type Reading } from "./remote.js";

interface OldestGroup {
  consider(id: string, record: Fields): void;
  readonly id: string | null;
}

export function createOldestGroup(): OldestGroup {
  let oldest: { id: string; createdAt: string } | undefined;
  return {
    consider(id, record) {
      const group = { id, createdAt: String(record["created_at"] ?? "") };
      const isOlder =
        oldest === undefined ||
        group.createdAt < oldest.createdAt ||
        (group.createdAt === oldest.createdAt && group.id < oldest.id);
      if (isOlder) oldest = group;
    },
    get id() {
      return oldest?.id ?? null;
    },
  };
}

/** @returns the ID of the oldest group; null if the organization has no groups */
export async function findOldestGroup(reading: Reading): Promise<string | null> {
  const oldest = createOldestGroup();
  for await (const { id, record } of listResources(reading, "groups", {})) oldest.consider(id, record);
  return oldest.id;
}
