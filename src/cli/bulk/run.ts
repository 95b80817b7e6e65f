import { dirname, join } from "node:path";
import { type Clock, stopwatch } from "../../base/clock.js";
import { hasCode } from "../../base/error-code.js";
import { formatCount, formatThousands, inflect } from "../../base/text.js";
import { createClient } from "../../client/client.js";
import { ClientError } from "../../client/errors.js";
import type { SharedRunsOptions } from "../../store/shared-runs.js";
import type { RowList, RunContext, RunListener } from "../../write/engine/context.js";
import type { Rejected } from "../../write/engine/results-file.js";
import { CliError, exits } from "../errors/errors.js";
import { findClientHint, toClientExit } from "../errors/exit-codes.js";
import {
  type BulkProgress,
  createBulkProgress,
  durationText,
  formatClockDuration,
  formatInterruption,
} from "../terminal/progress.js";
import { formatChangedRows, formatRejectedRows, type InputUnit } from "./rejected-rows.js";
import { createBlobReader, type StoreSettings } from "./store.js";
import type { BulkTarget } from "./target.js";

export interface ProgressLine {
  note(text: string): void;
  clear(): void;
}

const defaultOutageMilliseconds = 10 * 60_000;
/** A copy of the client's default timeout. */
const defaultTimeoutMilliseconds = 10_000;
/** Delay of the note after Ctrl-C. */
const unansweredMilliseconds = 1_000;

interface BulkRunOptions {
  settleMilliseconds?: number | undefined;
  outageMilliseconds?: number | undefined;
  unit?: InputUnit | undefined;
  isPreview?: boolean | undefined;
  command: string;
  noWait?: boolean | undefined;
  finalCheck?: boolean | undefined;
  /** How to resume the run: with the same command (default), or with `runs resume`. */
  resumedBy?: "command" | "run" | undefined;
}

