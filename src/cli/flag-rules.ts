import { usageError } from "./errors/errors.js";
import type { Flag, Input } from "./session/input.js";

/** @throws usage error (2) if a flag requires another flag, or if two flags conflict */
export function assertFlagRules(flags: readonly Flag[], input: Pick<Input, "has">): void {
  for (const { name, requires, conflicts = [] } of flags.filter((flag) => input.has(flag.name))) {
    if (requires !== undefined && !input.has(requires)) throw usageError(`--${name} requires --${requires}`);
    const conflict = conflicts.find((candidate) => input.has(candidate));
    if (conflict !== undefined)
      throw usageError(`conflicting flags: --${name} and --${conflict}`, { hint: "use only one of them" });
  }
}
