/** Carries a configuration's plan out, and keeps the lock while that goes on (L3). */
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
  /** By their sources: `env:CRM_SECRET`. */
  secrets: ReadonlyMap<string, string>;
  fingerprints: Fingerprints | undefined;
  allow: ReadonlySet<string>;
}

/**
 * @throws ConfigError for a plan of no configuration; as `applyPlan`
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
  // One file: a write begins when the one before it is done, and holds all that is known by then.
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
      // A11a: a group goes by the guards of the configuration.
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
    `the plan ${id} was not made by voxctl config; nothing was sent`,
    "voxctl apply carries it out",
  );
}
