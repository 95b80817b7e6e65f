import type { Evidence } from "./evidence.js";

/** An API rule. The tests that prove it have its id in their titles. */
interface RuleFacts {
  /** One or two sentences: what the service does, not how the emulator does it. */
  readonly text: string;
  /** Its refusals name it in `X-Emulator-Rule`: a test must show one. */
  readonly refuses?: true;
  /**
   * The API rules that its refusals name instead: the more specific one that decided, or the one that
   * represents the same refusal in the whole API.
   */
  readonly refusedAs?: readonly string[];
  /**
   * How it shows in requests that it did not refuse; without this and without refusals, a log can't show it.
   */
  readonly seen?: Evidence;
  /** A limit, race or merge that must hold with many concurrent clients: a test must show that. */
  readonly atOnce?: true;
}

/** API rules by id; one that only a test can show is its text alone. */
export type Rules = Readonly<Record<string, string | RuleFacts>>;

/** An API rule that a response may name in `X-Emulator-Rule`. */
export interface Rule {
  readonly id: string;
  /** `specified` by the service's documents, `assumed` if they are silent, or a guarantee (`promise`) of the emulator. */
  readonly kind: "specified" | "assumed" | "promise";
  readonly text: string;
  /** The API rules that its refusals name; none if it refuses nothing. */
  readonly namedBy: readonly string[];
  readonly seen: Evidence | undefined;
  readonly atOnce: boolean;
}

export function toRule(id: string, kind: Rule["kind"], given: string | RuleFacts): Rule {
  const facts: RuleFacts = typeof given === "string" ? { text: given } : given;
  const { text, refuses, refusedAs = [], seen, atOnce = false } = facts;
  return { id, kind, text, namedBy: [...(refuses ? [id] : []), ...refusedAs], seen, atOnce };
}
