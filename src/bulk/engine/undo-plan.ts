import type { Item, NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { doneByTarget } from "../journal/outcome.js";
import { batches, recordOf } from "../values.js";
import { type Found, reconcile } from "./reconcile.js";
import type { Reversible } from "./reversal.js";
import type { RunContext } from "./run.js";

const itemsPerCommit = 500;

/** Settles what the run left open, then decides for everything it did what is to become of it. */
export async function planUndo(
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

  await compareWithNow(context, original, journal, kind);
  journal.step("planned");
}

/** Decides it, of what is known to be done. Sends nothing but reads, and leaves the run as it is. */
export async function compareWithNow(
  { signal, listener, machineClock }: RunContext,
  original: Journal,
  journal: Journal,
  kind: Reversible,
): Promise<void> {
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
    for (const items of doneByTarget(original)) journal.insert(planReversal(items, now.get, kind));
    journal.setSetting("planned_at", machineClock.now());
  });
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

/** A thing as it was at the undo's start; undefined of one that was gone. */
export function valueNow(journal: Journal, id: string): unknown {
  return createNow(journal).get(id)?.value;
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
