import {
  type MirrorManifest,
  MirrorRequest,
  type MirrorResource,
  mirrorResources,
} from "../../contract/mirror.js";
import type { EmulatorState } from "../emulator-state.js";
import { conflict } from "../refusal.js";
import { findMirroredOrganization, findMirrorOwner, storePseudonymKey } from "./begin.js";
import { finishOrganizations } from "./organizations.js";
import { addHiddenVoices, findContradictions, findOpenReferences } from "./references.js";

export type Collected = Pick<
  MirrorManifest,
  | "emulator_id"
  | "collected"
  | "consistency"
  | "made_at"
  | "refreshed_at"
  | "expires_at"
  | "reads"
  | "seconds"
  | "limits"
  | "latency"
  | "absent"
  | "features"
>;

const daySeconds = 86_400;
const anchorsOfEach = 3;

export function readMirrorRequest(state: EmulatorState): MirrorRequest | undefined {
  const row = state.database.prepare("SELECT request FROM mirror").get();
  return row && MirrorRequest().parse(JSON.parse(String(row["request"])));
}

/**
 * Finishes a mirror. After that, no copied resources can be added, and new IDs sort after the copied IDs.
 * @throws Refusal conflict if this is not a mirror
 */
export function finishMirror(state: EmulatorState, collected: Collected): MirrorManifest {
  const { database } = state;
  const request = readMirrorRequest(state);
  if (!request) throw conflict("emulator.control", "this emulator is not a mirror");
  const organizationId = findMirrorOwner(state, request);
  addHiddenVoices(state);
  const unshown = request.surface === "distributor-v2" ? finishOrganizations(state) : [];
  const manifest: MirrorManifest = {
    name: request.name,
    profile: request.profile,
    surface: request.surface,
    base_url: request.base_url,
    ...collected,
    changed_in_last_pass: countLastChanges(state),
    passes: database
      .prepare("SELECT pass, changed FROM mirror_passes ORDER BY pass")
      .all()
      .map(({ pass, changed }) => ({ pass: Number(pass), changed: Number(changed) })),
    counts: countByResource(state, ""),
    details: countByResource(state, "AND detail IS NOT NULL"),
    anchors: findAnchors(state, request),
    contact_groups: request.contact_groups,
    calls_from: request.calls_from,
    call_details: request.call_details,
    pseudonymized: request.pseudonymize,
    secrets: {
      webhooks: countRows(state, "assistants WHERE webhook_credential IS NOT NULL"),
      tools: countRows(state, "tools WHERE secret IS NOT NULL"),
    },
    dangling: [...findOpenReferences(state, { known: true }), ...unshown],
    unknown_fields: readUnknownFields(state),
    contradicted: findContradictions(state, organizationId),
    organization_id: organizationId,
  };
  continueIds(state);
  storeFeatures(state, manifest);
  database
    .prepare("UPDATE world SET limits = ?")
    .run(
      JSON.stringify(
        Object.fromEntries(Object.entries(collected.limits).map(([bucket, { limit }]) => [bucket, limit])),
      ),
    );
  // Delete the key for creating pseudonyms, because it is no longer needed.
  database.exec("PRAGMA secure_delete = ON");
  database.prepare("UPDATE mirror SET manifest = ?, pseudonym_key = NULL").run(JSON.stringify(manifest));
  return manifest;
}

/** @throws Refusal conflict if this is not a finished mirror */
export function reopenMirror(state: EmulatorState): void {
  const request = readMirrorRequest(state);
  if (!state.mirror.manifest || !request)
    throw conflict("emulator.control", "this emulator is not a finished mirror");
  // Clear the dangling references. The update records those that still exist.
  state.database.exec(
    `DELETE FROM mirror_dangling;
     INSERT INTO mirror_passes (pass) SELECT max(pass) + 1 FROM mirror_passes;
     UPDATE mirror SET manifest = NULL,
       progress = json_remove(progress, '$.reads', '$.seconds', '$.latency', '$.absent', '$.features_off')`,
  );
  storePseudonymKey(state, request);
  // The new key changes all pseudonyms. Clear the old values, so that new pseudonyms don't count as changes
  // in the source.
  if (request.pseudonymize)
    state.database.exec("UPDATE mirrored SET raw = '{}', hash = '' WHERE resource IN ('contacts', 'calls')");
}

function countByResource(state: EmulatorState, condition: string): Partial<Record<MirrorResource, number>> {
  const rows = state.database
    .prepare(`SELECT resource, count(*) AS n FROM mirrored WHERE true ${condition} GROUP BY resource`)
    .all();
  const counts = new Map(rows.map(({ resource, n }) => [String(resource), Number(n)]));
  return Object.fromEntries(
    mirrorResources.flatMap((resource) => {
      const count = counts.get(resource);
      return count === undefined ? [] : [[resource, count]];
    }),
  );
}

function readUnknownFields(state: EmulatorState): MirrorManifest["unknown_fields"] {
  const rows = state.database
    .prepare("SELECT resource, field FROM mirror_fields ORDER BY resource, field")
    .all();
  const fields: Partial<Record<MirrorResource, string[]>> = {};
  for (const resource of mirrorResources) {
    const own = rows.filter((row) => row["resource"] === resource).map(({ field }) => String(field));
    if (own.length > 0) fields[resource] = own;
  }
  return fields;
}

function storeFeatures(state: EmulatorState, { features, organization_id }: MirrorManifest): void {
  const organization = state.organizations.get(organization_id);
  const kept = new Set(organization?.features);
  for (const feature of features.off) kept.delete(feature);
  if (features.prompt_rating) kept.add("prompt_rating");
  state.database
    .prepare("UPDATE organizations SET features = ? WHERE id = ?")
    .run(JSON.stringify([...kept]), organization_id);
}

function countRows(state: EmulatorState, from: string): number {
  return Number(state.database.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.["n"]);
}

function countLastChanges(state: EmulatorState): number {
  const row = state.database.prepare("SELECT changed FROM mirror_passes ORDER BY pass DESC LIMIT 1").get();
  return Number(row?.["changed"] ?? 0);
}

export function findAnchors(state: EmulatorState, { surface: api }: MirrorRequest): string[] {
  if (api === "distributor-v2")
    return state.database
      .prepare(
        "SELECT id FROM organizations WHERE distributor_id IS NOT NULL ORDER BY created_at, id LIMIT ?",
      )
      .all(2 * anchorsOfEach)
      .map(({ id }) => String(id));
  const organization = findMirroredOrganization(state);
  return ["groups", "assistants"].flatMap((table) =>
    state.database
      .prepare(`SELECT id FROM ${table} WHERE organization_id = ? ORDER BY created_at, id LIMIT ?`)
      .all(organization, anchorsOfEach)
      .map(({ id }) => String(id)),
  );
}

/** Makes new IDs sort after the copied IDs if those start with a time, as the emulator's IDs do. */
function continueIds(state: EmulatorState): void {
  const { database } = state;
  // Skip licenses, because the distributor chooses their IDs.
  const row = database
    .prepare("SELECT max(substr(id, 1, 8)) AS seconds FROM mirrored WHERE resource <> 'licenses'")
    .get();
  const largest = Number.parseInt(String(row?.["seconds"] ?? ""), 16);
  if (Number.isNaN(largest) || largest > state.clock.now() / 1_000 + daySeconds) return;
  state.ids.continueAfter(largest);
}
