import { failureDetail } from "../engine/failure.js";
import type { Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import type { PlanItem } from "./compare.js";
import { itemsIn, planItemOf } from "./items.js";
import type { Noting } from "./send.js";

/** Writes down what is about to be sent, and what came of it, before anything else is done. */
export interface Log {
  /** For a request about all of these. */
  noting(items: readonly PlanItem[]): Noting;
  created(item: PlanItem, id: string): void;
  /** It was there: made by somebody else since the plan was compared. */
  exists(item: PlanItem): void;
  /** It differs, conflicts or failed, as its action says. */
  ended(item: PlanItem): void;
  /** It certainly did not happen. */
  again(items: readonly PlanItem[]): void;
}

/** @param onSettled told how many items are through, of all that are in the journal to be created */
export function createLog(journal: Journal, onSettled: () => void): Log {
  const numbers = new Map<string, number>();
  for (const item of itemsIn(journal)) numbers.set(keyOf(planItemOf(item)), item.number);
  const numberOf = (item: PlanItem) => {
    const number = numbers.get(keyOf(item));
    if (number === undefined) throw new TypeError(`${keyOf(item)} is not in the journal`);
    return number;
  };
  const settle = (result: Result) => {
    journal.record([result], []);
    onSettled();
  };
  const again = (items: readonly PlanItem[]) =>
    journal.record(
      items.map((item) => ({ number: numberOf(item), state: "planned" as const })),
      [],
    );
  return {
    noting: (items) => ({
      sending: () => journal.record([], items.map(numberOf)),
      lost(error) {
        const detail = failureDetail(error);
        journal.record(
          items.map((item) => ({ number: numberOf(item), state: "unknown" as const, detail })),
          [],
        );
      },
      again: () => again(items),
    }),
    again,
    created: (item, id) => settle({ number: numberOf(item), state: "done", target: id }),
    // Made by somebody else: an undo must not take it for the run's.
    exists: (item) =>
      settle({ number: numberOf(item), state: "settled", outcome: "exists", detail: undefined }),
    ended(item) {
      const state = item.action === "differs" ? "settled" : "rejected";
      const detail = { reason: item.differences.join("; ") };
      settle({ number: numberOf(item), state, outcome: item.action, detail });
    },
  };
}

/** External ids and license ids are unique each in their kind (v2.duplicate). */
function keyOf({ kind, externalId }: PlanItem): string {
  return `${kind === "license" ? "license" : "organization"} ${externalId}`;
}
