import type { MirrorRequest } from "../../contract/mirror.js";
import type { EmulatorState } from "../emulator-state.js";
import { conflict } from "../refusal.js";

/** The mirrored organization is the first organization in the mirror. */
export function findMirroredOrganization(state: EmulatorState): string {
  return String(state.database.prepare("SELECT min(id) AS id FROM organizations").get()?.["id"] ?? "");
}

/** The mirrored distributor is the first distributor in the mirror. */
export function findMirroredDistributor(state: EmulatorState): string {
  return String(state.database.prepare("SELECT min(id) AS id FROM distributors").get()?.["id"] ?? "");
}

export function findMirrorOwner(
  state: EmulatorState,
  { surface: api }: Pick<MirrorRequest, "surface">,
): string {
  return api === "public" ? findMirroredOrganization(state) : findMirroredDistributor(state);
}

/** @throws Refusal conflict if the emulator is already a mirror or is not empty */
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
  // A mirror of a distributor contains no Public API data. Without an organization and its keys, the Public
  // API refuses all requests.
  else database.exec("DELETE FROM organizations");
  // If IDs depended on the seed, two copies would create the same IDs.
  state.ids.rename(state.options.random.bytes(5).toString("hex"));
  database.prepare("INSERT INTO mirror (id, request) VALUES (1, ?)").run(JSON.stringify(request));
  storePseudonymKey(state, request);
}

export function storePseudonymKey(state: EmulatorState, { pseudonymize }: MirrorRequest): void {
  if (!pseudonymize) return;
  // Don't leave an overwritten key in the file.
  state.database.exec("PRAGMA secure_delete = ON");
  state.database
    .prepare("UPDATE mirror SET pseudonym_key = ?")
    .run(state.options.random.bytes(32).toString("hex"));
}
