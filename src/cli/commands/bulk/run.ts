import { dirname, join } from "node:path";
import { stopwatch } from "../../../base/clock.js";
import { formatCount } from "../../../base/text.js";
import type { RowList, RunContext, RunListener } from "../../../bulk/engine/context.js";
import type { Rejected } from "../../../bulk/engine/results-file.js";
import { createClient } from "../../../client/client.js";
import { ClientError } from "../../../client/errors.js";
import { CliError, exits } from "../../errors/errors.js";
import { findClientHint, toClientExit } from "../../errors/exit-codes.js";
import { type BulkProgress, createBulkProgress, durationText } from "../../terminal/progress.js";
import { formatChangedRows, formatRejectedRows, type InputUnit } from "./rejected-rows.js";
import type { BulkTarget } from "./target.js";

/** The progress line of a run, for code that also writes to stderr. */
export interface ProgressLine {
  /** Prints a message above it. */
  note(text: string): void;
  /** Removes it before a prompt or a result. */
  clear(): void;
}

const defaultOutageMilliseconds = 10 * 60_000;
/** Delay before confirming Ctrl-C: the user should not wonder whether it was noticed. */
const unansweredMilliseconds = 1_000;

interface BulkRunOptions {
  settleMilliseconds?: number | undefined;
  outageMilliseconds?: number | undefined;
  unit?: InputUnit | undefined;
  /** Nothing is sent: the first changes are shown, too. */
  isPreview?: boolean | undefined;
  /** The name of this run for others that wait for it: `contacts import kunden.csv`. */
  command: string;
  /** Refuse to wait for another run that writes into the same group. */
  noWait?: boolean | undefined;
  /** How to go on with it once it stopped (default: by its command, which finds it by its input). */
  resumedBy?: "command" | "run" | undefined;
}

/**
 * Runs `work` with a client of its own and shows how it goes.
 * @throws what `work` does; of a run that can be gone on with, with how to do that
 */
export async function withBulkRun<T>(
  target: BulkTarget,
  {
    settleMilliseconds,
    outageMilliseconds,
    unit = "row",
    isPreview,
    command,
    noWait = false,
    resumedBy = "command",
  }: BulkRunOptions,
  work: (context: RunContext, line: ProgressLine) => Promise<T>,
): Promise<T> {
  const { signal, notes, inProcess } = target;
  const bulk = await import("../../../bulk/index.js");
  await target.boundMemory?.();
  const { bulkClientOptions, createCircuitBreaker, createGroupLocks, createRequestStats } = bulk;
  const requestStats = createRequestStats();
  const { maxWaitMilliseconds } = target;
  const client = createClient(
    bulkClientOptions(target.clientOptions, requestStats, { signal, maxWaitMilliseconds }),
  );
  const progress = createBulkProgress(notes, target.machineClock, target.clock);
  const listener = createListener(progress, unit, signal);
  const locks = createGroupLocks({
    // Beside the runs, in the data folder.
    folder: join(dirname(target.folder), "locks"),
    baseUrl: target.baseUrl,
    machineClock: target.machineClock,
    signal,
    holder: { pid: process.pid, command },
    maxWaitMilliseconds: noWait ? 0 : maxWaitMilliseconds,
    onWait: (holder) =>
      progress.note(
        `${bulk.holderText(holder)} writes into this group; this run begins when that one has ended`,
      ),
  });
  const elapsed = () => stopwatch(target.clock);
  const breaker = createCircuitBreaker({
    clock: target.clock,
    signal,
    elapsed,
    outageMilliseconds: outageMilliseconds ?? defaultOutageMilliseconds,
    onPause: listener.pausing,
  });
  const ended = new AbortController();
  const handleAbort = () => {
    // Seen at once, and whatever ends the process now leaves no half line.
    progress.end();
    const notifyEnding = () =>
      progress.note("what is under way is finished first; Ctrl-C again ends at once");
    target.machineClock.sleep(unansweredMilliseconds, ended.signal).then(notifyEnding, () => {});
  };
  signal.addEventListener("abort", handleAbort);
  try {
    const context: RunContext = {
      client: bulk.patientClient(client, breaker),
      writer: client,
      requestStats,
      clock: target.clock,
      machineClock: target.machineClock,
      signal,
      baseUrl: target.baseUrl,
      inProcess: inProcess || target.isRehearsed === true,
      folder: target.folder,
      elapsed,
      // Evaluated late: only a response shows whether the service is an emulator.
      get settleMilliseconds() {
        return settleMilliseconds ?? getSettleTime(target);
      },
      breaker,
      // Enough requests in flight for 200 a minute with responses that take five seconds.
      width: inProcess ? 32 : 16,
      locks,
      listener,
      onStep: target.onStep,
    };
    const line = { note: (text: string) => progress.note(text), clear: () => progress.end() };
    const result = await work(context, line);
    progress.end({ keep: true });
    await showRejected(target, listener.rejectedRows, unit, isPreview);
    return result;
  } catch (error) {
    progress.end();
    await showRejected(target, listener.rejectedRows, unit, isPreview);
    if (listener.stop !== undefined) throw toStoppedError(error, { ...listener.stop, resumedBy }, signal);
    if (resumedBy === "run" && signal.aborted && error instanceof CliError)
      throw new CliError({ ...error, message: error.message, hint: "nothing was sent yet" });
    throw error;
  } finally {
    await locks.release();
    signal.removeEventListener("abort", handleAbort);
    ended.abort();
  }
}

