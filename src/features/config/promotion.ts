/** Checks a target's gate: another target, to which changes must be applied first. Pure. */
import type { Decision, Refusal } from "./decision.js";
import type { Lock } from "./lock.js";

/**
 * Returns a refusal if some changes have not been applied to the gate. Exempts resources that only an overlay
 * declares.
 */
export function promotionRefusal({ changes }: Decision, before: Lock, gate: string): Refusal | undefined {
  const missing = changes
    .filter(({ action, object }) => action !== "none" && object.source !== "")
    .filter(({ object }) => before.lines.get(object.key)?.source !== object.source)
    .map(({ object }) => object.key)
    .sort();
  if (missing.length === 0) return undefined;
  return {
    reason: "promotion",
    exit: 12,
    message: `the current versions of these resources have not been applied to ${gate}: ${missing.join(", ")}`,
    hint: `run \`voxctl config apply --target ${gate}\`, or set requires_applied_to: none in the project file`,
  };
}
