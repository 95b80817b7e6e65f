import { inParallel } from "../../base/in-parallel.js";
import { ClientError } from "../../client/errors.js";
import { mostEmptyPages } from "../../client/paging.js";
import type {
  Consistency,
  MirrorManifest,
  MirrorRequest,
  MirrorResource,
  PublicResource,
} from "../../contract/mirror.js";
import { isDistributorResource } from "../../contract/mirror.js";
import { recordOf } from "../../write/values.js";
import type { CollectContext, CollectOptions } from "./collect-context.js";
import { CollectedFacts } from "./collected-facts.js";
import { type BegunList, estimateOf, estimateOrganizations } from "./estimate.js";
import { listed, listsOf, readingOf, type SourceList } from "./lists.js";
import type { MirrorState, Raw } from "./mirror-emulator.js";
import { OrganizationCollector } from "./organizations.js";
import { readPace } from "./pace.js";
import { incompleteList, pagesOf, type Read } from "./pages.js";
import { assertSameRequest, Passes } from "./passes.js";
import { pseudonymizer } from "./pseudonyms.js";
import { continueStats } from "./reading-stats.js";

const width = 8;

/**
 * Copies an organization into an emulator. Reads the organization several times, until a pass finds no
 * changes or the maximum number of passes is reached. Resumes an unfinished copy.
 * @throws ClientError, BulkError, the signal's reason; the data copied so far is kept
 */
export async function collectMirror(
  context: CollectContext,
  request: MirrorRequest,
  options: CollectOptions,
): Promise<MirrorManifest> {
  const { emulator, stats } = context;
  const state = await emulator.state();
  if (state.manifest) return state.manifest;
  assertSameRequest(state.request, request);
  continueStats(stats, state.progress);
  const collector = new Collector(context, state.request, state, options);
  const consistency = await collector.collect();
  return emulator.finish(collector.finished(consistency));
}

class Collector {
  private readonly facts: CollectedFacts;
  private readonly lists: Map<string, MirrorState["lists"][number]>;
  private readonly passes: Passes;
  private readonly read: Read;
  /** Replaces personal data in a record if the mirror is pseudonymized. */
  private readonly stored: (resource: MirrorResource, raw: Raw) => Raw;
  /** Used only for a distributor API. */
  private readonly organizations: OrganizationCollector;
  /** First pages that this process has read; undefined for a list that the key may not read. */
  private readonly begun: (BegunList | undefined)[] = [];

  constructor(
    private readonly context: CollectContext,
    private readonly request: MirrorRequest,
    state: MirrorState,
    private readonly options: CollectOptions,
  ) {
    const { client, signal, breaker } = context;
    this.facts = new CollectedFacts(context, request, state.progress);
    this.lists = new Map(state.lists.map((list) => [list.name, list]));
    this.passes = new Passes(state);
    this.stored = state.pseudonym_key === null ? (_, raw) => raw : pseudonymizer(state.pseudonym_key);
    const turn = readPace(client, options.readShare, this.request.surface);
    this.read = async (operation, input) => {
      signal.throwIfAborted();
      return breaker.through(async () => client.call(operation, input, { signal, turn: await turn() }));
    };
    this.organizations = new OrganizationCollector({ client, read: this.read, clock: context.waits, signal });
  }

  async collect(): Promise<Consistency> {
    const { first } = this.passes;
    // The first pass of a refresh compares with the mirror's existing content, so one pass can be enough.
    const last = first - 1 + this.options.passes;
    for (let pass = first; ; pass += 1) {
      this.facts.begin(pass);
      await this.collectOnce(pass);
      this.context.listener.collected({
        pass,
        changed: this.passes.of(pass).changed,
        records: this.countListed(),
      });
      const consistency = this.passes.consistencyAfter(pass, last, this.facts.progress);
      if (consistency !== undefined) return consistency;
    }
  }

  finished(consistency: Consistency) {
    return this.facts.finished(consistency, this.options);
  }

