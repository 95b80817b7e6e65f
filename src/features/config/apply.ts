/** Applies a configuration plan and updates the lock file after each step. */
import type { RunContext } from "../../write/engine/context.js";
import type { WriteSummary } from "../../write/engine/summary.js";
import type { RunIdentity } from "../../write/journal/identity.js";
import { assertSecrets, assertUsable } from "../../write/plan/allowed.js";
import { applyPlan, runSteps } from "../../write/plan/apply.js";
import type { PlanSource } from "../../write/plan/read.js";
import { findResults, identityOf } from "../../write/plan/results.js";
import { assertSameOrganization } from "../../write/plan/same-organization.js";
import type { ApplyTask, StepResult } from "../../write/plan/task.js";
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
  plan: PlanSource;
  /** Undefined if the user passed a plan file. If `isUnfinished` is true, `plan` is that of an interrupted run. */
  run?: { identity: RunIdentity; isUnfinished: boolean; anchors: readonly string[] } | undefined;
  lockFile: LockFile;
  /** Secret values by source, such as `env:CRM_SECRET`. */
  secrets: ReadonlyMap<string, string>;
  fingerprints: Fingerprints | undefined;
  allow: ReadonlySet<string>;
}

/** @throws ConfigError if the plan file is not a configuration plan; the errors of `applyPlan` */
export async function applyConfiguration(
  context: RunContext,
  task: ApplyConfigurationTask,
): Promise<WriteSummary> {
  const { plan, run, lockFile, secrets, fingerprints } = task;
  const identity = run?.identity ?? identityOf(context, plan);
  const edits = editsOf(plan);
  // Check before the lock file changes, because the run may belong to another organization.
  await assertSameOrganization(context, identity);
  const { lock } = lockFile;
  applyEditsAtOnce(lock, edits);
  const results = {
    edits,
    references: referencesOfLock,
    secret: (from: string) => secrets.get(from),
    fingerprints,
  };
  // Writes of the lock file must not overlap.
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
  try {
    const applying = {
      ...task,
      isConfiguration: true,
      // Allow group deletions, because the `config` commands have already checked them.
      allow: new Set([...task.allow, "groups:delete"]),
      async done(result: StepResult) {
        applyResult(lock, result, results);
        await write();
      },
    };
    if (run !== undefined) {
      const needs = plan.needs();
      if (!run.isUnfinished) assertUsable(context, applying, needs);
      assertSecrets(applying, needs);
      return await runSteps(context, applying, {
        ...{ identity, once: run.isUnfinished, anchors: run.anchors },
      });
    }
    return await applyPlan(context, applying);
  } finally {
    await writing.catch(() => {});
    // Read the journal: `done` is not called for a step that was confirmed only by a later read, or whose
    // response was cut off by an interruption.
    const finished = await findResults(context.folder, identity, plan.id);
    for (const result of finished ?? []) applyResult(lock, result, results);
    if (finished !== undefined) await writeLockFile(lockFile);
  }
}

/**
 * Returns the identity that all `config apply` runs of a target share, so that a run can resume an
 * interrupted run.
 */
export function configRunIdentity(
  { baseUrl, requestStats }: Pick<RunContext, "baseUrl" | "requestStats">,
  project: string,
  target: string,
): RunIdentity {
  return {
    ...{ kind: "apply", base_url: baseUrl, world: requestStats.emulatorId, group_id: "" },
    ...{ digest: `config ${project} ${target}`, options: null },
  };
}

/** @throws ConfigError */
function editsOf({ header, id }: PlanSource): LockEdits {
  const parsed = LockEdits.safeParse(header.config?.lock);
  if (header.config !== undefined && parsed.success) return parsed.data;
  throw new ConfigError(
    "config_invalid",
    `plan ${id} was not created by \`voxctl config\``,
    "to apply it, run `voxctl apply FILE`",
  );
}
