/** The manifest of a mirror, and the data types that the collector and the emulator exchange to fill a mirror. */
import * as z from "zod";
import { once } from "./once.js";

/** The APIs whose resources can be copied. */
export const mirrorApis = ["public", "distributor-v2"] as const;
export type MirrorApi = (typeof mirrorApis)[number];

/** The Public API's lists of an organization's resources, in the order of reading: referenced resources come first. */
export const publicResources = [
  "voices",
  "groups",
  "prompts",
  "calendars",
  "tools",
  "forwardings",
  "glossary",
  "pronunciation",
  "knowledge",
  "assistants",
  "contacts",
  "calls",
] as const;
export type PublicResource = (typeof publicResources)[number];

/** The lists of the distributor API. Licenses are read from the billing summaries of the MSPs that own them. */
export const distributorResources = ["orgs", "licenses"] as const;
type DistributorResource = (typeof distributorResources)[number];

/** All lists that can be copied. */
export const mirrorResources = [...publicResources, ...distributorResources] as const;
export type MirrorResource = (typeof mirrorResources)[number];

export function isDistributorResource(resource: MirrorResource): resource is DistributorResource {
  return distributorResources.some((candidate) => candidate === resource);
}

const Resource = once(() => z.enum(mirrorResources));
const Api = once(() => z.enum(mirrorApis).default("public"));

/** The original request, kept so that an unfinished mirror can be continued. */
export const MirrorRequest = once(() =>
  z.strictObject({
    name: z.string(),
    profile: z.string(),
    /** Mirrors from older versions don't have this field; they are copies from the Public API. */
    surface: Api(),
    base_url: z.string(),
    include: z.array(Resource()),
    /** Ids of the groups whose contacts are copied; null means all groups. */
    contact_groups: z.array(z.string()).nullable(),
    /** Only calls created at or after this time are copied; null means all calls. Ignored if calls are not copied. */
    calls_from: z.string().nullable(),
    call_details: z.boolean(),
    pseudonymize: z.boolean(),
  }),
);
export type MirrorRequest = z.output<ReturnType<typeof MirrorRequest>>;

/**
 * How reliable the collected data is: two passes were equal and resources have update times; two passes were equal but resources or lists
 * have no update times; or no two passes were equal.
 */
const consistencies = ["collected-twice", "equal-twice", "fuzzy"] as const;
export type Consistency = (typeof consistencies)[number];

const AbsentReason = once(() =>
  z.enum(["not-asked-for", "forbidden", "other-groups", "older", "subscription", "not-shown"]),
);

export const AbsentResources = once(() => z.partialRecord(Resource(), AbsentReason()));

const Limit = once(() => z.object({ limit: z.int(), assumed: z.boolean() }));

/** The manifest that describes a finished mirror. */
export const MirrorManifest = once(() =>
  z.object({
    name: z.string(),
    /** Profile and base URL that the mirror was collected from. */
    profile: z.string(),
    surface: Api(),
    base_url: z.string(),
    /** Times of the first and last request of the last collection, by the local clock. */
    collected: z.tuple([z.string(), z.string()]),
    consistency: z.enum(consistencies),
    /** Number of resources that changed during the last pass. */
    changed_in_last_pass: z.int(),
    passes: z.array(z.object({ pass: z.int(), changed: z.int() })),
    made_at: z.string(),
    refreshed_at: z.string().nullable(),
    /** Time at which the mirror is deleted; null means never. */
    expires_at: z.string().nullable(),
    reads: z.int(),
    seconds: z.number(),
    counts: z.partialRecord(Resource(), z.int()),
    /** Number of knowledge texts and call details that were read one by one, by resource. */
    details: z.partialRecord(Resource(), z.int()),
    /** Ids of the oldest groups and assistants, or of the oldest organizations. They identify the source later. */
    anchors: z.array(z.string()),
    /** Limits by bucket, as declared by responses; `assumed` if no response declared the limit. */
    limits: z.record(z.string(), Limit()),
    latency: z.object({ median_ms: z.number(), p90_ms: z.number() }),
    /** Resources that the copy does not contain, with the reason. */
    absent: AbsentResources(),
    contact_groups: z.array(z.string()).nullable(),
    calls_from: z.string().nullable(),
    call_details: z.boolean(),
    pseudonymized: z.boolean(),
    features: z.object({ off: z.array(z.string()), prompt_rating: z.boolean() }),
    secrets: z.object({ webhooks: z.int(), tools: z.int() }),
    /** References to resources that don't exist. */
    dangling: z.array(z.object({ resource: Resource(), id: z.string(), in: z.string() })),
    /** Fields that the contract doesn't define, by resource. */
    unknown_fields: z.partialRecord(Resource(), z.array(z.string())),
    /** Decisions that the data contradicts; this emulator doesn't apply them. */
    contradicted: z.array(z.object({ decision: z.string(), example: z.string() })),
    /** Id of the organization in the copy; for the distributor API, id of the distributor. */
    organization_id: z.string(),
  }),
);
export type MirrorManifest = z.output<ReturnType<typeof MirrorManifest>>;

/** The state of one list, from which the collector continues an unfinished mirror. */
export const MirrorList = once(() =>
  z.object({
    name: z.string(),
    pass: z.int(),
    cursor: z.string().nullable(),
    done: z.boolean(),
    rows: z.int(),
  }),
);
export type MirrorList = z.output<ReturnType<typeof MirrorList>>;
