/** Checks a target's gate: changes must first be applied to another target. Pure. */
import type { Decision, Refusal } from "./decision.js";
import type { Lock } from "./lock.js";

/**
 * Returns a refusal if some changes have not been applied to the gate's target. Resources that only an overlay declares
 * are exempt.
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
