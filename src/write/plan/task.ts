import type { Journal } from "../journal/journal.js";
import type { FileRow, GroupKeys, PlanStep } from "./format.js";
import type { Plan, PlanSource } from "./read.js";
import type { PlanSecrets } from "./sent.js";
import type { FailedStep } from "./sorted.js";

export interface ApplyTask<Source extends PlanSource = Plan> {
  plan: Source;
  /** Path of the plan file, or of the command's own input, as typed. */
  file: string;
  /** Name of the profile. Later commands use it to find the service. */
  profile: string;
  /** Secrets, keyed by the names that the plan uses. */
  secrets?: PlanSecrets;
  /** Actions that the user has allowed. `all` applies if one command creates and applies the plan. */
  allow?: ReadonlySet<string> | "all";
  /** Maximum number of calls. Required for plans with calls. */
  maxCalls?: number | undefined;
  maxAgeMilliseconds?: number | undefined;
  /**
   * Whether to skip steps with failed preconditions, and all steps that need them. If false, a failed
   * precondition prevents all steps.
   */
  skipDrifted?: boolean;
  /** Command that applies the plan without its outdated steps. Undefined if there is no such command. */
  skipCommand?: string | undefined;
  /** Whether to retry failed steps of an already applied plan. */
  retry?: boolean;
  /** Whether to apply a plan although no read request can show that a step was already done. */
  again?: boolean;
  /** Whether to read all written resources at the end. */
  verify?: boolean;
  resultsPath?: string | undefined;
  /** Path of the key map (default: the path in the plan). */
  stateFile?: string | undefined;
  /** Command that creates and applies the plan, such as `contacts sync`. */
  command?: string | undefined;
  /** Digest of the command's options. If set, only runs with the same options are resumed. */
  intent?: string | undefined;
  groupName?: string | undefined;
  learn?: Learn | undefined;
  /** Called for each failed precondition before the first request. */
  differs?(failure: FailedStep): void;
  /** Whether the plan belongs to a configuration. The caller then updates the configuration's lock file. */
  isConfiguration?: boolean;
  /** Called after each step is journaled. Not called for a step that only a later read confirms. */
  done?(result: StepResult): Promise<void>;
  /** Called with all finished steps, and the run's journal, before the run is marked as finished. */
  results?(results: Iterable<StepResult>, journal: Journal): void;
  /** Called with all finished steps at the end of the run, even if the run failed. */
  ended?(results: Iterable<StepResult>): void;
}

/** Results for the plan's key map. They are stored before the run is marked as finished. */
export interface Learning {
  planId: string;
  keys: GroupKeys;
  /** Absolute path of the user's key map; undefined if the key map is in the data directory. */
  stateFile: string | undefined;
  /** Yields the key map's rows without the steps' results. */
  rows(): Iterable<FileRow>;
  /** Yields the results of the completed steps, in plan order. */
  results(): Iterable<LearnedResult>;
}

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

export interface UndoneResult {
  action: "create" | "update" | "delete";
  id: string;
  /** Previous ID of a recreated resource, by which the key map finds the resource's key. */
  was: string | undefined;
  key: string | undefined;
  data: Readonly<Record<string, unknown>>;
}

export interface StepResult {
  step: PlanStep;
  id: string;
  /** The resource in the response. Undefined for a delete. */
  data: Readonly<Record<string, unknown>> | undefined;
}

export interface LearnedResult {
  step: PlanStep;
  id: string;
  /** Returns the response without values that other users may have set. See `attributableAnswer`. */
  answerTo(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}
