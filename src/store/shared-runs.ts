import { mkdir, rm } from "node:fs/promises";
import { basename } from "node:path";
import type { Clock } from "../base/clock.js";
import type { Random } from "../base/random.js";
import { type GroupLocks, type LockedGroup, lockName, waitForOwner } from "../write/engine/group-locks.js";
import type { SharedRuns } from "../write/engine/shared-runs.js";
import { BulkError } from "../write/errors.js";
import { journalVersion } from "../write/journal/file.js";
import { pathOf } from "../write/journal/folder.js";
import type { Journal } from "../write/journal/journal.js";
import { countProgress } from "../write/journal/list.js";
import { originOf } from "../write/journal/origin.js";
import type { JournalPublisher } from "../write/journal/publisher.js";
import type { StoreError } from "./errors.js";
import { createLeases, type ForeignLease, formatPlace, type LeaseHolder, type Leases } from "./leases.js";
import { createRunLog, persist, type RunLogParts, type RunProgress, readEntries, takenError } from "./log.js";
import type { OpenStore } from "./open.js";
import { randomUuid } from "./schema.js";
import { createJournalChanges, rebuildJournal } from "./working-copy.js";

export interface SharedRunsOptions {
  store: OpenStore;
  /** Directory for the working copies of this process. */
  folder: string;
  baseUrl: string;
  clock: Clock;
  random: Random;
  signal: AbortSignal;
  holder: LeaseHolder;
  leaseMilliseconds: number;
  outageMilliseconds: number;
  /** Maximum wait for a lease; 0 means don't wait, undefined means no limit. */
  maxWaitMilliseconds: number | undefined;
  onWait(lease: ForeignLease): void;
  onOutage(error: StoreError): void;
  onLapsed(milliseconds: number): void;
}

const pollMilliseconds = 1_000;
const publishWithinMilliseconds = 1_000;
/** Minimum interval between counts, because counting the items of a large run takes some milliseconds. */
const countEveryMilliseconds = 1_000;

/** Access of one command to the shared runs. */
interface OpenSharedRuns extends SharedRuns {
  /** Copies the journals of runs that write to no group, such as runs of `config apply`, to this machine. */
  fetchRunsWithoutGroup(): Promise<void>;
  /** Ends all leases and removes the working copies. */
  close(): Promise<void>;
}

