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

/** A field whose stored value differs from the sent value, or from the value that a rehearsal stored. */
export interface NormalizedField {
  field: string;
  expected: unknown;
  found: unknown;
}

/** Reads a resource's current state. Returns null if the resource was deleted. */
export type ReadCurrent = (resource: string, id: string) => Promise<Fields | null>;

/**
 * The resources that a run writes: those of an organization, or a distributor's organizations. Contains only what differs between these two
 * cases.
 */
export interface Subject {
  /** An operation with the rate limit that applies to all writes of a run. */
  readonly paces: OperationName;
  /**
   * Whether each item is sent only after the previous item has ended. If not, lists show the outcome of items
   * without a response, and the run sends one create last: a list with the created resource is up to date.
   */
  readonly inOrder: boolean;
  /** Returns the fields of a resource that are returned only by a get. */
  unlistedOf?(resource: string): readonly string[];
  /** Resource types for which a write returns a different resource. */
  readonly unshown?: ReadonlySet<string>;
  /** Returns how this process sends the items of a run. */
  course(sending: Sending): Course;
  /**
   * Journals the steps of a plan and checks their preconditions.
   * @returns whether the steps were compared with the current state
   * @throws BulkError `plan_elsewhere`, `plan_unprovable`, PlanOutdated
   */
  plan(context: RunContext, run: PlannedRun, task: ApplyTask<PlanSource>, needs: PlanNeeds): Promise<boolean>;
  /** Called when every item of a plan is finished. May be called more than once. */
  sent?(context: RunContext, journal: Journal): Promise<void>;
  /**
   * Returns a function that compares what an item wrote with the state at the end of the run. That function returns
   * undefined if the item's resource can't be read.
   */
  verifier(
    context: RunContext,
    journal: Journal,
  ): Promise<(item: Item) => Promise<readonly NormalizedField[] | undefined>>;
  /**
   * Counts the results (default: by step). If set, the command lists the rejected items itself, instead of
   * the run's listener.
   */
  outcomes?(journal: Journal): Outcomes;
  finished?(context: RunContext, journal: Journal): void;
  /** Yields a run's changes in the order in which an undo reverts them. */
  listParts: ListParts;
  /**
   * Determines the outcome of unconfirmed writes of a run that will not be resumed. Must not be called while
   * any of them can still arrive.
   */
  lookUp(context: RunContext, journal: Journal): Promise<void>;
  /** Reads the data with which an undo's planned items are compared. */
  undoPlanned?(sending: Sending, unconfirmed: Unconfirmed): Promise<void>;
  /** Called when all items of an undo are finished. May be called more than once. */
  undone?(context: RunContext, undo: Journal): void;
}

/** Facts about the unconfirmed creates of a run's earlier undos. A create is unconfirmed if it got no response. */
export interface Unconfirmed {
  /** Identifiers of the original run's parts that these creates undo; see `ListParts`. */
  parts: ReadonlySet<string>;
  /**
   * Ids of resources that the unconfirmed creates certainly did not create: the resource existed before, or another
   * request created it.
   */
  otherIds: ReadonlySet<string>;
}

/** A run whose items this process sends. */
export interface Sending {
  readonly context: RunContext;
  readonly journal: Journal;
  readonly isUndo: boolean;
  plannedOf(item: Item): PlannedStep;
  /** Reads a resource. For a preview, may return the resource from a list that was read before. */
  readonly read: ReadCurrent;
}

/** How a process builds, sends and resolves the requests for a run's items. */
export interface Course {
  /** Returns the created resource's id from the response; undefined if the response has no id. */
  idIn(item: Item, data: unknown): string | undefined;
  /** Builds the request body for one or more items. By default, returns the first item's body. */
  buildBody?(operation: OperationName, bodies: readonly Fields[]): Fields;
  /**
   * Returns the key of an item's request. Planned items with the same key share one request; if the service rejects it, they are sent one
   * by one.
   */
  shareOf?(item: Item): string | undefined;
  /** Returns the result of an item that needs no request because another item's result decides it. */
  noteResult?(item: Item): Result | undefined;
  /**
   * Returns the result of an item if an item that it needs was not successful; undefined to send the item
   * anyway.
   */
  missing(item: Item, needed: Item): Result | undefined;
  /**
   * Reads a resource's current state right before the resource is written, and decides whether to send the item.
   * @returns the item's result if no request is required; a changed item to send instead; undefined to send the item
   *   unchanged
   */
  judge?(item: Item, planned: PlannedStep): Promise<Result | Item | undefined> | undefined;
  /** Returns the values that the service stored differently from what was sent. */
  findNormalized?(item: Item, planned: PlannedStep, data: unknown): readonly NormalizedField[];
  /**
   * Returns the result of an item that the service rejected; undefined if it failed.
   * @throws an error that every further request would also get, so that the run stops
   */
  refused(item: Item, planned: PlannedStep, error: ClientError): Promise<Result | undefined>;
  /** Returns the result of a request whose response was lost; undefined if only a list can show it. */
  lost(item: Item, planned: PlannedStep): Promise<Result | undefined>;
  /** Searches lists for the resources of creates without a response. */
  findListed?(): Promise<void>;
  /** Compares the remaining items with the current state. Called right before the first write. */
  compareAgain?(): Promise<void>;
}
