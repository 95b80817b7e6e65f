/** Decides for one target what apply would do; sends reads only. */

import type { PlanStep } from "../../../bulk/plan/format.js";
import type { Client } from "../../../client/types.js";
import type { Decision, PlanOptions } from "../../../config/decision.js";
import type { Input } from "../../session/input.js";
import { readPlanOptions } from "./flags.js";
import type { TargetPlace } from "./place.js";
import { secretReader } from "./secret-sources.js";

export interface Decided {
  decision: Decision;
  steps: readonly PlanStep[];
  options: PlanOptions;
}

/** @throws ConfigError; ClientError */
export async function decideFor(place: TargetPlace, input: Input, client: Client): Promise<Decided> {
  const { declareChecked, decide, readOnly, stepsOf } = await import("../../../config/index.js");
  const { session, folder, target, settings, lockFile, cache } = place;
  const options = await readPlanOptions(input, settings.limits);
  const declared = declareChecked(folder, target, session.io.env);
  const decision = await decide(
    { client: readOnly(client), signal: session.signal },
    { folder, declared, lock: lockFile.lock, options, secrets: await secretReader(place), cache },
  );
  await cache?.save();
  return { decision, steps: stepsOf(decision), options };
}
