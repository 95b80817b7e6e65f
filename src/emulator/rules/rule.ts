import type { Evidence } from "./evidence.js";

/** The tests that prove a rule have the rule's ID in their titles. */
interface RuleFacts {
  /** One or two sentences that describe the service's behavior, not the emulator's implementation. */
  readonly text: string;
  /** Whether the API rule can refuse requests. If so, a test must show such a refusal. */
  readonly refuses?: true;
  /**
   * IDs of more specific or more general rules that `X-Emulator-Rule` can contain if this rule refuses a
   * request.
   */
  readonly refusedAs?: readonly string[];
  /**
   * Returns whether a request exercised the API rule without being refused. If undefined, coverage counts
   * only refusals.
   */
  readonly seen?: Evidence;
  /** Whether a test must show that the API rule holds with many concurrent clients. */
  readonly atOnce?: true;
}

/** API rules by ID. A rule is a string if no log can show that it was exercised. */
export type Rules = Readonly<Record<string, string | RuleFacts>>;

export interface Rule {
  readonly id: string;
  /**
   * `specified`: the service's documents contain the rule. `assumed`: they don't specify this behavior.
   * `promise`: the emulator guarantees the rule.
   */
  readonly kind: "specified" | "assumed" | "promise";
  readonly text: string;
  /** IDs in `X-Emulator-Rule` after a refusal by this rule; empty if it refuses nothing. */
  readonly namedBy: readonly string[];
  readonly seen: Evidence | undefined;
  readonly atOnce: boolean;
}

export function toRule(id: string, kind: Rule["kind"], given: string | RuleFacts): Rule {
  const facts: RuleFacts = typeof given === "string" ? { text: given } : given;
  const { text, refuses, refusedAs = [], seen, atOnce = false } = facts;
  return { id, kind, text, namedBy: [...(refuses ? [id] : []), ...refusedAs], seen, atOnce };
}
