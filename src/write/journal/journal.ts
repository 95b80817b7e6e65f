import type { ChangeRecorder, Database } from "../../base/database.js";
import { closeJournalFile, closeRemovedFile, openJournalFile } from "./file.js";
import { type Item, itemOf, json, type NewItem, type Result } from "./item.js";
import type { JournalPublisher } from "./publisher.js";
import { SecretFields } from "./secret-fields.js";

/** Points at which tests can stop a process. */
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
 * All items are journaled as planned before the first request, and each item is marked as sent before its
 * request. After a crash, the next process resumes from the journal.
 */
export class Journal {
  /** Number of the last recorded event. Items store the numbers of their events, which show the order. */
  private tick: number;
  /** Set only if several machines share the run. */
  private publisher: JournalPublisher | undefined;
  private readonly secrets: SecretFields;

  private constructor(
    readonly path: string,
    /** Each type of run can create additional tables in this database. */
    readonly database: Database,
    private readonly onStep: (step: Step) => void,
    /** Set only for a shared journal. */
    readonly changes: ChangeRecorder | undefined,
  ) {
    const last = database
      .prepare("SELECT max(max(sent_tick), coalesce(max(ended_tick), 0)) AS tick FROM items")
      .get();
    this.tick = Number(last?.["tick"] ?? 0);
    this.secrets = new SecretFields(database);
  }

  lastTick(): number {
    return this.tick;
  }

