import type { ChangeRecorder, Database, SqlValue } from "../../base/database.js";
import { closeJournalFile, closeRemovedFile, openJournalFile } from "./file.js";
import { type Item, type ItemState, itemOf, json, type NewItem, type Result } from "./item.js";
import type { JournalPublisher } from "./publisher.js";

/** The moments at which tests kill a process. */
export type Step =
  | "created"
  | "planned"
  | "sending"
  | "sent"
  | "recording"
  | "recorded"
  | "reconciled"
  | "finished";

/**
 * The state of a bulk run in its own SQLite file. Each step is journaled first: *planned* before the first
 * request, *sent* before the first byte of a request, then the result. After a crash, the next process
 * continues from here.
 */
export class Journal {
  /** Counts the recorded events: the later of two events has the greater number. */
  private tick: number;
  /** Set for a run that several machines share. */
  private publisher: JournalPublisher | undefined;

  private constructor(
    readonly path: string,
    /** For the additional tables of a run type: indexes of observed items. */
    readonly database: Database,
    private readonly onStep: (step: Step) => void,
    /** The changes since the journal was opened, if it is shared. */
    readonly changes: ChangeRecorder | undefined,
  ) {
    const last = database
      .prepare("SELECT max(max(sent_tick), coalesce(max(ended_tick), 0)) AS tick FROM items")
      .get();
    this.tick = Number(last?.["tick"] ?? 0);
  }

  /**
   * Opens the file of a run and locks it until `close`: no other process can use the run, and a crash
   * releases the lock.
   * @param options.create the file must not exist yet; otherwise it must exist
   * @param options.shared records its changes, to publish them
   * @param options.durable survives a power failure (default); otherwise only a crash of its process
   * @throws BulkError `run_busy` if another process uses it
   */
  static async open(
    path: string,
    options: {
      create: boolean;
      durable?: boolean;
      shared?: boolean | undefined;
      onStep?: ((step: Step) => void) | undefined;
    },
  ): Promise<Journal> {
    const database = await openJournalFile(path, options);
    try {
      const changes = options.shared ? database.recordChanges() : undefined;
      const journal = new Journal(path, database, options.onStep ?? (() => {}), changes);
      if (options.create) journal.step("created");
      return journal;
    } catch (error) {
      closeJournalFile(database);
      throw error;
    }
  }

  publishWith(publisher: JournalPublisher): void {
    this.publisher = publisher;
  }

  /**
   * Resolves when other machines know what the journal holds; undefined if none shares it.
   * @throws BulkError see `JournalPublisher`
   */
  publish(): Promise<void> | undefined {
    return this.publisher?.publish();
  }

