import type { ClientError } from "../client/errors.js";
import type { OperationName } from "../contract/wire.js";
import type { RunContext } from "./engine/context.js";
import type { PlannedRun } from "./engine/lifecycle.js";
import type { Outcomes } from "./engine/summary.js";
import type { Fields } from "./fields.js";
import type { Item, Result } from "./journal/item.js";
import type { Journal } from "./journal/journal.js";
import type { PlanNeeds } from "./plan/inspect.js";
import type { PlannedStep } from "./plan/planned-steps.js";
import type { PlanSource } from "./plan/read.js";
import type { ApplyTask } from "./plan/task.js";
import type { ListParts } from "./undo/parts.js";

/** A field whose stored value differs from the sent or rehearsed value. */
export interface NormalizedField {
  field: string;
  expected: unknown;
  found: unknown;
}

/** Returns null if the resource was deleted. */
export type ReadCurrent = (resource: string, id: string) => Promise<Fields | null>;

export interface Subject {
  /** Operation whose rate limit applies to all writes of a run. */
  readonly paces: OperationName;
  /**
   * Whether to send each item only after the previous one has ended. If false, a list shows the outcome of a
   * lost create, so one create is sent last to prove that the list is up to date.
   */
  readonly inOrder: boolean;
  /** Returns fields that only a get returns. */
  unlistedOf?(resource: string): readonly string[];
  /** Resource types for which a write returns a different resource. */
  readonly unshown?: ReadonlySet<string>;
  course(sending: Sending): Course;
  /**
   * Journals a plan's steps and checks their preconditions.
   * @returns whether the steps were compared with the current state
   * @throws BulkError `plan_elsewhere`, `plan_unprovable`, PlanOutdated
   */
  plan(context: RunContext, run: PlannedRun, task: ApplyTask<PlanSource>, needs: PlanNeeds): Promise<boolean>;
  /** Called when all items are finished. May be called more than once. */
  sent?(context: RunContext, journal: Journal): Promise<void>;
  /**
   * Returns a function that compares an item's result with the final state. That function returns undefined
   * if the resource can't be read.
   */
  verifier(
    context: RunContext,
    journal: Journal,
  ): Promise<(item: Item) => Promise<readonly NormalizedField[] | undefined>>;
  /** Counts the results (default: by step). If set, the command itself lists the rejected items. */
  outcomes?(journal: Journal): Outcomes;
  finished?(context: RunContext, journal: Journal): void;
  listParts: ListParts;
  /**
   * Determines the outcome of the unconfirmed writes of a run that will not be resumed. Must not be called
   * while the writes can still arrive.
   */
  lookUp(context: RunContext, journal: Journal): Promise<void>;
  undoPlanned?(sending: Sending, unconfirmed: Unconfirmed): Promise<void>;
  /** Called when all items of an undo are finished. May be called more than once. */
  undone?(context: RunContext, undo: Journal): void;
}

/** Create requests that earlier undos sent and that got no response. */
export interface Unconfirmed {
  /** Identifiers of the original run's parts that these requests undo; see `Part.part`. */
  parts: ReadonlySet<string>;
  /**
   * IDs of resources that these requests did not create: the resources already existed, or other requests
   * created them.
   */
  otherIds: ReadonlySet<string>;
}

export interface Sending {
  readonly context: RunContext;
  readonly journal: Journal;
  readonly isUndo: boolean;
  plannedOf(item: Item): PlannedStep;
  /** Reads a resource. A preview may use an earlier list instead. */
  readonly read: ReadCurrent;
}

export interface Course {
  /** Returns the created resource's ID. Undefined if the response has no ID. */
  idIn(item: Item, data: unknown): string | undefined;
  /** Builds the body for one or more items. By default, returns the first item's body. */
  buildBody?(operation: OperationName, bodies: readonly Fields[]): Fields;
  /**
   * Returns the key of an item's request. Planned items with the same key share one request. If the service
   * rejects the request, each item is sent separately.
   */
  shareOf?(item: Item): string | undefined;
  /** Returns the item's result if the result of another item determines it. */
  noteResult?(item: Item): Result | undefined;
  /** Returns the result of an item that needs a failed item; undefined to send the item anyway. */
  missing(item: Item, needed: Item): Result | undefined;
  /**
   * Reads the resource right before the write, and decides whether to send the item.
   * @returns the result if no request is required; a changed item to send instead; undefined to send the item
   * unchanged
   */
  judge?(item: Item, planned: PlannedStep): Promise<Result | Item | undefined> | undefined;
  findNormalized?(item: Item, planned: PlannedStep, data: unknown): readonly NormalizedField[];
  /**
   * Returns the result of a rejected item; undefined to report the item as failed.
   * @throws an error that every further request would also get
   */
  refused(item: Item, planned: PlannedStep, error: ClientError): Promise<Result | undefined>;
  /**
   * Returns the result of a request whose response was lost; undefined if only a list can show the result.
   */
  lost(item: Item, planned: PlannedStep): Promise<Result | undefined>;
  findListed?(): Promise<void>;
  /** Compares the remaining items with the current state. Called before the first write. */
  compareAgain?(): Promise<void>;
}
