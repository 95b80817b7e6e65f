/** Checks a target's gate: another target that must get all changes first. Pure. */
import type { Decision, Refusal } from "./decision.js";
import type { Lock } from "./lock.js";

/**
 * Returns a refusal if the gate lacks some of the plan's changes. Ignores resources that exist only in an
 * overlay.
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
