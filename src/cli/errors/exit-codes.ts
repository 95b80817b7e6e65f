import { databaseFileCode, describeFsError, isDiskError } from "../../base/describe-fs-error.js";
import { messageOf } from "../../base/error-code.js";
import { InputError } from "../../base/input-error.js";
import { UnwritableFileError } from "../../base/input-file.js";
import { quoteWord } from "../../base/shell-words.js";
import { formatCount } from "../../base/text.js";
import { ConnectionError } from "../../base/transport.js";
import { NotUtf8Error } from "../../base/utf8-error.js";
import { ClientError, type ErrorDetail, type Outcome } from "../../client/errors.js";
import type { Changes } from "./changes.js";
import { CliError, type Exit, exits, helpHint } from "./errors.js";
import { PipeClosed } from "./pipe-closed.js";
import { InvalidValue } from "./program-errors.js";
import { isUnusableFile, unusableFileError } from "./unusable-file.js";

/** An error as printed with `-o json`. Also the source of the text for users. */
export interface ErrorReport {
  code: string;
  message: string;
  details: (ErrorDetail & { flag?: string })[];
  status: number | null;
  exit: number;
  retryable: boolean;
  outcome: Outcome;
  hint: string | null;
}

/** An API error whose report shows flags instead of field names, and values instead of placeholders. */
export class FlaggedError extends Error {
  override readonly name = "FlaggedError";
  constructor(
    override readonly cause: unknown,
    /** Returns `--group` for `["group_id"]`; undefined if no flag sets the field. */
    readonly flagOf: (path: readonly (string | number)[]) => string | undefined,
    /** Maps a placeholder, such as `MSP`, to the value in the command. */
    readonly names: Readonly<Record<string, string>> = {},
  ) {
    super("a request was rejected");
  }
}

/**
 * Converts an error to a report; undefined if the reader of stdout closed the pipe. Bulk runs, `config`
 * commands and the control API convert their own errors to `CliError` first.
 * @param changes changes that the command made before the failure; with such changes, the outcome is never
 * `none`
 */
export function buildErrorReport(
  error: unknown,
  signal: AbortSignal,
  changes: Changes = { done: 0, id: undefined },
): ErrorReport | undefined {
  const report = buildFailureReport(error, signal, changes);
  return report?.outcome === "none" && changes.done > 0 ? { ...report, outcome: "done" } : report;
}

function buildFailureReport(error: unknown, signal: AbortSignal, changes: Changes): ErrorReport | undefined {
  if (error instanceof PipeClosed || signal.reason instanceof PipeClosed) return undefined;
  if (error instanceof FlaggedError) return addFlags(buildFailureReport(error.cause, signal, changes), error);
  const interruption = signal.reason instanceof CliError ? signal.reason : undefined;
  if (interruption && error !== interruption) {
    // Prefer the command's own error, because it is more detailed than the general one for a signal.
    if (error instanceof CliError && error.code === interruption.code) return buildCliReport(error);
    const outcome =
      error instanceof ClientError || error instanceof CliError
        ? error.outcome
        : error instanceof InputError
          ? "none"
          : "unknown";
    return { ...buildCliReport(interruption), outcome };
  }
  if (error instanceof CliError) return buildCliReport(error);
  if (error instanceof ClientError) return buildClientReport(error);
  if (error instanceof UnwritableFileError) {
    const { message, hint = null } = error;
    return buildFileReport({ message, hint, isDisk: isDiskError(error) }, changes);
  }
  if (error instanceof InputError)
    return { ...buildUsageReport(error.message, error.hint), details: error.details };
  if (error instanceof InvalidValue) return buildUsageReport(error.message, undefined);
  if (isParserError(error)) return buildParserReport(error.message);
  if (error instanceof NotUtf8Error) return buildUsageReport(error.message, undefined);
  if (isFileError(error)) return buildFileReport(describeFileError(error), changes);
  if (isUnusableFile(error)) return buildCliReport(unusableFileError(error.message, error));
  // The connection was lost during the response body.
  if (error instanceof ConnectionError) return buildConnectionReport(error);
  if (isRefusal(error)) return { ...buildUsageReport(error.message, error.hint), code: error.code };
  return buildUnexpectedReport(error);
}

function isRefusal(error: unknown): error is Error & { code: string; hint: string | undefined } {
  // Check the class name, because most commands don't load the class.
  return error instanceof Error && error.name === "BulkError" && "code" in error && "hint" in error;
}

