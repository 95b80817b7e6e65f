import { parseDurationText } from "../../base/duration.js";
import { usageError } from "../errors/errors.js";
import type { Format } from "../output/output.js";
import type { Flag, Input } from "./input.js";

export interface GlobalFlags {
  readonly profile?: string | undefined;
  readonly requireProfile: boolean;
  /** Value of `-o`. The effective format is `session.output.format`. */
  readonly output?: Format | undefined;
  /** Whether `output` comes from the profile instead of the command line. */
  readonly isOutputPreferred?: boolean;
  readonly ownFormat?: string | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly jq?: string | undefined;
  readonly color: boolean;
  readonly excel: boolean;
  readonly wide: boolean;
  /** Whether to write for screen readers: one line per value, no redrawing, no colors. */
  readonly plain: boolean;
  readonly yes: boolean;
  readonly confirm?: string | undefined;
  readonly debug: boolean;
  /** Warnings and errors are still printed. */
  readonly quiet: boolean;
  /** For one request attempt. */
  readonly timeoutMilliseconds?: number | undefined;
  /** For rate limits. */
  readonly maxWaitMilliseconds?: number | undefined;
  /** Whether to wait in real time instead of advancing the emulator's clock. */
  readonly realTime: boolean;
}

export const formats = ["table", "json", "yaml", "ndjson", "csv"] as const;

export type GlobalInput = Pick<Input, "text" | "on">;

export const globalFlags: readonly Flag[] = [
  { name: "profile", value: "name", description: "Profile to use" },
  { name: "require-profile", description: "Fail if no profile is specified" },
  {
    name: "output",
    short: "o",
    value: "format",
    description: "Output format",
    choices: formats,
    strict: true,
    lastCounts: true,
  },
  { name: "json", description: "Print JSON (same as --output json)" },
  {
    name: "fields",
    value: "list",
    description: "Print only these fields, such as id,sync_status.state",
    lastCounts: true,
  },
  {
    name: "excel",
    description:
      "Write CSV for spreadsheets: with a byte order mark, the delimiter of your locale, and an apostrophe before formulas",
  },
  {
    name: "jq",
    value: "expression",
    description:
      "Filter the JSON output with a jq expression, such as '.[].id'; strings are printed without quotes",
  },
  { name: "yes", short: "y", description: "Confirm without a prompt" },
  {
    name: "confirm",
    value: "name",
    description: "Confirm a destructive command that uses the production profile <name>",
  },
  {
    name: "timeout",
    value: "duration",
    description: "Timeout for each request attempt",
    default: "10s",
    lastCounts: true,
  },
  {
    name: "max-wait",
    value: "duration",
    description: "Longest wait for the rate limit",
    default: "60s",
    lastCounts: true,
  },
  { name: "real-time", description: "Wait in real time instead of advancing the emulator's clock" },
  { name: "quiet", short: "q", description: "Omit progress and notes" },
  { name: "debug", description: "Log requests and responses, with secrets masked" },
  { name: "wide", description: "Show tables in full, even if they are wider than the terminal" },
  {
    name: "plain",
    description: "Print output for screen readers: one value per line, no redrawing, no colors",
  },
  { name: "no-color", description: "Disable colors" },
];

export function listGlobalFlags(further: readonly string[]): readonly Flag[] {
  if (further.length === 0) return globalFlags;
  return globalFlags.map((flag) =>
    flag.name === "output" ? { ...flag, choices: [...formats, ...further] } : flag,
  );
}

/**
 * Parses `90s`, `1.5m`, `1h30m`, `2d` or `500ms`. A number without a unit is in seconds.
 * @throws usage error (2) that names the flag
 */
export function parseDuration(text: string, flag: string): number {
  const milliseconds = parseDurationText(text);
  if (milliseconds === undefined)
    throw usageError(`invalid ${flag} "${text}": expected a duration such as 90s, 1.5m or 1h`);
  return milliseconds;
}

/** @throws usage error (2) that names the flag */
export function parseCount(text: string, flag: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text.trim()) || !Number.isSafeInteger(count) || count < 1)
    throw usageError(`invalid ${flag} "${text}": expected a whole number of at least 1`);
  return count;
}

/** @throws usage error (2) for a number below 0 or above the maximum */
export function parseWholeNumber(
  flag: string,
  text: string | undefined,
  otherwise: number,
  maximum: number,
): number {
  if (text === undefined) return otherwise;
  if (!/^\d+$/.test(text) || Number(text) > maximum)
    throw usageError(`invalid --${flag} "${text}": expected a whole number from 0 to ${maximum}`);
  return Number(text);
}

function isFormat(text: string | undefined): text is Format {
  return formats.some((format) => format === text);
}

/** @throws usage error (2) for an invalid value or conflicting flags */
export function readGlobals(
  input: GlobalInput,
  { writesCsv }: { writesCsv?: boolean | undefined },
): GlobalFlags {
  const isJson = input.on("json") === true;
  const typedOutput = input.text("output");
  if (isJson && typedOutput !== undefined && typedOutput !== "json")
    throw usageError(`conflicting flags: --json and --output ${typedOutput}`);
  const output = isJson ? "json" : typedOutput;
  const fields = input.text("fields");
  const timeout = input.text("timeout");
  const maxWait = input.text("max-wait");
  const names = fields?.split(",").map((field) => field.trim());
  if (names?.some((name) => name === "")) throw usageError(`invalid --fields "${fields}": empty name`);
  const jq = input.text("jq");
  if (jq !== undefined && jq.trim() === "")
    throw usageError("invalid --jq: empty expression; to print everything, use .");
  if (jq !== undefined && output !== undefined && output !== "json" && output !== "ndjson")
    throw usageError(`conflicting flags: --jq and --output ${output}`, {
      hint: "to print each result as one line of JSON, use -o ndjson",
    });
  const excel = input.on("excel") === true;
  if (excel && output !== "csv" && !writesCsv) throw usageError("--excel requires -o csv");
  return {
    profile: input.text("profile"),
    requireProfile: input.on("require-profile") === true,
    output: jq !== undefined && output === undefined ? "json" : isFormat(output) ? output : undefined,
    ownFormat: isFormat(output) ? undefined : output,
    fields: names,
    jq,
    color: input.on("no-color") !== true && input.on("plain") !== true,
    excel,
    wide: input.on("wide") === true,
    plain: input.on("plain") === true,
    yes: input.on("yes") === true,
    confirm: input.text("confirm"),
    debug: input.on("debug") === true,
    quiet: input.on("quiet") === true,
    timeoutMilliseconds: timeout === undefined ? undefined : parseDuration(timeout, "--timeout"),
    maxWaitMilliseconds: maxWait === undefined ? undefined : parseDuration(maxWait, "--max-wait"),
    realTime: input.on("real-time") === true,
  };
}

/** Reads the raw arguments, because an error can occur before they are parsed. */
export function readErrorStyle(argv: readonly string[]): {
  json: boolean;
  color: boolean;
  debug: boolean;
  plain: boolean;
} {
  const end = argv.indexOf("--");
  const flags = end === -1 ? argv : argv.slice(0, end);
  let json = false;
  for (const [index, flag] of flags.entries()) {
    if (flag === "-o" || flag === "--output") json = flags[index + 1] === "json";
    else if (flag.startsWith("--output=")) json = flag === "--output=json";
    else if (/^-o./.test(flag)) json = flag === "-ojson";
    else if (flag === "--json") json = true;
  }
  const plain = flags.includes("--plain");
  return { json, color: !plain && !flags.includes("--no-color"), debug: flags.includes("--debug"), plain };
}
