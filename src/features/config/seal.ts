import type { Clock } from "../../base/clock.js";
import type { Random } from "../../base/random.js";
import type { PlanHeader, PlanStep } from "../../write/plan/format.js";
import { type SealedPlan, writePlan } from "../../write/plan/write.js";
import type { Decision } from "./decision.js";
import { anchorsOf, lockEditsOf } from "./lock-edits.js";

export interface SealOptions {
  path: string;
  force: boolean;
  passphrase: string | undefined;
  project: string;
  baseUrl: string;
  lockSha256: string;
  command: string[];
  madeBy: string;
  clock: Clock;
  signal: AbortSignal;
  random: Random;
  temporaryFolder: string;
}

/** @throws the errors of `writePlan` */
export function sealDecision(
  decision: Decision,
  steps: readonly PlanStep[],
  options: SealOptions,
): Promise<SealedPlan> {
  const {
    path,
    force,
    passphrase,
    project,
    baseUrl,
    lockSha256,
    command,
    madeBy,
    clock,
    signal,
    random,
    temporaryFolder,
  } = options;
  return writePlan(
    path,
    {
      header: {
        made_at: new Date(clock.now()).toISOString(),
        made_by: madeBy,
        command,
        target: { base_url: baseUrl, anchors: anchorsOf(decision) },
        config: configPartOf(decision, { project, baseUrl, lockSha256 }),
      },
      steps,
    },
    { force, passphrase, random, temporaryFolder, waiting: { clock, signal } },
  );
}

export function configPartOf(
  decision: Decision,
  { project, baseUrl, lockSha256 }: Pick<SealOptions, "project" | "baseUrl" | "lockSha256">,
): NonNullable<PlanHeader["config"]> {
  return {
    project,
    target: decision.declared.target,
    lock: lockEditsOf(decision, baseUrl, project),
    ...(lockSha256 === "" ? {} : { lock_sha256: lockSha256 }),
  };
}
