/** The gate between two targets: what is applied to one has been applied to the other before. Pure. */
import type { Decision, Refusal } from "./decision.js";
import type { Lock } from "./lock.js";

/** A thing that only an overlay declares has no file that could have been applied elsewhere. */
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
    message: `not yet applied to ${gate} as they are: ${missing.join(", ")}`,
    hint: `voxctl config apply --target ${gate}; requires_applied_to: none in the project file lifts the gate`,
  };
}
