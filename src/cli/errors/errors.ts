import type { ErrorDetail, Outcome } from "../../client/errors.js";
import type { RefusalCode } from "./refusal-codes.js";

/** The exit codes, by what they mean. The text of `voxctl help exit-codes` is made of this. */
export const exits = {
  success: 0,
  internal: 1,
  usage: 2,
  authentication: 3,
  notFound: 4,
  rejected: 5,
  conflict: 6,
  rateLimit: 7,
  pending: 8,
  unavailable: 9,
  differences: 10,
  endedBadly: 11,
  refused: 12,
  partlyDone: 68,
  unknown: 75,
  interrupted: 130,
  terminated: 143,
} as const;

export type Exit = (typeof exits)[keyof typeof exits];

interface CliErrorFields {
  exit: Exit;
  /** In snake_case, for scripts. */
  code: string;
  message: string;
  details?: ErrorDetail[] | undefined;
  retryable?: boolean | undefined;
  /** Did the command change something? Default: nothing happened. */
  outcome?: Outcome | undefined;
  /** The command to type next, or another hint. */
  hint?: string | undefined;
  cause?: unknown;
}

/** A failure that voxctl itself found. Thrown where it happens; `exit-codes.ts` turns it into an exit code. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exit: Exit;
  readonly code: string;
  readonly details: ErrorDetail[];
  readonly retryable: boolean;
  readonly outcome: Outcome;
  readonly hint: string | undefined;

  constructor(fields: CliErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.exit = fields.exit;
    this.code = fields.code;
    this.details = fields.details ?? [];
    this.retryable = fields.retryable ?? false;
    this.outcome = fields.outcome ?? "none";
    this.hint = fields.hint;
  }
}

/** Wrong flags, arguments, configuration or input: nothing was sent (2). */
export function usageError(
  message: string,
  more: { details?: ErrorDetail[]; hint?: string; cause?: unknown } = {},
): CliError {
  return new CliError({ exit: exits.usage, code: "usage", message, ...more });
}

/** A name that stands for nothing (4). */
export function notFoundError(message: string, hint?: string): CliError {
  return new CliError({ exit: exits.notFound, code: "not_found", message, hint });
}

/** Unconfirmed, or against a policy: no changes were made (12). */
export function refusedError(code: RefusalCode, message: string, hint?: string): CliError {
  return new CliError({ exit: exits.refused, code, message, hint });
}

/** What is there is not what was seen before (6): nothing was sent. */
export function changedMeanwhileError(message: string, hint: string): CliError {
  return new CliError({ exit: exits.conflict, code: "changed_meanwhile", message, hint });
}

/** Some writes have no answer that tells whether they were done (75). */
export function unknownError(message: string, hint: string): CliError {
  return new CliError({ exit: exits.unknown, code: "outcome_unknown", message, outcome: "unknown", hint });
}

/**
 * Not all was done that was asked for (68).
 * @param isDone something of it was
 */
export function partlyDoneError(message: string, isDone: boolean, hint: string): CliError {
  const outcome = isDone ? "done" : "none";
  return new CliError({ exit: exits.partlyDone, code: "partly_done", message, outcome, hint });
}

/**
 * The error by which a signal or Ctrl-C in a prompt ends a command (130, 143). Not retryable: what the command had
 * done by then, only the command can say.
 */
export function interruptedError(signal: "SIGINT" | "SIGTERM"): CliError {
  return signal === "SIGINT"
    ? new CliError({ exit: exits.interrupted, code: "interrupted", message: "interrupted" })
    : new CliError({ exit: exits.terminated, code: "terminated", message: "terminated" });
}

/** Ctrl-C ended what has no other end (`--watch`, `--follow`): 130, and not a word, as nothing went wrong. */
export class EndedByHand extends Error {
  override readonly name = "EndedByHand";
  readonly exit = exits.interrupted;
}

/** A program that a command ran has ended: its exit code is the command's, and it said itself what there is to say. */
export class ProgramEnded extends Error {
  override readonly name = "ProgramEnded";
  constructor(readonly exit: number) {
    super(`the program ended with ${exit}`);
  }
}

/** @throws EndedByHand when the signal is Ctrl-C's, its reason for any other that is aborted */
export function throwIfEnded({ aborted, reason }: AbortSignal): void {
  if (!aborted) return;
  throw reason instanceof CliError && reason.exit === exits.interrupted ? new EndedByHand() : reason;
}
