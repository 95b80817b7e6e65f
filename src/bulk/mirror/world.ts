/** The copy that is being filled, by its control interface. */
import * as z from "zod";
import { MirrorList, MirrorManifest, MirrorRequest, type MirrorResource } from "../../contract/mirror.js";

/** Calls the control interface of a world in this process; answers the data. */
export type Control = (method: string, path: string, body?: unknown) => Promise<unknown>;

export type Raw = Readonly<Record<string, unknown>>;

/** The collector's counters, kept beside the rows that they count. */
export const Progress = z.object({
  started_at: z.string().optional(),
  /** When the collect began that the last one is compared with. */
  reads: z.int().default(0),
  seconds: z.number().default(0),
  absent: MirrorManifest.shape.absent.default({}),
  features_off: z.array(z.string()).default([]),
  prompt_rating: z.boolean().default(false),
  /** Things that do not say when they changed. */
  undated: z.boolean().default(false),
  /** Milliseconds of answers, and how often: for the median. */
  latency: z.record(z.string(), z.int()).default({}),
  limits: z.record(z.string(), z.int()).default({}),
  /** When the collects began, by their number. */
  begun: z.record(z.string(), z.string()).default({}),
});
export type Progress = z.output<typeof Progress>;

const Pass = z.object({ pass: z.int(), changed: z.int(), signs: z.int() });

const State = z.object({
  request: MirrorRequest,
  /** Null while it is being filled. */
  manifest: MirrorManifest.nullable(),
  progress: Progress,
  lists: z.array(MirrorList),
  passes: z.array(Pass),
});
export type MirrorState = z.output<typeof State>;

const Stored = z.object({ changed: z.int(), signs: z.int() });
const Ids = z.array(z.object({ id: z.string() }));

/** What is told to a world that is being filled. */
export interface MirrorWorld {
  begin(request: MirrorRequest): Promise<void>;
  state(): Promise<MirrorState>;
  rows(page: {
    resource: MirrorResource;
    list: string;
    pass: number;
    rows: readonly Raw[];
    cursor: string | null;
    done: boolean;
    progress: Progress;
  }): Promise<z.output<typeof Stored>>;
  details(page: {
    resource: MirrorResource;
    pass: number;
    rows: readonly Raw[];
    progress: Progress;
  }): Promise<void>;
  gone(things: {
    resource: MirrorResource;
    pass: number;
    ids: readonly string[];
    progress: Progress;
  }): Promise<void>;
  /** Ids of things whose texts are still to be read. */
  wanted(resource: MirrorResource): Promise<string[]>;
  /** Ids of things that the lists of this collect did not show. */
  missing(resource: MirrorResource, pass: number): Promise<string[]>;
  finish(collected: object): Promise<MirrorManifest>;
}

export function mirrorWorld(control: Control): MirrorWorld {
  const ids = async (path: string) => Ids.parse(await control("GET", path)).map(({ id }) => id);
  return {
    begin: async (request) => {
      await control("POST", "/mirror", request);
    },
    state: async () => State.parse(await control("GET", "/mirror")),
    rows: async (page) => Stored.parse(await control("POST", "/mirror/rows", page)),
    details: async (page) => {
      await control("POST", "/mirror/details", page);
    },
    gone: async (things) => {
      await control("POST", "/mirror/gone", things);
    },
    wanted: (resource) => ids(`/mirror/wanted?resource=${resource}`),
    missing: (resource, pass) => ids(`/mirror/missing?resource=${resource}&pass=${pass}`),
    finish: async (collected) => MirrorManifest.parse(await control("POST", "/mirror/finish", collected)),
  };
}
