import { parseTime } from "../../base/time-text.js";
import { type Fields, fingerprintOf, pick } from "../fields.js";
import { type Item, isFinal } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { findResponseBefore, tickOfMade, type UnconfirmedCreates } from "../journal/unconfirmed-creates.js";
import type { RemoteItem } from "../remote.js";
import { recordOf } from "../values.js";
import type { RunContext } from "./context.js";
import { requeue, unconfirmedResult } from "./requeue.js";

/**
 * A list that is searched for the resources of lost creates. A lost create is a create without a response.
 */
export interface CreateScope {
  lost(): UnconfirmedCreates[];
  list(): AsyncIterable<RemoteItem>;
  /** Returns undefined if the resource was deleted or belongs to another scope. */
  read(id: string): Promise<RemoteItem | undefined>;
  /** Fields that the list omits. */
  readonly unlisted: readonly string[];
  /** Returns whether the resource existed before the run's first request. */
  hasExisted(id: string): boolean;
}

/**
 * Maximum number of settle times to wait for a list that is proven to be up to date. After
 * that, lost creates without a matching resource stay unconfirmed.
 */
const windowsWithoutProof = 5;
/** Tolerance for creation times. Clocks may differ by a second, and times may be rounded to seconds. */
const createdToleranceMilliseconds = 2_000;
/** Maximum number of this run's resources to read to show that a list is up to date. */
const canariesRead = 3;

interface Reading {
  candidates: Map<string, RemoteItem[]>;
  /**
   * Tick at which the run created its newest resource that both the list and a get return. The list is
   * complete up to this tick. 0 without such a resource; Infinity if lists can't lag.
   */
  proves: number;
}

/**
 * Reads the list at least twice, a settle time apart. A lost create had no effect if no reading contains its
 * resource and the last two readings contain a canary. A canary is a resource that the run created when the
 * lost request could no longer arrive.
 */
export async function resolveUnconfirmedCreates(
  context: RunContext,
  journal: Journal,
  scope: CreateScope,
): Promise<void> {
  const { clock, signal, settleMilliseconds } = context;
  const isOpen = ({ items }: UnconfirmedCreates) => items.some((item) => !isFinal(item));
  if (!scope.lost().some(isOpen)) return;
  let last = await readForLost(context, journal, scope);
  const seen = last.candidates;
  for (let windows = 1; ; windows += 1) {
    if (settleMilliseconds > 0) await clock.sleep(settleMilliseconds, signal);
    const reading = await readForLost(context, journal, scope);
    for (const [fingerprint, items] of reading.candidates) {
      const known = seen.get(fingerprint) ?? [];
      const isNew = ({ id }: RemoteItem) => !known.some((item) => item.id === id);
      seen.set(fingerprint, [...known, ...items.filter(isNew)]);
    }
    const proves = Math.min(last.proves, reading.proves);
    last = reading;
    const isLast = windows >= windowsWithoutProof;
    for (const lost of scope.lost().filter(isOpen)) {
      const candidates = await findExisting(journal, scope, lost, seen.get(lost.fingerprint) ?? []);
      judge(journal, lost, candidates, proves, isLast);
    }
    if (!scope.lost().some(isOpen)) return;
  }
}

function judge(
  journal: Journal,
  { items: all }: UnconfirmedCreates,
  existing: readonly RemoteItem[],
  proves: number,
  isLast: boolean,
): void {
  const items = all.filter((item) => !isFinal(item));
  const sent = Math.min(...items.map(({ sentTick }) => sentTick));
  const candidates = existing.filter((item) => !isOlder(item, findResponseBefore(journal, sent)));
  if (candidates.length > items.length) {
    const reason = "there are more matching resources than requests without a response";
    const ids = candidates.map(({ id }) => id);
    journal.record(
      items.map((item) => unconfirmedResult(item, reason, { candidates: ids })),
      [],
    );
    return;
  }
  const isProven = items.every(({ endedTick }) => endedTick !== undefined && proves > endedTick);
  if (candidates.length < items.length && !isProven && !isLast) return;
  const results = items.map((item, index) => {
    const match = candidates[index];
    if (match !== undefined) return matched(item, match);
    return isProven
      ? requeue(item)
      : unconfirmedResult(item, "lists could not confirm whether the resource was created");
  });
  journal.record(results, []);
}

function matched({ number, detail }: Item, { id, record }: RemoteItem) {
  return {
    number,
    state: "done",
    target: id,
    answer: record,
    detail: { ...recordOf(detail), matched: "by content" },
  } as const;
}

/**
 * Returns whether a resource was created before `earlier`, by the service's clock.
 * @param earlier a resource from this run
 */
function isOlder({ record }: RemoteItem, earlier: unknown): boolean {
  const [made, before] = [record["created_at"], recordOf(earlier)["created_at"]];
  if (typeof made !== "string" || typeof before !== "string") return false;
  return parseTime(made) < parseTime(before) - createdToleranceMilliseconds;
}

/**
 * Reads each resource again, because lists may contain deleted resources and omit fields. Keeps the sent
 * fields as they matched: another user may have changed them before this reading.
 */
async function findExisting(
  journal: Journal,
  scope: CreateScope,
  { items: [lost] }: UnconfirmedCreates,
  candidates: readonly RemoteItem[],
): Promise<RemoteItem[]> {
  const existing: RemoteItem[] = [];
  for (const { id, record } of candidates) {
    if (journal.knowsTarget(id)) continue;
    const item = await scope.read(id);
    if (item === undefined) continue;
    const sent = pick(record, Object.keys(recordOf(lost.body)));
    existing.push({ ...item, record: { ...item.record, ...sent } });
  }
  return existing;
}

async function readForLost(context: RunContext, journal: Journal, scope: CreateScope): Promise<Reading> {
  const lostLike = createLikeness(scope.lost());
  const candidates: Reading["candidates"] = new Map();
  const canaries: { id: string; tick: number }[] = [];
  for await (const listed of scope.list()) {
    context.signal.throwIfAborted();
    const { id } = listed;
    const tick = tickOfMade(journal, id);
    if (tick !== undefined) canaries.push({ id, tick });
    if (scope.hasExisted(id) || journal.knowsTarget(id)) continue;
    const item = scope.unlisted.length === 0 ? listed : await scope.read(id);
    if (item === undefined) continue;
    for (const fingerprint of lostLike(item.record))
      candidates.set(fingerprint, [...(candidates.get(fingerprint) ?? []), item]);
  }
  if (context.settleMilliseconds === 0) return { candidates, proves: Number.POSITIVE_INFINITY };
  const youngest = canaries.sort((left, right) => right.tick - left.tick).slice(0, canariesRead);
  for (const { id, tick } of youngest) {
    if ((await scope.read(id)) !== undefined) return { candidates, proves: tick };
  }
  return { candidates, proves: 0 };
}

/** Compares only the sent fields, because the service may set other fields. */
function createLikeness(lost: readonly UnconfirmedCreates[]): (record: Fields) => string[] {
  const byFields = new Map<string, { names: string[]; lost: Map<string, string> }>();
  for (const { fingerprint, items } of lost) {
    const body = recordOf(items[0].body);
    const names = Object.keys(body).sort();
    const same = byFields.get(names.join()) ?? { names, lost: new Map<string, string>() };
    same.lost.set(fingerprintOf(names, body), fingerprint);
    byFields.set(names.join(), same);
  }
  return (record) =>
    [...byFields.values()].flatMap(({ names, lost: same }) => same.get(fingerprintOf(names, record)) ?? []);
}
