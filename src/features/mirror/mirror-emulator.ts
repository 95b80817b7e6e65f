import * as z from "zod";
import {
  MirrorList,
  MirrorManifest,
  MirrorRequest,
  type MirrorResource,
  mirrorResources,
} from "../../contract/mirror.js";

export type Control = (method: string, path: string, body?: unknown) => Promise<unknown>;

export type Raw = Readonly<Record<string, unknown>>;

const Resource = z.enum(mirrorResources);

/** Counters of the copy, which are stored together with the rows. */
export const Progress = z.object({
  reads: z.int().default(0),
  seconds: z.number().default(0),
  absent: MirrorManifest().shape.absent.default({}),
  features_off: z.array(z.string()).default([]),
  prompt_rating: z.boolean().default(false),
  /**
   * Resource types whose records have a change time. A type can also be in `undated`, if some of its records
   * have none.
   */
  dated: z.array(Resource).default([]),
  undated: z.array(Resource).default([]),
  /** Number of responses by response time in milliseconds, for the median. */
  latency: z.record(z.string(), z.int()).default({}),
  limits: z.record(z.string(), z.int()).default({}),
  begun: z.record(z.string(), z.string()).default({}),
});
export type Progress = z.output<typeof Progress>;

const Pass = z.object({ pass: z.int(), changed: z.int(), signs: z.int() });

const State = z.object({
  request: MirrorRequest(),
  /** Null until the mirror is finished. */
  manifest: MirrorManifest().nullable(),
  /** IDs of the resources copied so far that identify the organization. */
  anchors: z.array(z.string()),
  progress: Progress,
  pseudonym_key: z.string().nullable(),
  lists: z.array(MirrorList()),
  passes: z.array(Pass),
});
export type MirrorState = z.output<typeof State>;

/**
 * `changed`: number of new, changed or deleted records; `signs`: number of signs that a list is unreliable.
 */
const Stored = z.object({ changed: z.int(), signs: z.int() });
export type PassCounts = z.output<typeof Stored>;
const StoredRows = Stored.extend({
  /** Number of rows that this pass had already stored. */
  repeated: z.int(),
});
const References = z.array(z.object({ resource: Resource, id: z.string() }));
const MissingDetails = z.object({ ids: z.array(z.string()), left: z.int() });
const Ids = z.array(z.object({ id: z.string() }));

export interface MirrorEmulator {
  /** Returns whether copying has started. If not, the database may exist but is empty. */
  isBegun(): Promise<boolean>;
  begin(request: MirrorRequest): Promise<void>;
  state(): Promise<MirrorState>;
  rows(page: {
    resource: MirrorResource;
    list: string;
    pass: number;
    rows: readonly Raw[];
    cursor: string | null;
    done: boolean;
    /** Whether the rows were read by their IDs because no list returned them. */
    hidden?: boolean;
    progress: Progress;
  }): Promise<z.output<typeof StoredRows>>;
  details(page: {
    resource: MirrorResource;
    pass: number;
    rows: readonly Raw[];
    progress: Progress;
  }): Promise<PassCounts>;
  gone(removed: {
    resource: MirrorResource;
    pass: number;
    ids: readonly string[];
    progress: Progress;
  }): Promise<PassCounts>;
  /** `left` is the total number of records that must still be read by their ID. */
  missingDetails(resource: MirrorResource): Promise<{ ids: string[]; left: number }>;
  missing(resource: MirrorResource, pass: number): Promise<string[]>;
  references(): Promise<{ resource: MirrorResource; id: string }[]>;
  reopen(): Promise<void>;
  finish(collected: object): Promise<MirrorManifest>;
}

export function createMirrorEmulator(control: Control): MirrorEmulator {
  const ids = async (path: string) => Ids.parse(await control("GET", path)).map(({ id }) => id);
  return {
    isBegun: async () => {
      try {
        await control("GET", "/mirror");
        return true;
      } catch (error) {
        if (error instanceof Error && "status" in error && error.status === 404) return false;
        throw error;
      }
    },
    begin: async (request) => {
      await control("POST", "/mirror", request);
    },
    state: async () => State.parse(await control("GET", "/mirror")),
    rows: async (page) => StoredRows.parse(await control("POST", "/mirror/rows", page)),
    details: async (page) => Stored.parse(await control("POST", "/mirror/details", page)),
    gone: async (removed) => Stored.parse(await control("POST", "/mirror/gone", removed)),
    missingDetails: async (resource) =>
      MissingDetails.parse(await control("GET", `/mirror/wanted?resource=${resource}`)),
    missing: (resource, pass) => ids(`/mirror/missing?resource=${resource}&pass=${pass}`),
    references: async () => References.parse(await control("GET", "/mirror/references")),
    reopen: async () => {
      await control("POST", "/mirror/reopen");
    },
    finish: async (collected) => MirrorManifest().parse(await control("POST", "/mirror/finish", collected)),
  };
}