/** Creates the access to the runs in a store. `locks.release` ends the leases; `close` removes the working copies. */
export function createSharedRuns(options: SharedRunsOptions): OpenSharedRuns {
  const { store, folder, clock, random, signal, holder, leaseMilliseconds } = options;
  const { connection, sealer, info } = store;
  const { schema } = connection.address;
  const stop = new AbortController();
  const leases = createLeases(connection, { clock, fence: randomUuid(random), holder, leaseMilliseconds });
  const published = new Set<string>();
  /** Number of the last entry of each working copy. */
  const fetched = new Map<string, { seq: number; isEmpty: boolean }>();
  const retake = async (): Promise<boolean> => {
    const fence = leases.fence;
    const lapsed = leases.lapsedMilliseconds();
    const next = randomUuid(random);
    if (!(await leases.retake(next))) return false;
    for (const id of published) {
      const rows = await connection.query(
        `UPDATE ${schema}.run SET fence = $2 WHERE id = $1 AND fence = $3 RETURNING id`,
        [id, next, fence],
      );
      if (rows.length === 0) return false;
    }
    options.onLapsed(lapsed);
    return true;
  };
  const logParts: RunLogParts = {
    ...{ connection, sealer, leases, clock, signal, leaseMilliseconds, retake },
    ...{ outageMilliseconds: options.outageMilliseconds, onOutage: options.onOutage },
  };
  const renewRegularly = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(leaseMilliseconds / 4, stop.signal);
      // Ignore failures: the next append detects lost leases.
      await leases.renew().catch(() => false);
    }
  };
  let isRenewing = false;
  const keepRenewing = () => {
    if (isRenewing) return;
    isRenewing = true;
    renewRegularly().catch(() => {});
  };
  const take = async (name: string): Promise<boolean> => {
    if (leases.names.includes(name)) return false;
    const hasWaited = await takeLease(name, leases, options);
    keepRenewing();
    return hasWaited;
  };
  const fetch = async (where: string, value: unknown): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const rows = await connection.query(`SELECT id, format FROM ${schema}.run WHERE ${where}`, [value]);
    for (const row of rows) {
      const id = String(row["id"]);
      if (published.has(id)) continue;
      const path = pathOf(folder, id);
      await rm(path, { force: true });
      const copy = await rebuildJournal(path, readEntries(connection, sealer, id), journalVersion);
      fetched.set(id, copy);
      if (copy.isEmpty) await rm(path, { force: true });
    }
  };
  return {
    locks: createLeasedLocks(options.baseUrl, leases, take, (name) => fetch("leases @> ARRAY[$1]", name)),
    fetchRunsWithoutGroup: () => fetch("leases = '{}' AND about->>'base_url' = $1", options.baseUrl),
    fetchRun: (id) => fetch("id = $1 OR id ~ ('^' || $1 || '-undo(-[0-9]+)?$')", id),
    async publish({ id, journal }) {
      if (published.has(id)) return;
      await take(`run/${id}`);
      const seq = await claimRun({ ...logParts, timeline: info.timeline }, id, aboutRun(journal, holder));
      const copy = fetched.get(id) ?? { seq: 0, isEmpty: true };
      if (seq !== copy.seq)
        throw new BulkError("run_busy", `another process has changed run ${id}`, "run the command again");
      published.add(id);
      journal.publishWith(createPublisher(logParts, { id, ...copy }, journal, holder));
    },
    async close() {
      stop.abort();
      await leases.release().catch(() => {});
      await connection.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes this process the owner of the run. @returns the number of the run's last entry */
async function claimRun(
  { connection, leases, timeline, ...retry }: RunLogParts & { timeline: number },
  id: string,
  about: object,
): Promise<number> {
  const { schema } = connection.address;
  const groups = leases.names.filter((name) => name.startsWith("group/"));
  const [row] = await persist(retry, () =>
    connection.query(
      `INSERT INTO ${schema}.run (id, about, leases, format, fence, seq, timeline, state, counts, started_at)
       VALUES ($1, $2, $3, $4, $5, 0, $6, 'planning', '{}', clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET fence = excluded.fence, timeline = excluded.timeline,
         about = ${schema}.run.about || jsonb_build_object('holder', excluded.about->'holder')
       RETURNING seq`,
      [id, JSON.stringify(about), groups, journalVersion, leases.fence, timeline],
    ),
  );
  return Number(row?.["seq"] ?? 0);
}

/** Acquires a lease, and waits for its current owner if allowed. @returns whether it waited */
function takeLease(name: string, leases: Leases, options: SharedRunsOptions): Promise<boolean> {
  const { clock, signal, maxWaitMilliseconds, onWait } = options;
  const attempt = async () => {
    const owner = await leases.take(name);
    return owner && { owner };
  };
  const subject = name.startsWith("run/") ? "run" : "group";
  const describe = (owner: ForeignLease) => `${formatOwner(owner)} is writing to this ${subject}`;
  return waitForOwner(attempt, { clock, signal, pollMilliseconds, maxWaitMilliseconds, describe, onWait });
}

/**
 * Formats the owner of a lease: "voxctl contacts import kunden.csv, runner@ci-3 (last seen 4 s ago, expires in 56 s)".
 */
export function formatOwner({ holder, seenAgo, lapsesIn }: ForeignLease): string {
  const { command, job } = holder;
  const seconds = (milliseconds: number) => `${Math.max(0, Math.round(milliseconds / 1_000))} s`;
  const parts = [`voxctl ${command}`, formatPlace(holder), ...(job === undefined ? [] : [job])];
  return `${parts.join(", ")} (last seen ${seconds(seenAgo)} ago, expires in ${seconds(lapsesIn)})`;
}

/** Publishes a journal, one append at a time. Changes made during an append are part of the next one. */
function createPublisher(
  parts: RunLogParts,
  run: { id: string; seq: number; isEmpty: boolean },
  journal: Journal,
  holder: LeaseHolder,
): JournalPublisher {
  const { clock, leases } = parts;
  const log = createRunLog(parts, run);
  if (journal.changes === undefined) throw new TypeError("the journal was not opened to be shared");
  const changes = createJournalChanges(journal, journal.changes, run.isEmpty);
  const progress = createProgress(journal, clock, holder);
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let isTimed = false;
  let failure: { cause: unknown } | undefined;
  const append = async (): Promise<void> => {
    // Don't publish later changes, which depend on the changes that failed.
    if (failure !== undefined) throw failure.cause;
    try {
      for (const payload of changes.take()) await log.append(payload, progress());
    } catch (cause) {
      failure = { cause };
      throw cause;
    }
  };
  const start = (): Promise<void> => {
    current = append().finally(() => {
      current = undefined;
    });
    return current;
  };
  const publisher: JournalPublisher = {
    publish() {
      if (current === undefined) return start();
      next ??= current
        .catch(() => {})
        .then(() => {
          next = undefined;
          return start();
        });
      return next;
    },
    publishSoon() {
      if (isTimed) return;
      isTimed = true;
      const publish = () => {
        isTimed = false;
        // Ignore the error here: the next request reports it.
        publisher.publish().catch(() => {});
      };
      clock.sleep(publishWithinMilliseconds, parts.signal).then(publish, publish);
    },
    async confirm() {
      if (leases.isSafe()) return;
      if (await leases.renew().catch(() => false)) return;
      if (!(await parts.retake())) throw takenError();
    },
  };
  return publisher;
}

/** Returns the unencrypted data about a run. Omits the directory of the file. */
function aboutRun(journal: Journal, holder: LeaseHolder): object {
  const origin = originOf(journal);
  return { ...origin, file: origin.file === null ? null : basename(origin.file), holder };
}

function createProgress(journal: Journal, clock: Clock, holder: LeaseHolder): () => RunProgress {
  let counted: { at: number; counts: RunProgress["counts"] } | undefined;
  return () => {
    const finished = journal.setting("finished_at");
    const finishedAt = typeof finished === "number" ? finished : undefined;
    const isUndone = journal.setting("undone_at") !== undefined;
    const isPlanned = journal.setting("planned_at") !== undefined;
    const now = clock.now();
    if (counted === undefined || finishedAt !== undefined || now - counted.at >= countEveryMilliseconds) {
      counted = { at: now, counts: countProgress(journal) };
    }
    const state = isUndone
      ? "undone"
      : finishedAt !== undefined
        ? "finished"
        : isPlanned
          ? "running"
          : "planning";
    return { state, counts: counted.counts, finishedAt, about: aboutRun(journal, holder) };
  };
}

/** Implements the locks of groups with leases. */
function createLeasedLocks(
  baseUrl: string,
  leases: Leases,
  take: (name: string) => Promise<boolean>,
  fetchRunsOf: (name: string) => Promise<void>,
): GroupLocks {
  return {
    async hold(group: LockedGroup) {
      const name = `group/${lockName(baseUrl, group)}`;
      const hasWaited = await take(name);
      await fetchRunsOf(name);
      return hasWaited;
    },
    release: () => leases.release(),
  };
}
