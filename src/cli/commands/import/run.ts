import type { Clock } from "../../../base/clock.js";
import type { ContactInput } from "../../../bulk/contacts/input.js";
import type { RunContext, RunListener } from "../../../bulk/engine/run.js";
import type { ImportSummary } from "../../../bulk/engine/summary.js";
import type { Traffic } from "../../../bulk/engine/traffic.js";
import { createClient } from "../../../client/client.js";
import { ClientError } from "../../../client/errors.js";
import type { ClientOptions } from "../../../client/types.js";
import { type BulkProgress, createBulkProgress, durationText, rowsText } from "../../bulk-progress.js";
import { CliError, exits, notFoundError } from "../../errors.js";
import { clientExit } from "../../exit-codes.js";
import type { Notes } from "../../session.js";
import type { ImportFlags } from "./flags.js";
import { createGroup, findGroup } from "./group.js";

/** Where an import runs: a command's session, or the demo's own world. */
export interface ImportPlace {
  clientOptions: ClientOptions;
  baseUrl: string;
  profile: string;
  /** The service is in this process. */
  inProcess: boolean;
  clock: Clock;
  machineClock: Clock;
  signal: AbortSignal;
  notes: Notes;
  /** Where runs are kept. */
  folder: string;
  maxWaitMilliseconds: number | undefined;
  /** For tests that end the process in the middle of a run. */
  onStep?: RunContext["onStep"];
}

/** What every import into a group is told by its flags. */
export interface GroupFlags {
  group: string;
  createGroup: boolean;
  strict: boolean;
  dryRun: boolean;
  settleMilliseconds: number | undefined;
}

/** The group that a run works in; its id is undefined in a dry run where there is none yet. */
export interface ImportTarget {
  groupId: string | undefined;
  groupName: string;
  groupIsNew: boolean;
  profile: string;
  dryRun: boolean;
}

/**
 * Imports a file of contacts that was opened, and shows how it goes.
 * @throws CliError, ClientError, BulkError
 */
export async function runImport(
  place: ImportPlace,
  input: ContactInput,
  flags: ImportFlags,
): Promise<{ summary: ImportSummary; group: string }> {
  const { importContacts } = await import("../../../bulk/index.js");
  describeInput(input, place.notes);
  return runIntoGroup(place, "contacts", flags, (context, target) =>
    importContacts(context, {
      ...target,
      input,
      country: flags.country,
      map: flags.map,
      match: flags.match,
      onMatch: flags.onMatch,
      strict: flags.strict,
      newRun: flags.newRun,
      reportPath: flags.report,
    }),
  );
}

/**
 * Finds or makes the group, starts an import into it, and shows how it goes.
 * @throws CliError, ClientError, BulkError
 */
export async function runIntoGroup(
  place: ImportPlace,
  type: Parameters<typeof findGroup>[2],
  flags: GroupFlags,
  start: (context: RunContext, target: ImportTarget) => Promise<ImportSummary>,
): Promise<{ summary: ImportSummary; group: string }> {
  const { notes, signal, profile } = place;
  const { bulkClientOptions, createTraffic } = await import("../../../bulk/index.js");
  const traffic: Traffic = createTraffic();
  const client = createClient(
    bulkClientOptions(place.clientOptions, traffic, {
      signal,
      maxWaitMilliseconds: place.maxWaitMilliseconds,
    }),
  );
  const progress = createBulkProgress(notes, place.machineClock, place.clock);

  const found = await findGroup(client, flags.group, type, signal);
  if (found === undefined && !flags.createGroup) {
    throw notFoundError(
      `--group: no group of type ${type} is named "${flags.group}"`,
      `--create-group makes it; voxctl groups list --type ${type} shows those there are`,
    );
  }
  const listener = importListener(progress);
  const context: RunContext = {
    client,
    traffic,
    clock: place.clock,
    machineClock: place.machineClock,
    signal,
    baseUrl: place.baseUrl,
    inProcess: place.inProcess,
    folder: place.folder,
    settleMilliseconds: flags.settleMilliseconds ?? settleTime(place),
    width: place.inProcess ? 32 : 8,
    listener,
    onStep: place.onStep,
  };
  const groupName = found?.name ?? flags.group;
  try {
    // A strict import that is refused must not leave a group behind.
    const rehearse = flags.dryRun || (found === undefined && flags.strict);
    if (rehearse) {
      const at = { groupId: found?.id, groupName, groupIsNew: false, profile, dryRun: true };
      const summary = await start(context, at);
      if (flags.dryRun) return { summary, group: groupName };
    }
    const group = found ? { ...found, isNew: false } : await createGroup(client, flags.group, type, signal);
    const at = { groupId: group.id, groupName, groupIsNew: group.isNew, profile, dryRun: false };
    const summary = await start(context, at);
    progress.end({ keep: true });
    return { summary, group: group.name };
  } catch (error) {
    progress.end();
    throw listener.stop === undefined ? error : stoppedError(error, listener.stop, signal, notes);
  } finally {
    progress.end();
  }
}

