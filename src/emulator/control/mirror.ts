import type { mirror } from "../../contract/control/mirror.js";
import { isDistributorResource, type MirrorRequest, type PublicResource } from "../../contract/mirror.js";
import { beginMirror, mirroredOwner } from "../mirror/begin.js";
import { removeThings, type Showing, storeDetails, storeRows, wantsDetail } from "../mirror/fill.js";
import { finishMirror, reopenMirror, requestOf } from "../mirror/finish.js";
import { storeDistributorRows } from "../mirror/organizations.js";
import { openReferences } from "../mirror/references.js";
import { conflict, notFound } from "../refusal.js";
import type { Routes } from "../routes.js";
import type { World } from "../world.js";
import type { ControlHandlers } from "./handlers.js";

/** W2: a finished mirror can't be filled any more. @throws Refusal conflict */
function assertFilling(world: World): { organizationId: string; request: MirrorRequest } {
  const request = requestOf(world);
  if (!request) throw conflict("emulator.control", "the world is no mirror; POST /mirror begins one");
  if (world.mirror.manifest) throw conflict("emulator.control", "the mirror is finished");
  return { organizationId: mirroredOwner(world, request), request };
}

/** The handler that shows what the tables hold of a resource. */
async function showingOf(routes: Routes, resource: PublicResource): Promise<Showing> {
  const operation = resource === "voices" ? "voices.list" : `${resource}.get`;
  const route = await routes.named(operation);
  const isMade = resource !== "voices" && resource !== "calls";
  const created = isMade ? (await routes.named(`${resource}.create`)).operation.body : undefined;
  const listed = (await routes.named(`${resource}.list`)).operation.response;
  const contract = { listed, shown: route.operation.response, created };
  return { operation, handler: route.handler, contract };
}

/** The state from which an unfinished mirror is gone on with. */
function progressOf(world: World) {
  const { database } = world;
  const row = database.prepare("SELECT progress, pseudonym_key FROM mirror").get();
  const progress: unknown = JSON.parse(String(row?.["progress"] ?? "{}"));
  const lists = database
    .prepare("SELECT name, pass, cursor, done, rows FROM mirror_lists ORDER BY name")
    .all();
  return {
    progress,
    pseudonym_key: row?.["pseudonym_key"] ?? null,
    lists: lists.map((list) => ({ ...list, done: list["done"] === 1 })),
    passes: database.prepare("SELECT pass, changed, signs FROM mirror_passes ORDER BY pass").all(),
  };
}

export const mirrorHandlers: ControlHandlers<typeof mirror> = {
  "mirror.get": ({ world }) => {
    const request = requestOf(world);
    if (!request) throw notFound("a mirror in this world", "emulator.control");
    const { manifest = null } = world.mirror;
    return { finished: manifest !== null, request, manifest, ...progressOf(world) };
  },
  "mirror.begin": ({ world }, { body }) => {
    beginMirror(world, body);
    return { organization_id: mirroredOwner(world, body) };
  },
  "mirror.rows": {
    prepare: async ({ world, routes }, { body }) => {
      const { resource } = body;
      if (isDistributorResource(resource)) {
        const { Organization } = await import("../../contract/distributor/orgs.js");
        const listed = resource === "orgs" ? Organization : undefined;
        return () => {
          assertFilling(world);
          return storeDistributorRows(world, { ...body, resource }, listed);
        };
      }
      const showing = await showingOf(routes, resource);
      return () => {
        const { organizationId, request } = assertFilling(world);
        const input = { ...body, resource, wantsDetail: wantsDetail(resource, request) };
        return storeRows(world, organizationId, input, showing);
      };
    },
  },
  "mirror.details": {
    prepare: async ({ world, routes }, { body }) => {
      const { resource } = body;
      // Nothing shows more of them than their lists.
      if (isDistributorResource(resource)) return () => ({ changed: 0, signs: 0 });
      const showing = await showingOf(routes, resource);
      return () => storeDetails(world, assertFilling(world).organizationId, { ...body, resource }, showing);
    },
  },
  "mirror.gone": ({ world }, { body }) => {
    assertFilling(world);
    return removeThings(world, body);
  },
  "mirror.wanted": ({ world }, { query: { resource, limit } }) => {
    const wanted = "FROM mirrored WHERE resource = ? AND wants_detail = 1";
    const ids = world.database.prepare(`SELECT id ${wanted} ORDER BY id LIMIT ?`).all(resource, limit);
    const row = world.database.prepare(`SELECT count(*) AS n ${wanted}`).get(resource);
    return { ids: ids.map(({ id }) => id), left: Number(row?.["n"]) };
  },
  "mirror.missing": ({ world }, { query }) =>
    world.database
      .prepare("SELECT id FROM mirrored WHERE resource = ? AND pass < ? ORDER BY id LIMIT ?")
      .all(query.resource, query.pass, query.limit),
  "mirror.references": ({ world }) => openReferences(world, { known: false }),
  "mirror.reopen": ({ world }) => {
    reopenMirror(world);
    return { reopened: true };
  },
  "mirror.finish": ({ world }, { body }) => {
    assertFilling(world);
    return finishMirror(world, body);
  },
};
