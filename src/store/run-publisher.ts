/** Publishes a journal to other machines. The changes are encrypted, but the run's progress is not. */
import { basename } from "node:path";
import { formatCommandLine } from "../base/shell-words.js";
import type { Journal } from "../write/journal/journal.js";
import { countProgress } from "../write/journal/list.js";
import { originOf } from "../write/journal/origin.js";
import type { JournalPublisher } from "../write/journal/publisher.js";
import { handOverAnswers } from "./answers.js";
import { type LeaseHolder, listLeases } from "./leases.js";
import {
  appendMissing,
  createRunLog,
  isTaken,
  type RunLogParts,
  type RunProgress,
  takenError,
} from "./log.js";
import { readStoreRow } from "./schema.js";
import { createJournalChanges } from "./working-copy.js";

const publishWithinMilliseconds = 1_000;
/** Maximum number of sent items whose responses are passed to a new owner of the run. */
const mostInFlight = 1_000;
/** Minimum interval between counts of a run's items, because counting a large run takes some milliseconds. */
const countEveryMilliseconds = 1_000;

interface PublisherParts extends RunLogParts {
  /** Directory of the working copies. */
  folder: string;
  /** The database server's timeline when the store was opened. */
  timeline: number;
  holder: LeaseHolder;
  /** Returns the time, in milliseconds, after which a sent request can no longer take effect. */
  windowMilliseconds(): number;
  /** Called if the server has failed over since the store was opened. */
  onFailover(): void;
}

/**
 * Creates a publisher that runs one append at a time; changes during an append become part of the next
 * append.
 */
export function createPublisher(
  parts: PublisherParts,
  run: { id: string; seq: number; isEmpty: boolean },
  journal: Journal,
): JournalPublisher {
  const { clock, leases } = parts;
  if (journal.changes === undefined) throw new TypeError("the journal was not opened for sharing");
  const changes = createJournalChanges(journal, journal.changes, run.isEmpty);
  const progress = createProgress(journal, parts);
  const log = createRunLog(parts, run, async () => {
    // If there was no failover, another process has discarded the missing run.
    const hasFailedOver = (await readStoreRow(parts.connection)).timeline > parts.timeline;
    if (!hasFailedOver) return undefined;
    parts.onFailover();
    return appendMissing(parts, { id: run.id, journal }, progress());
  });
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let isTimed = false;
  let failure: { cause: unknown } | undefined;
  /** Numbers of the items that the store shows as sent. */
  let sent: readonly number[] = [];
  let lost: readonly string[] = leases.names;
  const fail = (cause: unknown): never => {
    failure = { cause };
    lost = [...leases.names];
    if (isTaken(cause)) void leases.release().catch(() => {});
    throw cause;
  };
  const append = async (): Promise<void> => {
    // Don't publish later changes: they depend on the changes that could not be published.
    if (failure !== undefined) throw failure.cause;
    try {
      const payloads = changes.take();
      const sentNow = journal.inState("sent", 0, mostInFlight).map(({ number }) => number);
      for (const payload of payloads) await log.append(payload, progress());
      sent = sentNow;
    } catch (cause) {
      fail(cause);
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
        // The next request reports this error, so ignore it here.
        publisher.publish().catch(() => {});
      };
      clock.sleep(publishWithinMilliseconds, parts.signal).then(publish, publish);
    },
    async confirm() {
      if (failure !== undefined) throw failure.cause;
      if (leases.isSafe()) return;
      if (await leases.renew().catch(() => false)) return;
      if (!(await parts.retake())) fail(takenError());
    },
    isSafe: () => failure === undefined && leases.isSafe(),
    async handOver(cause) {
      if (!isTaken(cause)) return cause;
      const { connection } = parts;
      const own = { id: run.id, fence: leases.fence, journal };
      const count = await handOverAnswers(parts, own, sent).catch(() => 0);
      const owners = await listLeases(connection).catch(() => []);
      const owner =
        owners.find(({ name }) => name === `run/${run.id}`) ?? owners.find(({ name }) => lost.includes(name));
      const lapsed = leases.lapsedMilliseconds() - parts.leaseMilliseconds;
      // The new owner has waited for earlier requests. But if this process was suspended, it may have sent
      // requests after that wait, even if their responses have arrived.
      const isLate = sent.length > 0 && lapsed > parts.windowMilliseconds();
      return takenError({ owner: owner?.holder, count, hint: isLate ? duplicatesHint(journal) : undefined });
    },
  };
  return publisher;
}

function duplicatesHint(journal: Journal): string | undefined {
  const { group } = originOf(journal);
  if (group === null) return undefined;
  const command = formatCommandLine(["contacts", "dedupe", "--group", group]);
  return `this process was suspended while it sent requests, which may have created duplicates; to find them, run \`${command}\``;
}

/** Returns data that other machines can read without the store key. Omits the input file's directory. */
export function describeRun(
  journal: Journal,
  { holder, windowMilliseconds }: Pick<PublisherParts, "holder" | "windowMilliseconds">,
): object {
  const origin = originOf(journal);
  const file = origin.file === null ? null : basename(origin.file);
  return { ...origin, file, holder, window_milliseconds: windowMilliseconds() };
}

export function createProgress(
  journal: Journal,
  parts: Pick<PublisherParts, "clock" | "holder" | "windowMilliseconds">,
): () => RunProgress {
  let counted: { at: number; counts: RunProgress["counts"] } | undefined;
  return () => {
    const finished = journal.setting("finished_at");
    const finishedAt = typeof finished === "number" ? finished : undefined;
    const isUndone = journal.setting("undone_at") !== undefined;
    const isPlanned = journal.setting("planned_at") !== undefined;
    const now = parts.clock.now();
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
    return { state, counts: counted.counts, finishedAt, about: describeRun(journal, parts) };
  };
}
