import { type Item, isFinal, type Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";

/** One thing of the service, as it is now. */
export interface RemoteItem {
  readonly id: string;
  readonly fingerprint: string;
  readonly value: unknown;
}

/** How a run reads what is there. */
export interface Lookup {
  /** Everything that the run's requests could have touched. */
  remoteItems(): AsyncIterable<RemoteItem>;
  /** Was it there before the run? */
  existedBefore(id: string): boolean;
  /** Did a lost update take place? `changed`: somebody else has changed the same since, or before. */
  judgeUpdate(item: Item, now: RemoteItem): "done" | "undone" | "changed";
}

/** After so many tries, each found not to have happened, it is given up. */
const maximumAttempts = 5;
/** The same for what does no harm twice. */
const maximumResends = 20;

/**
 * Finds out by reading what became of the items whose answers were lost. Equal ones are told apart by number only: of
 * three equal rows with two found, two are done and one is sent again.
 * @throws when the group can't be read; what is unknown stays so
 */
export async function reconcile(journal: Journal, signal: AbortSignal, lookup: Lookup): Promise<void> {
  const conclude = (result: Result) => journal.record([result], []);

  for await (const now of lookup.remoteItems()) {
    signal.throwIfAborted();
    const item = journal.lostAbout(now.id);
    if (item !== undefined) {
      conclude(afterReading(item, lookup.judgeUpdate(item, now)));
    } else if (!lookup.existedBefore(now.id) && !journal.knowsTarget(now.id)) {
      const lost = journal.lostCreate(now.fingerprint);
      if (lost) conclude({ number: lost.number, state: "done", target: now.id });
    }
  }
  for (const item of eachIn(journal, "unknown")) {
    const result = afterMissing(item);
    if (result) conclude(result);
  }
}

/** Items of a state, in the order of the input; their state may change on the way. */
function* eachIn(journal: Journal, state: Item["state"]): Generator<Item, void> {
  let after = 0;
  for (;;) {
    const items = journal.inState(state, after, 200);
    yield* items;
    const last = items.at(-1);
    if (last === undefined) return;
    after = last.number;
  }
}

function afterReading(item: Item, judgement: "done" | "undone" | "changed"): Result {
  const { number, target = "" } = item;
  if (item.action === "delete") return requeue(item);
  if (judgement === "done") return { number, state: "done", target };
  if (judgement === "undone") return requeue(item);
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
  if (item.action === "create") return requeue(item);
  // Nothing more can be found out.
  if (isFinal(item)) return undefined;
  return { number, state: "rejected", outcome: "failed", detail: { reason: "it is no longer there" } };
}

/** Certainly did not happen: it may be sent again, unless that was tried often enough. */
export function requeue(item: Item): Result {
  const { number, attempts } = item;
  if (attempts < maximumAttempts) return { number, state: "planned" };
  return { number, state: "rejected", outcome: "failed", detail: { ...recordOf(item.detail), attempts } };
}

/** May have happened, and does no harm twice: it is sent again, unless that was tried often enough. */
export function resend(item: Item): Result {
  const { number, attempts } = item;
  if (attempts < maximumResends) return { number, state: "planned" };
  return { number, state: "unknown", detail: { ...recordOf(item.detail), attempts, decided: false } };
}
