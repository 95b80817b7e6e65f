import { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import { BulkError } from "../errors.js";
import type { Item, Journal, NewItem, Result } from "../journal/journal.js";
import { openUndo, type RunIdentity, reportPathOf, undoIdOf } from "../journal/runs.js";
import { batches, recordOf } from "../values.js";
import type { Work } from "./execute.js";
import { type Found, type Lookup, reconcile } from "./reconcile.js";
import { openReport } from "./report.js";
import { checkPlace, openRunById } from "./resume.js";
import { drive, type Kind, type RunContext, withJournal } from "./run.js";
import { costsOf } from "./summary.js";

/** A kind of thing whose runs can be undone. */
export interface Reversible {
  operations: { get: OperationName; update: OperationName; delete: OperationName };
  /** The path's parameter: `contact_id`. */
  parameter: string;
  /** Everything in the run's group, as it is now. */
  things(): AsyncIterable<Found>;
  /** A thing from an answer's data, with all of its fields. */
  found(data: unknown): Found | undefined;
  /** Would these fields change nothing? */
  hasFields(value: unknown, fields: Readonly<Record<string, unknown>>): boolean;
  /** The import's own requests: what it left open is settled first. */
  requests(journal: Journal): Kind;
}

/** What became of what a run did. */
export interface UndoSummary {
  run_id: string;
  /** The run that was undone. */
  undone: string;
  group_id: string;
  /** Things that the run had created. */
  deleted: number;
  /** Things that the run had updated. */
  restored: number;
  /** Left alone: somebody changed them since. */
  changed_since: number;
  /** No longer there. */
  gone: number;
  failed: number;
  unknown: number;
  requests: number;
  rate_limited: number;
  seconds: number;
  report: string;
}

const itemsPerCommit = 500;

/**
 * Deletes what a run created and restores what it updated, where nobody has changed it since. Journaled like the run
 * itself: when it is interrupted, the next call goes on.
 * @param kindOf what to know of the run's kind; undefined for one that can't be undone
 * @throws BulkError before anything was sent; the signal's reason, or a ClientError, when it can be gone on with
 */
export async function undoRun(
  context: RunContext,
  id: string,
  kindOf: (kind: string, groupId: string) => Reversible | undefined,
): Promise<UndoSummary> {
  const { folder, machineClock, inProcess, onStep } = context;
  const { journal, identity } = await openRunById(context, id);
  try {
    const kind = kindOf(identity.kind, identity.group_id);
    if (!kind) throw new BulkError("run_of_other_kind", `a run of the kind ${identity.kind} can't be undone`);
    checkPlace(context, identity, journal.setting("profile"));
    if (journal.setting("undone_at") !== undefined) {
      throw new BulkError("run_finished", `the run ${id} is undone already`);
    }
    const undo = await openUndo({
      folder,
      id,
      identity,
      now: machineClock.now(),
      durable: !inProcess,
      onStep,
    });
    return await withJournal(context, undo, async (addCosts) => {
      const reportPath = reportPathOf(folder, undo.id);
      const report = await openReport(reportPath);
      try {
        if (!undo.resumed) await plan(context, journal, undo.journal, kind);
        await drive(context, undo.journal, reversal(context.client, kind), undo);
        addCosts();
        await report.write(undo.journal.reportable());
        undo.journal.setSetting("finished_at", machineClock.now());
        journal.setSetting("undone_at", machineClock.now());
        undo.journal.step("finished");
        return summaryOf(undo.journal, id, identity, reportPath);
      } finally {
        await report.close();
      }
    });
  } finally {
    journal.close();
  }
}

/** Settles what the run left open, then decides for everything it did what is to become of it. */
async function plan(
  context: RunContext,
  original: Journal,
  journal: Journal,
  kind: Reversible,
): Promise<void> {
  const { clock, signal, listener, settleMilliseconds, machineClock } = context;
  original.sentToUnknown();
  const lost = original.count("unknown");
  if (lost > 0) {
    listener.reconciling(lost, settleMilliseconds);
    const { lookup } = kind.requests(original);
    await reconcile({ journal: original, lookup, clock, signal, settleMilliseconds });
  }
  // What it had still planned is not to be done any more.
  if (original.setting("finished_at") === undefined) original.setSetting("finished_at", machineClock.now());

  const now = createNow(journal);
  let things = 0;
  for await (const page of batches(kind.things(), itemsPerCommit)) {
    journal.database.transaction(() => page.forEach(now.add));
    things += page.length;
    listener.reading(things);
    signal.throwIfAborted();
  }
  for (const name of ["file", "group_name", "profile"]) {
    journal.setSetting(name, original.setting(name) ?? null);
  }
  journal.database.transaction(() => {
    for (const items of original.doneByTarget()) journal.insert(planReversal(items, now.get, kind));
    journal.setSetting("planned_at", machineClock.now());
  });
  journal.step("planned");
}

/** The group at the undo's start, in its own file. */
function createNow({ database }: Journal) {
  database.exec(
    "CREATE TABLE IF NOT EXISTS things (id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, value TEXT NOT NULL)",
  );
  return {
    add: ({ id, fingerprint, value }: Found) => {
      database
        .prepare("INSERT OR REPLACE INTO things (id, fingerprint, value) VALUES (?, ?, ?)")
        .run(id, fingerprint, JSON.stringify(value));
    },
    get: (id: string): Found | undefined => {
      const row = database.prepare("SELECT fingerprint, value FROM things WHERE id = ?").get(id);
      if (row === undefined) return undefined;
      return { id, fingerprint: String(row["fingerprint"]), value: JSON.parse(String(row["value"])) };
    },
  };
}

/** What undoes everything that a run did to one thing. */
function planReversal(
  items: readonly [Item, ...Item[]],
  now: (id: string) => Found | undefined,
  kind: Reversible,
): NewItem {
  const [first] = items;
  const { number, line, target = "" } = first;
  const settled = (outcome: string, detail?: unknown): NewItem => {
    return { number, line, state: "settled", outcome, target, detail };
  };
  const found = now(target);
  if (found === undefined) return settled("gone");
  if (first.action === "create") {
    if (found.fingerprint !== first.fingerprint) return settled("changed", { now: found.value });
    const { fingerprint } = first;
    return { number, line, state: "planned", outcome: "deleted", action: "delete", target, fingerprint };
  }
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  for (const item of items) {
    for (const [field, value] of Object.entries(recordOf(item.body))) {
      if (!(field in before)) before[field] = recordOf(item.before)[field];
      after[field] = value;
    }
  }
  // Field by field: what somebody changed since is theirs.
  const fields = Object.keys(after);
  const restored = fields.filter((field) => kind.hasFields(found.value, { [field]: after[field] }));
  const left = fields.filter((field) => !restored.includes(field));
  if (restored.length === 0) return settled("changed", { left, now: found.value });
  const only = (values: Record<string, unknown>) =>
    Object.fromEntries(restored.map((field) => [field, values[field] ?? null]));
  return {
    number,
    line,
    state: "planned",
    outcome: "restored",
    action: "update",
    target,
    body: only(before),
    before: only(after),
    detail: left.length === 0 ? undefined : { left },
  };
}

function reversal(client: Client, kind: Reversible): Kind {
  const { operations, parameter } = kind;
  const work: Work = {
    paces: operations.delete,
    request: ({ action, target = "", body }) => ({
      operation: action === "delete" ? operations.delete : operations.update,
      input: { path: { [parameter]: target }, ...(action === "delete" ? {} : { body }) },
    }),
    targetOf: ({ target }) => target,
    rejects: (_, { status = 0 }) => status === 400 || status === 404 || status === 409,
    outdated: (item) => outdated(client, kind, item),
  };
  const lookup: Lookup = {
    things: () => kind.things(),
    existedBefore: () => true,
    judgeUpdate: (item, { value }) => {
      if (kind.hasFields(value, recordOf(item.body))) return "done";
      return kind.hasFields(value, recordOf(item.before)) ? "undone" : "changed";
    },
  };
  return { work, lookup };
}

/** An undo may take an hour: each thing is looked at again before it is touched. */
async function outdated(client: Client, kind: Reversible, item: Item): Promise<Result | undefined> {
  const { number, target = "" } = item;
  try {
    const { data } = await client.call(kind.operations.get, { path: { [kind.parameter]: target } });
    const found = kind.found(data);
    if (found === undefined) return undefined;
    const same =
      item.action === "delete"
        ? found.fingerprint === item.fingerprint
        : kind.hasFields(found.value, recordOf(item.before));
    return same ? undefined : { number, state: "rejected", outcome: "changed", detail: { now: found.value } };
  } catch (error) {
    if (!(error instanceof ClientError) || error.status !== 404) throw error;
    return { number, state: "rejected", outcome: "gone", detail: undefined };
  }
}

function summaryOf(journal: Journal, id: string, identity: RunIdentity, report: string): UndoSummary {
  const counts = { deleted: 0, restored: 0, changed: 0, gone: 0, failed: 0, unknown: 0 };
  const isOutcome = (outcome: string): outcome is keyof typeof counts => Object.hasOwn(counts, outcome);
  for (const { state, outcome, count } of journal.counts()) {
    if (state === "unknown" || state === "sent") counts.unknown += count;
    else if (isOutcome(outcome)) counts[outcome] += count;
  }
  const { deleted, restored, changed, gone, failed, unknown } = counts;
  const undone = { run_id: undoIdOf(id), undone: id, group_id: identity.group_id };
  return {
    ...undone,
    deleted,
    restored,
    changed_since: changed,
    gone,
    failed,
    unknown,
    ...costsOf(journal),
    report,
  };
}
