import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../base/clock.js";
import type { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import { execute, type Work } from "../engine/execute.js";
import { type Lookup, reconcile } from "../engine/reconcile.js";
import type { Traffic } from "../engine/traffic.js";
import { BulkError } from "../errors.js";
import { type Item, Journal, type Step } from "../journal/journal.js";
import { openRun, type RunIdentity, removeOldRuns } from "../journal/runs.js";
import { fingerprintOf, groupContact, type MatchKey } from "./identity.js";
import type { ContactInput } from "./input.js";
import { createMembers, type Members } from "./members.js";
import { type OnMatch, planRow } from "./plan.js";
import { openReport, type Report } from "./report.js";

export interface ImportOptions {
  input: ContactInput;
  client: Client;
  /** Counts what the client does; it has seen an answer already. */
  traffic: Traffic;
  /** The service's time: the world's in process. */
  clock: Clock;
  /** The machine's, for the run's own dates. */
  machineClock: Clock;
  signal: AbortSignal;
  /** Undefined in a dry run whose group does not exist yet. */
  groupId: string | undefined;
  /** It was made a moment ago and is empty. */
  groupIsNew: boolean;
  baseUrl: string;
  /** Those that change what is done with a row, as they tell runs apart. */
  country: string | undefined;
  map: string | undefined;
  match: readonly MatchKey[];
  onMatch: OnMatch;
  strict: boolean;
  dryRun: boolean;
  newRun: boolean;
  /** Where runs are kept. */
  folder: string;
  /** Default: beside the run. */
  reportPath: string | undefined;
  settleMilliseconds: number;
  /** Requests in flight at most. */
  width: number;
  /** The service is in this process: its file is no safer from a power failure than the journal need be. */
  inProcess: boolean;
  listener: ImportListener;
  /** Told of every step of the journal, for tests. */
  onStep?: ((step: Step) => void) | undefined;
}

/** What a person may want to see meanwhile. */
export interface ImportListener {
  /** The group is read, so far this many. */
  reading(contacts: number): void;
  /** The file is read, so far this many rows. */
  planning(rows: number): void;
  /** An unfinished run of the same kind was found. */
  resuming(run: { id: string; done: number; open: number }): void;
  /** What is to be sent is known. */
  sending(plan: { requests: number; done: number }): void;
  /** Requests that are through, of all of the run; and their distance as the limit allows it, 0: at once. */
  advanced(progress: { done: number; intervalMilliseconds: number }): void;
  /** Nothing is sent for so long, after failures in a row. */
  pausing(milliseconds: number, cause: ClientError): void;
  /** It ended before its end, and can be gone on with. */
  stopped(run: { id: string; done: number; open: number; lost: number }): void;
  /** Answers were lost: the group is read to find out what happened. */
  reconciling(lost: number, settleMilliseconds: number): void;
}

/** The object that `-o json` prints. */
export interface ImportSummary {
  /** Null of a dry run. */
  run_id: string | null;
  file: string;
  group_id: string | null;
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  duplicates: number;
  invalid: number;
  /** Rejected by the service. */
  failed: number;
  /** Nobody knows. */
  unknown: number;
  requests: number;
  rate_limited: number;
  /** Of the service's clock. */
  seconds: number;
  report: string;
}

const maximumRounds = 12;
const planBatch = 1_000;
const pageSize = 200;

/**
 * Imports contacts into a group. A run that was interrupted goes on where it was; what was lost on the way is looked
 * up, never sent again blindly.
 * @throws BulkError before anything was sent; the signal's reason, or a ClientError, when the run stopped and can be
 *   gone on with
 */
export async function importContacts(options: ImportOptions): Promise<ImportSummary> {
  const { folder, dryRun, machineClock } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (dryRun) return rehearse(options);
  await removeOldRuns(folder, machineClock.now());
  const { id, journal, resumed } = await openRun({
    folder,
    identity: identityOf(options),
    now: machineClock.now(),
    newRun: options.newRun,
    once: options.onMatch === "create",
    durable: !options.inProcess,
    onStep: options.onStep,
  });
  let report: Report | undefined;
  const reportPath = options.reportPath ?? join(folder, `${id}.report.ndjson`);
  let nothingSent = !resumed;
  const begun = {
    now: options.clock.now(),
    requests: options.traffic.requests,
    limited: options.traffic.rateLimited,
  };
  try {
    report = await openReport(reportPath);
    const members = createMembers(journal.database, comparedBy(options));
    if (!resumed) {
      await plan(options, journal, members);
      if (options.strict) await refuseInvalid(options, journal, report, reportPath);
    }
    nothingSent = false;
    await send(options, journal, members, { id, resumed });
    // The requests before the run, those that found the group, belong to it.
    count(journal, options, resumed ? begun : { ...begun, requests: 0, limited: 0 });
    journal.setSetting("finished_at", machineClock.now());
    journal.step("finished");
    await report.write(journal.reportable());
    return summaryOf(options, journal, { id, report: reportPath });
  } catch (error) {
    if (!nothingSent) {
      count(journal, options, begun);
      const lost = journal.count("unknown") + journal.count("sent");
      const open = journal.count("planned") + lost;
      options.listener.stopped({ id, done: journal.count("done") + journal.count("rejected"), open, lost });
    }
    throw error;
  } finally {
    await report?.close();
    journal.close();
    if (nothingSent) await removeJournal(journal.path);
  }
}

/** A dry run: everything is read and compared, nothing is sent, nothing is kept but the report. */
async function rehearse(options: ImportOptions): Promise<ImportSummary> {
  const temporary = await mkdtemp(join(options.folder, "dry-run-"));
  try {
    const journal = await Journal.open(join(temporary, "run.sqlite"), { create: true, durable: false });
    const reportPath = options.reportPath ?? join(options.folder, "dry-run.report.ndjson");
    const begun = { now: options.clock.now(), requests: 0, limited: 0 };
    const report = await openReport(reportPath);
    try {
      await plan(options, journal, createMembers(journal.database, comparedBy(options)));
      if (options.strict) await refuseInvalid(options, journal, report, reportPath);
      count(journal, options, begun);
      await report.write(journal.reportable());
      return summaryOf(options, journal, { id: null, report: reportPath });
    } finally {
      await report.close();
      journal.close();
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function identityOf(options: ImportOptions): RunIdentity {
  return {
    kind: "contacts",
    base_url: options.baseUrl,
    world: options.traffic.world,
    group_id: options.groupId ?? "",
    digest: options.input.source.digest,
    options: {
      country: options.country?.toUpperCase() ?? null,
      map: options.map ?? null,
      match: options.onMatch === "create" ? null : [...options.match].sort(),
      on_match: options.onMatch,
    },
  };
}

function comparedBy({ onMatch, match }: ImportOptions): readonly MatchKey[] | undefined {
  return onMatch === "create" ? undefined : match;
}

/** Reads group and file, and decides for every row what is to be done with it. */
async function plan(options: ImportOptions, journal: Journal, members: Members): Promise<void> {
  const { input, listener, signal } = options;
  let contacts = 0;
  if (options.groupId !== undefined && !options.groupIsNew) {
    for await (const page of batches(readGroup(options, options.groupId), pageSize)) {
      journal.database.transaction(() => page.forEach(members.add));
      contacts += page.length;
      listener.reading(contacts);
      signal.throwIfAborted();
    }
  }
  let rows = 0;
  for await (const batch of batches(input.rows(), planBatch)) {
    journal.database.transaction(() => {
      for (const { row, read } of batch) journal.insert(planRow(row, read, members, options));
    });
    rows += batch.length;
    listener.planning(rows);
    signal.throwIfAborted();
  }
  journal.setSetting("planned_at", options.machineClock.now());
  journal.setSetting("unread", input.unread());
  journal.step("planned");
}

async function* readGroup(options: ImportOptions, groupId: string) {
  for await (const value of options.client.items(
    "contacts.list",
    { query: { group_id: groupId } },
    { pageSize },
  )) {
    const contact = groupContact(value);
    // A filter is never trusted.
    if (contact && belongsTo(value, groupId)) yield contact;
  }
}

function belongsTo(value: unknown, groupId: string): boolean {
  return typeof value !== "object" || value === null || !("group_id" in value) || value.group_id === groupId;
}

async function* batches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[], void> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function refuseInvalid(
  options: ImportOptions,
  journal: Journal,
  report: Report,
  reportPath: string,
): Promise<void> {
  const invalid = totals(journal).invalid;
  if (invalid === 0) return;
  await report.write(journal.reportable());
  throw new BulkError(
    "invalid_rows",
    `${invalid} ${invalid === 1 ? "row of" : "rows of"} ${options.input.source.name} can't be imported; nothing was sent`,
    `they are listed in ${reportPath}; without --strict the others are imported`,
  );
}

/** Sends what is planned, and looks up what was lost, until nothing is open. */
async function send(
  options: ImportOptions,
  journal: Journal,
  members: Members,
  { id, resumed }: { id: string; resumed: boolean },
): Promise<void> {
  const { client, clock, signal, listener, groupId = "" } = options;
  journal.sentToUnknown();
  let done = journal.count("done") + journal.count("rejected");
  const requests = done + journal.count("planned") + journal.count("unknown");
  if (resumed) listener.resuming({ id, done, open: requests - done });
  listener.sending({ requests, done });

  let intervalMilliseconds = 0;
  const work = workOn(groupId);
  const lookup = lookupIn(options, groupId, members);
  for (let round = 0; round < maximumRounds; round += 1) {
    const lost = journal.count("unknown");
    if (lost > 0) {
      listener.reconciling(lost, options.settleMilliseconds);
      await reconcile({ journal, lookup, clock, signal, settleMilliseconds: options.settleMilliseconds });
      done = journal.count("done") + journal.count("rejected");
      listener.advanced({ done, intervalMilliseconds });
    }
    if (journal.count("planned") === 0) return;
    await execute({
      journal,
      work,
      client,
      clock,
      signal,
      width: options.width,
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

function workOn(groupId: string): Work {
  return {
    paces: "contacts.create",
    request: (item) =>
      item.action === "update"
        ? {
            operation: "contacts.update",
            input: { path: { contact_id: item.target ?? "" }, body: item.body },
          }
        : { operation: "contacts.create", input: { body: { group_id: groupId, ...record(item.body) } } },
    targetOf: (item, data) => item.target ?? groupContact(data)?.id,
    rejects: (item, error) => {
      const status = error.status ?? 0;
      if (status === 401 || status === 402 || status === 403 || status >= 500) return false;
      // Of a create it is the group that is missing; of an update only the contact.
      return status !== 404 || item.action === "update";
    },
  };
}

function lookupIn(options: ImportOptions, groupId: string, members: Members): Lookup {
  return {
    async *things() {
      for await (const contact of readGroup(options, groupId)) {
        yield { id: contact.id, fingerprint: fingerprintOf(contact), value: contact };
      }
    },
    existedBefore: (id) => members.has(id),
    judgeUpdate(item: Item, found) {
      const contact = groupContact(found.value);
      if (contact === undefined) return "changed";
      const wanted = { ...contact, ...record(item.body) };
      if (fingerprintOf(wanted) === fingerprintOf(contact)) return "done";
      const before = { ...contact, ...only(record(item.before), Object.keys(record(item.body))) };
      return fingerprintOf(before) === fingerprintOf(contact) ? "undone" : "changed";
    },
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function only(value: Readonly<Record<string, unknown>>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, value[field]]));
}

/** Adds this process's part to what the run has cost. */
function count(
  journal: Journal,
  { clock, traffic }: ImportOptions,
  begun: { now: number; requests: number; limited: number },
): void {
  journal.addTo("milliseconds", clock.now() - begun.now);
  journal.addTo("requests", traffic.requests - begun.requests);
  journal.addTo("rate_limited", traffic.rateLimited - begun.limited);
}

function totals(journal: Journal) {
  const totals = {
    rows: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    duplicates: 0,
    invalid: 0,
    failed: 0,
    unknown: 0,
  };
  const fields: Readonly<Record<string, keyof typeof totals>> = {
    created: "created",
    updated: "updated",
    unchanged: "unchanged",
    duplicate: "duplicates",
    invalid: "invalid",
    failed: "failed",
  };
  for (const { state, outcome, count } of journal.counts()) {
    totals.rows += count;
    const field = state === "unknown" || state === "sent" ? "unknown" : fields[outcome];
    if (field !== undefined) totals[field] += count;
  }
  return totals;
}

function summaryOf(
  options: ImportOptions,
  journal: Journal,
  run: { id: string | null; report: string },
): ImportSummary {
  return {
    run_id: run.id,
    file: options.input.source.name,
    group_id: options.groupId ?? null,
    ...totals(journal),
    requests: journal.numberOf("requests"),
    rate_limited: journal.numberOf("rate_limited"),
    seconds: Math.round(journal.numberOf("milliseconds") / 100) / 10,
    report: run.report,
  };
}

async function removeJournal(path: string): Promise<void> {
  for (const ending of ["", "-wal", "-shm"]) await rm(`${path}${ending}`, { force: true });
}
