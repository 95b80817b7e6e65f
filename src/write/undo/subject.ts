import type { RunAdapter } from "../engine/adapter.js";
import type { RunContext } from "../engine/context.js";
import type { Original } from "../engine/undo-run.js";
import type { Fields } from "../fields.js";
import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import type { ListParts } from "./parts.js";
import type { Unconfirmed } from "./unconfirmed.js";

/** Reads the current state of a resource; null if it was deleted. */
export type ReadCurrent = (resource: string, id: string) => Promise<Fields | null>;

/** The differences between undos of resources and of organizations. */
export interface UndoSubject {
  /** Yields what a run wrote, in the order in which it is undone. */
  listParts: ListParts;
  /** Resolves the writes of a run without a response, once none of them can still arrive. */
  lookUp(context: RunContext, original: Journal): Promise<void>;
  /** Reads what the planned items of an undo are compared with. */
  planned?(context: RunContext, journal: Journal, options: PlannedOptions): Promise<void>;
  adapter(context: RunContext, journal: Journal): RunAdapter;
  /** Called when every item of an undo is finished; repeatable. */
  conclude?(context: RunContext, journal: Journal): void;
  /** Returns the function that decides about an item in a preview, in the order of the items. */
  previewer(context: RunContext, original: Original, journal: Journal): Promise<Previewer>;
}

/** The subjects by the type of the run; runs of other types can't be undone. */
export type UndoSubjects = ReadonlyMap<string, UndoSubject>;

interface PlannedOptions {
  /** Creates of earlier undos that were not confirmed. */
  unconfirmed: Unconfirmed;
  /** Reads the samples. */
  read: ReadCurrent;
}

interface Previewer {
  /** Reads resources as the preview does. */
  read?: ReadCurrent;
  /** Returns the result of an item that needs no request, and the current fields of its resource. */
  judge(item: Item): Promise<{ result: Result | undefined; now: Fields | null }>;
}