async function showRejected(
  { notes, showRejected: how }: BulkTarget,
  rejected: Rejected | undefined,
  unit: InputUnit,
  isPreview: boolean | undefined,
): Promise<void> {
  if (!how || !rejected) return;
  // A file or a log has no width.
  const available = () => (notes.terminal ? notes.columns : undefined);
  const style = { available, paint: notes.paint, plain: how === "plain" };
  if (isPreview && rejected.changed.count > 0)
    notes.write(await formatChangedRows(rejected.changed, unit, style));
  if (rejected.count > 0) notes.write(await formatRejectedRows(rejected, unit, style));
}

/**
 * How long a lost request may still be on its way, and a list may lag, where the user does not say it. A deployment on
 * this machine is one all the same: only an emulator is known to be quick.
 */
export function getSettleTime({
  inProcess,
  isEmulator,
}: {
  inProcess: boolean;
  isEmulator: () => boolean;
}): number {
  if (inProcess) return 0;
  return isEmulator() ? 2_000 : 30_000;
}

interface Stop {
  id: string;
  done: number;
  open: number;
  lost: number;
}

interface Listener extends RunListener {
  readonly stop: Stop | undefined;
  readonly rejectedRows: Rejected | undefined;
}

function createListener(progress: BulkProgress, unit: InputUnit, signal: AbortSignal): Listener {
  let stop: Stop | undefined;
  let rejectedRows: Rejected | undefined;
  let total = 0;
  return {
    get stop() {
      return stop;
    },
    get rejectedRows() {
      return rejectedRows;
    },
    reading: (count) => progress.activity(`reading the group: ${formatNumber(count)}`),
    rereading: (milliseconds, because) =>
      progress.note(`${because}: what is there is read again in ${durationText(milliseconds)}`),
    planning: (rows) =>
      progress.activity(`reading the ${unit === "row" ? "file" : "folder"}: ${formatCount(rows, unit)}`),
    unfinishedRun: (id) =>
      progress.warn(
        `an unfinished run of this file, as it was before or with other options, is there: voxctl runs resume ${id} goes on with it, ` +
          `voxctl runs discard ${id} forgets it`,
      ),
    differingNames: ({ kept: left, renamed }) => {
      const tell = "add name to --match (phone,name) to tell them apart";
      if (left.count > 0) {
        const have = left.count === 1 ? "has" : "have";
        progress.warn(
          `${formatCount(left.count, "row")} ${have} the number or e-mail of another row or contact, but another name, ` +
            `and ${left.count === 1 ? "is" : "are"} left out: ${formatRows(left)}; ${tell}`,
        );
      }
      if (renamed.count > 0) {
        const get = renamed.count === 1 ? "gets" : "get";
        progress.warn(
          `${formatCount(renamed.count, "contact")} ${get} another name: ${formatRows(renamed)}; ${tell}`,
        );
      }
    },
    entriesDropped: (rows) =>
      progress.warn(
        `${formatCount(rows.count, "row")} ${rows.count === 1 ? "repeats" : "repeat"} another row and ${rows.count === 1 ? "has" : "have"} numbers or e-mails that the other lacks, ` +
          `which are left out: ${formatRows(rows)}; the report names them under left_out. One row with all of them imports them`,
      ),
    rejected: (rows) => {
      rejectedRows = rows;
    },
    resuming: ({ id, done, open }) => {
      progress.note(`going on with run ${id}: ${formatNumber(done)} done, ${formatNumber(open)} to go`);
    },
    sending: ({ requests, done }) => {
      total = requests;
      if (requests > 0) progress.bar({ done, total, intervalMilliseconds: 0 });
    },
    advanced: ({ done, intervalMilliseconds }) => {
      if (!signal.aborted) progress.bar({ done, total, intervalMilliseconds });
    },
    pausing: (milliseconds, cause) => {
      const message = cause.message.replace(/\.$/, "");
      progress.note(`${message}; nothing is sent for ${durationText(milliseconds)}`);
    },
    reconciling: (lost, settleMilliseconds) => {
      const wait = settleMilliseconds > 0 ? ` in ${durationText(settleMilliseconds)}` : "";
      progress.note(
        `Checking ${lost === 1 ? "1 write" : `${formatNumber(lost)} writes`} without a response${wait}…`,
      );
    },
    stopped: (run) => {
      stop = run;
    },
  };
}

