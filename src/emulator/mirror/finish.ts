import {
  type MirrorManifest,
  MirrorRequest,
  type MirrorResource,
  mirrorResources,
} from "../../contract/mirror.js";
import { conflict } from "../refusal.js";
import type { World } from "../world.js";
import { keepPseudonymKey, mirroredOrganization, mirroredOwner } from "./begin.js";
import { finishOrganizations } from "./organizations.js";
import { addHiddenVoices, contradictedBy, openReferences } from "./references.js";

/** The collector's account when all is there; the world itself knows the rest. */
export type Collected = Pick<
  MirrorManifest,
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
/** So many of each are enough to know an organization by. */
const anchorsOfEach = 3;

/** The request that an unfinished or finished mirror was begun with. */
export function requestOf(world: World): MirrorRequest | undefined {
  const row = world.database.prepare("SELECT request FROM mirror").get();
  return row && MirrorRequest().parse(JSON.parse(String(row["request"])));
}

/**
 * Closes a mirror: from now on nothing fills it, and new ids sort behind the copied ones.
 * @throws Refusal conflict where there is none, or it is finished
 */
export function finishMirror(world: World, collected: Collected): MirrorManifest {
  const { database } = world;
  const request = requestOf(world);
  if (!request) throw conflict("emulator.control", "the world is no mirror");
  const organizationId = mirroredOwner(world, request);
  addHiddenVoices(world);
  const unshown = request.surface === "distributor-v2" ? finishOrganizations(world) : [];
  const manifest: MirrorManifest = {
    name: request.name,
    profile: request.profile,
    surface: request.surface,
    base_url: request.base_url,
    ...collected,
    changed_in_last_pass: changedInLastPass(world),
    passes: database
      .prepare("SELECT pass, changed FROM mirror_passes ORDER BY pass")
      .all()
      .map(({ pass, changed }) => ({ pass: Number(pass), changed: Number(changed) })),
    counts: counted(world, ""),
    details: counted(world, "AND detail IS NOT NULL"),
    anchors: anchorsOf(world, request),
    contact_groups: request.contact_groups,
    calls_from: request.calls_from,
    call_details: request.call_details,
    pseudonymized: request.pseudonymize,
    secrets: {
      webhooks: countRows(world, "assistants WHERE webhook_credential IS NOT NULL"),
      tools: countRows(world, "tools WHERE secret IS NOT NULL"),
    },
    dangling: [...openReferences(world, { known: true }), ...unshown],
    unknown_fields: unknownFields(world),
    contradicted: contradictedBy(world, organizationId),
    organization_id: organizationId,
  };
  continueIds(world);
  keepFeatures(world, manifest);
  database
    .prepare("UPDATE world SET limits = ?")
    .run(
      JSON.stringify(
        Object.fromEntries(Object.entries(collected.limits).map(([bucket, { limit }]) => [bucket, limit])),
      ),
    );
  // M7: the key of the pseudonyms goes with the last thing that it was needed for.
  database.exec("PRAGMA secure_delete = ON");
  database.prepare("UPDATE mirror SET manifest = ?, pseudonym_key = NULL").run(JSON.stringify(manifest));
  return manifest;
}

/**
 * Lets a finished mirror be brought up to date: further collects are compared with what it holds.
 * @throws Refusal conflict where there is none, or it is unfinished
 */
export function reopenMirror(world: World): void {
  const request = requestOf(world);
  if (!world.mirror.manifest || !request)
    throw conflict("emulator.control", "the world is no finished mirror");
  // The findings of that time are found anew, if it still is so.
  world.database.exec(
    `DELETE FROM mirror_dangling;
     INSERT INTO mirror_passes (pass) SELECT max(pass) + 1 FROM mirror_passes;
     UPDATE mirror SET manifest = NULL,
       progress = json_remove(progress, '$.reads', '$.seconds', '$.latency', '$.absent', '$.features_off')`,
  );
  keepPseudonymKey(world, request);
  // Under another key nothing is as it was, and that is no sign of anything.
  if (request.pseudonymize)
    world.database.exec("UPDATE mirrored SET raw = '{}', hash = '' WHERE resource IN ('contacts', 'calls')");
}

/** Counts of the resources that were copied, zeros too. */
function counted(world: World, condition: string): Partial<Record<MirrorResource, number>> {
  const rows = world.database
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

function unknownFields(world: World): MirrorManifest["unknown_fields"] {
  const rows = world.database
    .prepare("SELECT resource, field FROM mirror_fields ORDER BY resource, field")
    .all();
  const fields: Partial<Record<MirrorResource, string[]>> = {};
  for (const resource of mirrorResources) {
    const own = rows.filter((row) => row["resource"] === resource).map(({ field }) => String(field));
    if (own.length > 0) fields[resource] = own;
  }
  return fields;
}

/** M8: a feature that the source does not have, or was seen to have. */
function keepFeatures(world: World, { features, organization_id }: MirrorManifest): void {
  const organization = world.organizations.get(organization_id);
  const kept = new Set(organization?.features);
  for (const feature of features.off) kept.delete(feature);
  if (features.prompt_rating) kept.add("prompt_rating");
  world.database
    .prepare("UPDATE organizations SET features = ? WHERE id = ?")
    .run(JSON.stringify([...kept]), organization_id);
}

function countRows(world: World, from: string): number {
  return Number(world.database.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.["n"]);
}

function changedInLastPass(world: World): number {
  const row = world.database.prepare("SELECT changed FROM mirror_passes ORDER BY pass DESC LIMIT 1").get();
  return Number(row?.["changed"] ?? 0);
}

function anchorsOf(world: World, { surface }: MirrorRequest): string[] {
  if (surface === "distributor-v2")
    return world.database
      .prepare(
        "SELECT id FROM organizations WHERE distributor_id IS NOT NULL ORDER BY created_at, id LIMIT ?",
      )
      .all(2 * anchorsOfEach)
      .map(({ id }) => String(id));
  const organization = mirroredOrganization(world);
  return ["groups", "assistants"].flatMap((table) =>
    world.database
      .prepare(`SELECT id FROM ${table} WHERE organization_id = ? ORDER BY created_at, id LIMIT ?`)
      .all(organization, anchorsOfEach)
      .map(({ id }) => String(id)),
  );
}

/** W1: where the service's ids carry their time, as ours do, new ones are the last. */
function continueIds(world: World): void {
  const { database } = world;
  // Licenses have ids of the distributor's own.
  const row = database
    .prepare("SELECT max(substr(id, 1, 8)) AS seconds FROM mirrored WHERE resource <> 'licenses'")
    .get();
  const largest = Number.parseInt(String(row?.["seconds"] ?? ""), 16);
  if (Number.isNaN(largest) || largest > world.clock.now() / 1_000 + daySeconds) return;
  world.ids.continueAfter(largest);
}
