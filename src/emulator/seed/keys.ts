import type { EmulatorState } from "../emulator-state.js";
import { computeHmac } from "../kernel/hmac.js";
import { hashSecret, type KeyType, type Role } from "../kernel/keys.js";
import type { StartLine } from "../types.js";

interface SeededKey {
  kind: KeyType;
  role?: Role;
  versions?: readonly string[];
}

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
 * Returns a seeded key: the value in the options, or base64url(HMAC-SHA-256(FILE.key, name)). The derived
 * value changes only if a reset requests new keys.
 */
export function seededKey(state: EmulatorState, name: keyof StartLine["keys"]): string {
  const given = state.options.keys?.[name];
  if (given !== undefined) return given;
  const message = state.keyGeneration === 0 ? name : `${name} ${state.keyGeneration}`;
  const made = state.seededValues.get(message);
  if (made !== undefined) return made;
  const digest = computeHmac(state.options.fileKey, message).toString("base64url");
  const value = seededKeys[name].kind === "legacy" ? `vak_${digest}` : digest;
  state.seededValues.set(message, value);
  return value;
}

export function seededKeyValues(state: EmulatorState): StartLine["keys"] {
  return {
    admin: seededKey(state, "admin"),
    editor: seededKey(state, "editor"),
    caller: seededKey(state, "caller"),
    viewer: seededKey(state, "viewer"),
    legacy: seededKey(state, "legacy"),
    distributor_v1: seededKey(state, "distributor_v1"),
    distributor_v2: seededKey(state, "distributor_v2"),
  };
}

export function seededNames(): (keyof StartLine["keys"])[] {
  const names: (keyof StartLine["keys"])[] = [];
  let name: keyof StartLine["keys"];
  for (name in seededKeys) names.push(name);
  return names;
}

export function toKeyPrefix(key: string): string {
  return key.slice(0, 8);
}

/** A digest changes if the options contain a different key, or if FILE.key was not copied with the file. */
export function settleSeededKeys(state: EmulatorState): void {
  const stored = new Map(
    state.database
      .prepare("SELECT name, digest FROM keys WHERE seeded = 1")
      .all()
      .map((row) => [row["name"], hex(row["digest"])]),
  );
  const values = seededKeyValues(state);
  const changed = seededNames().filter(
    (name) => stored.has(name) && stored.get(name) !== hex(hashSecret(values[name])),
  );
  if (changed.length === 0) return;
  const update = state.database.prepare(
    "UPDATE keys SET digest = ?, prefix = ? WHERE seeded = 1 AND name = ?",
  );
  state.database.transaction(() => {
    // Set temporary digests first: digests are unique, but two keys may have swapped their values.
    for (const name of changed) update.run(Buffer.from(name), "", name);
    for (const name of changed) update.run(hashSecret(values[name]), toKeyPrefix(values[name]), name);
  });
  state.reload();
}

const hex = (digest: unknown) => (digest instanceof Uint8Array ? Buffer.from(digest).toString("hex") : "");