  private async collectOnce(pass: number): Promise<void> {
    if (this.request.surface === "distributor-v2") return this.collectOrganizations(pass);
    const lists = listsOf(this.request, this.facts.progress.absent).filter(
      (list) => !this.isDone(list, pass),
    );
    // Read voices and groups first, because other resources refer to them.
    const isFirst = ({ resource }: SourceList) => resource === "voices" || resource === "groups";
    for (const list of lists.filter(isFirst)) await this.collectList(list, pass);
    const otherLists = lists.filter((list) => !isFirst(list));
    await inParallel(otherLists, width, (list) => this.collectList(list, pass));
    for (const resource of this.copiedResources()) {
      await this.readMissing(resource, pass);
      await this.readDetails(resource, pass);
    }
    await this.readReferenced(pass);
  }

  private async collectOrganizations(pass: number): Promise<void> {
    const { emulator, stats, listener } = this.context;
    await this.organizations.collect({
      progress: this.facts.progress,
      isDone: (list) => this.isDone({ name: list }, pass),
      cursorOf: (list) => {
        const known = this.lists.get(list);
        return known?.pass === pass ? known.cursor : null;
      },
      keep: async (page) => {
        await this.keepPage(page, pass);
      },
      missing: (resource) => emulator.missing(resource, pass),
      gone: async (resource, ids) => {
        this.passes.add(pass, await emulator.gone({ resource, pass, ids, progress: this.facts.counters() }));
      },
      listed: (counts) => {
        if (pass === 1) listener.estimated(estimateOrganizations(counts, { stats, ...this.options }));
      },
    });
  }

  private async keepPage(
    page: { resource: MirrorResource; list: string; rows: Raw[]; cursor: string | null },
    pass: number,
  ): Promise<{ repeated: number; records: number }> {
    const { emulator, listener } = this.context;
    const { resource, list, rows, cursor } = page;
    const known = this.lists.get(list);
    const records = (known?.pass === pass ? known.rows : 0) + rows.length;
    const done = cursor === null;
    this.facts.notice(resource, rows);
    const stored = await emulator.rows({ ...page, pass, done, progress: this.facts.counters() });
    this.passes.add(pass, stored);
    this.lists.set(list, { name: list, pass, cursor, done, rows: records });
    listener.read({ pass, list, records });
    return { repeated: stored.repeated, records };
  }

  private copiedResources(): PublicResource[] {
    return this.request.include.filter(
      (resource): resource is PublicResource =>
        !isDistributorResource(resource) && this.facts.progress.absent[resource] === undefined,
    );
  }

  private async collectList(list: SourceList, pass: number): Promise<void> {
    const { resource, operation, query } = list;
    const known = this.lists.get(list.name);
    const isContinued = known?.pass === pass;
    let isBegun = isContinued && known.rows > 0;
    try {
      const from = isContinued ? known.cursor : null;
      const idle = { pages: 0, rows: 0 };
      for await (const page of pagesOf({ read: this.read, operation, query }, from)) {
        const { cursor } = page;
        const rows = page.rows.map((raw) => this.stored(resource, raw));
        if (pass === 1 && !isBegun)
          this.listBegun({ list: list.name, resource, rows: rows.length, more: cursor !== null });
        isBegun = true;
        const { repeated, records } = await this.keepPage({ resource, list: list.name, rows, cursor }, pass);
        const isIdle = repeated === rows.length;
        idle.pages = isIdle ? idle.pages + 1 : 0;
        idle.rows = isIdle ? idle.rows + repeated : 0;
        // After the service has rejected a cursor, the list starts again, so its first pages have no new
        // rows.
        if (cursor !== null && idle.pages > mostEmptyPages && idle.rows > records - idle.rows)
          throw incompleteList(operation, `${idle.pages} consecutive pages have no new rows`);
      }
    } catch (error) {
      if (!this.facts.noteIfAbsent(resource, error)) throw error;
      if (pass === 1) this.listBegun(undefined);
    }
  }

