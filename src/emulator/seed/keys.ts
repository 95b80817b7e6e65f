import { createHmac } from "node:crypto";
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

/** The value of a seeded key: base64url(HMAC-SHA-256(FILE.key, name)); a reset changes the derivation. */
export function seededKey(world: World, name: keyof StartLine["keys"]): string {
  const message = world.keyGeneration === 0 ? name : `${name} ${world.keyGeneration}`;
  const value = createHmac("sha256", world.options.fileKey).update(message).digest("base64url");
  return seededKeys[name].kind === "legacy" ? `vak_${value}` : value;
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

/** After the file's key changed: the seeded keys get the values that follow from it. */
export function rederiveSeededKeys(world: World): void {
  for (const name of seededNames()) {
    const value = seededKey(world, name);
    world.database
      .prepare("UPDATE keys SET digest = ?, prefix = ? WHERE seeded = 1 AND name = ?")
      .run(digestOf(value), prefixOf(value), name);
  }
  world.reload();
}
