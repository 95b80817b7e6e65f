import { closeSync, openSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isSameFile } from "../../../base/file-target.js";
import type { MatchKey } from "../../../bulk/contacts/identity.js";
import type { OnMatch } from "../../../bulk/input-row.js";
import type { ReplaceBounds } from "../../../bulk/planning/bounds.js";
import { usageError } from "../../errors/errors.js";
import type { Flag, Input } from "../../session/input.js";
import { listedIn } from "../../session/listed.js";
import type { Session } from "../../session/session.js";
import { type BulkFlags, groupRunFlags, readBulkFlags } from "./bulk-flags.js";
import { type PlanOutput, readPlanOutput, sealFlags, typedWords } from "./plan-file.js";

const onMatches = ["skip", "update", "replace", "create"] as const satisfies readonly OnMatch[];
const matches = ["phone", "email", "name"] as const satisfies readonly MatchKey[];

export const importFlags: readonly Flag[] = [
  { name: "group", value: "name|id", description: "the group to import into" },
  { name: "create-group", description: "make the group if there is none of that name" },
  {
    name: "country",
    value: "code",
    description: "country of numbers without one: DE",
    ofProfile: "country",
  },
  {
    name: "map",
    value: "field=column,…",
    description: "columns of the file: first_name=Vorname,phone_numbers=Telefon|Mobil",
  },
  {
    name: "match",
    value: "keys",
    description:
      "what makes two of them the same, whatever their names: phone, email or phone,email (one is enough); with ,name the names must agree, too",
    default: "phone",
  },
  {
    name: "on-match",
    value: "what",
    description: "skip: leave the contact; update: add what differs; create: compare nothing",
    choices: onMatches.filter((one) => one !== "replace"),
    strict: true,
    default: "skip",
  },
  { name: "strict", description: "refuse the whole file when a row is invalid" },
  { name: "dry-run", description: "read and compare everything, print the summary, send nothing" },
  ...sealFlags,
  {
    name: "report",
    value: "file",
    description: "where to write the rows that were not simply created (NDJSON)",
  },
  {
    name: "new-run",
    description: "start afresh, even if an earlier run of this file is unfinished or finished",
  },
  ...groupRunFlags,
];

/** Flags of commands that make things equal to a file's rows (S0). */
export function replaceFlags(plural: string): Flag[] {
  return [
    {
      name: "clear-empty",
      value: "column",
      description:
        "an empty cell of this column clears the field, even the last number, and even if most cells are empty",
      repeatable: true,
    },
    {
      name: "max-update",
      value: "number|percent",
      description: `refuse (12) where more ${plural} than this change`,
      default: "50% of a group of 20 and more",
    },
    {
      name: "max-clear",
      value: "number|percent",
      description: `refuse (12) where more ${plural} than this lose a value`,
      default: "10% of a group of 20 and more",
    },
  ];
}

export const quietFlag: Flag = {
  name: "quiet",
  description: "no notes and no progress on stderr; warnings and errors stay",
};

/**
 * How much a run that replaces may change.
 * @throws BulkError that names the flag
 */
export async function readBounds(input: Input): Promise<ReplaceBounds> {
  const { parseBound } = await import("../../../bulk/index.js");
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
  /** Nothing is sent, and what would be is sealed there. */
  plan?: PlanOutput | undefined;
  newRun: boolean;
  /** Its whole path. */
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
    throw usageError("--group is missing: the group to import into, by name or id", {
      hint: `voxctl groups list --type ${type} shows those there are; --create-group makes one`,
    });
  }
  const plan = readPlanOutput(session, input, file, typedWords([noun, "import"], input, flags));
  const report = readReport(input.text("report"), resolve(io.cwd, file), io.cwd);
  return {
    file,
    group,
    createGroup: input.on("create-group") === true,
    country: input.text("country"),
    map: input.text("map"),
    match: readMatch(input.text("match") ?? "phone"),
    onMatch: onMatches.find((one) => one === input.text("on-match")) ?? "skip",
    strict: input.on("strict") === true,
    dryRun: input.on("dry-run") === true || plan !== undefined,
    plan,
    newRun: input.on("new-run") === true,
    report,
    ...readBulkFlags(input),
  };
}

/**
 * The whole path of a report.
 * @param file that is read for it
 * @throws usage error (2) where a report would take the place of that file, or of anything but an earlier report
 */
export function readReport(
  text: string | undefined,
  file: string | undefined,
  cwd: string,
): string | undefined {
  if (text === undefined) return undefined;
  const path = resolve(cwd, text);
  if (file !== undefined && isSameFile(file, path))
    throw usageError(`--report: ${text} is the file that is read`);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true && !isReport(path))
    throw usageError(`--report: ${text} is there, and is no report; take another name`, {
      hint: "nothing was sent",
    });
  return path;
}

/** A report's lines are JSON objects with an outcome; an empty file has none yet. */
function isReport(path: string): boolean {
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
  const keys = listedIn(text, "--match").map((key) => matches.find((one) => one === key));
  const known = keys.filter((key) => key !== undefined);
  if (known.length !== keys.length || known.every((key) => key === "name")) {
    throw usageError(
      `--match: "${text}" must be phone, email or phone,email; ,name after it wants the names to agree, too`,
    );
  }
  return [...new Set(known)];
}
