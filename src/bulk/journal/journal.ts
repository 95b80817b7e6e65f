import { chmod, open } from "node:fs/promises";
import { type Database, openDatabase } from "../../base/database.js";
import { BulkError } from "../errors.js";
import { type Item, type ItemState, itemOf, json, type NewItem, type Result } from "./item.js";

/** The moments at which a process may be killed, for tests that do so. */
export type Step =
  | "created"
  | "planned"
  | "sending"
  | "sent"
  | "recording"
  | "recorded"
  | "reconciled"
  | "finished";

const version = 1;
const schema = `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE items (
    number INTEGER PRIMARY KEY,
    line INTEGER NOT NULL,
    state TEXT NOT NULL,
    outcome TEXT NOT NULL,
    action TEXT,
    target TEXT,
    body TEXT,
    fingerprint TEXT,
    before TEXT,
    detail TEXT,
    attempts INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX items_open ON items (state, number) WHERE state IN ('planned', 'sent', 'unknown');
  CREATE INDEX items_lost ON items (fingerprint, number) WHERE state = 'unknown';
  CREATE INDEX items_target ON items (target) WHERE target IS NOT NULL;
  PRAGMA user_version = ${version};
`;

/**
 * What a bulk run knows, in an SQLite file of its own, written before it is done: *planned* before the first request,
 * *sent* before a request's first byte leaves, then what came of it. A process may end at any moment; the next one goes
 * on from here.
 */
export class Journal {
  private constructor(
    readonly path: string,
    /** For the tables that a kind of run adds: indexes of what was seen. */
    readonly database: Database,
    private readonly onStep: (step: Step) => void,
  ) {}

  /**
   * Opens a run's file and holds it until `close`: no other process can drive the run, and a dead one holds nothing.
   * @param options.create the file must not exist yet (else: must exist)
   * @param options.durable survives a power failure, too (default); else only the end of its process
   * @throws BulkError `run_busy` when another process drives it
   */
  static async open(
    path: string,
    options: { create: boolean; durable?: boolean; onStep?: ((step: Step) => void) | undefined },
  ): Promise<Journal> {
    if (options.create) {
      // Personal data: nobody else may read it, not even for a moment.
      const file = await open(path, "wx", 0o600).catch((error: unknown) => {
        // Another process was quicker by a moment.
        throw error instanceof Error && "code" in error && error.code === "EEXIST" ? busy(error) : error;
      });
      await file.close();
    } else {
      await chmod(path, 0o600);
    }
    const database = await openDatabase(path, { busyMilliseconds: 200 });
    try {
      // The exclusive lock is taken with the first access and lasts as long as the connection.
      database.exec("PRAGMA locking_mode = EXCLUSIVE");
      database.exec("PRAGMA journal_mode = WAL");
      // After a power failure a forgotten `sent` would be written twice.
      database.exec(`PRAGMA synchronous = ${options.durable === false ? "NORMAL" : "FULL"}`);
      database.transaction(() => {
        const found = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
        if (found === 0) database.exec(schema);
        else if (found !== version) {
          throw new BulkError("run_of_other_version", `${path} was written by another version of voxctl`);
        }
      });
    } catch (error) {
      database.close();
      if (error instanceof Error && /locked|busy/i.test(error.message)) {
        throw busy(error);
      }
      throw error;
    }
    const journal = new Journal(path, database, options.onStep ?? (() => {}));
    if (options.create) journal.step("created");
    return journal;
  }

  step(step: Step): void {
    this.onStep(step);
  }

  setting(name: string): unknown {
    const value = this.database.prepare("SELECT value FROM settings WHERE name = ?").get(name)?.["value"];
    return typeof value === "string" ? JSON.parse(value) : undefined;
  }

  setSetting(name: string, value: unknown): void {
    this.database
      .prepare(
        "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
      )
      .run(name, JSON.stringify(value));
  }

  /** Adds to a number that is kept over the run's processes. */
  addTo(name: string, amount: number): void {
    this.setSetting(name, this.numberOf(name) + amount);
  }

  numberOf(name: string): number {
    const value = this.setting(name);
    return typeof value === "number" ? value : 0;
  }