  private listBegun(list: BegunList | undefined): void {
    const { stats, listener } = this.context;
    this.begun.push(list);
    const begun = this.begun.filter((entry) => entry !== undefined);
    const still = listsOf(this.request, this.facts.progress.absent).length;
    if (begun.length < still) return;
    listener.estimated(estimateOf(begun, this.request, { stats, readShare: this.options.readShare }));
  }

  /** Reads by ID the records that are missing from a list, because only such a response proves a deletion. */
  private async readMissing(resource: PublicResource, pass: number): Promise<void> {
    const { emulator } = this.context;
    if (pass === 1) return;
    for (;;) {
      const ids = await emulator.missing(resource, pass);
      if (ids.length === 0) return;
      await inParallel(ids, width, (id) => this.readUnlisted(resource, id, pass));
    }
  }

  /** If the record still exists, the list is unreliable. */
  private async readUnlisted(resource: PublicResource, id: string, pass: number): Promise<void> {
    const { emulator } = this.context;
    const raw = await this.readRecord(resource, id);
    if (!raw || !this.isInScope(resource, raw)) {
      const gone = await emulator.gone({ resource, pass, ids: [id], progress: this.facts.counters() });
      this.passes.add(pass, gone);
      return;
    }
    const rows = [listed(resource, this.stored(resource, raw))];
    const list = `${resource} by id`;
    const page = { resource, list, pass, rows, cursor: null, done: true, hidden: true };
    this.passes.add(pass, await emulator.rows({ ...page, progress: this.facts.counters() }));
  }

  private isInScope(resource: MirrorResource, raw: Raw): boolean {
    const { contact_groups: groups } = this.request;
    return resource !== "contacts" || groups === null || groups.includes(String(raw["group_id"]));
  }

  private async readDetails(resource: PublicResource, pass: number): Promise<void> {
    const { emulator, listener } = this.context;
    let done = 0;
    for (;;) {
      const { ids, left } = await emulator.missingDetails(resource);
      if (ids.length === 0) return;
      const total = done + left;
      await inParallel(ids, width, async (id) => {
        const raw = await this.readRecord(resource, id);
        const progress = this.facts.counters();
        const stored = raw
          ? await emulator.details({ resource, pass, rows: [this.stored(resource, raw)], progress })
          : await emulator.gone({ resource, pass, ids: [id], progress });
        this.passes.add(pass, stored);
        done += 1;
        listener.detailed({ resource, done, total });
      });
    }
  }

  /** Reads the records that other records refer to but that no list returned. */
  private async readReferenced(pass: number): Promise<void> {
    for (;;) {
      const copied = this.copiedResources();
      const named = await this.context.emulator.references();
      const open = named.flatMap(({ resource, id }) => {
        const own = copied.find((candidate) => candidate === resource);
        return own === undefined ? [] : [{ resource: own, id }];
      });
      if (open.length === 0) return;
      await inParallel(open, width, ({ resource, id }) => this.readUnlisted(resource, id, pass));
    }
  }

  private async readRecord(resource: PublicResource, id: string): Promise<Raw | undefined> {
    const reading = readingOf(resource, id);
    if (!reading) return undefined;
    try {
      return recordOf((await this.read(reading.operation, { path: reading.path })).data);
    } catch (error) {
      // The service responds with 400 to an ID whose format it doesn't know. No record has such an ID.
      if (error instanceof ClientError && (error.status === 404 || error.status === 400)) return undefined;
      throw error;
    }
  }

  private isDone({ name }: Pick<SourceList, "name">, pass: number): boolean {
    const known = this.lists.get(name);
    return known?.pass === pass && known.done;
  }

  private countListed(): number {
    const names =
      this.request.surface === "public"
        ? listsOf(this.request, this.facts.progress.absent).map(({ name }) => name)
        : [...this.lists.keys()];
    return names.reduce((sum, name) => sum + (this.lists.get(name)?.rows ?? 0), 0);
  }
}
