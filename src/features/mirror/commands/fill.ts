import { chmodSync } from "node:fs";
import { stopwatch } from "../../../base/clock.js";
import { formatThousands } from "../../../base/text.js";
import { parseTime } from "../../../base/time-text.js";
import { CliError, exits } from "../../../cli/errors/errors.js";
import type { Connection, Session } from "../../../cli/session/session.js";
import { createBulkProgress, durationText, formatInterruption } from "../../../cli/terminal/progress.js";
import { createClient } from "../../../client/client.js";
import type { Client } from "../../../client/types.js";
import { buckets } from "../../../contract/limits.js";
import type { MirrorApi, MirrorManifest, MirrorRequest } from "../../../contract/mirror.js";
import type { Emulator } from "../../../emulator/types.js";
import type { CollectListener, MirrorEmulator, ReadingStats } from "../index.js";
import type { CollectFlags } from "./flags.js";
import { formatChanged, formatEstimate, formatMirrorSummary } from "./mirror-summary.js";

/** Longest outage, in milliseconds, before the command stops. Running the command again resumes the copy. */
const outageMilliseconds = 600_000;

/** Creates a client that waits for the rate limit as long as necessary, and collects statistics. */
export async function createReadingClient(
  connection: Connection,
  api: MirrorApi,
  onDate: (date: string | undefined) => void = () => {},
): Promise<{ client: Client; stats: ReadingStats }> {
  const { createReadingStats } = await import("../index.js");
  const stats = createReadingStats(api === "public" ? "read" : "distributor");
  const { clientOptions } = connection;
  const client = createClient({
    ...clientOptions,
    maxWaitMilliseconds: clientOptions.maxWaitMilliseconds ?? Number.POSITIVE_INFINITY,
    onEvent: (event) => {
      clientOptions.onEvent?.(event);
      if (event.type === "response") onDate(event.header("date"));
      stats.onEvent(event);
    },
  });
  return { client, stats };
}

export interface Filling {
  name: string;
  path: string;
  request: MirrorRequest;
  /** Creation time of the mirror to refresh; undefined for a new mirror. */
  madeAt: string | undefined;
  flags: CollectFlags;
  earlierPasses: number;
  /** Milliseconds until the mirror expires; null means never. */
  keep: number | null;
  /** Prepares the database, unless an interrupted command has already prepared it. */
  prepare(mirrorEmulator: MirrorEmulator): Promise<void>;
}

/**
 * Copies the profile's organization into the mirror's database, then closes the database. Keeps the copied
 * data after an error.
 * @throws CliError with exit code 8 if another process is filling the database
 */
export async function fillMirror(
  session: Session,
  connection: Connection,
  filling: Filling,
): Promise<MirrorManifest> {
  const { collectMirror, createCircuitBreaker, createMirrorEmulator } = await import("../index.js");
  const emulator = await openMirrorDatabase(filling, session.serviceNow());
  const { client, stats } = await createReadingClient(connection, filling.request.surface, (date) =>
    followClock(emulator, date),
  );
  const progress = createBulkProgress(session.notes, session.clock, connection.clock);
  const { signal } = session;
  const elapsed = () => stopwatch(connection.clock);
  const breaker = createCircuitBreaker({
    clock: connection.clock,
    signal,
    elapsed,
    outageMilliseconds,
    onPause: (milliseconds, { message }) =>
      progress.note(formatInterruption(message, `pausing reads for ${durationText(milliseconds)}`)),
  });
  try {
    const mirrorEmulator = createMirrorEmulator(emulator.control);
    await filling.prepare(mirrorEmulator);
    const manifest = await collectMirror(
      {
        client,
        stats,
        emulator: mirrorEmulator,
        clock: session.clock,
        waits: connection.clock,
        breaker,
        elapsed,
        signal,
        listener: createListener(progress, filling),
      },
      filling.request,
      {
        passes: filling.flags.passes,
        readShare: filling.flags.readShare,
        expiresAt: filling.keep === null ? null : new Date(session.clock.now() + filling.keep).toISOString(),
        madeAt: filling.madeAt,
      },
    );
    return manifest;
  } catch (error) {
    const { reason } = signal;
    if (!(signal.aborted && reason instanceof CliError)) throw error;
    const hint = "to resume, run the same command again";
    throw new CliError({ ...reason, message: reason.message, retryable: true, outcome: "none", hint });
  } finally {
    progress.end();
    await emulator.close();
  }
}

/** Shortest estimated duration, in seconds, that is worth showing to the user. */
const shortSeconds = 5;

function createListener(
  progress: ReturnType<typeof createBulkProgress>,
  { flags, earlierPasses }: Filling,
): CollectListener {
  /** Number of records in the previous pass. `read` counts the current pass's records by list. */
  let expected = 0;
  let read = new Map<string, number>();
  return {
    estimated: (estimate) => {
      if (estimate.seconds >= shortSeconds || estimate.at_least)
        progress.note(`Estimate: ${formatEstimate(estimate)}`);
    },
    read: ({ pass, list, records: itemCount }) => {
      read.set(list, itemCount);
      const done = [...read.values()].reduce((sum, count) => sum + count, 0);
      if (expected === 0)
        progress.activity(`pass ${pass - earlierPasses}: ${list} ${formatThousands(itemCount)}`);
      else progress.bar({ done, total: Math.max(done, expected), intervalMilliseconds: 0 });
    },
    detailed: ({ done, total }) =>
      progress.bar({ done, total, intervalMilliseconds: getReadInterval(flags) }),
    collected: ({ pass, changed, records: itemCount }) => {
      progress.end();
      expected = itemCount;
      read = new Map();
      if (pass > 1 && changed > 0)
        progress.note(`Pass ${pass - earlierPasses}: ${formatChanged(pass - earlierPasses, changed)}`);
    },
  };
}

/** Returns the interval between two reads at the documented limit, in milliseconds. */
function getReadInterval({ readShare }: CollectFlags): number {
  return (buckets.read.windowSeconds * 1_000) / (buckets.read.limit * readShare);
}

/** The Date header omits milliseconds, so the service's time may be up to a second later. */
const omittedMilliseconds = 999;

/**
 * Advances the mirror's clock to the service's time, so that the ages of resources are correct in the mirror.
 */
function followClock({ clock }: Emulator, date: string | undefined): void {
  const behind = parseTime(date ?? "") + omittedMilliseconds - clock.now();
  if (behind > 0) void clock.sleep(behind);
}

async function openMirrorDatabase({ path, name }: Filling, startTime: number): Promise<Emulator> {
  const { LockedError, openEmulator } = await import("../../../emulator/index.js");
  try {
    const emulator = await openEmulator({ db: path, seed: "empty", exclusive: true, startTime });
    chmodSync(path, 0o600);
    return emulator;
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    throw new CliError({
      exit: exits.pending,
      code: "mirror_busy",
      message: `another process is filling mirror "${name}"`,
      cause: error,
    });
  }
}

export async function showMirror(
  { output }: Pick<Session, "output">,
  manifest: MirrorManifest,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  if (output.format === "table") return output.lines(formatMirrorSummary(manifest));
  // Omit the ID: the copied organization has a new ID, which means nothing to the user.
  const { organization_id: _, ...shown } = manifest;
  await output.item({ ...shown, ...more });
}
