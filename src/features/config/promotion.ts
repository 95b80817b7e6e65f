/** A target's gate is another target that must have all changes first. Pure. */
import type { Decision, Refusal } from "./decision.js";
import type { Lock } from "./lock.js";

/**
 * Refuses a plan if the gate lacks some of its changes. Resources that exist only in an overlay are exempt.
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
