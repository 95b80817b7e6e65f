import { createHmac } from "node:crypto";
import { digestOf, type KeyKind, type Role } from "../kernel/keys.js";
import { createOrganization } from "../kernel/organizations.js";
import type { Seed, StartLine } from "../types.js";
import type { World } from "../world.js";
import { plantDemo } from "./demo.js";
import { plantVoices } from "./voices.js";

interface SeededKey {
  kind: KeyKind;
  role?: Role;
  versions?: readonly string[];
}

/** The keys of every new world, by the names under which the start line shows them. */
const seededKeys: Readonly<Record<keyof StartLine["keys"], SeededKey>> = {
  admin: { kind: "public", role: "admin" },
  editor: { kind: "public", role: "editor" },
  caller: { kind: "public", role: "caller" },
  viewer: { kind: "public", role: "viewer" },
  legacy: { kind: "legacy", role: "admin" },
  distributor_v1: { kind: "distributor", versions: ["v1"] },
  distributor_v2: { kind: "distributor", versions: ["v2"] },
};

const dayMilliseconds = 86_400_000;

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

function seededNames(): (keyof StartLine["keys"])[] {
  const names: (keyof StartLine["keys"])[] = [];
  let name: keyof StartLine["keys"];
  for (name in seededKeys) names.push(name);
  return names;
}

/** Fills an empty world: `empty` is one organization, one distributor and the keys; `demo` a believable company on top. */
export function plantSeed(world: World, seed: Seed): void {
  const { database } = world;
  const now = world.clock.now();
  const distributorId = world.ids.next();
  database
    .prepare("INSERT INTO distributors (id, name, created_at, updated_at) VALUES (?, ?, ?, ?)")
    .run(distributorId, "Distributor", now, now);
  const name = seed === "demo" ? "Zahnarztpraxis Dr. Sommer" : "Organization";
  const organizationId = createOrganization(database, () => world.ids.next(), now, { name });
  for (const keyName of seededNames()) {
    const key = seededKeys[keyName];
    const value = seededKey(world, keyName);
    const distributor = key.kind === "distributor";
    database
      .prepare(
        "INSERT INTO keys (id, digest, prefix, kind, name, seeded, organization_id, distributor_id, role, versions, creator, expires_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, 'seed', ?, ?, ?)",
      )
      .run(
        world.ids.next(),
        digestOf(value),
        prefixOf(value),
        key.kind,
        keyName,
        distributor ? null : organizationId,
        distributor ? distributorId : null,
        key.role ?? null,
        key.versions ? JSON.stringify(key.versions) : null,
        // dist.auth.expired: 365 days by default
        distributor ? now + 365 * dayMilliseconds : null,
        now,
        now,
      );
  }
  plantVoices(world);
  world.reload();
  if (seed === "demo") plantDemo(world, organizationId);
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