/** How long a lost request may still be on its way. */
function settleTime({ inProcess, baseUrl }: ImportPlace): number {
  if (inProcess) return 0;
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname) ? 2_000 : 30_000;
}

const formatNames = { csv: "CSV", jsonl: "JSONL", json: "JSON" } as const;
const encodingNames = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  "windows-1252": "Windows-1252",
} as const;

function describeInput({ source, columns }: ContactInput, notes: Notes): void {
  notes.note(`${source.name}: ${formatNames[source.format]}, ${encodingNames[source.encoding]}`);
  if (columns.wholeName !== undefined) {
    notes.note(`column "${columns.wholeName}" is taken as the first name; --map first_name=… names another`);
  }
  if (columns.unread.length > 0) {
    notes.note(`not read: ${columns.unread.map((name) => `"${name}"`).join(", ")} (--map reads more)`);
  }
}

interface Stop {
  id: string;
  done: number;
  open: number;
  lost: number;
}

function importListener(progress: BulkProgress): RunListener & { readonly stop: Stop | undefined } {
  let stop: Stop | undefined;
  let total = 0;
  return {
    get stop() {
      return stop;
    },
    reading: (things) => progress.activity(`reading the group: ${things.toLocaleString("en-US")}`),
    planning: (rows) => progress.activity(`reading the file: ${rowsText(rows)}`),
    resuming: ({ id, done, open }) => {
      progress.note(
        `going on with run ${id}: ${done.toLocaleString("en-US")} done, ${open.toLocaleString("en-US")} to go`,
      );
    },
    sending: ({ requests, done }) => {
      total = requests;
      if (requests > 0) progress.bar({ done, total, intervalMilliseconds: 0 });
    },
    advanced: ({ done, intervalMilliseconds }) => progress.bar({ done, total, intervalMilliseconds }),
    pausing: (milliseconds, cause) => {
      progress.note(`${cause.message} Nothing is sent for ${durationText(milliseconds)}.`);
    },
    reconciling: (lost, settleMilliseconds) => {
      const wait = settleMilliseconds > 0 ? ` in ${durationText(settleMilliseconds)}` : "";
      progress.note(
        `${lost === 1 ? "1 answer was" : `${lost.toLocaleString("en-US")} answers were`} lost; looking${wait} what became of it`,
      );
    },
    stopped: (run) => {
      stop = run;
    },
  };
}

/** What stopped a run, with how to go on. */
function stoppedError(error: unknown, stop: Stop, signal: AbortSignal, notes: Notes): unknown {
  const { id, done, open, lost } = stop;
  const where = `${done.toLocaleString("en-US")} done, ${open.toLocaleString("en-US")} to go`;
  const hint = `the same command goes on where it stopped (run ${id}: ${where})`;
  if (signal.aborted) {
    notes.note(`stopped; ${hint}`);
    return error;
  }
  if (!(error instanceof ClientError)) return error;
  return new CliError({
    exit: lost > 0 ? exits.unknown : clientExit(error),
    code: error.code,
    message: error.message,
    details: error.details,
    retryable: true,
    outcome: lost > 0 ? "unknown" : done > 0 ? "done" : "none",
    hint: error.hint === undefined ? hint : `${error.hint}; ${hint}`,
    cause: error,
  });
}
