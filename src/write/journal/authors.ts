import * as z from "zod";
import type { Journal } from "./journal.js";

const Author = z.object({
  /** User and host, such as `anna@lap-07`; null in an anonymous store. */
  by: z.string().nullable(),
  job: z.string().nullable(),
  /** Command without its arguments, which may contain personal data. */
  command: z.string(),
});
export type Author = z.output<typeof Author>;

/** `tick` is the journal's tick before the author's first request. */
const Authors = z.array(Author.extend({ tick: z.number() }));
const authorsName = "authors";

/** Stores the author. Also creates the table for the times of requests. */
export function addAuthor(journal: Journal, author: Author): void {
  journal.setSetting(authorsName, [...readAuthors(journal), { ...author, tick: journal.lastTick() }]);
  journal.database.exec("CREATE TABLE IF NOT EXISTS sends (tick INTEGER PRIMARY KEY, at INTEGER NOT NULL)");
}

export function readAuthors(journal: Journal): z.output<typeof Authors> {
  return Authors.safeParse(journal.setting(authorsName)).data ?? [];
}

export const WriteOutcome = z.enum(["done", "failed", "unconfirmed"]);

const OtherWrite = z.object({
  operation: z.string(),
  id: z.string(),
  at: z.number(),
  outcome: WriteOutcome,
});
export type OtherWrite = z.output<typeof OtherWrite>;
const OtherWrites = z.array(OtherWrite);
const otherWritesName = "other_writes";

/** Records a write that is not an item of the run. Replaces the record of an earlier attempt. */
export function noteOtherWrite(journal: Journal, write: OtherWrite): void {
  const others = readOtherWrites(journal).filter(
    ({ operation, id }) => operation !== write.operation || id !== write.id,
  );
  journal.setSetting(otherWritesName, [...others, write]);
}

export function readOtherWrites(journal: Journal): OtherWrite[] {
  return OtherWrites.safeParse(journal.setting(otherWritesName)).data ?? [];
}
