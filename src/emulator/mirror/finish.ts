import {
  type MirrorManifest,
  MirrorRequest,
  type MirrorResource,
  mirrorResources,
} from "../../contract/mirror.js";
import { conflict } from "../refusal.js";
import type { World } from "../world.js";
import { mirroredOrganization } from "./begin.js";

/** What the collector tells when all is there; the world itself knows the rest. */
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
  return row && MirrorRequest.parse(JSON.parse(String(row["request"])));
}

/**
 * Closes a mirror: from now on nothing fills it, and new ids sort behind the copied ones.
 * @throws Refusal conflict where there is none, or it is finished
 */
export function finishMirror(world: World, collected: Collected): MirrorManifest {
  const { database } = world;
  const request = requestOf(world);
  if (!request) throw conflict("emulator.control", "the world is no mirror");
  const manifest: MirrorManifest = {
    name: request.name,
    profile: request.profile,
    base_url: request.base_url,
    ...collected,
    changed_in_last_pass: changedInLastPass(world),
    passes: database
      .prepare("SELECT pass, changed FROM mirror_passes ORDER BY pass")
      .all()
      .map(({ pass, changed }) => ({ pass: Number(pass), changed: Number(changed) })),
    counts: counted(world, ""),
    details: counted(world, "AND detail IS NOT NULL"),
    anchors: anchorsOf(world),
    contact_groups: request.contact_groups,
    calls_from: request.calls_from,
    call_details: request.call_details,
    pseudonymized: request.pseudonymize,
    secrets: {
      webhooks: countRows(world, "assistants WHERE webhook_credential IS NOT NULL"),
      tools: countRows(world, "tools WHERE secret IS NOT NULL"),
    },
    dangling: [],
    unknown_fields: {},
    contradicted: [],
    organization_id: mirroredOrganization(world),
  };
  continueIds(world);
  database
    .prepare("UPDATE world SET limits = ?")
    .run(
      JSON.stringify(
        Object.fromEntries(Object.entries(collected.limits).map(([bucket, { limit }]) => [bucket, limit])),
      ),
    );
  database.prepare("UPDATE mirror SET manifest = ?").run(JSON.stringify(manifest));
  return manifest;
}

/** Of the resources that were copied, a zero too. */
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

function countRows(world: World, from: string): number {
  return Number(world.database.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.["n"]);
}

function changedInLastPass(world: World): number {
  const row = world.database.prepare("SELECT changed FROM mirror_passes ORDER BY pass DESC LIMIT 1").get();
  return Number(row?.["changed"] ?? 0);
}

function anchorsOf(world: World): string[] {
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
  const row = database.prepare("SELECT max(substr(id, 1, 8)) AS seconds FROM mirrored").get();
  const largest = Number.parseInt(String(row?.["seconds"] ?? ""), 16);
  if (Number.isNaN(largest) || largest > world.clock.now() / 1_000 + daySeconds) return;
  database.prepare("UPDATE world SET id_seconds = max(id_seconds, ?)").run(largest + 1);
}