/** System errors whose cause is the user's files or disks, not voxctl. */
const fileCodes = new Set([
  "ENOENT",
  "ENOTDIR",
  "EACCES",
  "EPERM",
  "EISDIR",
  "EEXIST",
  "EROFS",
  "ENOSPC",
  "EDQUOT",
  "EMFILE",
  "EIO",
  "EFBIG",
]);

function isFileError(error: unknown): error is Error & { code: string; path?: unknown } {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return false;
  return fileCodes.has(error.code) || databaseFileCode(error) !== undefined;
}

interface FileFailure {
  message: string;
  isDisk: boolean;
  hint: string | null;
}

function describeFileError(error: Error & { path?: unknown }): FileFailure {
  const isDatabase = databaseFileCode(error) !== undefined;
  const location =
    typeof error.path === "string" ? error.path : isDatabase ? "a file in the data directory" : "a file";
  return {
    message: `${location} can't be used: ${describeFsError(error)}`,
    isDisk: isDiskError(error),
    hint: isDatabase ? "set VOXCTL_DATA_DIR to another directory" : null,
  };
}

/** The command may have made changes before writing its output failed. */
function buildFileReport({ message, isDisk, hint }: FileFailure, { done, id }: Changes): ErrorReport {
  const toReport = (text: string, exit: Exit, outcome: Outcome, nextStep: string | null): ErrorReport => ({
    ...{ code: "file_error", message: text, details: [], status: null },
    ...{ exit, retryable: false, outcome, hint: nextStep },
  });
  if (done === 0) return toReport(message, isDisk ? exits.unavailable : exits.usage, "none", hint);
  const made = `the changes were made (${id ?? formatCount(done, "change")}), but ${message}`;
  return toReport(made, exits.unknown, "done", "check the current state before you retry");
}

function addFlags(
  report: ErrorReport | undefined,
  { flagOf, names }: Pick<FlaggedError, "flagOf" | "names">,
): ErrorReport | undefined {
  if (!report) return undefined;
  const details = report.details.map((detail) => {
    const flag = flagOf(detail.path);
    return flag === undefined ? detail : { ...detail, flag };
  });
  return {
    ...report,
    details,
    message: details.length > 0 ? report.message : addFlagNames(report.message, flagOf),
    hint: report.hint && fillCommands(report.hint, names),
  };
}

