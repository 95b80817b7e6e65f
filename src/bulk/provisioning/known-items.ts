import { addTo } from "../../base/lists.js";
import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { itemsIn } from "../journal/outcome.js";
import { keyOf, type PlanItem } from "./compare.js";
import { planItemOf, stepOf } from "./items.js";

/** An item of a run and its result, as far as this process knows it. */
export interface KnownItem {
  readonly number: number;
  readonly step: ReturnType<typeof stepOf>;
  readonly planned: PlanItem;
  readonly state: Item["state"];
  readonly outcome: string;
  readonly target: string | undefined;
  /** The item that creates its MSP, if the run has one. */
  readonly msp: KnownItem | undefined;
  /** The item that creates the license for a customer. */
  readonly license: KnownItem | undefined;
  /** The items that remove a license from its holder. */
  readonly freeing: readonly KnownItem[];
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * The items of a run in this process, read once from its journal. Their results are added as they arrive,
 * because later items depend on them.
 */
export class KnownItems {
  private readonly items = new Map<number, Writable<KnownItem>>();
  private readonly lines = new Map<number, KnownItem[]>();

  constructor(journal: Journal) {
    const creates = new Map<string, KnownItem>();
    const freeing = new Map<string, KnownItem[]>();
    for (const item of itemsIn(journal)) {
      const { number, line, state, outcome, target } = item;
      const [step, planned] = [stepOf(item), planItemOf(item)];
      const links = { msp: undefined, license: undefined, freeing: [] };
      const known: KnownItem = { number, step, planned, state, outcome, target, ...links };
      this.items.set(number, known);
      addTo(this.lines, line, known);
      if (step === "create") creates.set(keyOf(planned), known);
      const freed = step === "change" ? planned.from?.license : undefined;
      if (freed != null) addTo(freeing, freed, known);
    }
    for (const known of this.items.values()) {
      const { type, externalId, msp, license } = known.planned;
      if (type !== "msp") known.msp = creates.get(keyOf({ type: "msp", externalId: msp }));
      if (type === "customer" && license !== null)
        known.license = creates.get(keyOf({ type: "license", externalId: license }));
      if (type === "license") known.freeing = freeing.get(externalId) ?? [];
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

  /** Returns whether everything on this line of the spec was done. */
  isStepDone(line: number): boolean {
    return (this.lines.get(line) ?? []).every(({ state }) => state === "done");
  }

  /** Stores the result of an item, as the journal does. */
  readonly keep = (result: Result): void => {
    const item = this.items.get(result.number);
    if (item === undefined) return;
    item.state = result.state;
    if ("outcome" in result) item.outcome = result.outcome;
    if ("target" in result && result.target !== undefined) item.target = result.target;
  };
}
