/** Takes over an unfinished run. Earlier requests of the run may still take effect. */
import type { Item } from "../write/journal/item.js";
import type { Journal } from "../write/journal/journal.js";
import { eachIn } from "../write/journal/outcome.js";
import { takeAnswers } from "./answers.js";
import type { StoreConnection } from "./connection.js";
import { safePart } from "./leases.js";
import { persist, type RunLogParts } from "./log.js";

/**
 * Maximum number of a run's requests in flight. Includes requests whose journal entries are not published
 * yet.
 */
const mostInFlight = 48;

interface FormerProcess {
  timeline: number;
  /** Milliseconds after which a sent request can no longer take effect. */
  windowMilliseconds: number;
  /** Milliseconds since the process's last entry. */
  sinceEntry: number;
}

/**
 * Reads the state in which earlier processes left the run and its leases. Must be called before this process
 * claims the run.
 * @param leases names of this process's leases
 * @returns `former`: the run's previous owner; undefined for a new run. `lastTimeline`: highest timeline of
 * earlier runs with these leases. If the server's timeline is higher, the store may have lost runs
 */
export async function readEarlierRuns(
  connection: StoreConnection,
  id: string,
  leases: readonly string[],
): Promise<{ former: FormerProcess | undefined; lastTimeline: number }> {
  const { schema } = connection.address;
  const [row] = await connection.query(
    `SELECT timeline, coalesce((about->>'window_milliseconds')::double precision, 0) AS window_milliseconds,
       (SELECT extract(epoch FROM clock_timestamp() - max(at)) * 1000 FROM ${schema}.entry WHERE entry.run = run.id) AS passed,
       (SELECT coalesce(max(timeline), 1) FROM ${schema}.run WHERE leases && $2) AS last_timeline
     FROM (VALUES (1)) AS always LEFT JOIN ${schema}.run ON id = $1`,
    [id, leases],
  );
  const isNew = row?.["timeline"] == null;
  return {
    lastTimeline: Number(row?.["last_timeline"]),
    former: isNew
      ? undefined
      : {
          timeline: Number(row["timeline"]),
          windowMilliseconds: Number(row["window_milliseconds"]),
          sinceEntry: Number(row["passed"] ?? 0),
        },
  };
}

interface TakeoverParts extends RunLogParts {
  timeline: number;
  windowMilliseconds(): number;
  onTakeover(milliseconds: number): void;
}

/**
 * Waits until the former process's requests can no longer take effect. Then adds to the journal the responses
 * that the former process stored.
 */
export async function takeOverRequests(
  parts: TakeoverParts,
  run: { id: string; journal: Journal },
  former: FormerProcess,
): Promise<void> {
  const { journal } = run;
  if (journal.setting("finished_at") !== undefined) return;
  const hasFailedOver = parts.timeline > former.timeline;
  if (journal.setting("planned_at") === undefined) {
    // A failover may have lost the plan. Wait for the former process's requests, so that the new plan
    // includes their effects.
    if (hasFailedOver) await waitForRequests(parts, former);
    return;
  }
  // Mark the next creates as sent, because a failover may have lost the entries that recorded this.
  if (hasFailedOver) journal.record([], nextCreates(journal));
  if (openRequests(journal).length === 0) return;
  await waitForRequests(parts, former);
  await persist(parts, () => takeAnswers(parts, run));
  journal.sentToUnknown();
  journal.endWindows(openRequests(journal));
}

async function waitForRequests(parts: TakeoverParts, former: FormerProcess): Promise<void> {
  const wait = remainingWindow(parts, former);
  if (wait <= 0) return;
  parts.onTakeover(wait);
  await parts.clock.sleep(wait, parts.signal);
}

/** Returns the time, in milliseconds, until the former process's requests can no longer take effect. */
function remainingWindow(
  { leases, leaseMilliseconds, windowMilliseconds }: TakeoverParts,
  former: FormerProcess,
): number {
  const window = Math.max(windowMilliseconds(), former.windowMilliseconds);
  const { formerLapsedMilliseconds = former.sinceEntry } = leases;
  // After its last entry, the former process could send requests as long as its lease was valid.
  const sinceSafe = formerLapsedMilliseconds + (1 - safePart) * leaseMilliseconds;
  return window - Math.min(former.sinceEntry, sinceSafe);
}

/**
 * Returns the numbers of the creates that the former process may have sent after its last known entry. Omits
 * the run's last create: it is sent only after all other requests have ended.
 */
function nextCreates({ database }: Journal): number[] {
  const creates = "SELECT number FROM items WHERE state = 'planned' AND action = 'create'";
  return database
    .prepare(`${creates} AND number < (SELECT max(number) FROM (${creates})) ORDER BY number LIMIT ?`)
    .all(mostInFlight)
    .map(({ number }) => Number(number));
}

/** Returns the numbers of the items whose requests got no response and may still take effect. */
function openRequests(journal: Journal): number[] {
  const lost = [...eachIn(journal, "unknown")].filter(({ endedTick }: Item) => endedTick === undefined);
  return [...eachIn(journal, "sent"), ...lost].map(({ number }) => number);
}
