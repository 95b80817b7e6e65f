import type { FileRow, GroupKeys, PlanStep } from "./format.js";
import type { Plan, PlanSource } from "./read.js";
import type { PlanSecrets } from "./sent.js";
import type { FailedStep } from "./sorted.js";

/** A plan to apply, and the options for it. */
export interface ApplyTask<Source extends PlanSource = Plan> {
  plan: Source;
  /** Path of the plan file as typed. If the command created the plan itself, the path of its input. */
  file: string;
  /** Name of the profile, so that later commands can find the service. */
  profile: string;
  /** Secrets, keyed by the names that the plan uses. */
  secrets?: PlanSecrets;
  /** Actions that the user has allowed. `all` is for commands that create the plan in the same process. */
  allow?: ReadonlySet<string> | "all";
  /** Maximum number of calls. Required if the plan makes any calls. */
  maxCalls?: number | undefined;
  maxAgeMilliseconds?: number | undefined;
  /**
   * Whether to skip steps with failed preconditions and all steps that need them. If false, one failed precondition
   * prevents all steps.
   */
  skipDrifted?: boolean;
  /** Whether to retry the failed steps of a plan that was already applied. */
  retry?: boolean;
  /** Whether to apply a plan even if no read request can show whether one of its steps was already done. */
  again?: boolean;
  /** Whether to read all written resources again at the end. */
  verify?: boolean;
  resultsPath?: string | undefined;
  /** Path of the key map. By default, the path in the plan, relative to the current directory. */
  stateFile?: string | undefined;
  /** Command that created the plan and also applies it, such as `contacts sync`. */
  command?: string | undefined;
  /** Digest of the command's options. Set by a command that resumes only runs with the same options. */
  intent?: string | undefined;
  /** Name of the plan's group, for messages. */
  groupName?: string | undefined;
  learn?: Learn | undefined;
  /** Called for each failed precondition before anything is sent. */
  differs?(failure: FailedStep): void;
  /** Whether the plan belongs to a configuration. If so, the caller updates its lock file. */
  isConfiguration?: boolean;
  /**
   * Called after each step is done and journaled. A step that only a later read confirms is passed to
   * `results` instead.
   */
  done?(result: StepResult): Promise<void>;
  /** Called with the results of all finished steps, in plan order, before the run is marked as finished. */
  results?(results: Iterable<StepResult>): void;
}

/** Results of a plan's run for the plan's key map, which stores them before the run is marked as finished. */
export interface Learning {
  planId: string;
  keys: GroupKeys;
  /** Absolute path of the user's key map; undefined if the key map is in the data directory. */
  stateFile: string | undefined;
  /** Yields the complete content of the key map, except for the results of steps. */
  rows(): Iterable<FileRow>;
  /** Yields the results of the completed steps, in plan order. */
  results(): Iterable<LearnedResult>;
}

/** Stores the results of plans in key maps. */
export interface Learn {
  /**
   * Checks before the first request that the key map can be written.
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
  /** Previous id of a recreated resource, to find its key. */
  was: string | undefined;
  key: string | undefined;
  data: Readonly<Record<string, unknown>>;
}

export interface StepResult {
  step: PlanStep;
  /** Id of the resource that the step created, changed or deleted. */
  id: string;
  /** The resource as the response returned it; undefined for a delete. */
  data: Readonly<Record<string, unknown>> | undefined;
}

/** Result of a completed step, for a key map. */
export interface LearnedResult {
  step: PlanStep;
  id: string;
  /** Returns the response without values that other users may have set; see `attributableAnswer`. */
  answerTo(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}
