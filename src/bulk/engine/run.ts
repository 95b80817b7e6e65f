import type { Clock } from "../../base/clock.js";
import type { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import { withAbout } from "../journal/about.js";
import type { Journal, Step } from "../journal/journal.js";
import { execute, type Work } from "./execute.js";
import { type Lookup, reconcile } from "./reconcile.js";
import type { Rejected } from "./report.js";
import type { Traffic } from "./traffic.js";

/** What every bulk run works with. */
export interface RunContext {
  client: Client;
  /** Counts what the client does; it has seen an answer already. */
  traffic: Traffic;
  /** The service's time: the world's in process. */
  clock: Clock;
  /** The machine's, for the run's own dates. */
  machineClock: Clock;
  signal: AbortSignal;
  baseUrl: string;
  /** The service is in this process: its file is no safer from a power failure than the journal need be. */
  inProcess: boolean;
  /** Where runs are kept. */
  folder: string;
  /** How long a request whose answer was lost may still be on its way. */
  settleMilliseconds: number;
  /** Requests in flight at most. */
  width: number;
  listener: RunListener;
  /** Told of every step of the journal, for tests that end the process there. */
  onStep?: ((step: Step) => void) | undefined;
}

/** How many rows something concerns, and the first of them. */
export interface RowList {
  readonly count: number;
  readonly first: readonly number[];
}

/** What a person may want to see of a run. */
export interface RunListener {
  /** The group is read, so far this many. */
  reading(things: number): void;
  /** What is there is read again after so long, since a list may lag. */
  rereading(milliseconds: number, because: string): void;
  /** The file is read, so far this many rows. */
  planning(rows: number): void;
  /** An unfinished run of the same file, as it was or with other options, is there, and this is a new one. */
  leftBefore(id: string): void;
  /**
   * Rows that are taken for another row or a contact of another name: `left` are not imported, `renamed` give the
   * contact their name.
   */
  otherNames(rows: { left: RowList; renamed: RowList }): void;
  /** What was not, or can't be, imported: said once, before the end. */
  rejected(rows: Rejected): void;
  /** An unfinished run was found, or named. */
  resuming(run: { id: string; done: number; open: number }): void;
  /** What is to be sent is known. */
  sending(plan: { requests: number; done: number }): void;
  /** Requests that are through, of all of the run; and their distance as the limit allows it, 0: at once. */
  advanced(progress: { done: number; intervalMilliseconds: number }): void;
  /** Nothing is sent for so long, after failures in a row. */
  pausing(milliseconds: number, cause: ClientError): void;
  /** Answers were lost: the group is read to find out what happened. */
  reconciling(lost: number, settleMilliseconds: number): void;
  /** It ended before its end, and can be gone on with. */
  stopped(run: { id: string; done: number; open: number; lost: number }): void;
}

/** A kind of run: how its requests look, and how one looks what became of them. */
export interface Kind {
  work: Work;
  lookup: Lookup;
  /** Compares what is still to be sent with what came to be while the run stood still. */
  compareAgain?: ((signal: AbortSignal) => Promise<void>) | undefined;
}

const maximumRounds = 12;

/**
 * Does what a journal has planned, and looks up what was lost, until nothing is open but what nobody can decide.
 * @throws the signal's reason, or the ClientError that stops the run; it can be gone on with
 */
export async function drive(
  context: RunContext,
  journal: Journal,
  kind: Kind,
  run: { id: string; resumed: boolean },
): Promise<void> {
  const { listener } = context;
  journal.sentToUnknown();
  const done = finishedIn(journal);
  const requests = done + journal.count("planned") + journal.count("unknown");
  if (run.resumed) listener.resuming({ id: run.id, done, open: requests - done });
  listener.sending({ requests, done });
  if (requests > done) {
    const { folder } = context;
    await withAbout(folder, { id: run.id, journal }, () => settleOpen(context, journal, kind, run.resumed));
  }
}

/** Sends and looks up in turn until nothing is open that can be settled. */
async function settleOpen(
  context: RunContext,
  journal: Journal,
  { work, lookup, compareAgain }: Kind,
  resumed: boolean,
): Promise<void> {
  const { client, clock, signal, listener, settleMilliseconds } = context;
  let done = finishedIn(journal);
  let intervalMilliseconds = 0;
  for (let round = 0; round < maximumRounds; round += 1) {
    const lost = journal.count("unknown");
    if (lost > 0) {
      listener.reconciling(lost, settleMilliseconds);
      await reconcile({ journal, lookup, clock, signal, settleMilliseconds });
      done = finishedIn(journal);
      listener.advanced({ done, intervalMilliseconds });
    }
    // Somebody else may have done meanwhile what this run was about to do.
    if (resumed && round === 0 && journal.count("planned") > 0) await compareAgain?.(signal);
    if (journal.count("planned") === 0) return;
    await execute({
      journal,
      work,
      client,
      clock,
      signal,
      width: context.width,
      progress: {
        settled: (result) => {
          if (result.state === "done" || result.state === "rejected") done += 1;
          listener.advanced({ done, intervalMilliseconds });
        },
        pace: (interval) => {
          intervalMilliseconds = interval;
        },
        pausing: listener.pausing,
      },
    });
    if (journal.count("unknown") === 0) return;
  }
}

function finishedIn(journal: Journal): number {
  return journal.count("done") + journal.count("rejected");
}

/**
 * Runs `work` on an open journal and closes it. What the client's requests cost is added up over all processes of a
 * run, and what stops it is told.
 */
export async function withJournal<T>(
  { clock, traffic, listener }: RunContext,
  { id, journal }: { id: string; journal: Journal },
  work: (addCosts: () => void) => Promise<T>,
): Promise<T> {
  const begun = clock.now();
  let added = false;
  const addCosts = () => {
    if (added) return;
    added = true;
    journal.addTo("milliseconds", clock.now() - begun);
    journal.addTo("requests", traffic.requests);
    journal.addTo("rate_limited", traffic.rateLimited);
  };
  try {
    return await work(addCosts);
  } catch (error) {
    if (journal.setting("planned_at") !== undefined) {
      addCosts();
      const lost = journal.count("unknown") + journal.count("sent");
      listener.stopped({ id, done: finishedIn(journal), open: journal.count("planned") + lost, lost });
    }
    throw error;
  } finally {
    journal.close();
  }
}
