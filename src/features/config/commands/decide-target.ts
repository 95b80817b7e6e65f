/** Decides which changes `apply` will make to one target. Sends only read requests. */

import type { Input } from "../../../cli/session/input.js";
import type { Client } from "../../../client/types.js";
import type { PlanStep } from "../../../write/plan/format.js";
import type { Decision, PlanOptions } from "../decision.js";
import { readPlanOptions } from "./flags.js";
import { assertKnownKeys } from "./known-keys.js";
import { createSecretReader } from "./secret-sources.js";
import { openLock, type TargetContext } from "./target-context.js";

export interface TargetDecision {
  decision: Decision;
  steps: readonly PlanStep[];
}

/** @throws ConfigError; ClientError; not found (4) for an unknown key */
export async function compareTarget(
  targetContext: TargetContext,
  options: PlanOptions,
  client: Client = targetContext.connection.client,
) {
  const { declareChecked, decide, readOnly } = await import("../index.js");
  const { session, folder, target, lockFile, cache, access } = targetContext;
  const reading = { client: readOnly(client), signal: session.signal };
  const declared = declareChecked(folder, target, { env: session.io.env, access, readsSecrets: true });
  const secrets = await createSecretReader(targetContext);
  const decision = await decide(reading, { folder, declared, lock: lockFile.lock, options, secrets, cache });
  if (options.only !== undefined)
    await assertKnownKeys(targetContext, declared.objects, decision, options.only);
  return { decision, declared, reading };
}

/** @throws ConfigError; ClientError */
export async function decideTarget(
  targetContext: TargetContext,
  input: Input,
  client: Client,
): Promise<TargetDecision> {
  const { stepsOf } = await import("../index.js");
  const options = await readPlanOptions(input, targetContext.settings.limits);
  const { decision } = await compareTarget(targetContext, options, client);
  await targetContext.cache?.save();
  const gated = await checkPromotion(targetContext, input, decision);
  return {
    decision: gated,
    steps: gated.refusals.length === 0 ? stepsOf(gated) : createStepsOrNone(stepsOf, gated),
  };
}

/** Returns an empty list if no valid order exists; the refusals explain why. */
function createStepsOrNone(stepsOf: (decision: Decision) => PlanStep[], decision: Decision): PlanStep[] {
  try {
    return stepsOf(decision);
  } catch {
    return [];
  }
}

/** Adds a refusal if another target, the gate, must get these changes first. */
async function checkPromotion(
  targetContext: TargetContext,
  input: Input,
  decision: Decision,
): Promise<Decision> {
  const gate = targetContext.settings.requires_applied_to;
  if (gate === undefined || gate === "none") return decision;
  const { promotionRefusal } = await import("../index.js");
  const before = await openLock(targetContext.session, omitLockFlag(input), targetContext.folder, gate);
  const refusal = promotionRefusal(decision, before.lock, gate);
  return refusal === undefined ? decision : { ...decision, refusals: [...decision.refusals, refusal] };
}

/** The gate has its own lock file. */
function omitLockFlag(input: Input): Input {
  return { ...input, text: (name) => (name === "lock" ? undefined : input.text(name)) };
}