/**
 * Runs `work` with a separate client and shows its progress.
 * @throws the errors of `work`, with a hint if the run can be resumed
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
    finalCheck = true,
    resumedBy = "command",
  }: BulkRunOptions,
  work: (context: RunContext, line: ProgressLine) => Promise<T>,
): Promise<T> {
  const { signal, notes, inProcess } = target;
  const bulk = await import("../../write/index.js");
  await target.boundMemory?.();
  const { bulkClientOptions, createCircuitBreaker, createGroupLocks, createRequestStats } = bulk;
  const requestStats = createRequestStats();
  const { maxWaitMilliseconds } = target;
  const client = createClient(
    bulkClientOptions(target.clientOptions, requestStats, { signal, maxWaitMilliseconds }),
  );
  const progress = createBulkProgress(notes, target.machineClock, target.clock);
  const listener = createListener(progress, { unit, signal, clock: target.clock });
  const outage = outageMilliseconds ?? defaultOutageMilliseconds;
  const waiting = { signal, baseUrl: target.baseUrl, maxWaitMilliseconds: noWait ? 0 : maxWaitMilliseconds };
  // Determine the settle time on each use: only a response shows whether the service is an emulator.
  const settle = () => settleMilliseconds ?? getSettleTime(target);
  const { timeoutMilliseconds = defaultTimeoutMilliseconds } = target.clientOptions;
  const windowMilliseconds = () => timeoutMilliseconds + settle();
  const sharing = { command, outage, windowMilliseconds, ...waiting };
  const { store } = target;
  const shared = store && !target.isReading ? await openShared(store, target, progress, sharing) : undefined;
  const locks =
    shared?.runs.locks ??
    createGroupLocks({
      folder: join(dirname(target.folder), "locks"),
      machineClock: target.machineClock,
      holder: { pid: process.pid, command },
      ...waiting,
      onWait: (holder) =>
        progress.note(`Waiting for ${bulk.holderText(holder)}, which is writing to this group…`),
    });
  const elapsed = () => stopwatch(target.clock);
  const breaker = createCircuitBreaker({
    clock: target.clock,
    signal,
    elapsed,
    outageMilliseconds: outage,
    onPause: listener.pausing,
  });
  const ended = new AbortController();
  const handleAbort = () => {
    // End the progress line now, so that it is complete if the process is killed.
    progress.end();
    const notifyEnding = () =>
      progress.note("Waiting for pending requests… To stop immediately, press Ctrl-C again.");
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
      profile: target.profile,
      inProcess: inProcess || target.isRehearsed === true,
      folder: shared?.folder ?? target.folder,
      resultsFolder: target.folder,
      sharedRuns: shared?.runs,
      sharedBlobs: shared?.runs.blobs ?? (store && createBlobReader(store, (text) => progress.note(text))),
      elapsed,
      get settleMilliseconds() {
        return settle();
      },
      breaker,
      // 16 concurrent requests reach 200 per minute even if each response takes almost five seconds.
      width: inProcess ? 32 : 16,
      locks,
      listener,
      maxWaitMilliseconds,
      finalCheck: inProcess || target.isRehearsed === true ? undefined : finalCheck,
      author: shared?.runs.isAnonymous === true ? { ...target.author, by: null, job: null } : target.author,
      fleetMember: target.fleetMember,
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
    if (listener.stop !== undefined) {
      // A rehearsal deletes its runs, so they can't be resumed.
      const how = target.isRehearsed === true ? undefined : resumedBy;
      throw toStoppedError(error, { ...listener.stop, resumedBy: how }, signal);
    }
    if (resumedBy === "run" && signal.aborted && error instanceof CliError)
      throw new CliError({ ...error, message: error.message, hint: "no changes were made" });
    throw error;
  } finally {
    await (shared === undefined ? locks.release() : shared.runs.close());
    signal.removeEventListener("abort", handleAbort);
    ended.abort();
  }
}

async function openShared(
  store: StoreSettings,
  target: BulkTarget,
  progress: BulkProgress,
  {
    outage,
    ...how
  }: Pick<SharedRunsOptions, "signal" | "baseUrl" | "maxWaitMilliseconds" | "windowMilliseconds"> & {
    command: string;
    outage: number;
  },
) {
  const { openSharedRuns } = await import("./store.js");
  const { formatOwner } = await import("../../store/index.js");
  return openSharedRuns(store, target.folder, {
    ...how,
    outageMilliseconds: outage,
    onWait: (owner) => progress.note(`Waiting for ${formatOwner(owner)}…`),
    onOutage: (error) => progress.note(`${error.message}; waiting for the store…`),
    onLapsed: (milliseconds) =>
      progress.note(
        `This run's lease in the store expired ${durationText(milliseconds)} ago, but no other process has taken over. Continuing…`,
      ),
    onTakeover: (milliseconds) =>
      progress.note(
        `Taking over from another process in ${durationText(milliseconds)}, when its requests can no longer take effect…`,
      ),
  });
}

async function showRejected(
  { notes, showRejected: how }: BulkTarget,
  rejected: Rejected | undefined,
  unit: InputUnit,
  isPreview: boolean | undefined,
): Promise<void> {
  if (!how || !rejected) return;
  const available = () => (notes.terminal ? notes.columns : undefined);
  const style = { available, paint: notes.paint, plain: how === "plain" };
  if (isPreview && rejected.changed.count > 0)
    notes.write(await formatChangedRows(rejected.changed, unit, style));
  if (rejected.count > 0) notes.write(await formatRejectedRows(rejected, unit, style));
}

/**
 * Default of --settle: the time, in milliseconds, after which a lost request can no longer take effect and a
 * list is up to date. Emulators need less time. Only a response identifies an emulator; a local URL doesn't.
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

function createListener(
  progress: BulkProgress,
  { unit, signal, clock }: { unit: InputUnit; signal: AbortSignal; clock: Clock },
): Listener {
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
    reading: (count) => progress.activity(`Reading the group: ${formatThousands(count)}`),
    rereading: (milliseconds, because) =>
      progress.note(
        `Waiting ${formatClockDuration(milliseconds, clock)} before reading the current state again (${because})…`,
      ),
    planning: (rows) =>
      progress.activity(`Reading the ${unit === "row" ? "file" : "directory"}: ${formatCount(rows, unit)}`),
    unfinishedRun: (id) =>
      progress.warn(
        `run ${id} is unfinished and had different input or options; ` +
          `resume it with \`voxctl runs resume ${id}\`, or discard it with \`voxctl runs discard ${id}\``,
      ),
    unfinishedUndo: (undone) =>
      progress.warn(`the undo of run ${undone} is unfinished; resume it with \`voxctl runs undo ${undone}\``),
    differingNames: ({ kept: left, renamed, firstName }) => {
      if (left.count > 0) {
        const found = `${left.count === 1 ? "it" : "the first"} belongs to ${firstName}`;
        progress.warn(
          `skipping ${formatCount(left.count, "row")} whose number or email belongs to another row or contact with a ` +
            `different name: ${formatRows(left)} (${found}); to import them as separate contacts, use --match phone,name`,
        );
      }
      if (renamed.count > 0) {
        progress.warn(
          `${formatCount(renamed.count, "contact")} will be renamed: ${formatRows(renamed)}; to create a new contact for a different name, use --match phone,name`,
        );
      }
    },
    entriesDropped: (rows) =>
      progress.warn(
        `${formatCount(rows.count, "duplicate row")} ${inflect(rows.count, "has", "have")} additional numbers or emails that are not imported: ${formatRows(rows)}; ` +
          "to import them, combine the rows and separate the values in a cell with |",
      ),
    rejected: (rows) => {
      rejectedRows = rows;
    },
    resuming: ({ id, done, open }) => {
      progress.note(`Resuming run ${id}: ${formatThousands(done)} done, ${formatThousands(open)} remaining`);
    },
    sending: ({ requests, done }) => {
      total = requests;
      if (requests > 0) progress.bar({ done, total, intervalMilliseconds: 0 });
    },
    advanced: ({ done, intervalMilliseconds }) => {
      if (!signal.aborted) progress.bar({ done, total, intervalMilliseconds });
    },
    pausing: (milliseconds, cause) => {
      progress.note(
        formatInterruption(cause.message, `pausing for ${formatClockDuration(milliseconds, clock)}`),
      );
    },
    reconciling: (lost, settleMilliseconds) => {
      const wait = settleMilliseconds > 0 ? ` in ${formatClockDuration(settleMilliseconds, clock)}` : "";
      progress.note(
        `Checking ${lost === 1 ? "1 write" : `${formatThousands(lost)} writes`} without a response${wait}…`,
      );
    },
    finalCheckSkipped: (reason) =>
      progress.note(
        `Skipped the check for contacts that another machine created at the same time: ${reason}`,
      ),
    stopped: (run) => {
      stop = run;
    },
  };
}

function toStoppedError(
  error: unknown,
  { id, done, open, lost, resumedBy }: Stop & Pick<BulkRunOptions, "resumedBy">,
  signal: AbortSignal,
): unknown {
  const how = resumedBy === "run" ? `run \`voxctl runs resume ${id}\`` : "run the same command again";
  const progress = `${formatThousands(done)} done, ${formatThousands(open)} remaining`;
  const hint = resumedBy === undefined ? progress : `to resume, ${how} (run ${id}: ${progress})`;
  const outcome = lost > 0 ? "unknown" : done > 0 ? "done" : "none";
  if (signal.aborted) {
    // The signal sets the exit code; the outcome and the hint come from the run.
    return error instanceof CliError
      ? new CliError({ ...error, message: error.message, retryable: true, outcome, hint })
      : error;
  }
  if (hasCode(error, "group_gone")) {
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
  // Start with the error's own hint: the user must replace a rejected key before resuming the run.
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

export function formatRows({ count, first }: RowList): string {
  const more = count - first.length;
  const suffix = more > 0 ? ` and ${formatThousands(more)} more` : "";
  return `${count === 1 ? "row" : "rows"} ${first.join(", ")}${suffix}`;
}