  /**
   * Opens a run's file and locks it until `close`. A crash also releases the lock.
   * @param options.create whether to create the file; if false, it must exist
   * @param options.shared whether to record changes so that they can be published
   * @param options.isRead whether the journal is only read
   * @param options.durable whether the journal must survive a power failure (default) or only a crash of the
   * process
   * @throws BulkError `run_busy` if another process uses the run
   */
  static async open(
    path: string,
    options: {
      create: boolean;
      durable?: boolean;
      isRead?: boolean;
      waits?: boolean;
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
   * Returns undefined if no other machine shares the journal.
   * @throws BulkError see `JournalPublisher`
   */
  publish(): Promise<void> | undefined {
    return this.publisher?.publish();
  }

  /** Waits until a request may be sent. Returns undefined if no other machine shares the journal. */
  confirm(): Promise<void> | undefined {
    return this.publisher?.confirm();
  }

  /** Returns whether a confirmed request may still be sent. */
  isSafe(): boolean {
    return this.publisher?.isSafe() !== false;
  }

  /** Returns the error to report after the run has stopped. See `JournalPublisher`. */
  async handOver(cause: unknown): Promise<unknown> {
    return this.publisher === undefined ? cause : this.publisher.handOver(cause);
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

  addTo(name: string, amount: number): void {
    this.setSetting(name, this.numberOf(name) + amount);
  }

  numberOf(name: string): number {
    const value = this.setting(name);
    return typeof value === "number" ? value : 0;
  }

  /**
   * Inserts up to a few dozen items with one statement. For more items, call it repeatedly in a transaction.
   */
  insert(...items: readonly NewItem[]): void {
    const values = items.map(() => "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").join(", ");
    this.database
      .prepare(
        `INSERT INTO items (number, line, state, outcome, action, target, body, before, input, answer, detail) VALUES ${values}`,
      )
      .run(...items.flatMap((item) => [item.number, item.line, ...this.secrets.contentOf(item)]));
  }

  item(number: number): Item | undefined {
    const row = this.database.prepare("SELECT * FROM items WHERE number = ?").get(number);
    return row === undefined ? undefined : itemOf(row);
  }

  after(number: number, limit: number): Item[] {
    return this.database
      .prepare("SELECT * FROM items WHERE number > ? ORDER BY number LIMIT ?")
      .all(number, limit)
      .map(itemOf);
  }

  planned(after: number, limit: number): Item[] {
    return this.inState("planned", after, limit);
  }

  inState(state: Item["state"], after: number, limit: number): Item[] {
    return this.database
      .prepare("SELECT * FROM items WHERE state = ? AND number > ? ORDER BY number LIMIT ?")
      .all(state, after, limit)
      .map(itemOf);
  }

  count(state: Item["state"]): number {
    return Number(
      this.database.prepare("SELECT count(*) AS n FROM items WHERE state = ?").get(state)?.["n"] ?? 0,
    );
  }

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

  replan(item: NewItem): void {
    this.database
      .prepare(
        "UPDATE items SET state = ?, outcome = ?, action = ?, target = ?, body = ?, before = ?, input = ?, answer = ?, detail = ? WHERE number = ? AND state IN ('planned', 'skipped')",
      )
      .run(...this.secrets.contentOf(item), item.number);
  }

  completeResponse(number: number, data: unknown): void {
    this.database
      .prepare("UPDATE items SET answer = ? WHERE number = ?")
      .run(this.secrets.omitFrom(data, number), number);
  }

  /** Replaces an item's body and detail. After the item's request is sent, only the detail may change. */
  amend(number: number, body: unknown, detail: unknown): void {
    this.database
      .prepare("UPDATE items SET body = ?, detail = ? WHERE number = ?")
      .run(json(body), json(detail), number);
  }

  keepBefore(number: number, before: unknown): void {
    this.database
      .prepare("UPDATE items SET before = ? WHERE number = ?")
      .run(this.secrets.omitFrom(before, number), number);
  }

  /** Changes a failed or skipped item back to planned and clears its detail and attempts. */
  reopen(number: number, outcome: string): void {
    this.database
      .prepare(
        "UPDATE items SET state = 'planned', outcome = ?, detail = NULL, attempts = 0 WHERE number = ? AND state IN ('rejected', 'skipped')",
      )
      .run(outcome, number);
  }

  removeSetting(name: string): void {
    this.database.prepare("DELETE FROM settings WHERE name = ?").run(name);
  }

  openBefore(number: number): number | undefined {
    const row = this.database
      .prepare(
        "SELECT number FROM items WHERE number < ? AND state IN ('planned', 'sent', 'unknown') AND NOT (state = 'unknown' AND json_extract(detail, '$.decided') IS 0) ORDER BY number LIMIT 1",
      )
      .get(number);
    return row === undefined ? undefined : Number(row["number"]);
  }

  /**
   * Records results and marks the next items as sent, in one commit. Called before the requests are sent.
   * @param at time of the requests, in milliseconds since the epoch; undefined if another process may have
   *   sent them
   */
  record(results: readonly Result[], sending: readonly number[], at?: number): void {
    if (results.length === 0 && sending.length === 0) return;
    this.onStep(sending.length > 0 ? "sending" : "recording");
    this.tick += 1;
    this.database.transaction(() => {
      for (const result of results) this.apply(result);
      if (sending.length === 0) return;
      // For several items, one statement takes half the time; for one item, a list would take as long as the rest.
      const [list, value] =
        sending.length === 1
          ? ["?", Number(sending[0])]
          : ["SELECT value FROM json_each(?)", JSON.stringify(sending)];
      this.database
        .prepare(
          `UPDATE items SET state = 'sent', attempts = attempts + 1, sent_tick = ?, ended_tick = NULL WHERE number IN (${list})`,
        )
        .run(this.tick, value);
      if (at === undefined) return;
      this.database.prepare("INSERT OR REPLACE INTO sends (tick, at) VALUES (?, ?)").run(this.tick, at);
    });
    if (sending.length === 0) this.publisher?.publishSoon();
    this.onStep(sending.length > 0 ? "sent" : "recorded");
  }

  /** Must be called within a transaction. */
  apply(result: Result): void {
    switch (result.state) {
      case "done":
        this.database
          .prepare(
            "UPDATE items SET state = 'done', target = ?, answer = coalesce(?, answer), detail = coalesce(?, detail), ended_tick = ? WHERE number = ?",
          )
          .run(
            result.target,
            this.secrets.omitFrom(result.answer, result.number),
            json(result.detail),
            this.tick,
            result.number,
          );
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
        // The request certainly had no effect, so it doesn't count as an attempt.
        this.database
          .prepare(
            "UPDATE items SET state = 'planned', attempts = attempts - (state = 'sent') WHERE number = ?",
          )
          .run(result.number);
    }
  }

  /** Marks items as unconfirmed if an earlier process sent them without recording a response. */
  sentToUnknown(): number {
    return this.database.prepare("UPDATE items SET state = 'unknown' WHERE state = 'sent'").run();
  }

  endWindows(numbers: readonly number[]): void {
    this.tick += 1;
    this.database.transaction(() => {
      const end = this.database.prepare(
        "UPDATE items SET ended_tick = ? WHERE number = ? AND state = 'unknown' AND ended_tick IS NULL",
      );
      for (const number of numbers) end.run(this.tick, number);
    });
  }

  /** Returns whether this run may have created or changed a resource. */
  knowsTarget(id: string): boolean {
    return this.database.prepare("SELECT 1 FROM items WHERE target = ? LIMIT 1").get(id) !== undefined;
  }

  /** Changes rejected items with this outcome back to unconfirmed. */
  doubt(outcome: string, reason: string): void {
    this.database
      .prepare("UPDATE items SET state = 'unknown', detail = ? WHERE outcome = ? AND state = 'rejected'")
      .run(json({ reason, decided: false }), outcome);
  }

  *done(): Generator<Item, void> {
    const rows = this.database
      .prepare("SELECT * FROM items WHERE state = 'done' AND target IS NOT NULL")
      .iterate();
    for (const row of rows) yield itemOf(row);
  }

  /** Returns whether this undo deleted a resource or found it missing. */
  isGone(id: string): boolean {
    const row = this.database
      .prepare(
        "SELECT 1 FROM items WHERE target = ? AND (state = 'done' AND action = 'delete' OR outcome = 'gone') LIMIT 1",
      )
      .get(id);
    return row !== undefined;
  }

  /**
   * Returns whether any request may have taken effect. The last request for a rejected item doesn't count,
   * because it had no effect.
   */
  mayHaveEffect(): boolean {
    const sent = "SELECT 1 FROM items WHERE attempts > (state = 'rejected') LIMIT 1";
    return this.database.prepare(sent).get() !== undefined;
  }

  hasSent(): boolean {
    return this.database.prepare("SELECT 1 FROM items WHERE attempts > 0 LIMIT 1").get() !== undefined;
  }

  hasDone(id: string): boolean {
    const row = this.database
      .prepare("SELECT 1 FROM items WHERE target = ? AND state = 'done' LIMIT 1")
      .get(id);
    return row !== undefined;
  }

  /**
   * Deletes an incomplete plan but keeps the record of a created group. Keeps the file, because another
   * process may be waiting for its lock.
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

  closeRemoved(remove: () => Promise<void>): Promise<void> {
    return closeRemovedFile(this.database, remove);
  }
}
