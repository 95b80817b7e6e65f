import type { Evidence } from "./evidence.js";

/** An API rule. Tests that prove it have its ID in their title. */
interface RuleFacts {
  /** One or two sentences about what the service does, not about how the emulator does it. */
  readonly text: string;
  /** Whether the API rule can refuse requests. `X-Emulator-Rule` then contains its ID, and a test must show such a refusal. */
  readonly refuses?: true;
  /**
   * IDs that `X-Emulator-Rule` contains instead when this API rule refuses a request: a more specific rule, or the API's general rule for
   * this refusal.
   */
  readonly refusedAs?: readonly string[];
  /**
   * Detects requests that exercised the API rule without being refused. Without `seen` and refusals, a log can't show that the rule was
   * exercised.
   */
  readonly seen?: Evidence;
  /** Whether the API rule is a limit, race or merge that must hold with many concurrent clients. A test must show that it does. */
  readonly atOnce?: true;
}

/** API rules by ID. If a request log can't show a rule, only its text is given. */
export type Rules = Readonly<Record<string, string | RuleFacts>>;

/** An API rule as the catalogue contains it. */
export interface Rule {
  readonly id: string;
  /** `specified` by the service's documents, `assumed` because they don't specify it, or guaranteed by the emulator (`promise`). */
  readonly kind: "specified" | "assumed" | "promise";
  readonly text: string;
  /** IDs that `X-Emulator-Rule` contains for refusals by this rule; empty if it refuses nothing. */
  readonly namedBy: readonly string[];
  readonly seen: Evidence | undefined;
  readonly atOnce: boolean;
}

export function toRule(id: string, kind: Rule["kind"], given: string | RuleFacts): Rule {
  const facts: RuleFacts = typeof given === "string" ? { text: given } : given;
  const { text, refuses, refusedAs = [], seen, atOnce = false } = facts;
  return { id, kind, text, namedBy: [...(refuses ? [id] : []), ...refusedAs], seen, atOnce };
}
