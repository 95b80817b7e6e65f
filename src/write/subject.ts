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

/** A field that the service did not store as it was sent, or as a rehearsal had stored it. */
export interface NormalizedField {
  field: string;
  expected: unknown;
  found: unknown;
}

/** Reads the current state of a resource; null if it was deleted. */
export type ReadCurrent = (resource: string, id: string) => Promise<Fields | null>;

/**
 * The resources that a run writes: those of an organization, or the organizations of a distributor. Contains what
 * differs between them; everything else is the same for all runs.
 */
export interface Subject {
  /** An operation in the bucket that all writes of a run share. */
  readonly paces: OperationName;
  /**
   * Items are sent one after the other. Otherwise lists resolve lost items, so an item created later must prove
   * that a list is up to date.
   */
  readonly inOrder: boolean;
  /** Returns the fields of a resource that only a get shows. */
  unlistedOf?(resource: string): readonly string[];
  /** The resource types whose requests return a different resource. */
  readonly unshown?: ReadonlySet<string>;
  /** Returns how the items of a run are sent by this process. */
  course(sending: Sending): Course;
  /**
   * Journals the steps of a plan and checks their preconditions.
   * @returns whether the steps were compared with the current state
   * @throws BulkError `plan_elsewhere`, `plan_unprovable`, PlanOutdated
   */
  plan(context: RunContext, run: PlannedRun, task: ApplyTask<PlanSource>, needs: PlanNeeds): Promise<boolean>;
  /** Called when every item of a plan is finished; repeatable. */
  sent?(context: RunContext, journal: Journal): Promise<void>;
  /** Returns a function that compares what an item wrote with the state at the end of the run (A9). */
  verifier(
    context: RunContext,
    journal: Journal,
  ): Promise<(item: Item) => Promise<readonly NormalizedField[]>>;
  /** Counts the results if they are not counted by step; the command then lists the rejected items itself. */
  outcomes?(journal: Journal): Outcomes;
  /** Called once a run is finished. */
  finished?(context: RunContext, journal: Journal): void;
  /** Yields the changes of a run in the order in which they are undone. */
  listParts: ListParts;
  /** Resolves the writes of a run that will not be resumed, once none of them can still arrive. */
  lookUp(context: RunContext, journal: Journal): Promise<void>;
  /** Reads the data with which the planned items of an undo are compared. */
  undoPlanned?(sending: Sending, unconfirmed: Unconfirmed): Promise<void>;
  /** Called when all items of an undo are finished. Can be called repeatedly. */
  undone?(context: RunContext, undo: Journal): void;
}

/** Creates that a run's earlier undos sent but could not confirm. */
export interface Unconfirmed {
  /** Parts of the run that these creates undo. */
  parts: ReadonlySet<string>;
  /**
   * Ids of resources that the unconfirmed creates did not create, because they existed before or another request
   * created them.
   */
  otherIds: ReadonlySet<string>;
}

/** A run whose items this process sends. */
export interface Sending {
  readonly context: RunContext;
  readonly journal: Journal;
  /** Whether the items undo another run. */
  readonly isUndo: boolean;
  plannedOf(item: Item): PlannedStep;
  /** Reads a resource; a preview may have read it in a list. */
  readonly read: ReadCurrent;
}

/** How the items of one run are addressed, read, compared and confirmed. */
export interface Course {
  /** Returns the id of the resource that an item created, according to the response; undefined if it has none. */
  idIn(item: Item, data: unknown): string | undefined;
  /** Builds the body of a request for one or more items. Default: the body of the first one. */
  buildBody?(operation: OperationName, bodies: readonly Fields[]): Fields;
  /** Planned items with the same key share one request. If the service refuses it, they are sent one by one. */
  shareOf?(item: Item): string | undefined;
  /** Returns the result of an item that is decided by the result of another one, without a request. */
  noteResult?(item: Item): Result | undefined;
  /** Returns the result of an item of which a needed item came to nothing; undefined to send it anyway. */
  missing(item: Item, needed: Item): Result | undefined;
  /**
   * Reads the current state of a resource right before it is written, and decides about its item (A4, T6).
   * @returns its result if no request is required; a changed item to send instead; undefined to send it
   */
  judge?(item: Item, planned: PlannedStep): Promise<Result | Item | undefined> | undefined;
  /** Returns the values that the service stored differently from what was sent (A9). */
  findNormalized?(item: Item, planned: PlannedStep, data: unknown): readonly NormalizedField[];
  /**
   * Returns the result of an item that the service refused; undefined if it failed.
   * @throws an error that would also affect every further request: the run stops
   */
  refused(item: Item, planned: PlannedStep, error: ClientError): Promise<Result | undefined>;
  /** Returns the result of a lost request; undefined if only a list can show it. */
  lost(item: Item, planned: PlannedStep): Promise<Result | undefined>;
  /** Finds the resources of lost creates in lists. */
  findListed?(): Promise<void>;
  /** Compares the remaining items with the current state, right before the first write (T21). */
  compareAgain?(): Promise<void>;
}
