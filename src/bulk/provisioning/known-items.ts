import { addTo } from "../../base/lists.js";
import { type Item, isFinal, type Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import type { PlanItem } from "./compare.js";
import { keyOf } from "./converge.js";
import { itemsIn, planItemOf, stepOf } from "./items.js";

/** An item of a run, and what came of it as far as this process knows. */
export interface KnownItem {
  readonly number: number;
  readonly step: ReturnType<typeof stepOf>;
  readonly planned: PlanItem;
  readonly state: Item["state"];
  readonly outcome: string;
  readonly target: string | undefined;
  readonly isFinal: boolean;
}

/**
 * The items of a run that one process drives, read from its journal once: what an item needs to know of those before it
 * is told by their results, as they come.
 */
export class KnownItems {
  private readonly items = new Map<number, KnownItem>();
  private readonly creates = new Map<string, number>();
  private readonly lines = new Map<number, number[]>();
  private readonly freeing = new Map<string, number[]>();
  /** All before it are through. */
  private front = 1;

  constructor(journal: Journal) {
    for (const item of itemsIn(journal)) {
      const { number, line, state, outcome, target } = item;
      const [step, planned] = [stepOf(item), planItemOf(item)];
      this.items.set(number, { number, step, planned, state, outcome, target, isFinal: isFinal(item) });
      addTo(this.lines, line, number);
      if (step === "create") this.creates.set(keyOf(planned), number);
      const freed = step === "change" ? planned.from?.license : undefined;
      if (freed != null) addTo(this.freeing, freed, number);
    }
  }

  /** @throws TypeError for a number that the run has not */
  of({ number }: { number: number }): KnownItem {
    const item = this.items.get(number);
    if (item === undefined) throw new TypeError(`a run without an item ${number}`);
    return item;
  }

  all(): Iterable<KnownItem> {
    return this.items.values();
  }

  /** The item that creates this, where the run has one. */
  creating(kind: PlanItem["kind"], externalId: string): KnownItem | undefined {
    return this.items.get(this.creates.get(keyOf({ kind, externalId })) ?? 0);
  }

  /** The items that take this license away from who holds it. */
  freeingLicense(license: string): KnownItem[] {
    return (this.freeing.get(license) ?? []).map((number) => this.of({ number }));
  }

  /** Was everything done that stands on this line of the plan? */
  isStepDone(line: number): boolean {
    return (this.lines.get(line) ?? []).every((number) => this.items.get(number)?.state === "done");
  }

  /** The first item that is not through, where there is one before this number. */
  openBefore(number: number): number | undefined {
    while (this.items.get(this.front)?.isFinal === true) this.front += 1;
    return this.front < number ? this.front : undefined;
  }

  /** Takes in what came of an item; the journal is told the same. */
  keep<R extends Result>(result: R): R {
    const item = this.of(result);
    const ended: Pick<Item, "state" | "detail"> = { detail: undefined, ...result };
    this.items.set(item.number, {
      ...item,
      state: result.state,
      outcome: "outcome" in result ? result.outcome : item.outcome,
      target: ("target" in result ? result.target : undefined) ?? item.target,
      isFinal: isFinal(ended),
    });
    if (!isFinal(ended)) this.front = Math.min(this.front, item.number);
    return result;
  }
}
