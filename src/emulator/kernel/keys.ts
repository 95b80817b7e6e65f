import { hash, timingSafeEqual } from "node:crypto";
import type { Database, Row } from "../../base/database.js";
import { type keyTypes, roles } from "../../contract/control/choices.js";

export type KeyType = (typeof keyTypes)[number];
export type Role = (typeof roles)[number];

export interface Key {
  id: string;
  kind: KeyType;
  name: string;
  prefix: string;
  status: "active" | "revoked";
  creator: string;
  organizationId: string | null;
  distributorId: string | null;
  role: Role | null;
  /** Permissions that replace the role's permissions; null if the role's permissions apply. */
  permissions: ReadonlySet<string> | null;
  versions: ReadonlySet<string> | null;
  expiresAt: number | null;
  limits: Readonly<Record<string, number>> | null;
}

/** Returns a key's digest. The database contains only digests (D-keys). */
export function hashSecret(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

export class KeyStore {
  /**
   * Without this cache, each request would compute a digest, which can take as long as the rest of the
   * request.
   */
  private keysByValue = new Map<string, Key>();

  constructor(private readonly database: Database) {}

  /** Must be called after keys or organizations have changed. */
  reload(): void {
    this.keysByValue = new Map();
  }

  find(presented: string): Key | undefined {
    const known = this.keysByValue.get(presented);
    if (known) return known;
    const digest = hashSecret(presented);
    const row = this.database.prepare("SELECT * FROM keys WHERE digest = ?").get(digest);
    const stored = row?.["digest"];
    if (!row || !(stored instanceof Uint8Array) || !timingSafeEqual(stored, digest)) return undefined;
    const key = toKey(row);
    this.keysByValue.set(presented, key);
    return key;
  }
}

export function toKey(row: Row): Key {
  const text = (name: string) => (row[name] === null ? null : String(row[name]));
  const list = (name: string): ReadonlySet<string> | null => {
    const value = text(name);
    return value === null ? null : new Set<string>(JSON.parse(value));
  };
  const limits = text("limits");
  return {
    id: String(row["id"]),
    kind:
      row["kind"] === "legacy" || row["kind"] === "oauth" || row["kind"] === "distributor"
        ? row["kind"]
        : "public",
    name: String(row["name"]),
    prefix: String(row["prefix"]),
    status: row["status"] === "revoked" ? "revoked" : "active",
    creator: String(row["creator"]),
    organizationId: text("organization_id"),
    distributorId: text("distributor_id"),
    role: roles.find((role) => role === row["role"]) ?? null,
    permissions: list("permissions"),
    versions: list("versions"),
    expiresAt: row["expires_at"] === null ? null : Number(row["expires_at"]),
    limits: limits === null ? null : JSON.parse(limits),
  };
}

/** Returns whether a key has a permission such as `contacts:read` (D-roles). */
export function isPermitted(key: Key, permission: string): boolean {
  if (key.permissions) return key.permissions.has(permission);
  const action = permission.slice(permission.lastIndexOf(":") + 1);
  switch (key.role) {
    case "admin":
      return true;
    case "editor":
      return permission !== "call_logs.call_recording:delete";
    case "caller":
      return action === "read" || permission === "calls:write";
    case "viewer": // public.auth.5
      return action === "read";
    default:
      return false;
  }
}