/** Replaces placeholders in the commands of a hint, so that users can paste the commands. */
function fillCommands(hint: string, names: FlaggedError["names"]): string {
  const fill = (word: string) => (Object.hasOwn(names, word) ? quoteWord(names[word] ?? "") : word);
  return hint.replace(/`[^`]+`/g, (command) => command.replace(/\b[A-Z]+\b/g, fill));
}

function addFlagNames(message: string, flagOf: FlaggedError["flagOf"]): string {
  return message
    .split("; ")
    .map((sentence) => {
      const field = /^(\w+) (?=is |must )/.exec(sentence)?.[1];
      const flag = field === undefined ? undefined : flagOf([field]);
      return field === undefined || flag === undefined
        ? sentence
        : `${flag}: ${sentence.slice(field.length + 1)}`;
    })
    .join("; ");
}

function buildCliReport(error: CliError): ErrorReport {
  const { code, message, details, exit, retryable, outcome, hint } = error;
  return { code, message, details, status: null, exit, retryable, outcome, hint: hint ?? null };
}

function buildClientReport(error: ClientError): ErrorReport {
  const { code, message, details, status, retryable, outcome } = error;
  const exit = toClientExit(error);
  return {
    code,
    message,
    details,
    status: status ?? null,
    exit,
    retryable,
    outcome,
    hint: error.hint ?? findClientHint(error) ?? findExitHint(exit, error) ?? null,
  };
}

/** Error code if the local emulator's server has ended. */
export const serverEnded = "server_ended";

export function toClientExit(error: ClientError): Exit {
  if (error.code === "key_in_request") return exits.refused;
  if (error.type === "configuration")
    return isDiskError(error) || error.code === serverEnded ? exits.unavailable : exits.usage;
  // An unknown outcome takes precedence over the status, because the user must check before a retry.
  if (error.outcome === "unknown") return exits.unknown;
  if (error.type === "rate_limit") return exits.rateLimit;
  if (error.type === "network") return exits.unavailable;
  return toStatusExit(error.status ?? 0);
}

function toStatusExit(status: number): Exit {
  if (status === 401 || status === 402 || status === 403) return exits.authentication;
  if (status === 404) return exits.notFound;
  if (status === 409) return exits.conflict;
  if (status === 429) return exits.rateLimit;
  if (status >= 400 && status < 500) return exits.rejected;
  return exits.unavailable;
}

const networkHint = "to check the connection, run `voxctl doctor` with the same profile";

const roleHint =
  "use a key with the required role: add the key with `voxctl profiles add NAME`, then use --profile NAME";

const hintsByCode: Readonly<Record<string, string>> = {
  ORGANIZATION_HAS_CHILDREN: "to delete an MSP with its customers, use `voxctl orgs delete MSP --cascade`",
  no_key: "to add the API to a profile, run `voxctl profiles add NAME --url URL`",
  DUPLICATE_EXTERNAL_ORGANIZATION_ID: "use a different external ID",
  LICENSE_NOT_AVAILABLE: "use a different license; to list an MSP's licenses, run `voxctl licenses list MSP`",
  LICENSE_NOT_FOUND: "list an MSP's licenses: `voxctl licenses list MSP`",
  PARTNER_NOT_FOUND: "list partners with their external IDs: `voxctl partners list`",
  CUSTOMER_NOT_FOUND: "list customers with their external IDs: `voxctl customers list PARTNER`",
  INVALID_ID: "use an external ID from `voxctl partners list` or `voxctl customers list PARTNER`",
  PLAN_NOT_FOUND: "set a subscription plan: `voxctl customers plan CUSTOMER starter|business|enterprise`",
  subscription_required: "ask the distributor to enable the organization's license",
  forbidden: roleHint,
  MISSING_PERMISSION: roleHint,
};

/** Returns a hint only if it is the same for every command. */
export function findClientHint({ type, code }: ClientError): string | undefined {
  if (Object.hasOwn(hintsByCode, code)) return hintsByCode[code];
  return type === "network" ? networkHint : undefined;
}

function findExitHint(
  exit: Exit,
  { retryAfterMilliseconds = 0 }: Pick<ClientError, "retryAfterMilliseconds">,
): string | undefined {
  switch (exit) {
    case exits.unknown:
      return "check whether the change was made before you retry";
    case exits.notFound:
      return "check that this is the right profile: `voxctl profiles show`";
    case exits.authentication:
      return "to check the key, run `voxctl doctor` with the same profile or environment variables";
    case exits.rateLimit:
      return `run the same command again later, or wait longer with --max-wait ${Math.max(5, Math.ceil(retryAfterMilliseconds / 60_000) + 1)}m`;
    default:
      return undefined;
  }
}

function isParserError(error: unknown): error is Error & { code: string } {
  // Check the code instead of the class, to avoid loading the parser.
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    error.code.startsWith("commander.")
  );
}

function buildParserReport(text: string): ErrorReport {
  if (text === "(outputHelp)") return buildUsageReport("missing command", undefined);
  const [first = "", suggestion] = text.replace(/^error: /, "").split("\n");
  const message = rephraseParserError(first);
  const hint = message.startsWith("unknown command")
    ? "to list all commands, run `voxctl commands`"
    : helpHint;
  return buildUsageReport(message, suggestion?.replace(/^\((.*)\)$/, "$1") ?? hint);
}

function rephraseParserError(sentence: string): string {
  return (
    sentence
      .replace(/^option '(?:-\w, )?(--[\w-]+)[^']*' argument missing$/, "$1 requires a value")
      // The parser mistakes a negative number, which no flag accepts, for an option.
      .replace(/^unknown option '(-\d[^']*)'$/, 'invalid value "$1": expected a positive value')
      .replace(/^too many arguments.*$/, "too many arguments")
  );
}

function buildUsageReport(message: string, hint: string | undefined): ErrorReport {
  return {
    code: "usage",
    message,
    details: [],
    status: null,
    exit: exits.usage,
    retryable: false,
    outcome: "none",
    hint: hint ?? null,
  };
}

function buildConnectionReport({ message }: ConnectionError): ErrorReport {
  return {
    code: "connection_failed",
    message: `the connection failed: ${message}`,
    details: [],
    status: null,
    exit: exits.unavailable,
    retryable: true,
    outcome: "unknown",
    hint: null,
  };
}

function buildUnexpectedReport(error: unknown): ErrorReport {
  const message = messageOf(error);
  return {
    code: "internal",
    message,
    details: [],
    status: null,
    exit: exits.internal,
    retryable: false,
    outcome: "unknown",
    hint: "this is a bug in voxctl; report it with the output of --debug",
  };
}
