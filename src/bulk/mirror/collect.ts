import type { Clock } from "../../base/clock.js";
import { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import { buckets } from "../../contract/limits.js";
import type { Consistency, MirrorManifest, MirrorRequest, MirrorResource } from "../../contract/mirror.js";
import { mirrorResources } from "../../contract/mirror.js";
import { recordOf } from "../values.js";
import { inParallel } from "./in-parallel.js";
import { listsOf, readingOf, type SourceList } from "./lists.js";
import { pagesOf } from "./pages.js";
import { continueStats, quantile, type ReadingStats } from "./reading-stats.js";
import type { MirrorState, MirrorWorld, Progress, Raw } from "./world.js";

/** M3: requests in flight at most. */
const width = 8;

export interface CollectContext {
  client: Client;
  /** Counts what the client does. */
  stats: ReadingStats;
  world: MirrorWorld;
  /** The machine's clock: a mirror's dates are the machine's. */
  clock: Clock;
  /** A stopwatch's reading of what the client waits on, in milliseconds. */
  elapsed(): number;
  signal: AbortSignal;
  listener: CollectListener;
}

interface CollectListener {
  /** A page came: things of this resource so far in this collect. */
  read(progress: { pass: number; resource: MirrorResource; things: number }): void;
  /** A collect is through. */
  collected(pass: { pass: number; changed: number; counts: Readonly<Record<string, number>> }): void;
}

export interface CollectOptions {
  /** Collects at most. */
  passes: number;
  expiresAt: string | null;
  /** The mirror that is brought up to date was made then. */
  madeAt: string | undefined;
}

/**
 * Fills a world from an organization until two collects are equal, or as many were made as may be (M4). A world that
 * was left unfinished is gone on with.
 * @throws ClientError, BulkError, the signal's reason; what was read by then stays
 */
export async function collectMirror(
  context: CollectContext,
  request: MirrorRequest,
  options: CollectOptions,
): Promise<MirrorManifest> {
  const { world, stats } = context;
  const state = await world.state();
  if (state.manifest) return state.manifest;
  continueStats(stats, state.progress);
  const collector = new Collector(context, request, state);
  const consistency = await collector.collect(options.passes);
  return world.finish(collector.finished(consistency, options));
}

class Collector {
  private readonly startedAt: number;
  private readonly progress: Progress;
  private readonly lists: Map<string, MirrorState["lists"][number]>;
  private readonly passes: Map<number, { changed: number; signs: number }>;

  constructor(
    private readonly context: CollectContext,
    private readonly request: MirrorRequest,
    state: MirrorState,
  ) {
    this.startedAt = context.elapsed();
    this.progress = { ...state.progress };
    this.progress.started_at ??= this.present();
    this.lists = new Map(state.lists.map((list) => [list.name, list]));
    this.passes = new Map(state.passes.map(({ pass, ...counts }) => [pass, counts]));
  }

  /** M4: collects until one changes nothing. */
  async collect(most: number): Promise<Consistency> {
    for (let pass = Math.max(1, ...this.passes.keys()); ; pass += 1) {
      this.progress.begun[pass] ??= this.present();
      await this.collectOnce(pass);
      const { changed, signs } = this.countsOf(pass);
      this.context.listener.collected({ pass, changed, counts: this.rowCounts() });
      if (pass > 1 && changed === 0)
        return signs === 0 && !this.progress.undated ? "collected-twice" : "equal-twice";
      if (pass >= most) return "fuzzy";
    }
  }

  finished(consistency: Consistency, { expiresAt, madeAt }: CollectOptions) {
    const { stats } = this.context;
    const last = Math.max(...this.passes.keys());
    const begun = this.progress.begun[Math.max(1, last - 1)] ?? this.present();
    const now = this.present();
    return {
      collected: [begun, now],
      consistency,
      made_at: madeAt ?? now,
      refreshed_at: madeAt === undefined ? null : now,
      expires_at: expiresAt,
      reads: stats.reads,
      seconds: this.seconds(),
      limits: Object.fromEntries(
        (["read", "write", "outbound_trigger"] as const).map((bucket) => [
          bucket,
          {
            limit: stats.limits[bucket] ?? buckets[bucket].limit,
            assumed: stats.limits[bucket] === undefined,
          },
        ]),
      ),
      latency: { median_ms: quantile(stats.latency, 0.5), p90_ms: quantile(stats.latency, 0.9) },
      absent: this.absent(),
      features: { off: this.progress.features_off, prompt_rating: this.progress.prompt_rating },
    };
  }

  private async collectOnce(pass: number): Promise<void> {
    const lists = listsOf(this.request, this.progress.absent).filter((list) => !this.isDone(list, pass));
    // What is referred to comes first; the rest side by side.
    const isFirst = ({ resource }: SourceList) => resource === "voices" || resource === "groups";
    for (const list of lists.filter(isFirst)) await this.collectList(list, pass);
    const rest = lists.filter((list) => !isFirst(list));
    await inParallel(rest, width, (list) => this.collectList(list, pass));
    for (const resource of mirrorResources) {
      await this.lookForMissing(resource, pass);
      await this.readDetails(resource, pass);
    }
  }

  private async collectList(list: SourceList, pass: number): Promise<void> {
    const { client, signal, world, listener } = this.context;
    const { resource, operation, query } = list;
    const known = this.lists.get(list.name);
    const from = known?.pass === pass ? known.cursor : null;
    let things = known?.pass === pass ? known.rows : 0;
    try {
      for await (const { rows, cursor } of pagesOf({ client, signal, operation, query }, from)) {
        this.notice(resource, rows);
        const done = cursor === null;
        const page = { resource, list: list.name, pass, rows, cursor, done, progress: this.counters() };
        this.count(pass, await world.rows(page));
        things += rows.length;
        this.lists.set(list.name, { name: list.name, pass, cursor, done, rows: things });
        listener.read({ pass, resource, things });
      }
    } catch (error) {
      if (!this.isAbsent(resource, error)) throw error;
    }
  }

  /** M8: what the service keeps from this key is absent, or its feature is off. */
  private isAbsent(resource: MirrorResource, error: unknown): boolean {
    if (!(error instanceof ClientError)) return false;
    // Without groups nothing that lies in one can be told apart, and 402 there means all of the interface.
    if (resource === "groups" || resource === "voices") return false;
    if (error.status === 403) this.progress.absent[resource] = "forbidden";
    else if (error.status === 402) {
      this.progress.absent[resource] = "subscription";
      if (!this.progress.features_off.includes(resource)) this.progress.features_off.push(resource);
    } else return false;
    return true;
  }

  /** What rows tell besides themselves. */
  private notice(resource: MirrorResource, rows: readonly Raw[]): void {
    if (rows.some((row) => row["updated_at"] === undefined) && resource !== "voices")
      this.progress.undated = true;
    if (resource === "prompts" && rows.some(({ rating }) => rating !== null && rating !== undefined))
      this.progress.prompt_rating = true;
  }

  /** T4: what a list does not show any more is gone only when a get says so. */
  private async lookForMissing(resource: MirrorResource, pass: number): Promise<void> {
    const { world, client, signal } = this.context;
    if (pass === 1 || this.progress.absent[resource] !== undefined) return;
    for (;;) {
      const ids = await world.missing(resource, pass);
      if (ids.length === 0) return;
      await inParallel(ids, width, async (id) => {
        const reading = readingOf(resource, id);
        const raw = reading && (await readOne(client, reading, signal));
        if (raw && this.isInScope(resource, raw)) {
          const list = `${resource} by id`;
          const row = listed(resource, raw);
          const page = { resource, list, pass, rows: [row], cursor: null, done: true };
          // T7: a list that hid it is one to be careful with.
          this.count(pass, { changed: 0, signs: 1 });
          this.count(pass, await world.rows({ ...page, progress: this.counters() }));
        } else {
          await world.gone({ resource, pass, ids: [id], progress: this.counters() });
          this.count(pass, { changed: 1, signs: 0 });
        }
      });
    }
  }

  private isInScope(resource: MirrorResource, raw: Raw): boolean {
    const { contact_groups } = this.request;
    return (
      resource !== "contacts" || contact_groups === null || contact_groups.includes(String(raw["group_id"]))
    );
  }

  private async readDetails(resource: MirrorResource, pass: number): Promise<void> {
    const { world, client, signal } = this.context;
    for (;;) {
      const ids = await world.wanted(resource);
      if (ids.length === 0) return;
      await inParallel(ids, width, async (id) => {
        const reading = readingOf(resource, id);
        const raw = reading && (await readOne(client, reading, signal));
        const progress = this.counters();
        if (raw) await world.details({ resource, pass, rows: [raw], progress });
        else await world.gone({ resource, pass, ids: [id], progress });
      });
    }
  }

  private isDone({ name }: SourceList, pass: number): boolean {
    const known = this.lists.get(name);
    return known?.pass === pass && known.done;
  }

  private count(pass: number, { changed, signs }: { changed: number; signs: number }): void {
    const before = this.countsOf(pass);
    this.passes.set(pass, { changed: before.changed + changed, signs: before.signs + signs });
  }

  private countsOf(pass: number): { changed: number; signs: number } {
    return this.passes.get(pass) ?? { changed: 0, signs: 0 };
  }

  private rowCounts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const list of listsOf(this.request, this.progress.absent))
      counts[list.resource] = (counts[list.resource] ?? 0) + (this.lists.get(list.name)?.rows ?? 0);
    return counts;
  }

  /** The counters as they are now, to be kept with the rows that they count. */
  private counters(): Progress {
    const { stats } = this.context;
    return {
      ...this.progress,
      reads: stats.reads,
      seconds: this.seconds(),
      latency: stats.latency,
      limits: Object.fromEntries(Object.entries(stats.limits)),
    };
  }

  private seconds(): number {
    return Math.round(this.progress.seconds * 10 + (this.context.elapsed() - this.startedAt) / 100) / 10;
  }

  private absent(): Progress["absent"] {
    const left = mirrorResources.filter((resource) => !this.request.include.includes(resource));
    return {
      ...Object.fromEntries(left.map((resource) => [resource, "not-asked-for" as const])),
      ...(this.request.contact_groups === null ? {} : { contacts: "other-groups" as const }),
      ...this.progress.absent,
    };
  }

  private present(): string {
    return new Date(this.context.clock.now()).toISOString();
  }
}

/** The fields that a list of the same thing shows. */
function listed(resource: MirrorResource, raw: Raw): Raw {
  const unlisted = { knowledge: ["text"], calls: ["details", "transcript", "analyses", "notes"] };
  const left: readonly string[] = resource === "knowledge" || resource === "calls" ? unlisted[resource] : [];
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !left.includes(name)));
}

/** A thing by its id; undefined where it is gone (T4). */
async function readOne(
  client: Client,
  { operation, path }: NonNullable<ReturnType<typeof readingOf>>,
  signal: AbortSignal,
): Promise<Raw | undefined> {
  try {
    return recordOf((await client.call(operation, { path }, { signal })).data);
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined;
    throw error;
  }
}
