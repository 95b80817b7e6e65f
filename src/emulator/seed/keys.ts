import { hmacOf } from "../kernel/hmac.js";
import { digestOf, type KeyKind, type Role } from "../kernel/keys.js";
import type { StartLine } from "../types.js";
import type { World } from "../world.js";

interface SeededKey {
  kind: KeyKind;
  role?: Role;
  versions?: readonly string[];
}

/** The keys of every new world, by the names under which the start line shows them. */
export const seededKeys: Readonly<Record<keyof StartLine["keys"], SeededKey>> = {
  admin: { kind: "public", role: "admin" },
  editor: { kind: "public", role: "editor" },
  caller: { kind: "public", role: "caller" },
  viewer: { kind: "public", role: "viewer" },
  legacy: { kind: "legacy", role: "admin" },
  distributor_v1: { kind: "distributor", versions: ["v1"] },
  distributor_v2: { kind: "distributor", versions: ["v2"] },
};

/**
 * The value of a seeded key: the one that was given, else base64url(HMAC-SHA-256(FILE.key, name)). It lasts over a
 * reset, unless new ones were asked for.
 */
export function seededKey(world: World, name: keyof StartLine["keys"]): string {
  const given = world.options.keys?.[name];
  if (given !== undefined) return given;
  const message = world.keyGeneration === 0 ? name : `${name} ${world.keyGeneration}`;
  const made = world.seededValues.get(message);
  if (made !== undefined) return made;
  const digest = hmacOf(world.options.fileKey, message).toString("base64url");
  const value = seededKeys[name].kind === "legacy" ? `vak_${digest}` : digest;
  world.seededValues.set(message, value);
  return value;
}

/** All of them, as the start line shows them. */
export function seededKeyValues(world: World): StartLine["keys"] {
  return {
    admin: seededKey(world, "admin"),
    editor: seededKey(world, "editor"),
    caller: seededKey(world, "caller"),
    viewer: seededKey(world, "viewer"),
    legacy: seededKey(world, "legacy"),
    distributor_v1: seededKey(world, "distributor_v1"),
    distributor_v2: seededKey(world, "distributor_v2"),
  };
}

/** Their names, in order. */
export function seededNames(): (keyof StartLine["keys"])[] {
  const names: (keyof StartLine["keys"])[] = [];
  let name: keyof StartLine["keys"];
  for (name in seededKeys) names.push(name);
  return names;
}

/** The part of a key that lists may show. */
export function prefixOf(key: string): string {
  return key.slice(0, 8);
}

/**
 * Gives the seeded keys their values: the file's key is new where a copy came without it, and keys may have been given
 * then or now. Nothing is written where all are as they should be.
 */
export function settleSeededKeys(world: World): void {
  const stored = new Map(
    world.database
      .prepare("SELECT name, digest FROM keys WHERE seeded = 1")
      .all()
      .map((row) => [row["name"], hex(row["digest"])]),
  );
  const values = seededKeyValues(world);
  const changed = seededNames().filter(
    (name) => stored.has(name) && stored.get(name) !== hex(digestOf(values[name])),
  );
  if (changed.length === 0) return;
  const update = world.database.prepare(
    "UPDATE keys SET digest = ?, prefix = ? WHERE seeded = 1 AND name = ?",
  );
  world.database.transaction(() => {
    // Two may change places: digests are unique.
    for (const name of changed) update.run(Buffer.from(name), "", name);
    for (const name of changed) update.run(digestOf(values[name]), prefixOf(values[name]), name);
  });
  world.reload();
}

const hex = (digest: unknown) => (digest instanceof Uint8Array ? Buffer.from(digest).toString("hex") : "");
