import type { Item, NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { doneByTarget } from "../journal/outcome.js";
import { batches, recordOf } from "../values.js";
import type { RunContext } from "./context.js";
import { awaitLateWrites } from "./drive.js";
import { type ImportAdapter, importRun } from "./import-adapter.js";
import type { RemoteItem } from "./reconcile.js";
import type { Original } from "./undo.js";

const itemsPerCommit = 500;

/** Looks up what the run left open, then decides for everything it did what is to become of it. */
export async function planUndo(
  context: RunContext,
  { journal: original, identity }: Original,
  journal: Journal,
  adapter: ImportAdapter,
): Promise<void> {
  original.sentToUnknown();
  const lost = original.count("unknown");
  if (lost > 0) {
    await awaitLateWrites(context, lost);
    await importRun(adapter, context, original, identity.group_id).lookUp();
    original.step("reconciled");
  }
  // What it had still planned is not to be done any more.
  if (original.setting("finished_at") === undefined)
    original.setSetting("finished_at", context.machineClock.now());
  await compareWithNow(context, original, journal, adapter);
}

/** Decides it, of what is known to be done. Sends nothing but reads, and leaves the run as it is. */
export async function compareWithNow(
  { signal, listener }: RunContext,
  original: Journal,
  journal: Journal,
  adapter: ImportAdapter,
): Promise<void> {
  const now = createNow(journal);
  let count = 0;
  for await (const page of batches(
    adapter.remoteItems(() => true),
    itemsPerCommit,
  )) {
    journal.database.transaction(() => page.forEach(now.add));
    count += page.length;
    listener.reading(count);
    signal.throwIfAborted();
  }
  for (const name of ["file", "group_name", "profile"]) {
    journal.setSetting(name, original.setting(name) ?? null);
  }
  journal.database.transaction(() => {
    for (const items of doneByTarget(original)) journal.insert(planReversal(items, now.get, adapter));
  });
}

/** The group at the undo's start, in its own file. */
function createNow({ database }: Journal) {
  database.exec(
    "CREATE TABLE IF NOT EXISTS things (id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, value TEXT NOT NULL)",
  );
  return {
    add: ({ id, fingerprint, value }: RemoteItem) => {
      database
        .prepare("INSERT OR REPLACE INTO things (id, fingerprint, value) VALUES (?, ?, ?)")
        .run(id, fingerprint, JSON.stringify(value));
    },
    get: (id: string): RemoteItem | undefined => {
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
  now: (id: string) => RemoteItem | undefined,
  adapter: ImportAdapter,
): NewItem {
  const [first] = items;
  const { number, line, target = "" } = first;
  const skipped = (outcome: string, detail?: unknown): NewItem => {
    return { number, line, state: "skipped", outcome, target, detail };
  };
  const found = now(target);
  if (found === undefined) return skipped("gone");
  if (first.action === "create") {
    if (found.fingerprint !== first.fingerprint) return skipped("changed", { now: found.value });
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
  const restored = fields.filter((field) => adapter.hasFields(found.value, { [field]: after[field] }));
  const left = fields.filter((field) => !restored.includes(field));
  if (restored.length === 0) return skipped("changed", { left, now: found.value });
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
