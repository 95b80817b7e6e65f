/** Takes over an unfinished run, whose requests may still take effect. */
import type { Item } from "../write/journal/item.js";
import type { Journal } from "../write/journal/journal.js";
import { eachIn } from "../write/journal/outcome.js";
import { takeAnswers } from "./answers.js";
import type { StoreConnection } from "./connection.js";
import { safePart } from "./leases.js";
import { persist, type RunLogParts } from "./log.js";

/**
 * Maximum number of a run's requests that are in flight, or that wait until their journal entries are
 * published.
 */
const mostInFlight = 48;

interface FormerProcess {
  timeline: number;
  /** How long the process's requests may still take effect after they were sent, in milliseconds. */
  windowMilliseconds: number;
  /** Milliseconds since the last entry of the process. */
  sinceEntry: number;
}

/**
 * Reads the state in which earlier processes left the run and its leases. Must be called before the run is claimed.
 * @param leases the leases of this process
 * @returns `former`: the process that owned the run before; undefined for a new run. `lastTimeline`: highest
 *   timeline of the known runs that held one of the leases. If the server has failed over since then, a later
 *   run may have been lost
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
 * Waits until no request of the former process can still take effect. Then adds to the journal the responses
 * that the former process passed on.
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
    // The failover may have lost the plan and the entries about requests. Wait until these requests can no
    // longer take effect, so that the new plan includes what they created.
    if (hasFailedOver) await waitForRequests(parts, former);
    return;
  }
  // A failover may lose the last entries, which may have marked these creates as sent.
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

/** Returns how much longer requests of the former process may still take effect, in milliseconds. */
function remainingWindow(
  { leases, leaseMilliseconds, windowMilliseconds }: TakeoverParts,
  former: FormerProcess,
): number {
  const window = Math.max(windowMilliseconds(), former.windowMilliseconds);
  const { formerLapsedMilliseconds = former.sinceEntry } = leases;
  // The former process could send requests as long as its lease was renewed, even long after its last entry.
  const sinceSafe = formerLapsedMilliseconds + (1 - safePart) * leaseMilliseconds;
  return window - Math.min(former.sinceEntry, sinceSafe);
}

/**
 * Returns the numbers of the creates that the former process may have sent after its last known entry. Excludes the run's last create: it
 * is sent only after all others have ended, to prove that a list is up to date.
 */
function nextCreates({ database }: Journal): number[] {
  const creates = "SELECT number FROM items WHERE state = 'planned' AND action = 'create'";
  return database
    .prepare(`${creates} AND number < (SELECT max(number) FROM (${creates})) ORDER BY number LIMIT ?`)
    .all(mostInFlight)
    .map(({ number }) => Number(number));
}

/** Returns the numbers of the items whose requests have no response and may still take effect. */
function openRequests(journal: Journal): number[] {
  const lost = [...eachIn(journal, "unknown")].filter(({ endedTick }: Item) => endedTick === undefined);
  return [...eachIn(journal, "sent"), ...lost].map(({ number }) => number);
}