  /** Resolves when a request may leave; undefined if no other machine shares the journal. */
  confirm(): Promise<void> | undefined {
    return this.publisher?.confirm();
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

  /** Adds to a counter that all processes of the run share. */
  addTo(name: string, amount: number): void {
    this.setSetting(name, this.numberOf(name) + amount);
  }

  numberOf(name: string): number {
    const value = this.setting(name);
    return typeof value === "number" ? value : 0;
  }

  /** A single statement for at most a few dozen items. Insert many in one transaction. */
  insert(...items: readonly NewItem[]): void {
    const values = items.map(() => "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").join(", ");
    this.database
      .prepare(
        `INSERT INTO items (number, line, state, outcome, action, target, body, before, input, answer, detail) VALUES ${values}`,
      )
      .run(...items.flatMap((item) => [item.number, item.line, ...contentOf(item)]));
  }

  item(number: number): Item | undefined {
    const row = this.database.prepare("SELECT * FROM items WHERE number = ?").get(number);
    return row === undefined ? undefined : itemOf(row);
  }

  /** Yields the next items of any state, in the order of the input. */
  after(number: number, limit: number): Item[] {
    return this.database
      .prepare("SELECT * FROM items WHERE number > ? ORDER BY number LIMIT ?")
      .all(number, limit)
      .map(itemOf);
  }

  /** Returns the next items that wait to be sent, in the order of the input. */
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

  /** Returns the number of items by state and outcome. */
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

  /** Replaces the plan of an item that was not sent yet. */
  replan(item: NewItem): void {
    this.database
      .prepare(
        "UPDATE items SET state = ?, outcome = ?, action = ?, target = ?, body = ?, before = ?, input = ?, answer = ?, detail = ? WHERE number = ? AND state IN ('planned', 'skipped')",
      )
      .run(...contentOf(item), item.number);
  }

  /** Stores later knowledge about the result of a write. */
  completeResponse(number: number, data: unknown): void {
    this.database.prepare("UPDATE items SET answer = ? WHERE number = ?").run(json(data), number);
  }

  /** Replaces the request's body with the one that will be sent. */
  amend(number: number, body: unknown, detail: unknown): void {
    this.database
      .prepare("UPDATE items SET body = ?, detail = ? WHERE number = ?")
      .run(json(body), json(detail), number);
  }

  /** Stores the resource as it was read right before the write. */
  keepBefore(number: number, before: unknown): void {
    this.database.prepare("UPDATE items SET before = ? WHERE number = ?").run(json(before), number);
  }

  /** Plans a failed item again. A lost item can't be resolved afterwards. */
  reopen(number: number, outcome: string): void {
    this.database
      .prepare(
        "UPDATE items SET state = 'planned', outcome = ?, detail = NULL, attempts = 0 WHERE number = ? AND state IN ('rejected', 'skipped')",
      )
      .run(outcome, number);
  }

  /** Deletes a setting. */
  removeSetting(name: string): void {
    this.database.prepare("DELETE FROM settings WHERE name = ?").run(name);
  }

  /** Returns the first unfinished item before this one. */
  openBefore(number: number): number | undefined {
    const row = this.database
      .prepare(
        "SELECT number FROM items WHERE number < ? AND state IN ('planned', 'sent', 'unknown') AND NOT (state = 'unknown' AND json_extract(detail, '$.decided') IS 0) ORDER BY number LIMIT 1",
      )
      .get(number);
    return row === undefined ? undefined : Number(row["number"]);
  }

  /**
   * Records the results of earlier items and the items to send next, in one commit, before the first byte is
   * sent.
   */
  record(results: readonly Result[], sending: readonly number[]): void {
    if (results.length === 0 && sending.length === 0) return;
    this.onStep(sending.length > 0 ? "sending" : "recording");
    this.tick += 1;
    this.database.transaction(() => {
      for (const result of results) this.apply(result);
      if (sending.length === 0) return;
      // One statement for all: with one statement per item, it takes twice as long.
      this.database
        .prepare(
          "UPDATE items SET state = 'sent', attempts = attempts + 1, sent_tick = ?, ended_tick = NULL WHERE number IN (SELECT value FROM json_each(?))",
        )
        .run(this.tick, JSON.stringify(sending));
    });
    if (sending.length === 0) this.publisher?.publishSoon();
    this.onStep(sending.length > 0 ? "sent" : "recorded");
  }

  /** Records the result of an item, within a transaction of others. */
  apply(result: Result): void {
    switch (result.state) {
      case "done":
        this.database
          .prepare(
            "UPDATE items SET state = 'done', target = ?, answer = coalesce(?, answer), detail = coalesce(?, detail), ended_tick = ? WHERE number = ?",
          )
          .run(result.target, json(result.answer), json(result.detail), this.tick, result.number);
        return;
      case "rejected":
        this.database
          .prepare("UPDATE items SET state = 'rejected', outcome = ?, detail = ? WHERE number = ?")
          .run(result.outcome, json(result.detail), result.number);
        return;
      case "skipped":
        this.database
          .prepare(
            "UPDATE items SET state = 'skipped', outcome = ?, detail = ?, target = coalesce(?, target) WHERE number = ?",
          )
          .run(result.outcome, json(result.detail), result.target ?? null, result.number);
        return;
      case "unknown":
        this.database
          .prepare("UPDATE items SET state = 'unknown', detail = ? WHERE number = ?")
          .run(json(result.detail), result.number);
        return;
      case "planned":
        // A request that certainly had no effect does not count.
        this.database
          .prepare(
            "UPDATE items SET state = 'planned', attempts = attempts - (state = 'sent') WHERE number = ?",
          )
          .run(result.number);
    }
  }

  /** Marks items that an earlier process sent without recording a response as unconfirmed. */
  sentToUnknown(): number {
    return this.database.prepare("UPDATE items SET state = 'unknown' WHERE state = 'sent'").run();
  }

  /** These lost requests can no longer take effect: later requests are newer. */
  endWindows(numbers: readonly number[]): void {
    this.tick += 1;
    this.database.transaction(() => {
      const end = this.database.prepare(
        "UPDATE items SET ended_tick = ? WHERE number = ? AND state = 'unknown' AND ended_tick IS NULL",
      );
      for (const number of numbers) end.run(this.tick, number);
    });
  }

  /** Returns whether this run created or changed the resource with this id. */
  knowsTarget(id: string): boolean {
    return this.database.prepare("SELECT 1 FROM items WHERE target = ? LIMIT 1").get(id) !== undefined;
  }

  /** Marks items with this outcome as unknown again. */
  doubt(outcome: string, reason: string): void {
    this.database
      .prepare("UPDATE items SET state = 'unknown', detail = ? WHERE outcome = ? AND state = 'rejected'")
      .run(json({ reason, decided: false }), outcome);
  }

  /** Returns all resources that were created, changed or deleted. */
  *done(): Generator<Item, void> {
    const rows = this.database
      .prepare("SELECT * FROM items WHERE state = 'done' AND target IS NOT NULL")
      .iterate();
    for (const row of rows) yield itemOf(row);
  }

  /** For an undo: returns whether the resource with this id was deleted, by the undo or before it. */
  isGone(id: string): boolean {
    const row = this.database
      .prepare(
        "SELECT 1 FROM items WHERE target = ? AND (state = 'done' AND action = 'delete' OR outcome = 'gone') LIMIT 1",
      )
      .get(id);
    return row !== undefined;
  }

  /** Returns whether the run has sent anything. */
  hasSent(): boolean {
    return this.database.prepare("SELECT 1 FROM items WHERE attempts > 0 LIMIT 1").get() !== undefined;
  }

  /** Returns whether this run is confirmed to have created or changed the resource with this id. */
  hasDone(id: string): boolean {
    const row = this.database
      .prepare("SELECT 1 FROM items WHERE target = ? AND state = 'done' LIMIT 1")
      .get(id);
    return row !== undefined;
  }

  /**
   * Clears a partly journaled plan but keeps the note about a created group. Clears the file in place: a
   * waiting process would otherwise write to a deleted file.
   */
  clear(): void {
    this.database.transaction(() => {
      const tables = this.database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('items', 'settings')")
        .all();
      for (const { name } of tables) this.database.exec(`DROP TABLE "${String(name)}"`);
      this.database.exec("DELETE FROM items; DELETE FROM settings WHERE name <> 'group_made'");
    });
    this.tick = 0;
    this.step("created");
  }

  close(): void {
    closeJournalFile(this.database);
  }

  /** Closes a run that `remove` deletes. */
  closeRemoved(remove: () => Promise<void>): Promise<void> {
    return closeRemovedFile(this.database, remove);
  }
}

/** The columns of an item except its number and line. */
function contentOf(item: NewItem): SqlValue[] {
  return [
    item.state,
    item.outcome,
    item.action ?? null,
    item.target ?? null,
    json(item.body),
    json(item.before),
    json(item.input),
    json(item.answer),
    json(item.detail),
  ];
}
