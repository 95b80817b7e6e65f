import type { mirror } from "../../contract/control/mirror.js";
import { isDistributorResource, type MirrorRequest, type PublicResource } from "../../contract/mirror.js";
import type { EmulatorState } from "../emulator-state.js";
import { beginMirror, findMirrorOwner } from "../mirror/begin.js";
import { type ResourceReader, removeRecords, storeDetails, storeRows, wantsDetail } from "../mirror/fill.js";
import { findAnchors, finishMirror, readMirrorRequest, reopenMirror } from "../mirror/finish.js";
import { storeDistributorRows } from "../mirror/organizations.js";
import { findOpenReferences } from "../mirror/references.js";
import { conflict, notFound } from "../refusal.js";
import type { Routes } from "../routes.js";
import type { ControlHandlers } from "./handlers.js";

/** @throws Refusal conflict if this emulator is not a mirror, or if the mirror is finished */
function assertFilling(state: EmulatorState): { organizationId: string; request: MirrorRequest } {
  const request = readMirrorRequest(state);
  if (!request)
    throw conflict("emulator.control", "this emulator is not a mirror; to start one, use POST /mirror");
  if (state.mirror.manifest) throw conflict("emulator.control", "the mirror is finished");
  return { organizationId: findMirrorOwner(state, request), request };
}

async function createResourceReader(routes: Routes, resource: PublicResource): Promise<ResourceReader> {
  const operation = resource === "voices" ? "voices.list" : `${resource}.get`;
  const route = await routes.named(operation);
  const isMade = resource !== "voices" && resource !== "calls";
  const created = isMade ? (await routes.named(`${resource}.create`)).operation.body : undefined;
  const listed = (await routes.named(`${resource}.list`)).operation.response;
  const contract = { listed, shown: route.operation.response, created };
  return { operation, handler: route.handler, contract };
}

function readProgress(state: EmulatorState) {
  const { database } = state;
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
  "mirror.get": ({ state }) => {
    const request = readMirrorRequest(state);
    if (!request) throw notFound("a mirror in this emulator", "emulator.control");
    const { manifest = null } = state.mirror;
    const anchors = findAnchors(state, request);
    return { finished: manifest !== null, request, manifest, anchors, ...readProgress(state) };
  },
  "mirror.begin": ({ state }, { body }) => {
    beginMirror(state, body);
    return { organization_id: findMirrorOwner(state, body) };
  },
  "mirror.rows": {
    prepare: async ({ state, routes }, { body }) => {
      const { resource } = body;
      if (isDistributorResource(resource)) {
        const { Organization } = await import("../../contract/distributor/orgs.js");
        const listed = resource === "orgs" ? Organization : undefined;
        return () => {
          assertFilling(state);
          return storeDistributorRows(state, { ...body, resource }, listed);
        };
      }
      const reader = await createResourceReader(routes, resource);
      return () => {
        const { organizationId, request } = assertFilling(state);
        const input = { ...body, resource, wantsDetail: wantsDetail(resource, request) };
        return storeRows(state, organizationId, input, reader);
      };
    },
  },
  "mirror.details": {
    prepare: async ({ state, routes }, { body }) => {
      const { resource } = body;
      // For organizations and licenses, GET returns the same fields as the list.
      if (isDistributorResource(resource)) return () => ({ changed: 0, signs: 0 });
      const reader = await createResourceReader(routes, resource);
      return () => storeDetails(state, assertFilling(state).organizationId, { ...body, resource }, reader);
    },
  },
  "mirror.gone": ({ state }, { body }) => {
    assertFilling(state);
    return removeRecords(state, body);
  },
  "mirror.wanted": ({ state }, { query: { resource, limit } }) => {
    const fromClause = "FROM mirrored WHERE resource = ? AND wants_detail = 1";
    const ids = state.database.prepare(`SELECT id ${fromClause} ORDER BY id LIMIT ?`).all(resource, limit);
    const row = state.database.prepare(`SELECT count(*) AS n ${fromClause}`).get(resource);
    return { ids: ids.map(({ id }) => id), left: Number(row?.["n"]) };
  },
  "mirror.missing": ({ state }, { query }) =>
    state.database
      .prepare("SELECT id FROM mirrored WHERE resource = ? AND pass < ? ORDER BY id LIMIT ?")
      .all(query.resource, query.pass, query.limit),
  "mirror.references": ({ state }) => findOpenReferences(state, { known: false }),
  "mirror.reopen": ({ state }) => {
    reopenMirror(state);
    return { reopened: true };
  },
  "mirror.finish": ({ state }, { body }) => {
    assertFilling(state);
    return finishMirror(state, body);
  },
};
