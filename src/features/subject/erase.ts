import { makePrivateFolder } from "../../base/private-file.js";
import type { Random } from "../../base/random.js";
import type { RunContext } from "../../write/engine/context.js";
import type { Outcomes } from "../../write/engine/summary.js";
import { BulkError } from "../../write/errors.js";
import { discardRun } from "../../write/journal/folder.js";
import { eachIn } from "../../write/journal/outcome.js";
import { applyPlan, draftPlan, sealPlan } from "../../write/plan/index.js";
import { readResource } from "../../write/remote.js";
import { recordOf } from "../../write/values.js";
import { allowedDeletes, type Bound, boundText } from "../import/planning/bounds.js";
import type { Erasure } from "./erasure.js";
import { certain, type Matcher } from "./matcher.js";
import { searchResource } from "./search.js";

interface SealTask {
  erasures: readonly Erasure[];
  path: string;
  force: boolean;
  passphrase: string | undefined;
  command: string[];
  madeBy: string;
  random: Random;
}

/** @returns the plan's ID */
export async function sealErasure(context: RunContext, task: SealTask): Promise<string> {
  await makePrivateFolder(context.folder);
  const steps = task.erasures.map(({ step }) => step);
  return (await sealPlan(context, task, steps)).id;
}

interface EraseTask extends Pick<SealTask, "erasures" | "random"> {
  matcher: Matcher;
  /** IDs of uncertain matches that the erasures treat as the caller's. */
  include: ReadonlySet<string>;
  profile: string;
  /** Called if a run contains the erased data, even if the erasure fails afterwards. */
  kept(runId: string): void;
}

interface Erased {
  erasure: Erasure;
  /** Why the erasure failed; undefined if reading the record again confirmed the erasure. */
  failure: string | undefined;
}

export interface EraseResult {
  plan_id: string;
  /**
   * ID of the run; null if the run was deleted, because its journal contains the erased data. The run is kept
   * if the erasure is incomplete or if the run is in a shared store.
   */
  run_id: string | null;
  erased: Erased[];
  outcomes: Outcomes;
}

/**
 * Erases the caller's data in one run, and reads each record again to verify the result. Deletes the run
 * after a complete erasure, because its journal contains the erased data.
 * @throws the errors of `applyPlan`
 */
export async function eraseOccurrences(context: RunContext, task: EraseTask): Promise<EraseResult> {
  const done = new Set<number>();
  const absent = new Set<number>();
  const plan = draftPlan(context, { lines: () => task.erasures.map(({ step }) => step) }, task.random);
  const listener: RunContext["listener"] = {
    ...context.listener,
    stopped(run) {
      task.kept(run.id);
      context.listener.stopped(run);
    },
  };
  const applied = await applyPlan(
    { ...context, listener },
    {
      ...{ plan, file: "subject erase", command: "subject erase" },
      ...{ profile: task.profile, allow: "all", skipDrifted: true },
      results(results, journal) {
        for (const { step } of results) done.add(step.step);
        // The service responds with 404 if a call has no recording. The call's record might not show this.
        for (const { line, detail } of eachIn(journal, "rejected"))
          if (recordOf(detail)["status"] === 404) absent.add(line);
      },
    },
  );
  const { run_id } = applied;
  if (run_id !== null) task.kept(run_id);
  const erased: Erased[] = [];
  for (const erasure of task.erasures) erased.push({ erasure, failure: await failureOf(erasure) });
  const isDone =
    (applied.outcomes["unknown"] ?? 0) === 0 && erased.every(({ failure }) => failure === undefined);
  // A run in a shared store stays locked until this command ends, so the user must discard it later.
  const isDiscarded = isDone && context.sharedRuns === undefined;
  if (isDiscarded && run_id !== null) await discardRun(context.folder, run_id);
  return {
    ...{ plan_id: plan.id, run_id: isDiscarded ? null : run_id, erased },
    outcomes: applied.outcomes,
  };

  /** Reads the record, because a successful response doesn't prove the erasure. */
  async function failureOf({ where, id, action, step }: Erasure): Promise<string | undefined> {
    const now = await readResource(context, where, id);
    if (now === null) return undefined;
    if (action === "delete")
      return done.has(step.step)
        ? "still exists"
        : "was changed by another user, or the service rejected the request";
    if (action === "recording") {
      const { available } = recordOf(now["recording"]);
      const isErased = done.has(step.step) || absent.has(step.step);
      return available === false || (available !== true && isErased)
        ? undefined
        : "the recording was not erased";
    }
    const fields = Object.keys(step.body ?? {});
    const isRemaining = searchResource(task.matcher, where, id, now).some(
      ({ field, certainty }) => fields.includes(field) && (task.include.has(id) || certainty === certain),
    );
    return isRemaining ? "was changed by another user, or the service rejected the request" : undefined;
  }
}

/** @throws BulkError `too_many_deletes` */
export function assertErasable(bound: Bound | undefined, deleted: number, contacts: number): void {
  const allowed = allowedDeletes(bound, contacts);
  if (deleted <= allowed) return;
  const limit = bound === undefined ? String(allowed) : boundText(bound);
  throw new BulkError(
    "too_many_deletes",
    `${deleted} of ${contacts} contacts would be deleted, but --max-delete allows ${limit}`,
    `if this is correct, use --max-delete ${deleted}`,
  );
}
