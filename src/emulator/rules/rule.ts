import type { Evidence } from "./evidence.js";

/** All facts about an API rule. The tests that prove it name its id in their titles. */
interface RuleFacts {
  /** A sentence or two: what the service does, not how the emulator does it. */
  readonly text: string;
  /** Its refusals name it in `X-Emulator-Rule`: a test has to show one. */
  readonly refuses?: true;
  /**
   * Rules that its refusals name instead: the more specific rule that decided, or the one that represents the same
   * refusal in the whole API.
   */
  readonly refusedAs?: readonly string[];
  /** How it shows in requests that it did not refuse; without this and refusals, a log can't tell. */
  readonly seen?: Evidence;
  /** A limit, race or merge that holds only if it holds for many who ask at once: a test has to show that. */
  readonly atOnce?: true;
}

/** Rules by id; one that only a test can show is its text alone. */
export type Rules = Readonly<Record<string, string | RuleFacts>>;

/** An API rule that a response may name in `X-Emulator-Rule`. */
export interface Rule {
  readonly id: string;
  /** `specified` by the service's documents, `assumed` if they are silent, or a guarantee (`promise`) of the emulator. */
  readonly kind: "specified" | "assumed" | "promise";
  readonly text: string;
  /** The rules that its refusals name; none where it refuses nothing. */
  readonly namedBy: readonly string[];
  readonly seen: Evidence | undefined;
  readonly atOnce: boolean;
}

export function toRule(id: string, kind: Rule["kind"], given: string | RuleFacts): Rule {
  const facts: RuleFacts = typeof given === "string" ? { text: given } : given;
  const { text, refuses, refusedAs = [], seen, atOnce = false } = facts;
  return { id, kind, text, namedBy: [...(refuses ? [id] : []), ...refusedAs], seen, atOnce };
}
