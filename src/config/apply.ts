/** Applies a configuration plan and updates the lock after each step (L3). */
import type { RunContext } from "../bulk/engine/context.js";
import { applyPlan } from "../bulk/plan/apply.js";
import type { Plan } from "../bulk/plan/read.js";
import { finishedResults, identityOf } from "../bulk/plan/results.js";
import type { ApplySummary, ApplyTask, StepResult } from "../bulk/plan/task.js";
import { referencesOfLock } from "./decide.js";
import { ConfigError } from "./errors.js";
import { applyEditsAtOnce, applyResult, LockEdits } from "./lock-edits.js";
import { type LockFile, writeLockFile } from "./lock-file.js";
import type { Fingerprints } from "./secrets.js";

export interface ApplyConfigurationTask
  extends Pick<
    ApplyTask,
    "file" | "profile" | "skipDrifted" | "retry" | "verify" | "resultsPath" | "maxAgeMilliseconds"
  > {
  plan: Plan;
  lockFile: LockFile;
  /** Values by source: `env:CRM_SECRET`. */
  secrets: ReadonlyMap<string, string>;
  fingerprints: Fingerprints | undefined;
  allow: ReadonlySet<string>;
}

/**
 * @throws ConfigError if the plan file is not a configuration plan; the errors of `applyPlan`
 */
export async function applyConfiguration(
  context: RunContext,
  task: ApplyConfigurationTask,
): Promise<ApplySummary> {
  const { plan, lockFile, secrets, fingerprints } = task;
  const edits = editsOf(plan);
  const { lock } = lockFile;
  lock.base_url = edits.base_url;
  applyEditsAtOnce(lock, edits);
  const results = {
    edits,
    references: referencesOfLock,
    secret: (from: string) => secrets.get(from),
    fingerprints,
  };
  // Writes to the lock file are serial, and each one writes the current state.
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const write = () => {
    next ??= writing.then(() => {
      next = undefined;
      return writeLockFile(lockFile);
    });
    writing = next;
    return next;
  };
  const takeAll = (all: Iterable<StepResult>) => {
    for (const result of all) applyResult(lock, result, results);
  };
  try {
    const summary = await applyPlan(context, {
      ...task,
      isConfiguration: true,
      // The guards of the configuration decide whether a group is deleted (A11a).
      allow: new Set([...task.allow, "groups:delete"]),
      results: takeAll,
      async done(result) {
        applyResult(lock, result, results);
        await write();
      },
    });
    if (summary.applied_before) takeAll(await finishedResults(context.folder, identityOf(context, plan)));
    return summary;
  } finally {
    await writing.catch(() => {});
    if (await hasStarted(context, plan)) await writeLockFile(lockFile);
  }
}

async function hasStarted(context: RunContext, plan: Plan): Promise<boolean> {
  const { lastRunOf } = await import("../bulk/journal/runs.js");
  return (await lastRunOf(context.folder, identityOf(context, plan))) !== undefined;
}

/** @throws ConfigError */
function editsOf({ header, id }: Plan): LockEdits {
  const parsed = LockEdits.safeParse(header.config?.lock);
  if (header.config !== undefined && parsed.success) return parsed.data;
  throw new ConfigError(
    "config_invalid",
    `plan ${id} was not created by voxctl config; nothing was sent`,
    "apply it with `voxctl apply FILE`",
  );
}
