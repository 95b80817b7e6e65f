import { quoteWord } from "../../base/shell-words.js";
import { formatCount } from "../../base/text.js";
import type { ErrorDetail } from "../../client/errors.js";
import type { Outcomes, WriteSummary } from "../../write/engine/summary.js";
import { CliError, type Exit, exits } from "../errors/errors.js";

/** Other outcomes are successes. */
const exitsByOutcome: Readonly<Record<string, Exit>> = {
  unknown: exits.unknown,
  invalid: exits.partlyDone,
  ambiguous: exits.partlyDone,
  partly: exits.partlyDone,
  failed: exits.partlyDone,
  drifted: exits.partlyDone,
  blocked: exits.partlyDone,
  skipped: exits.partlyDone,
  remaining: exits.partlyDone,
  differs: exits.differences,
  conflicts: exits.differences,
  left: exits.differences,
};

const codes = [
  [exits.unknown, "outcome_unknown"],
  [exits.partlyDone, "partly_done"],
  [exits.differences, "differences"],
] as const;

interface Verdict {
  /** Error code (default: the outcome's code). Doesn't apply if writes are unconfirmed. */
  code?: string;
  unconfirmed?: string;
  unconfirmedHint?: string;
  unconfirmedReason?: string;
  reasons?: readonly (readonly [outcome: string, text: string])[];
  message(reasons: string): string;
  /** Whether anything was written. */
  isPartly: boolean;
  hint?: string | undefined;
  details?: ErrorDetail[];
}

/**
 * Throws an error if an outcome requires action from the user. The caller has already printed the summary.
 * @throws CliError with exit code 75 (unconfirmed), 68 (partly done) or 10 (differences)
 */
export function assertAllDone(outcomes: Outcomes, verdict: Verdict): void {
  const occurred = new Set(Object.keys(outcomes).filter((name) => (outcomes[name] ?? 0) > 0));
  const required = new Set([...occurred].map((name) => exitsByOutcome[name]));
  const [exit, code] = codes.find(([candidate]) => required.has(candidate)) ?? [];
  if (exit === undefined || code === undefined) return;
  const { unconfirmed = "", unconfirmedHint, reasons = [], isPartly, hint, details } = verdict;
  const { unconfirmedReason = "the service did not respond" } = verdict;
  if (exit === exits.unknown) {
    const are = outcomes["unknown"] === 1 ? "is" : "are";
    const message = `${unconfirmed} ${are} unconfirmed: ${unconfirmedReason}`;
    throw new CliError({ exit, code, message, outcome: "unknown", hint: unconfirmedHint });
  }
  const texts = reasons.filter(([name]) => occurred.has(name)).map(([, text]) => text);
  const message = verdict.message(texts.join(", "));
  throw new CliError({
    exit,
    code: verdict.code ?? code,
    message,
    details,
    outcome: isPartly ? "done" : "none",
    hint,
  });
}

/**
 * Reports contacts that another process also created. The caller has already printed the result.
 * @param group name or ID
 * @throws CliError with exit code 68, unless writes are unconfirmed: `assertAllDone` reports unconfirmed
 * writes
 */
export function assertNotDoubled(
  { doubled, outcomes }: Pick<WriteSummary, "doubled" | "outcomes">,
  group: string | null,
): void {
  if (doubled === undefined || (outcomes["unknown"] ?? 0) > 0) return;
  const { count } = doubled;
  const were = count === 1 ? "was" : "were";
  throw new CliError({
    exit: exits.partlyDone,
    code: "doubled_elsewhere",
    message: `${formatCount(count, "created contact")} ${were} also created by another machine or user at the same time`,
    outcome: "done",
    hint: `to keep only the older contact of each pair, run \`voxctl contacts dedupe${group === null ? "" : ` --group ${quoteWord(group)}`}\`; to prevent duplicates, see \`voxctl help shared-state\``,
  });
}

/**
 * Reports resources that another user changed while voxctl was updating them. The caller has already printed
 * the result.
 * @throws CliError with exit code 68
 */
export function assertNoneChangedElsewhere(
  { changed_elsewhere: count = 0 }: Outcomes,
  { noun, plural = `${noun}s`, hint }: { noun: string; plural?: string | undefined; hint: string },
): void {
  if (count === 0) return;
  throw new CliError({
    exit: exits.partlyDone,
    code: "changed_elsewhere",
    message: `another user changed ${formatCount(count, noun, plural)} while voxctl updated ${count === 1 ? "it" : "them"}`,
    outcome: "done",
    hint,
  });
}

export const repeatHint = "to check what is unconfirmed, run the same command again";

export const replaceHint = "; to replace the other user's values, run the same command again";