  /** Many belong into one transaction. */
  insert(item: NewItem): void {
    this.database
      .prepare(
        "INSERT INTO items (number, line, state, outcome, action, target, body, fingerprint, before, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      )
      .run(
        item.number,
        item.line,
        item.state,
        item.outcome,
        item.action ?? null,
        item.target ?? null,
        json(item.body),
        item.fingerprint ?? null,
        json(item.before),
        json(item.detail),
      );
  }

  /** The next items that wait to be sent, in the order of the input. */
  planned(after: number, limit: number): Item[] {
    return this.inState("planned", after, limit);
  }

  inState(state: ItemState, after: number, limit: number): Item[] {
    return this.database
      .prepare("SELECT * FROM items WHERE state = ? AND number > ? ORDER BY number LIMIT ?")
      .all(state, after, limit)
      .map(itemOf);
  }

  count(state: ItemState): number {
    return Number(
      this.database.prepare("SELECT count(*) AS n FROM items WHERE state = ?").get(state)?.["n"] ?? 0,
    );
  }

  /** How many items are in each state with each outcome. */
  counts(): { state: string; outcome: string; count: number }[] {
    return this.database
      .prepare("SELECT state, outcome, count(*) AS n FROM items GROUP BY state, outcome")
      .all()
      .map((row) => ({
        state: String(row["state"]),
        outcome: String(row["outcome"]),
        count: Number(row["n"]),
      }));
  }

  /** Decides anew about an item that was never sent. */
  replan(item: NewItem): void {
    this.database
      .prepare(
        "UPDATE items SET state = ?, outcome = ?, action = ?, target = ?, body = ?, fingerprint = ?, before = ?, detail = ? WHERE number = ? AND state = 'planned'",
      )
      .run(
        item.state,
        item.outcome,
        item.action ?? null,
        item.target ?? null,
        json(item.body),
        item.fingerprint ?? null,
        json(item.before),
        json(item.detail),
        item.number,
      );
  }

  /** Records what came of earlier items and what is sent next, in one commit, before the first byte of it leaves. */
  record(results: readonly Result[], sending: readonly number[]): void {
    if (results.length === 0 && sending.length === 0) return;
    this.step(sending.length > 0 ? "sending" : "recording");
    this.database.transaction(() => {
      for (const result of results) this.apply(result);
      const send = this.database.prepare(
        "UPDATE items SET state = 'sent', attempts = attempts + 1 WHERE number = ?",
      );
      for (const number of sending) send.run(number);
    });
    this.step(sending.length > 0 ? "sent" : "recorded");
  }

  private apply(result: Result): void {
    switch (result.state) {
      case "done":
        this.database
          .prepare("UPDATE items SET state = 'done', target = ? WHERE number = ?")
          .run(result.target, result.number);
        return;
      case "rejected":
        this.database
          .prepare("UPDATE items SET state = 'rejected', outcome = ?, detail = ? WHERE number = ?")
          .run(result.outcome, json(result.detail), result.number);
        return;
      case "unknown":
        this.database
          .prepare("UPDATE items SET state = 'unknown', detail = ? WHERE number = ?")
          .run(json(result.detail), result.number);
        return;
      case "planned":
        this.database.prepare("UPDATE items SET state = 'planned' WHERE number = ?").run(result.number);
    }
  }

  /** What an earlier process had sent without recording an answer: nobody knows what became of it. */
  sentToUnknown(): number {
    return this.database.prepare("UPDATE items SET state = 'unknown' WHERE state = 'sent'").run();
  }

  /** The first lost item that would have made something of this fingerprint. */
  lostCreate(fingerprint: string): Item | undefined {
    const row = this.database
      .prepare(
        "SELECT * FROM items WHERE state = 'unknown' AND fingerprint = ? AND action = 'create' ORDER BY number LIMIT 1",
      )
      .get(fingerprint);
    return row === undefined ? undefined : itemOf(row);
  }

  /** The lost item about the thing with this id. */
  lostAbout(target: string): Item | undefined {
    const row = this.database
      .prepare("SELECT * FROM items WHERE target = ? AND state = 'unknown' ORDER BY number LIMIT 1")
      .get(target);
    return row === undefined ? undefined : itemOf(row);
  }

  /** Did this run make, or change, the thing with this id? */
  knowsTarget(id: string): boolean {
    return this.database.prepare("SELECT 1 FROM items WHERE target = ? LIMIT 1").get(id) !== undefined;
  }

  /** Has this run made, or changed, the thing with this id, and knows so? */
  hasDone(id: string): boolean {
    const row = this.database
      .prepare("SELECT 1 FROM items WHERE target = ? AND state = 'done' LIMIT 1")
      .get(id);
    return row !== undefined;
  }

  /** What was done, by what it was done to: everything about one thing in its order. */
  *doneByTarget(): Generator<[Item, ...Item[]], void> {
    let target = "";
    for (;;) {
      const next = this.database
        .prepare("SELECT min(target) AS target FROM items WHERE target > ? AND state = 'done'")
        .get(target)?.["target"];
      if (typeof next !== "string") return;
      target = next;
      const [first, ...others] = this.database
        .prepare("SELECT * FROM items WHERE target = ? AND state = 'done' ORDER BY number")
        .all(target)
        .map(itemOf);
      if (first) yield [first, ...others];
    }
  }

  /** Items for the report, in the order of the input: all but those that simply came to be. */
  *reportable(): Generator<Item, void> {
    let after = 0;
    for (;;) {
      const rows = this.database
        .prepare(
          "SELECT * FROM items WHERE number > ? AND NOT (outcome IN ('created', 'deleted', 'restored') AND state IN ('done', 'planned')) ORDER BY number LIMIT 500",
        )
        .all(after)
        .map(itemOf);
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.number;
    }
  }

  close(): void {
    // Lets go of the lock at once: the driver may keep the connection until its statements are collected. Only out of
    // WAL can it be let go.
    this.database.exec("PRAGMA journal_mode = DELETE");
    this.database.exec("PRAGMA locking_mode = NORMAL");
    this.database.prepare("SELECT count(*) FROM settings").get();
    this.database.close();
  }
}

function busy(cause: unknown): BulkError {
  return new BulkError("run_busy", "another process drives this run", "wait until it ends, or end it", {
    cause,
  });
}
