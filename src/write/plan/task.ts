import type { Failure } from "./expectations.js";
import type { FileRow, GroupKeys, PlanStep } from "./format.js";
import type { Plan, PlanSource } from "./read.js";
import type { PlanSecrets } from "./sent.js";

/** A plan to apply, with its options. */
export interface ApplyTask<Source extends PlanSource = Plan> {
  plan: Source;
  /** Its file, as the user gave it; of a plan that a command made for itself, the command's own input. */
  file: string;
  /** Name of the profile, by which later commands find the service. */
  profile: string;
  /** By the names that the plan has for them. */
  secrets?: PlanSecrets;
  /**
   * Names of the risks that the user allowed (A8). `all`: the command that made the plan in this process is
   * responsible.
   */
  allow?: ReadonlySet<string> | "all";
  /** Maximum number of calls; required if the plan makes any. */
  maxCalls?: number | undefined;
  /** Refuse a plan that is older (A1). */
  maxAgeMilliseconds?: number | undefined;
  /** Skip the steps with failed preconditions and all steps that need them; otherwise no step is sent. */
  skipDrifted?: boolean;
  /** For a plan that was applied before: try again the steps that came to nothing. */
  retry?: boolean;
  /** Apply a plan even if no read can show whether it was applied before. */
  again?: boolean;
  /** Read everything that was written once more at the end. */
  verify?: boolean;
  resultsPath?: string | undefined;
  /** Path of the key map; default: the path in the plan, relative to this directory. */
  stateFile?: string | undefined;
  /** The command of the run, if it made the plan itself: `contacts sync`. */
  command?: string | undefined;
  /** Digest of the command's options, for a command that resumes only a run with the same ones. */
  intent?: string | undefined;
  /** Name of the group of the plan, for messages. */
  groupName?: string | undefined;
  learn?: Learn | undefined;
  /** Called for each failed precondition, before anything is sent. */
  differs?(failure: Failure): void;
  /** The plan is part of a configuration, whose lock the caller keeps up to date. */
  isConfiguration?: boolean;
  /**
   * Called for each step once it is done and journaled. Steps that were confirmed by a read are only in
   * `results`.
   */
  done?(result: StepResult): Promise<void>;
  /** Called with the result of each finished step, in the order of the plan, before the run is finished. */
  results?(results: Iterable<StepResult>): void;
}

/** The knowledge that a map of keys gains from a run of its plan, before the run is finished. */
export interface Learning {
  planId: string;
  keys: GroupKeys;
  /** Full path of the key map of the user; undefined: in the data directory. */
  stateFile: string | undefined;
  /** The complete content of the key map, except for what steps decide. */
  rows(): Iterable<FileRow>;
  /** The results of the steps that were done, in the order of the plan. */
  results(): Iterable<StepResult>;
}

/** The keeper of maps of keys. */
export interface Learn {
  /**
   * Opens a key map before the first request, so that sent items can be recorded.
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

/** The change that an undo made to a resource. */
export interface UndoneResult {
  action: "create" | "update" | "delete";
  id: string;
  /** For a resource that was created again: its former id and the caller's key. */
  was: string | undefined;
  key: string | undefined;
  data: Readonly<Record<string, unknown>>;
}

/** The result of a step that was done. */
export interface StepResult {
  step: PlanStep;
  /** Id of the resource that it created, changed or deleted. */
  id: string;
  /** The resource according to the response; undefined for a delete. */
  data: Readonly<Record<string, unknown>> | undefined;
}
