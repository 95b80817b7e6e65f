import * as z from "zod";
import { once } from "./once.js";

export const mirrorApis = ["public", "distributor-v2"] as const;
export type MirrorApi = (typeof mirrorApis)[number];

/** Each type follows the types that it refers to. */
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

/** Licenses are read from the MSPs' billing summaries. */
export const distributorResources = ["orgs", "licenses"] as const;
type DistributorResource = (typeof distributorResources)[number];

export const mirrorResources = [...publicResources, ...distributorResources] as const;
export type MirrorResource = (typeof mirrorResources)[number];

export function isDistributorResource(resource: MirrorResource): resource is DistributorResource {
  return distributorResources.some((candidate) => candidate === resource);
}

const Resource = once(() => z.enum(mirrorResources));
const Api = once(() => z.enum(mirrorApis).default("public"));

/** Stored, so that an unfinished mirror can be resumed with the same settings. */
export const MirrorRequest = once(() =>
  z.strictObject({
    name: z.string(),
    profile: z.string(),
    /** Missing in mirrors from older versions, which always used the Public API. */
    surface: Api(),
    base_url: z.string(),
    include: z.array(Resource()),
    /** IDs of the groups whose contacts are mirrored; null means all groups. */
    contact_groups: z.array(z.string()).nullable(),
    /** Earliest creation time of the mirrored calls; null means all calls. */
    calls_from: z.string().nullable(),
    call_details: z.boolean(),
    pseudonymize: z.boolean(),
  }),
);
export type MirrorRequest = z.output<ReturnType<typeof MirrorRequest>>;

/**
 * How reliable the mirror is. `consistent`: two passes found the same data, and a pass detects every change.
 * `equal-twice`: two passes found the same data, but a pass might not detect every change. `fuzzy`: the last
 * pass still found changes.
 */
const consistencies = ["consistent", "equal-twice", "fuzzy"] as const;
export type Consistency = (typeof consistencies)[number];

const AbsentReason = once(() =>
  z.enum(["not-asked-for", "forbidden", "other-groups", "older", "subscription", "not-found", "not-shown"]),
);

export const AbsentResources = once(() => z.partialRecord(Resource(), AbsentReason()));

const Limit = once(() => z.object({ limit: z.int(), assumed: z.boolean() }));

export const MirrorManifest = once(() =>
  z.object({
    name: z.string(),
    profile: z.string(),
    surface: Api(),
    base_url: z.string(),
    /** ID of the emulator state that was mirrored; null if the source is not an emulator. */
    emulator_id: z.string().nullable().default(null),
    /** Times of the first and last request, by this machine's clock. */
    collected: z.tuple([z.string(), z.string()]),
    consistency: z.enum(consistencies),
    changed_in_last_pass: z.int(),
    passes: z.array(z.object({ pass: z.int(), changed: z.int() })),
    made_at: z.string(),
    refreshed_at: z.string().nullable(),
    expires_at: z.string().nullable(),
    reads: z.int(),
    seconds: z.number(),
    counts: z.partialRecord(Resource(), z.int()),
    details: z.partialRecord(Resource(), z.int()),
    /**
     * IDs by which later commands recognize the source: the IDs of its oldest groups and assistants, or of
     * its oldest organizations.
     */
    anchors: z.array(z.string()),
    /** `assumed` is true if no response stated the limit. */
    limits: z.record(z.string(), Limit()),
    latency: z.object({ median_ms: z.number(), p90_ms: z.number() }),
    absent: AbsentResources(),
    contact_groups: z.array(z.string()).nullable(),
    calls_from: z.string().nullable(),
    call_details: z.boolean(),
    pseudonymized: z.boolean(),
    features: z.object({ off: z.array(z.string()), prompt_rating: z.boolean() }),
    secrets: z.object({ webhooks: z.int(), tools: z.int() }),
    dangling: z.array(z.object({ resource: Resource(), id: z.string(), in: z.string() })),
    unknown_fields: z.partialRecord(Resource(), z.array(z.string())),
    /** An emulator with this data doesn't apply the contradicted decisions. */
    contradicted: z.array(z.object({ decision: z.string(), example: z.string() })),
    /** ID of the mirrored organization or, for the distributor API, of the distributor. */
    organization_id: z.string(),
  }),
);
export type MirrorManifest = z.output<ReturnType<typeof MirrorManifest>>;

/** Stored, so that an unfinished mirror can be resumed. */
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
