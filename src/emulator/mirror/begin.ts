import type { MirrorRequest } from "../../contract/mirror.js";
import type { EmulatorState } from "../emulator-state.js";
import { conflict } from "../refusal.js";

/** Returns the organization that a mirror fills: the emulator's first. */
export function findMirroredOrganization(state: EmulatorState): string {
  return String(state.database.prepare("SELECT min(id) AS id FROM organizations").get()?.["id"] ?? "");
}

/** Returns the distributor whose organizations a mirror contains: the emulator's first. */
export function findMirroredDistributor(state: EmulatorState): string {
  return String(state.database.prepare("SELECT min(id) AS id FROM distributors").get()?.["id"] ?? "");
}

/** The subject of a mirror: an organization, or a distributor. */
export function findMirrorOwner(
  state: EmulatorState,
  { surface: api }: Pick<MirrorRequest, "surface">,
): string {
  return api === "public" ? findMirroredOrganization(state) : findMirroredDistributor(state);
}

/**
 * Turns a new emulator into the mirror of an organization; later calls add its resources.
 * @throws Refusal conflict if it is already a mirror, or contains data that a new emulator doesn't have
 */
export function beginMirror(state: EmulatorState, request: MirrorRequest): void {
  const { database } = state;
  if (state.mirror.isMirror) throw conflict("emulator.control", "this emulator is already a mirror");
  const used = database.prepare("SELECT 1 FROM contacts UNION ALL SELECT 1 FROM assistants LIMIT 1").get();
  if (used) throw conflict("emulator.control", "only a new, empty emulator can become a mirror");
  database.exec("DELETE FROM groups; DELETE FROM voices");
  if (request.surface === "public")
    database
      .prepare("UPDATE organizations SET name = ? WHERE id = ?")
      .run(request.name, findMirroredOrganization(state));
  // The APIs that were not copied must not respond: the organization is deleted with its keys.
  else database.exec("DELETE FROM organizations");
  // Ids must not depend on the seed, or two copies would create the same ids.
  state.ids.rename(state.options.random.bytes(5).toString("hex"));
  database.prepare("INSERT INTO mirror (id, request) VALUES (1, ?)").run(JSON.stringify(request));
  storePseudonymKey(state, request);
}

/** Creates a new key each time a mirror is filled. */
export function storePseudonymKey(state: EmulatorState, { pseudonymize }: MirrorRequest): void {
  if (!pseudonymize) return;
  // Overwritten rows must not remain in the file's free space.
  state.database.exec("PRAGMA secure_delete = ON");
  state.database
    .prepare("UPDATE mirror SET pseudonym_key = ?")
    .run(state.options.random.bytes(32).toString("hex"));
}
