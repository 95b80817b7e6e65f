/**
 * Lists a run's writes for audits: who changed which resource, when, and by which command. Omits personal
 * data.
 */
import { createHash } from "node:crypto";
import * as z from "zod";
import type { Row } from "../../base/database.js";
import { type Author, readAuthors, readOtherWrites, WriteOutcome } from "./authors.js";
import { identityOf } from "./identity.js";
import type { Journal } from "./journal.js";
import { originOf } from "./origin.js";

const text = z.string().nullable();
const Write = z.object({
  /** Time of the last request. Null if an earlier process may have sent it. */
  time: text,
  by: text,
  job: text,
  command: text,
  profile: text,
  base_url: text,
  /** See `RunOrigin`. Missing in lists from an earlier version of voxctl. */
  member: text.default(null),
  run: z.string(),
  /** Number of the row or step. Null if the write is not an item of the run. */
  item: z.number().nullable(),
  operation: z.string(),
  /** ID of the written resource; null if a create returned no ID. */
  resource_id: text,
  outcome: WriteOutcome,
});
export type Write = z.output<typeof Write>;

/** The writes of a run, as JSON Lines. */
export interface RunWrites {
  /** Contains a hash of the content, so that equal lists have equal names. */
  name: string;
  content: Buffer;
}

export function readWrites(journal: Journal): RunWrites | undefined {
  const lines: Buffer[] = [];
  for (const write of listWrites(journal)) lines.push(Buffer.from(`${JSON.stringify(write)}\n`));
  const content = Buffer.concat(lines);
  if (content.length === 0) return undefined;
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 8);
  const name = nameRun({ id: runIdOf(journal), started_at: originOf(journal).started_at });
  return { name: `${name}-${hash}`, content };
}

/**
 * Returns a name that sorts runs by start time. The ID alone is not unique, because a new run may get a
 * removed run's ID.
 */
export function nameRun({ id, started_at }: { id: string; started_at: string | null }): string {
  return `${(started_at ?? "").replace(/[^0-9T]/g, "")}-${id}`;
}

export function runOfWrites(name: string): { name: string; id: string } {
  const run = name.slice(0, name.lastIndexOf("-"));
  return { name: run, id: run.slice(run.indexOf("-") + 1) };
}

export function* parseWrites(content: Buffer): Generator<Write, void> {
  for (let start = 0; start < content.length; ) {
    const end = content.indexOf("\n", start);
    yield Write.parse(JSON.parse(content.toString("utf8", start, end)));
    start = end + 1;
  }
}

/** Merges lists of one run's writes. A list may lack items and outcomes that another list contains. */
export function mergeWrites(lists: readonly Iterable<Write>[]): Iterable<Write> {
  const [first, ...others] = lists;
  if (first !== undefined && others.length === 0) return first;
  const merged = new Map<string, Write>();
  for (const list of lists)
    for (const write of list) {
      const key = JSON.stringify(write.item ?? [write.operation, write.resource_id]);
      const known = merged.get(key);
      if (known === undefined || isLater(write, known)) merged.set(key, write);
    }
  return [...merged.values()].sort((left, right) => (left.item ?? 0) - (right.item ?? 0));
}

const outcomes: readonly Write["outcome"][] = ["unconfirmed", "failed", "done"];

function isLater(write: Write, known: Write): boolean {
  const [time, knownTime] = [write.time ?? "", known.time ?? ""];
  return time === knownTime
    ? outcomes.indexOf(write.outcome) > outcomes.indexOf(known.outcome)
    : time > knownTime;
}

function* listWrites(journal: Journal): Generator<Write, void> {
  const { started_with, profile, base_url, member } = originOf(journal);
  const { kind = "", group_id: groupId = null } = identityOf(journal) ?? {};
  const run = runIdOf(journal);
  const authors = readAuthors(journal);
  const toWrite = (author: Author | undefined, at: unknown): Omit<Write, "operation" | "outcome"> => ({
    time: typeof at === "number" ? new Date(at).toISOString() : null,
    by: author?.by ?? null,
    job: author?.job ?? null,
    command: author?.command ?? started_with ?? "",
    ...{ profile, base_url, member, run, item: null, resource_id: null },
  });
  if (journal.setting("group_made") === true)
    yield {
      ...toWrite(authors[0], journal.setting("started_at")),
      ...{ operation: "groups.create", resource_id: groupId, outcome: "done" },
    };
  const [resource = ""] = kind.split(".");
  for (const row of sentItems(journal)) {
    const [tick, action] = [Number(row["sent_tick"]), String(row["action"] ?? "create")];
    // If the time is unknown, another process may have sent the request.
    const author = row["at"] === null ? undefined : authors.findLast((earlier) => earlier.tick < tick);
    yield {
      ...toWrite(author, row["at"]),
      item: Number(row["number"]),
      operation: String(row["op"] ?? `${resource}.${action}`),
      resource_id: typeof row["target"] === "string" ? row["target"] : null,
      outcome: outcomeOf(row),
    };
  }
  for (const { operation, id, at, outcome } of readOtherWrites(journal))
    yield { ...toWrite(authors.at(-1), at), operation, resource_id: id, outcome };
}

function sentItems({ database }: Journal): Iterable<Row> {
  const hasTimes = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sends'").get() !== undefined;
  const times = hasTimes ? "LEFT JOIN sends ON tick = sent_tick" : "";
  return database
    .prepare(
      `SELECT number, state, action, target, attempts, sent_tick, ended_tick, json_extract(input, '$.step.op') AS op,
         ${hasTimes ? "at" : "NULL AS at"}
       FROM items ${times} WHERE attempts > 0 ORDER BY number`,
    )
    .iterate();
}

/**
 * Returns an item's outcome. A refused item may still have taken effect if an earlier response was lost:
 * either the item was sent again, or `ended_tick` is set.
 */
function outcomeOf({ state, attempts, ended_tick }: Row): Write["outcome"] {
  if (state === "done") return "done";
  return state === "rejected" && attempts === 1 && ended_tick === null ? "failed" : "unconfirmed";
}

function runIdOf(journal: Journal): string {
  return String(journal.setting("id") ?? "");
}
