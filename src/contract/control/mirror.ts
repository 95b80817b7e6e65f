import * as z from "zod";
import { AbsentResources, MirrorList, MirrorManifest, MirrorRequest, mirrorResources } from "../mirror.js";
import { defineControl } from "./operation.js";

const Resource = z.enum(mirrorResources);
/** A thing as it came: any fields. That it is an object is all that is looked at, thousands of times. */
const Raw = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "must be an object",
);
const Pass = z.int().min(1);
/** The collector's own counters: kept as they are, with the rows that they count. */
const progress = z.record(z.string(), z.unknown()).default({});

/** The result of keeping rows: things that are new or differ, and signs of lists that can't be trusted. */
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
    summary: "What the world is a copy of, and how far it is",
    response: z.looseObject({
      finished: z.boolean(),
      request: MirrorRequest(),
      manifest: MirrorManifest().nullable(),
      progress: z.record(z.string(), z.unknown()),
      /** Null of a finished one, and where nothing is pseudonymized. */
      pseudonym_key: z.string().nullable(),
      lists: z.array(MirrorList()),
      passes: z.array(z.looseObject({ pass: z.int(), changed: z.int(), signs: z.int() })),
    }),
  },
  "mirror.begin": {
    method: "POST",
    path: "/mirror",
    summary: "Make a new, empty world the copy of an organization, still to be filled",
    body: MirrorRequest(),
    response: z.looseObject({ organization_id: z.string() }),
  },
  "mirror.rows": {
    method: "POST",
    path: "/mirror/rows",
    summary: "Fill a copy with things as a list of their organization showed them",
    body: z.strictObject({
      resource: Resource,
      list: z.string(),
      pass: Pass,
      rows: z.array(Raw),
      cursor: z.string().nullable(),
      done: z.boolean(),
      /** They were read by their ids, since no list showed them. */
      hidden: z.boolean().default(false),
      progress,
    }),
    response: Stored,
  },
  "mirror.details": {
    method: "POST",
    path: "/mirror/details",
    summary: "Add what only a get shows of things that a copy holds",
    body: z.strictObject({ resource: Resource, pass: Pass, rows: z.array(Raw), progress }),
    response: Stored,
  },
  "mirror.gone": {
    method: "POST",
    path: "/mirror/gone",
    summary: "Take things out of a copy that do not exist any more",
    body: z.strictObject({ resource: Resource, pass: Pass, ids: z.array(z.string()), progress }),
    response: Stored,
  },
  "mirror.wanted": {
    method: "GET",
    path: "/mirror/wanted",
    summary: "Things of a copy of which what only a get shows is still to be read",
    query: z.object(ofResource),
    response: z.looseObject({ ids: z.array(z.string()), left: z.int() }),
  },
  "mirror.missing": {
    method: "GET",
    path: "/mirror/missing",
    summary: "Things of a copy that the lists of a collect did not show",
    query: z.object({ ...ofResource, pass: z.coerce.number().int().min(1) }),
    responseShape: "page",
    response: Id,
  },
  "mirror.references": {
    method: "GET",
    path: "/mirror/references",
    summary: "What things of a copy name and it does not hold",
    responseShape: "page",
    response: z.looseObject({ resource: Resource, id: z.string(), in: z.string() }),
  },
  "mirror.reopen": {
    method: "POST",
    path: "/mirror/reopen",
    summary: "Let a finished copy be brought up to date",
    success: 200,
    response: z.looseObject({ reopened: z.literal(true) }),
  },
  "mirror.finish": {
    method: "POST",
    path: "/mirror/finish",
    summary: "Close a copy: from now on nothing fills it",
    body: z.strictObject({
      ...MirrorManifest().pick({
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
