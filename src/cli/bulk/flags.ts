import { closeSync, openSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isSameFile } from "../../base/file-target.js";
import type { MatchKey } from "../../features/import/contacts/identity.js";
import type { ReplaceBounds } from "../../features/import/planning/bounds.js";
import type { OnMatch } from "../../write/input-row.js";
import { refusedError, usageError } from "../errors/errors.js";
import type { Flag, Input } from "../session/input.js";
import { listedIn } from "../session/listed.js";
import type { Session } from "../session/session.js";
import { type BulkFlags, groupRunFlags, readBulkFlags } from "./bulk-flags.js";
import { formatCommandWords, type PlanOutput, readPlanOutput, sealFlags } from "./plan-file.js";

const onMatches = ["skip", "update", "replace", "create"] as const satisfies readonly OnMatch[];
const matches = ["phone", "email", "name"] as const satisfies readonly MatchKey[];

export function createImportFlags(plural: string): Flag[] {
  return [
    {
      name: "group",
      value: "name|id",
      description: "Group to import into (required)",
      group: "Common",
    },
    { name: "create-group", description: "Create the group if it doesn't exist", group: "Common" },
    {
      name: "map",
      value: "field=column,…",
      description: "Column for each field; see `voxctl help imports`",
      group: "File format",
    },
    {
      name: "on-match",
      value: "action",
      description: `Action for existing ${plural}: skip, update, replace or create`,
      choices: onMatches,
      strict: true,
      default: "skip",
      group: "Common",
    },
    { name: "strict", description: "Import nothing if voxctl finds an invalid row", group: "Safety" },
    {
      name: "dry-run",
      description: "Print what would change, without making changes",
      group: "Common",
    },
    ...sealFlags,
    {
      name: "report",
      value: "file",
      description: "Results file (NDJSON) with all rows that were not created",
      group: "Advanced",
    },
    {
      name: "new-run",
      description: "Start a new run instead of resuming an earlier one",
      group: "Advanced",
    },
    ...groupRunFlags,
  ];
}

export function createReplaceFlags(plural: string): Flag[] {
  return [
    {
      name: "clear-empty",
      value: "column",
      description: "Column in which an empty cell clears the existing value",
      default: "columns that are at least half filled",
      repeatable: true,
      group: "Matching",
    },
    {
      name: "max-update",
      value: "number|percent",
      description: `Stop if the number of ${plural} to change exceeds this limit`,
      default: "50% in groups of 20 or more",
      group: "Safety",
    },
    {
      name: "max-clear",
      value: "number|percent",
      description: `Stop if the number of ${plural} that would lose a value exceeds this limit`,
      default: "10% in groups of 20 or more",
      group: "Safety",
    },
  ];
}

/** @throws BulkError that names the flag */
export async function readBounds(input: Input): Promise<ReplaceBounds> {
  const { parseBound } = await import("../../features/import/index.js");
  const bound = (name: string) => {
    const text = input.text(name);
    return text === undefined ? undefined : parseBound(text, `--${name}`);
  };
  return { maxUpdate: bound("max-update"), maxClear: bound("max-clear") };
}

export interface ImportFlags extends BulkFlags {
  file: string;
  group: string;
  createGroup: boolean;
  country: string | undefined;
  map: string | undefined;
  match: MatchKey[];
  onMatch: OnMatch;
  strict: boolean;
  dryRun: boolean;
  plan?: PlanOutput | undefined;
  newRun: boolean;
  report: string | undefined;
}

/** @throws usage error (2) that names the flag */
export function readImportFlags(
  input: Input,
  session: Session,
  { noun, type, flags }: { noun: string; type: string; flags: readonly Flag[] },
): ImportFlags {
  const { io } = session;
  const [file = ""] = input.arguments;
  const group = input.text("group");
  if (group === undefined || group.trim() === "") {
    throw usageError("missing required flag: --group", {
      hint: `list groups: \`voxctl groups list --type ${type}\``,
    });
  }
  const plan = readPlanOutput(session, input, file, formatCommandWords([noun, "import"], input, flags));
  const report = readResultsPath(input.text("report"), resolve(io.cwd, file), io.cwd);
  return {
    file,
    group,
    createGroup: input.on("create-group") === true,
    country: input.text("country"),
    map: input.text("map"),
    match: readMatch(input.text("match") ?? "phone"),
    onMatch: onMatches.find((choice) => choice === input.text("on-match")) ?? "skip",
    strict: input.on("strict") === true,
    dryRun: input.on("dry-run") === true || plan !== undefined,
    plan,
    newRun: input.on("new-run") === true,
    report,
    ...readBulkFlags(input),
  };
}

/**
 * Returns an absolute path.
 * @throws usage error (2) if the path is the input file; refused error (12) if the file exists and is not a
 * results file
 */
export function readResultsPath(
  text: string | undefined,
  file: string | undefined,
  cwd: string,
): string | undefined {
  if (text === undefined) return undefined;
  const path = resolve(cwd, text);
  if (file !== undefined && isSameFile(file, path))
    throw usageError(`--report can't be the input file: ${text}`);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true && !isResultsFile(path))
    throw refusedError(
      "file_exists",
      `--report: ${text} already exists and is not a voxctl results file`,
      "choose another file name",
    );
  return path;
}

/** An empty file also counts as a results file. */
function isResultsFile(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(4096);
    const start = head.toString("utf8", 0, readSync(file, head, 0, head.length, 0)).trimStart();
    return start === "" || (start.startsWith("{") && start.includes('"outcome"'));
  } finally {
    closeSync(file);
  }
}

/** @throws usage error (2) */
export function readMatch(text: string): MatchKey[] {
  const keys = listedIn(text, "--match").map((key) => matches.find((candidate) => candidate === key));
  const known = keys.filter((key) => key !== undefined);
  if (known.length !== keys.length || known.every((key) => key === "name")) {
    throw usageError(
      `invalid --match "${text}": expected phone, email or phone,email, optionally followed by ,name`,
    );
  }
  return [...new Set(known)];
}
