/** Checks the gate between two targets: changes must be applied to the first target before the second. Pure. */
import type { Decision, Refusal } from "./decision.js";
import type { Lock } from "./lock.js";

/** Returns a refusal if changes are missing on the gate's target; resources that only an overlay declares are exempt. */
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
    message: `current versions not yet applied to ${gate}: ${missing.join(", ")}`,
    hint: `run \`voxctl config apply --target ${gate}\`, or set requires_applied_to: none in the project file`,
  };
}
