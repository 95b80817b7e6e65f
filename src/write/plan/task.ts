import type { Failure } from "./expectations.js";
import type { FileRow, GroupKeys, PlanStep } from "./format.js";
import type { Plan, PlanSource } from "./read.js";
import type { PlanSecrets } from "./sent.js";

/** A plan to apply, and the options for it. */
export interface ApplyTask<Source extends PlanSource = Plan> {
  plan: Source;
  /** Path of the plan file as typed; the command's own input if the command created the plan itself. */
  file: string;
  /** Name of the profile, so that later commands can find the service. */
  profile: string;
  /** Secrets by the names that the plan uses. */
  secrets?: PlanSecrets;
  /** Actions that the user allowed. `all` is used by commands that create the plan in this process. */
  allow?: ReadonlySet<string> | "all";
  /** Maximum number of calls; required if the plan makes any. */
  maxCalls?: number | undefined;
  /** Maximum age of the plan. */
  maxAgeMilliseconds?: number | undefined;
  /** Whether to skip steps with failed preconditions and all steps that need them; otherwise no step is sent. */
  skipDrifted?: boolean;
  /** Whether to retry the failed steps of a plan that was already applied. */
  retry?: boolean;
  /** Whether to apply a plan even if no read can show whether it was already applied. */
  again?: boolean;
  /** Whether to read all written resources again at the end. */
  verify?: boolean;
  resultsPath?: string | undefined;
  /** Path of the key map. By default, the path in the plan, relative to the current directory. */
  stateFile?: string | undefined;
  /** Command that created the plan itself, such as `contacts sync`. */
  command?: string | undefined;
  /** Digest of the command's options, if the command resumes only runs with the same options. */
  intent?: string | undefined;
  /** Name of the plan's group, for messages. */
  groupName?: string | undefined;
  learn?: Learn | undefined;
  /** Called for each failed precondition, before anything is sent. */
  differs?(failure: Failure): void;
  /** Whether the plan belongs to a configuration, whose lock file the caller updates. */
  isConfiguration?: boolean;
  /** Called for each step after it is done and journaled. Steps that a read confirmed are only passed to `results`. */
  done?(result: StepResult): Promise<void>;
  /** Called with the result of each finished step, in the order of the plan, before the run is finished. */
  results?(results: Iterable<StepResult>): void;
}

/** The data that a key map stores after a run of its plan. It is stored before the run is marked as finished. */
export interface Learning {
  planId: string;
  keys: GroupKeys;
  /** Full path of the user's key map; undefined if the key map is in the data directory. */
  stateFile: string | undefined;
  /** Yields the complete content of the key map, except for the results of steps. */
  rows(): Iterable<FileRow>;
  /** Yields the results of the steps that were done, in the order of the plan. */
  results(): Iterable<StepResult>;
}

/** Stores the results of plans in key maps. */
export interface Learn {
  /**
   * Opens a key map before the first request, so that the results can be stored later.
   * @param map `groupId` is undefined if the plan creates the group
   * @throws BulkError `state_unreadable`, `state_busy`, `state_of_other_group`
   */
  check(map: { groupId: string | undefined; stateFile: string | undefined }): Promise<void>;
  applied(learning: Learning): Promise<void>;
  undone(
    learning: Pick<Learning, "planId" | "keys" | "stateFile">,
    results: Iterable<UndoneResult>,
  ): Promise<void>;
}

/** Result of an undo for one resource. */
export interface UndoneResult {
  action: "create" | "update" | "delete";
  id: string;
  /** Former id of a resource that was created again, for its key. */
  was: string | undefined;
  key: string | undefined;
  data: Readonly<Record<string, unknown>>;
}

/** Result of a step that was done. */
export interface StepResult {
  step: PlanStep;
  /** Id of the resource that the step created, changed or deleted. */
  id: string;
  /** The resource as returned by the response; undefined for a delete. */
  data: Readonly<Record<string, unknown>> | undefined;
}
