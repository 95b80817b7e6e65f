import { partlyDoneError, unknownError } from "../errors/errors.js";

/** The result of a command that writes: what decides its exit code. */
interface WriteOutcome {
  /** Number of writes without a response. */
  unknown: number;
  /** These writes, for the message: "2 of 5 rows". */
  unconfirmed: string;
  unconfirmedHint: string;
  /** Reasons for which something was not done, or not as specified. */
  reasons: readonly { count: number; text: string }[];
  /** Returns the message for the reasons that occurred. */
  message(reasons: string): string;
  /** Whether anything was written. */
  isPartly: boolean;
  hint: string;
}

/**
 * Checks whether a command that writes did everything; its result is already printed.
 * @throws CliError: unconfirmed (75), partly done (68)
 */
export function assertAllDone(outcome: WriteOutcome): void {
  const { unknown, unconfirmed, unconfirmedHint, reasons, message, isPartly, hint } = outcome;
  if (unknown > 0) {
    const are = unknown === 1 ? "is" : "are";
    throw unknownError(`${unconfirmed} ${are} unconfirmed: the service did not respond`, unconfirmedHint);
  }
  const occurred = reasons.filter(({ count }) => count > 0).map(({ text }) => text);
  if (occurred.length > 0) throw partlyDoneError(message(occurred.join(", ")), isPartly, hint);
}

/** Hint of a command that checks its unconfirmed writes when it is repeated. */
export const repeatHint = "run the same command again to check them";
