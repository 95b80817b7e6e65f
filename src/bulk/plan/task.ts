import type { PlanStep } from "./format.js";
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
  reportPath?: string | undefined;
  /** Told what each step that was done came to, in the order of the plan, before the run is finished. */
  results?(results: Iterable<StepResult>): void;
}

/** The result of a step that was done. */
export interface StepResult {
  step: PlanStep;
  /** The thing that it made, changed or deleted. */
  id: string;
  /** The thing as the answer showed it; undefined of a delete. */
  answer: Readonly<Record<string, unknown>> | undefined;
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
