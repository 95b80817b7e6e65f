import { parseTime } from "../../base/time-text.js";
import type { keys } from "../../contract/control/keys.js";
import type { EmulatorState } from "../emulator-state.js";
import { isoTime } from "../kernel/clock.js";
import { hashSecret, type Key, toKey } from "../kernel/keys.js";
import { conflict, invalid, notFound } from "../refusal.js";
import { seededKey, seededNames, toKeyPrefix } from "../seed/keys.js";
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

/**
 * A seeded key is derived from a secret of the database. For any other key, the database contains only a
 * digest.
 */
function findKeyValue(state: EmulatorState, { id, name }: Key): string | null {
  const seeded = seededNames().find((candidate) => candidate === name);
  if (seeded === undefined) return null;
  const value = seededKey(state, seeded);
  const row = state.database
    .prepare("SELECT 1 FROM keys WHERE id = ? AND seeded = 1 AND digest = ?")
    .get(id, hashSecret(value));
  return row ? value : null;
}

/** Finds a key by its ID, or by its name if only one key has that name. */
export function requireKey(state: EmulatorState, id: string): Key {
  const [row, another] = state.database.prepare("SELECT * FROM keys WHERE id = ?1 OR name = ?1").all(id);
  if (!row) throw notFound(`the key ${id}`, "emulator.control");
  if (another) throw conflict("emulator.control", `several keys are named ${id}; use a key's ID`);
  return toKey(row);
}

/** By default, returns the ID of the first organization or distributor. */
function findOwnerId(
  state: EmulatorState,
  table: "organizations" | "distributors",
  requestedId: string | undefined,
): string {
  const row =
    requestedId === undefined
      ? state.database.prepare(`SELECT min(id) AS id FROM ${table}`).get()
      : state.database.prepare(`SELECT id FROM ${table} WHERE id = ?`).get(requestedId);
  if (!row?.["id"]) throw notFound(`the ${table.slice(0, -1)} ${requestedId ?? ""}`, "emulator.control");
  return String(row["id"]);
}

export const keyHandlers: ControlHandlers<typeof keys> = {
  "keys.list": ({ state }) =>
    state.database
      .prepare("SELECT * FROM keys ORDER BY id")
      .all()
      .map((row) => show(toKey(row))),
  "keys.get": ({ state }, { path: { id } }) => {
    const key = requireKey(state, id);
    return { ...show(key), key: findKeyValue(state, key) };
  },
  "keys.create": ({ state }, { body }) => {
    const now = state.clock.now();
    const forDistributor = body.kind === "distributor";
    // Refuse fields that would have no effect.
    const unused = forDistributor
      ? (["organization_id", "role"] as const)
      : (["distributor_id", "versions"] as const);
    const wrong = unused.find((field) => body[field] !== undefined);
    if (wrong !== undefined)
      throw invalid("emulator.control", [
        { path: [wrong], message: `is not allowed for a key of kind ${body.kind}` },
      ]);
    const random = state.options.random.bytes(32).toString("base64url");
    const value = body.kind === "legacy" ? `vak_${random}` : random;
    const id = state.ids.next();
    // Distributor keys expire after 365 days by default (dist.auth.expired).
    const expiry = body.expires_at === undefined && forDistributor ? now + yearMilliseconds : body.expires_at;
    state.database
      .prepare(
        "INSERT INTO keys (id, digest, prefix, kind, name, organization_id, distributor_id, role, permissions, versions, creator, expires_at, limits, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'control', ?, ?, ?, ?)",
      )
      .run(
        id,
        hashSecret(value),
        toKeyPrefix(value),
        body.kind,
        body.name,
        forDistributor ? null : findOwnerId(state, "organizations", body.organization_id),
        forDistributor ? findOwnerId(state, "distributors", body.distributor_id) : null,
        forDistributor ? null : (body.role ?? "admin"),
        body.permissions ? JSON.stringify(body.permissions) : null,
        forDistributor ? JSON.stringify(body.versions ?? ["v1", "v2"]) : null,
        typeof expiry === "string" ? parseTime(expiry) : (expiry ?? null),
        body.limits ? JSON.stringify(body.limits) : null,
        now,
        now,
      );
    return { ...show(requireKey(state, id)), key: value };
  },
  "keys.update": ({ state }, { path: { id: idOrName }, body }) => {
    const { id } = requireKey(state, idOrName);
    const set = (column: string, value: string | number | null) =>
      state.database
        .prepare(`UPDATE keys SET ${column} = ?, updated_at = ? WHERE id = ?`)
        .run(value, state.clock.now(), id);
    if (body.status !== undefined) set("status", body.status);
    if (body.expires_at !== undefined)
      set("expires_at", body.expires_at === null ? null : parseTime(body.expires_at));
    if (body.limits !== undefined) set("limits", body.limits === null ? null : JSON.stringify(body.limits));
    return show(requireKey(state, id));
  },
  "keys.delete": ({ state }, { path: { id } }) => {
    const key = requireKey(state, id);
    state.database.prepare("DELETE FROM keys WHERE id = ?").run(key.id);
    return { id: key.id, deleted: true };
  },
};
