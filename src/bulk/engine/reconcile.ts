import type { Clock } from "../../base/clock.js";
import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";

/** One thing of the group, as it is now. */
export interface Found {
  readonly id: string;
  readonly fingerprint: string;
  readonly value: unknown;
}

/** How a kind of run looks at what is there. */
export interface Lookup {
  /** Everything that the run's requests could have touched. */
  things(): AsyncIterable<Found>;
  /** Was it there before the run? */
  existedBefore(id: string): boolean;
  /** Did a lost update take place? `changed`: somebody else has changed the same since, or before. */
  judgeUpdate(item: Item, found: Found): "done" | "undone" | "changed";
}

export interface ReconcileOptions {
  journal: Journal;
  lookup: Lookup;
  clock: Clock;
  signal: AbortSignal;
  /** How long a request whose answer was lost may still be on its way. */
  settleMilliseconds: number;
}

/** After so many tries, each found not to have happened, it is given up. */
const maximumAttempts = 5;

/**
 * Finds out by reading what became of the items whose answers were lost. Equal ones are told apart by number only: of
 * three equal rows with two found, two are done and one is sent again.
 * @throws when the group can't be read; what is unknown stays so
 */
export async function reconcile({
  journal,
  lookup,
  clock,
  signal,
  settleMilliseconds,
}: ReconcileOptions): Promise<void> {
  if (settleMilliseconds > 0) await clock.sleep(settleMilliseconds, signal);
  const settle = (result: Result) => journal.record([result], []);

  for await (const found of lookup.things()) {
    signal.throwIfAborted();
    const item = journal.lostAbout(found.id);
    if (item !== undefined) {
      settle(afterLooking(item, lookup.judgeUpdate(item, found)));
    } else if (!lookup.existedBefore(found.id) && !journal.knowsTarget(found.id)) {
      const lost = journal.lostCreate(found.fingerprint);
      if (lost) settle({ number: lost.number, state: "done", target: found.id });
    }
  }
  let after = 0;
  for (;;) {
    const missing = journal.inState("unknown", after, 200);
    const last = missing.at(-1);
    if (last === undefined) break;
    after = last.number;
    for (const item of missing) {
      const result = afterMissing(item);
      if (result) settle(result);
    }
  }
  journal.step("reconciled");
}

function afterLooking(item: Item, judgement: "done" | "undone" | "changed"): Result {
  const { number, target = "" } = item;
  if (item.action === "delete") return again(item);
  if (judgement === "done") return { number, state: "done", target };
  if (judgement === "undone") return again(item);
  return {
    number,
    state: "unknown",
    detail: { reason: "it was changed by somebody else meanwhile", decided: false },
  };
}

/** It is not among what is there. */
function afterMissing(item: Item): Result | undefined {
  const { number, target = "" } = item;
  if (item.action === "delete") return { number, state: "done", target };
  if (item.action === "create") return again(item);
  if (isUndecided(item)) return undefined;
  return { number, state: "rejected", outcome: "failed", detail: { reason: "it is no longer there" } };
}

/** Looked at, and nothing more can be found out. */
function isUndecided(item: Item): boolean {
  const { detail } = item;
  return typeof detail === "object" && detail !== null && "decided" in detail && detail.decided === false;
}

/** Certainly did not happen: it may be sent again, unless that was tried often enough. */
function again(item: Item): Result {
  const { number } = item;
  if (item.attempts < maximumAttempts) return { number, state: "planned" };
  const reason = typeof item.detail === "object" && item.detail !== null ? item.detail : {};
  return { number, state: "rejected", outcome: "failed", detail: { ...reason, attempts: item.attempts } };
}
