/** Decides for one target what apply would do; sends reads only. */

import type { PlanStep } from "../../../bulk/plan/format.js";
import type { Client } from "../../../client/types.js";
import type { Decision, PlanOptions } from "../../../config/decision.js";
import type { Input } from "../../session/input.js";
import { readPlanOptions } from "./flags.js";
import { assertKnownKeys } from "./known-keys.js";
import { openLock, type TargetPlace } from "./place.js";
import { secretReader } from "./secret-sources.js";

export interface Decided {
  decision: Decision;
  steps: readonly PlanStep[];
}

/**
 * The folder held against the organization, by reads only.
 * @throws ConfigError; ClientError; not found (4) for a key that nothing has
 */
export async function compareTarget(
  place: TargetPlace,
  options: PlanOptions,
  client: Client = place.connection.client,
) {
  const { declareChecked, decide, readOnly } = await import("../../../config/index.js");
  const { session, folder, target, lockFile, cache, access } = place;
  const reading = { client: readOnly(client), signal: session.signal };
  const declared = declareChecked(folder, target, { env: session.io.env, access, readsSecrets: true });
  const secrets = await secretReader(place);
  const decision = await decide(reading, { folder, declared, lock: lockFile.lock, options, secrets, cache });
  if (options.only !== undefined) await assertKnownKeys(place, declared.objects, decision, options.only);
  return { decision, declared, reading };
}

/** @throws ConfigError; ClientError */
export async function decideFor(place: TargetPlace, input: Input, client: Client): Promise<Decided> {
  const { stepsOf } = await import("../../../config/index.js");
  const options = await readPlanOptions(input, place.settings.limits);
  const { decision } = await compareTarget(place, options, client);
  await place.cache?.save();
  const gated = await withPromotion(place, input, decision);
  return {
    decision: gated,
    steps: gated.refusals.length === 0 ? stepsOf(gated) : stepsIfAny(stepsOf, gated),
  };
}

/** Obstacles are told first: with them there may be no order of steps. */
function stepsIfAny(stepsOf: (decision: Decision) => PlanStep[], decision: Decision): PlanStep[] {
  try {
    return stepsOf(decision);
  } catch {
    return [];
  }
}

/** Lets only through what was applied to another target as it is now. */
async function withPromotion(place: TargetPlace, input: Input, decision: Decision): Promise<Decision> {
  const gate = place.settings.requires_applied_to;
  if (gate === undefined || gate === "none") return decision;
  const { promotionRefusal } = await import("../../../config/index.js");
  const before = await openLock(place.session, withoutLock(input), place.folder, gate);
  const refusal = promotionRefusal(decision, before.lock, gate);
  return refusal === undefined ? decision : { ...decision, refusals: [...decision.refusals, refusal] };
}

/** `--lock` is that of the command's own target. */
function withoutLock(input: Input): Input {
  return { ...input, text: (name) => (name === "lock" ? undefined : input.text(name)) };
}
