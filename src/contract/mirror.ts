/** The manifest of a mirror, and other data types that the collector and the emulator share. */
import * as z from "zod";
import { once } from "./once.js";

/** APIs whose resources can be copied. */
export const mirrorApis = ["public", "distributor-v2"] as const;
export type MirrorApi = (typeof mirrorApis)[number];

/** The Public API's lists of an organization's resources in reading order: referenced resources come first. */
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

/** Lists in the distributor API. Licenses are read from the billing summary of the MSP that owns them. */
export const distributorResources = ["orgs", "licenses"] as const;
type DistributorResource = (typeof distributorResources)[number];

export const mirrorResources = [...publicResources, ...distributorResources] as const;
export type MirrorResource = (typeof mirrorResources)[number];

export function isDistributorResource(resource: MirrorResource): resource is DistributorResource {
  return distributorResources.some((candidate) => candidate === resource);
}

const Resource = once(() => z.enum(mirrorResources));
const Api = once(() => z.enum(mirrorApis).default("public"));

/** The original request, stored so that an unfinished mirror can be resumed. */
export const MirrorRequest = once(() =>
  z.strictObject({
    name: z.string(),
    profile: z.string(),
    /** Missing in mirrors from older versions. These mirrors are copies from the Public API. */
    surface: Api(),
    base_url: z.string(),
    include: z.array(Resource()),
    /** IDs of the groups whose contacts are copied; null means all groups. */
    contact_groups: z.array(z.string()).nullable(),
    /** Only calls from this time on are copied; null means all calls. Has no effect if calls are not copied. */
    calls_from: z.string().nullable(),
    call_details: z.boolean(),
    pseudonymize: z.boolean(),
  }),
);
export type MirrorRequest = z.output<ReturnType<typeof MirrorRequest>>;

/**
 * How reliable the collected data is. `consistent`: two passes were equal, and resources have update times. `equal-twice`: two passes
 * were equal, but there are resources or lists without update times. `fuzzy`: no two passes were equal.
 */
const consistencies = ["consistent", "equal-twice", "fuzzy"] as const;
export type Consistency = (typeof consistencies)[number];

const AbsentReason = once(() =>
  z.enum(["not-asked-for", "forbidden", "other-groups", "older", "subscription", "not-shown"]),
);

export const AbsentResources = once(() => z.partialRecord(Resource(), AbsentReason()));

const Limit = once(() => z.object({ limit: z.int(), assumed: z.boolean() }));

/** Manifest of a finished mirror. */
export const MirrorManifest = once(() =>
  z.object({
    name: z.string(),
    /** Profile and base URL of the source. */
    profile: z.string(),
    surface: Api(),
    base_url: z.string(),
    /** ID of the emulator state that was copied; null if the source is a deployment. */
    emulator_id: z.string().nullable().default(null),
    /** Times of the last collection's first and last request, by the local clock. */
    collected: z.tuple([z.string(), z.string()]),
    consistency: z.enum(consistencies),
    /** Number of resources that changed during the last pass. */
    changed_in_last_pass: z.int(),
    passes: z.array(z.object({ pass: z.int(), changed: z.int() })),
    made_at: z.string(),
    refreshed_at: z.string().nullable(),
    /** When the mirror will be deleted; null means never. */
    expires_at: z.string().nullable(),
    reads: z.int(),
    seconds: z.number(),
    counts: z.partialRecord(Resource(), z.int()),
    /** Number of single reads by resource type, for the text of knowledge items and the details of calls. */
    details: z.partialRecord(Resource(), z.int()),
    /** IDs of the oldest groups and assistants, or of the oldest organizations. They identify the source later. */
    anchors: z.array(z.string()),
    /** Limits by bucket, as declared in responses; `assumed` if no response declared the limit. */
    limits: z.record(z.string(), Limit()),
    latency: z.object({ median_ms: z.number(), p90_ms: z.number() }),
    /** Resources that are not in the copy, with the reasons. */
    absent: AbsentResources(),
    contact_groups: z.array(z.string()).nullable(),
    calls_from: z.string().nullable(),
    call_details: z.boolean(),
    pseudonymized: z.boolean(),
    features: z.object({ off: z.array(z.string()), prompt_rating: z.boolean() }),
    secrets: z.object({ webhooks: z.int(), tools: z.int() }),
    /** References to resources that don't exist. */
    dangling: z.array(z.object({ resource: Resource(), id: z.string(), in: z.string() })),
    /** Fields that are not in the contract, by resource type. */
    unknown_fields: z.partialRecord(Resource(), z.array(z.string())),
    /** Decisions that the copied data contradicts. An emulator with this data doesn't apply them. */
    contradicted: z.array(z.object({ decision: z.string(), example: z.string() })),
    /** ID of the organization in the copy or, for the distributor API, of the distributor. */
    organization_id: z.string(),
  }),
);
export type MirrorManifest = z.output<ReturnType<typeof MirrorManifest>>;

/** The collector's progress in one list. It lets the collector resume an unfinished mirror. */
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
