import type { Failure } from "./expectations.js";
import type { FileRow, GroupKeys, PlanStep } from "./format.js";
import type { Plan } from "./read.js";
import type { PlanSecrets } from "./sent.js";

/** A plan that is to be carried out, and how. */
export interface ApplyTask {
  plan: Plan;
  /** Its file, as the user gave it; of a plan that a command made for itself, the command's own input. */
  file: string;
  /** The profile's name, to find the way back to the service. */
  profile: string;
  /** By the names that the plan has for them. */
  secrets?: PlanSecrets;
  /** Words for steps that want one of their own (A8). `all`: whoever made the plan in this process answers for it. */
  allow?: ReadonlySet<string> | "all";
  /** Calls at most; has to be given where the plan makes any. */
  maxCalls?: number | undefined;
  /** Refuse a plan that is older (A1). */
  maxAgeMilliseconds?: number | undefined;
  /** Leave out the steps whose preconditions don't hold, with all that need them; else none is sent. */
  skipDrifted?: boolean;
  /** For a plan that was applied before: try again the steps that came to nothing. */
  retry?: boolean;
  /** Apply a plan of which nothing tells whether it was applied before. */
  again?: boolean;
  /** Read everything that was written once more at the end. */
  verify?: boolean;
  resultsPath?: string | undefined;
  /** The file of the caller's own that holds the map of keys; default: as the plan says, in this folder. */
  stateFile?: string | undefined;
  /** How the run is called, where a command made the plan for itself: `contacts sync`. */
  command?: string | undefined;
  /** The name of the group that it is about, for a person. */
  groupName?: string | undefined;
  /** The group of this id was made for the run, whose undo deletes it. */
  madeGroupId?: string | undefined;
  learn?: Learn | undefined;
  /** Told of each precondition that does not hold, before anything is sent. */
  differs?(failure: Failure): void;
  /** The plan is one of a configuration, and its lock is kept by whoever applies it here. */
  isConfiguration?: boolean;
  /** Told of each step once it is done and journaled. What only `results` tells was found out by looking. */
  done?(result: StepResult): Promise<void>;
  /** Told what each step that was done came to, in the order of the plan, before the run is finished. */
  results?(results: Iterable<StepResult>): void;
}

/** The knowledge that a map of keys gains from a run of its plan, before the run is finished. */
export interface Learning {
  planId: string;
  keys: GroupKeys;
  /** The whole path of the file of the caller's own that holds the map; undefined: in the data folder. */
  stateFile: string | undefined;
  /** The whole of what the map is to hold, as far as no step decides it. */
  rows(): Iterable<FileRow>;
  /** The results of the steps that were done, in the order of the plan. */
  results(): Iterable<StepResult>;
}

/** The keeper of maps of keys. */
export interface Learn {
  /**
   * Opens a map before the first request, so that what is sent can be remembered.
   * @param map its `groupId` is undefined if the plan creates the group
   * @throws BulkError `state_unreadable`, `state_busy`, `state_of_other_group`
   */
  check(map: { groupId: string | undefined; stateFile: string | undefined }): Promise<void>;
  applied(learning: Learning): Promise<void>;
  undone(
    learning: Pick<Learning, "planId" | "keys" | "stateFile">,
    results: Iterable<UndoneResult>,
  ): Promise<void>;
}

/** The change that an undo made to a thing. */
export interface UndoneResult {
  action: "create" | "update" | "delete";
  id: string;
  /** Set for what was created again: the id and the caller's key that it had. */
  was: string | undefined;
  key: string | undefined;
  data: Readonly<Record<string, unknown>>;
}

/** The result of a step that was done. */
export interface StepResult {
  step: PlanStep;
  /** The thing that it made, changed or deleted. */
  id: string;
  /** The thing as the answer showed it; undefined of a delete. */
  data: Readonly<Record<string, unknown>> | undefined;
}

/** The output of `apply -o json`. */
export interface ApplySummary {
  run_id: string;
  plan_id: string;
  file: string;
  /** It was applied before, and nothing was sent. */
  applied_before: boolean;
  created: number;
  updated: number;
  deleted: number;
  steps: {
    done: number;
    drifted: number;
    blocked: number;
    rejected: number;
    unknown: number;
    skipped: number;
  };
  /** Things that the service stored otherwise than they were sent. */
  stored_otherwise: number;
  requests: number;
  rate_limited: number;
  /** Times of the service's clock. */
  seconds: number;
  report: string;
}
