/** Saves planned changes as a plan file. */

import type { Clock } from "../../base/clock.js";
import type { Random } from "../../base/random.js";
import type { PlanHeader, PlanStep } from "../../write/plan/format.js";
import { type SealedPlan, writePlan } from "../../write/plan/write.js";
import type { Decision } from "./decision.js";
import { lockEditsOf } from "./lock-edits.js";

/** Number of groups, and number of assistants, whose ids identify the organization in a plan file. */
const anchorsOfEach = 3;

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

/** Returns the ids of the oldest groups and assistants, which identify the organization. */
export function anchorsOf({ live, deletions }: Decision): string[] {
  const going = new Set(deletions.map(({ line }) => line.id));
  return ["groups", "assistants"].flatMap((resource) =>
    [...live.records(resource)]
      .filter(([id]) => !going.has(id))
      .sort(([, left], [, right]) =>
        String(left["created_at"] ?? "") < String(right["created_at"] ?? "") ? -1 : 1,
      )
      .slice(0, anchorsOfEach)
      .map(([id]) => id),
  );
}
