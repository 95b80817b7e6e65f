import type { ErrorDetail, Outcome } from "../../client/errors.js";
import type { RefusalCode } from "./refusal-codes.js";

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
  /** Error code for scripts, in snake_case. */
  code: string;
  message: string;
  details?: ErrorDetail[] | undefined;
  retryable?: boolean | undefined;
  /** Whether the command made changes: `none` (default), `done` or `unknown`. */
  outcome?: Outcome | undefined;
  hint?: string | undefined;
  cause?: unknown;
}

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

export const helpHint = "for usage, run the same command with --help";

export function usageError(
  message: string,
  more: { details?: ErrorDetail[]; hint?: string; cause?: unknown } = {},
): CliError {
  return new CliError({ exit: exits.usage, code: "usage", message, ...more });
}

export function notFoundError(message: string, hint?: string): CliError {
  return new CliError({ exit: exits.notFound, code: "not_found", message, hint });
}

/** Returns an error for a change that nobody confirmed or that a policy blocks. Exit code 12. */
export function refusedError(code: RefusalCode, message: string, hint?: string): CliError {
  return new CliError({ exit: exits.refused, code, message, hint });
}

export function fileExistsError(subject: string, hint = "use --force to overwrite it"): CliError {
  return refusedError("file_exists", `${subject} already exists`, hint);
}

/** Returns an error for data that changed after the command had read it. Exit code 6. */
export function changedMeanwhileError(message: string, hint: string): CliError {
  return new CliError({ exit: exits.conflict, code: "changed_meanwhile", message, hint });
}

/**
 * Returns an error for a signal (exit code 130 or 143) or Ctrl-C in a prompt (130). Not retryable, because
 * the command may have made changes.
 */
export function interruptedError(signal: "SIGINT" | "SIGTERM"): CliError {
  return signal === "SIGINT"
    ? new CliError({ exit: exits.interrupted, code: "interrupted", message: "interrupted" })
    : new CliError({ exit: exits.terminated, code: "terminated", message: "terminated" });
}

/**
 * Thrown if Ctrl-C ends an endless command (`--watch`, `--follow`). Sets exit code 130 without a message,
 * because no error occurred.
 */
export class EndedByHand extends Error {
  override readonly name = "EndedByHand";
  readonly exit = exits.interrupted;
}

/**
 * Thrown after a program that voxctl started has failed. voxctl exits with the program's exit code. The
 * program has already printed its messages.
 */
export class ProgramEnded extends Error {
  override readonly name = "ProgramEnded";
  constructor(readonly exit: number) {
    super(`the program exited with code ${exit}`);
  }
}

/** @throws EndedByHand after Ctrl-C; otherwise the reason for the abort */
export function throwIfEnded({ aborted, reason }: AbortSignal): void {
  if (!aborted) return;
  throw reason instanceof CliError && reason.exit === exits.interrupted ? new EndedByHand() : reason;
}
