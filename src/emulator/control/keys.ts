import { parseTime } from "../../base/time-text.js";
import type { keys } from "../../contract/control/keys.js";
import { isoTime } from "../kernel/clock.js";
import { digestOf, type Key, keyOf } from "../kernel/keys.js";
import { invalid, notFound } from "../refusal.js";
import { prefixOf, seededKey, seededNames } from "../seed/keys.js";
import type { World } from "../world.js";
import type { ControlHandlers } from "./handlers.js";

const yearMilliseconds = 365 * 86_400_000;

function show(key: Key) {
  return {
    id: key.id,
    name: key.name,
    kind: key.kind,
    prefix: key.prefix,
    status: key.status,
    creator: key.creator, // legacy.keys
    organization_id: key.organizationId,
    distributor_id: key.distributorId,
    role: key.role,
    permissions: key.permissions && [...key.permissions],
    versions: key.versions && [...key.versions],
    expires_at: key.expiresAt === null ? null : isoTime(key.expiresAt),
    limits: key.limits,
  };
}

/** Value of a seeded key, which follows from the world's own; of another nothing but a digest is kept. */
function secretOf(world: World, { id, name }: Key): string | null {
  const seeded = seededNames().find((candidate) => candidate === name);
  if (seeded === undefined) return null;
  const value = seededKey(world, seeded);
  const row = world.database
    .prepare("SELECT 1 FROM keys WHERE id = ? AND seeded = 1 AND digest = ?")
    .get(id, digestOf(value));
  return row ? value : null;
}

/** By its id, or by its name where only one has it. */
function requireKey(world: World, id: string): Key {
  const [row, another] = world.database.prepare("SELECT * FROM keys WHERE id = ?1 OR name = ?1").all(id);
  if (!row || another) throw notFound(`the key ${id}`, "emulator.control");
  return keyOf(row);
}

/** The owner that a key was asked for, or the first one. */
function ownerId(world: World, table: "organizations" | "distributors", asked: string | undefined): string {
  const row =
    asked === undefined
      ? world.database.prepare(`SELECT min(id) AS id FROM ${table}`).get()
      : world.database.prepare(`SELECT id FROM ${table} WHERE id = ?`).get(asked);
  if (!row?.["id"]) throw notFound(`the ${table.slice(0, -1)} ${asked ?? ""}`, "emulator.control");
  return String(row["id"]);
}

export const keyHandlers: ControlHandlers<typeof keys> = {
  "keys.list": ({ world }) =>
    world.database
      .prepare("SELECT * FROM keys ORDER BY id")
      .all()
      .map((row) => show(keyOf(row))),
  "keys.get": ({ world }, { path: { id } }) => {
    const key = requireKey(world, id);
    return { ...show(key), key: secretOf(world, key) };
  },
  "keys.create": ({ world }, { body }) => {
    const now = world.clock.now();
    const forDistributor = body.kind === "distributor";
    const [wrong, owner] = forDistributor
      ? (["organization_id", body.organization_id] as const)
      : (["distributor_id", body.distributor_id] as const);
    if (owner !== undefined)
      throw invalid("emulator.control", [
        { path: [wrong], message: `does not go with a key of kind ${body.kind}` },
      ]);
    const random = world.options.random.bytes(32).toString("base64url");
    const value = body.kind === "legacy" ? `vak_${random}` : random;
    const id = world.ids.next();
    // dist.auth.expired: distributor keys end after 365 days unless told otherwise.
    const expiry = body.expires_at === undefined && forDistributor ? now + yearMilliseconds : body.expires_at;
    world.database
      .prepare(
        "INSERT INTO keys (id, digest, prefix, kind, name, organization_id, distributor_id, role, permissions, versions, creator, expires_at, limits, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'control', ?, ?, ?, ?)",
      )
      .run(
        id,
        digestOf(value),
        prefixOf(value),
        body.kind,
        body.name,
        forDistributor ? null : ownerId(world, "organizations", body.organization_id),
        forDistributor ? ownerId(world, "distributors", body.distributor_id) : null,
        forDistributor ? null : body.role,
        body.permissions ? JSON.stringify(body.permissions) : null,
        forDistributor ? JSON.stringify(body.versions ?? ["v1", "v2"]) : null,
        typeof expiry === "string" ? parseTime(expiry) : (expiry ?? null),
        body.limits ? JSON.stringify(body.limits) : null,
        now,
        now,
      );
    return { ...show(requireKey(world, id)), key: value };
  },
  "keys.update": ({ world }, { path: { id: named }, body }) => {
    const { id } = requireKey(world, named);
    const set = (column: string, value: string | number | null) =>
      world.database
        .prepare(`UPDATE keys SET ${column} = ?, updated_at = ? WHERE id = ?`)
        .run(value, world.clock.now(), id);
    if (body.status !== undefined) set("status", body.status);
    if (body.expires_at !== undefined)
      set("expires_at", body.expires_at === null ? null : parseTime(body.expires_at));
    if (body.limits !== undefined) set("limits", body.limits === null ? null : JSON.stringify(body.limits));
    return show(requireKey(world, id));
  },
  "keys.delete": ({ world }, { path: { id } }) => {
    const key = requireKey(world, id);
    world.database.prepare("DELETE FROM keys WHERE id = ?").run(key.id);
    return { id: key.id, deleted: true };
  },
};