/** The reason for a run's stop, with how to go on. */
function toStoppedError(
  error: unknown,
  { id, done, open, lost, resumedBy }: Stop & Required<Pick<BulkRunOptions, "resumedBy">>,
  signal: AbortSignal,
): unknown {
  const how = resumedBy === "run" ? `voxctl runs resume ${id}` : "the same command";
  const hint = `${how} goes on where it stopped (run ${id}: ${formatNumber(done)} done, ${formatNumber(open)} to go)`;
  const outcome = lost > 0 ? "unknown" : done > 0 ? "done" : "none";
  if (signal.aborted) {
    // The exit code is the signal's; that something was written, and how to go on, is not.
    return error instanceof CliError
      ? new CliError({ ...error, message: error.message, retryable: true, outcome, hint })
      : error;
  }
  if (error instanceof Error && "code" in error && error.code === "group_gone") {
    const { message } = error;
    const hint = "hint" in error && typeof error.hint === "string" ? error.hint : undefined;
    return new CliError({
      exit: exits.notFound,
      code: error.code,
      message,
      outcome,
      hint,
      cause: error,
    });
  }
  if (!(error instanceof ClientError)) return error;
  // Going on with the key that may not would end the same way.
  const way =
    error.hint ?? (toClientExit(error) === exits.authentication ? findClientHint(error) : undefined);
  return new CliError({
    exit: lost > 0 ? exits.unknown : toClientExit(error),
    code: error.code,
    message: error.message,
    details: error.details,
    retryable: true,
    outcome,
    hint: way === undefined ? hint : `${way}; ${hint}`,
    cause: error,
  });
}

/** "row 3", "rows 3, 7 and 120 more" */
function formatRows({ count, first }: RowList): string {
  const more = count - first.length;
  const suffix = more > 0 ? ` and ${formatNumber(more)} more` : "";
  return `${count === 1 ? "row" : "rows"} ${first.join(", ")}${suffix}`;
}

function formatNumber(count: number): string {
  return count.toLocaleString("en-US");
}
