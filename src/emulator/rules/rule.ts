import type { Evidence } from "./evidence.js";

/** An API rule. The tests that prove an API rule have its id in their titles. */
interface RuleFacts {
  /** One or two sentences on what the service does, not on how the emulator does it. */
  readonly text: string;
  /** The API rule can refuse requests and is then named in `X-Emulator-Rule`; a test must show such a refusal. */
  readonly refuses?: true;
  /**
   * API rules that are named instead when this one refuses a request: a more specific rule, or the rule for this refusal in the whole API.
   */
  readonly refusedAs?: readonly string[];
  /**
   * Detects requests that exercise the API rule without being refused. An API rule without `seen` and without refusals can't be detected in
   * a log.
   */
  readonly seen?: Evidence;
  /** The API rule is a limit, race or merge that must hold with many concurrent clients; a test must show that it does. */
  readonly atOnce?: true;
}

/** API rules by id. An API rule that a request log can't show has only its text here. */
export type Rules = Readonly<Record<string, string | RuleFacts>>;

/** An API rule that a response may name in `X-Emulator-Rule`. */
export interface Rule {
  readonly id: string;
  /** `specified` by the service's documents, `assumed` because the documents are silent, or a guarantee (`promise`) of the emulator. */
  readonly kind: "specified" | "assumed" | "promise";
  readonly text: string;
  /** The API rules that are named in refusals for this rule; empty if the rule refuses nothing. */
  readonly namedBy: readonly string[];
  readonly seen: Evidence | undefined;
  readonly atOnce: boolean;
}

export function toRule(id: string, kind: Rule["kind"], given: string | RuleFacts): Rule {
  const facts: RuleFacts = typeof given === "string" ? { text: given } : given;
  const { text, refuses, refusedAs = [], seen, atOnce = false } = facts;
  return { id, kind, text, namedBy: [...(refuses ? [id] : []), ...refusedAs], seen, atOnce };
}
