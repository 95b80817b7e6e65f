import * as z from "zod";
import { AbsentResources, MirrorList, MirrorManifest, MirrorRequest, mirrorResources } from "../mirror.js";
import { isObject } from "../primitives-http.js";
import { defineControl } from "./operation.js";

const Resource = z.enum(mirrorResources);
/** The schema only requires an object, because validating thousands of resources would take too long. */
const Raw = z.custom<Readonly<Record<string, unknown>>>(isObject, "must be an object");
const Pass = z.int().min(1);
const progress = z.record(z.string(), z.unknown()).default({});

/** `signs`: number of signs that the source's lists are unreliable. */
const Stored = z.looseObject({ changed: z.int(), signs: z.int() });
const Id = z.looseObject({ id: z.string() });

const ofResource = {
  resource: Resource,
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
};

export const mirror = defineControl({
  "mirror.get": {
    method: "GET",
    path: "/mirror",
    summary: "Show the mirror's source and progress",
    response: z.looseObject({
      finished: z.boolean(),
      request: MirrorRequest(),
      manifest: MirrorManifest().nullable(),
      anchors: z.array(z.string()),
      progress: z.record(z.string(), z.unknown()),
      /** Key from which pseudonyms are derived; null if the mirror is finished or has real data. */
      pseudonym_key: z.string().nullable(),
      lists: z.array(MirrorList()),
      passes: z.array(z.looseObject({ pass: z.int(), changed: z.int(), signs: z.int() })),
    }),
  },
  "mirror.begin": {
    method: "POST",
    path: "/mirror",
    summary: "Start a mirror of an organization in a new, empty emulator",
    body: MirrorRequest(),
    response: z.looseObject({ organization_id: z.string() }),
  },
  "mirror.rows": {
    method: "POST",
    path: "/mirror/rows",
    summary: "Store the source's resources in a mirror",
    keepsDigits: true,
    body: z.strictObject({
      resource: Resource,
      list: z.string(),
      pass: Pass,
      rows: z.array(Raw),
      cursor: z.string().nullable(),
      done: z.boolean(),
      /** True if the resources were read by ID because no list contains them. */
      hidden: z.boolean().default(false),
      progress,
    }),
    response: Stored.extend({ repeated: z.int() }),
  },
  "mirror.details": {
    method: "POST",
    path: "/mirror/details",
    summary: "Complete a mirror's resources with the details that lists omit",
    keepsDigits: true,
    body: z.strictObject({ resource: Resource, pass: Pass, rows: z.array(Raw), progress }),
    response: Stored,
  },
  "mirror.gone": {
    method: "POST",
    path: "/mirror/gone",
    summary: "Remove a mirror's resources that the source no longer has",
    body: z.strictObject({ resource: Resource, pass: Pass, ids: z.array(z.string()), progress }),
    response: Stored,
  },
  "mirror.wanted": {
    method: "GET",
    path: "/mirror/wanted",
    summary: "List a mirror's resources that lack details",
    query: z.object(ofResource),
    response: z.looseObject({ ids: z.array(z.string()), left: z.int() }),
  },
  "mirror.missing": {
    method: "GET",
    path: "/mirror/missing",
    summary: "List a mirror's resources that the given pass did not find",
    query: z.object({ ...ofResource, pass: z.coerce.number().int().min(1) }),
    responseShape: "page",
    response: Id,
  },
  "mirror.references": {
    method: "GET",
    path: "/mirror/references",
    summary: "List references to resources that a mirror doesn't contain",
    responseShape: "page",
    response: z.looseObject({ resource: Resource, id: z.string(), in: z.string() }),
  },
  "mirror.reopen": {
    method: "POST",
    path: "/mirror/reopen",
    summary: "Reopen a finished mirror for an update",
    success: 200,
    response: z.looseObject({ reopened: z.literal(true) }),
  },
  "mirror.finish": {
    method: "POST",
    path: "/mirror/finish",
    summary: "Finish a mirror, so that nothing more can be stored in it",
    body: z.strictObject({
      ...MirrorManifest().pick({
        emulator_id: true,
        collected: true,
        consistency: true,
        made_at: true,
        refreshed_at: true,
        expires_at: true,
        reads: true,
        seconds: true,
        limits: true,
        latency: true,
        features: true,
      }).shape,
      absent: AbsentResources(),
    }),
    success: 200,
    response: MirrorManifest(),
  },
});
