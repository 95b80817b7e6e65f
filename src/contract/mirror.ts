/** A mirror's manifest, and the types that the collector and the emulator exchange to fill one. */
import * as z from "zod";
import { once } from "./once.js";

/** The APIs whose resources can be copied. */
export const mirrorApis = ["public", "distributor-v2"] as const;
export type MirrorApi = (typeof mirrorApis)[number];

/** The lists of an organization in the Public API, in reading order: resources that others refer to come first. */
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

/** The lists of a distributor API; licenses come from the billing summaries of the MSPs that own them. */
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
    /** Older mirrors, without this field, are of the Public API. */
    surface: Api(),
    base_url: z.string(),
    include: z.array(Resource()),
    /** Ids of the groups whose contacts are copied; null: all groups. */
    contact_groups: z.array(z.string()).nullable(),
    /** Calls from this time on; null: all calls. Ignored if calls are not copied. */
    calls_from: z.string().nullable(),
    call_details: z.boolean(),
    pseudonymize: z.boolean(),
  }),
);
export type MirrorRequest = z.output<ReturnType<typeof MirrorRequest>>;

/**
 * How far collected data can be trusted: two equal passes over resources with an update time; two equal passes over
 * resources or lists without one; or no two equal passes.
 */
const consistencies = ["collected-twice", "equal-twice", "fuzzy"] as const;
export type Consistency = (typeof consistencies)[number];

const AbsentReason = once(() =>
  z.enum(["not-asked-for", "forbidden", "other-groups", "older", "subscription", "not-shown"]),
);

export const AbsentResources = once(() => z.partialRecord(Resource(), AbsentReason()));

const Limit = once(() => z.object({ limit: z.int(), assumed: z.boolean() }));

/** A finished mirror's own account of itself. */
export const MirrorManifest = once(() =>
  z.object({
    name: z.string(),
    /** The profile and the base address that it was collected from. */
    profile: z.string(),
    surface: Api(),
    base_url: z.string(),
    /** When the first and the last request of the last collects were made, by this machine's clock. */
    collected: z.tuple([z.string(), z.string()]),
    consistency: z.enum(consistencies),
    /** Resources that changed during the last pass. */
    changed_in_last_pass: z.int(),
    passes: z.array(z.object({ pass: z.int(), changed: z.int() })),
    made_at: z.string(),
    refreshed_at: z.string().nullable(),
    /** Time of deletion; null: never. */
    expires_at: z.string().nullable(),
    reads: z.int(),
    seconds: z.number(),
    counts: z.partialRecord(Resource(), z.int()),
    /** Number of texts and call details that were read individually. */
    details: z.partialRecord(Resource(), z.int()),
    /** Ids of the oldest groups and assistants, or organizations, which identify the source later. */
    anchors: z.array(z.string()),
    /** Declared limits by bucket; `assumed` if no response declared one. */
    limits: z.record(z.string(), Limit()),
    latency: z.object({ median_ms: z.number(), p90_ms: z.number() }),
    /** The resources that are not in the copy, with the reason. */
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
    /** Decisions that the data contradicts: they are disabled in this emulator. */
    contradicted: z.array(z.object({ decision: z.string(), example: z.string() })),
    /** The organization's id in the copy; for a distributor API, the distributor's id. */
    organization_id: z.string(),
  }),
);
export type MirrorManifest = z.output<ReturnType<typeof MirrorManifest>>;

/** The state from which the collector continues an unfinished mirror. */
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
