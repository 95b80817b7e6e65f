import { accessSync, constants, readFileSync, type Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describeFsError } from "../../base/describe-fs-error.js";
import { findStats, isSameFile } from "../../base/file-target.js";
import { parseJsonSafely } from "../../base/json.js";
import { makePrivateFolder } from "../../base/private-file.js";
import type { Random } from "../../base/random.js";
import type { Seal } from "../../features/import/imports/import.js";
import type { RunContext } from "../../write/engine/context.js";
import type { ImportAdapter } from "../../write/group/adapter.js";
import type { Journal } from "../../write/journal/journal.js";
import type { PlanHeader, PlanStep } from "../../write/plan/format.js";
import type { ImportGroup } from "../../write/plan/import-steps.js";
import { fileExistsError, usageError } from "../errors/errors.js";
import type { Flag, Input } from "../session/input.js";
import { assertVariableName, formatVariableProblem } from "../session/secret-source.js";
import type { Session } from "../session/session.js";
import { version } from "../session/version.js";

export const encryptFlag: Flag = {
  name: "encrypt-env",
  value: "variable",
  description: "Environment variable with the passphrase for an encrypted plan file",
};

export const encryptPlanFlag: Flag = {
  ...encryptFlag,
  description: "Environment variable with the passphrase that encrypts the plan file",
  group: "Plan files",
};

export const sealFlags: readonly Flag[] = [
  {
    name: "plan",
    value: "file",
    description:
      'Save the changes to a plan file without making them (compressed if the name ends with ".gz")',
    group: "Plan files",
  },
  { name: "force", description: "Overwrite an existing plan file", group: "Plan files" },
  encryptPlanFlag,
];

/** Flags for output files, waiting and previews don't affect the planned changes. */
const irrelevantFlags = new Set([
  ...["plan", "force", "encrypt-env", "report", "no-wait", "settle", "outage", "new-run", "check", "dry-run"],
]);

/** Omits flags that don't affect the planned changes. */
export function formatCommandWords(words: readonly string[], input: Input, flags: readonly Flag[]): string[] {
  const typed = [...words, ...input.arguments];
  for (const { name, value, repeatable, joined } of flags) {
    if (!input.has(name) || irrelevantFlags.has(name)) continue;
    const values = repeatable ? input.texts(name) : [input.text(name) ?? ""];
    if (value === undefined || (joined && values[0] === "*")) typed.push(`--${name}`);
    else if (joined) typed.push(`--${name}=${values[0]}`);
    else for (const flagValue of values) typed.push(`--${name}`, flagValue);
  }
  return typed;
}

export interface PlanFileOptions {
  file: string;
  path: string;
  force: boolean;
  passphrase: string | undefined;
}

export interface PlanOutput extends PlanFileOptions {
  random: Random;
  command: readonly string[];
}

/**
 * Returns undefined if no plan file is requested.
 * @param options.read path of the input file, as typed
 * @throws usage error (2)
 */
export function readPlanFileOptions(
  session: Session,
  input: Input,
  { flag = "plan", read }: { flag?: string; read?: string } = {},
): PlanFileOptions | undefined {
  const file = input.text(flag);
  if (file === undefined) {
    for (const name of ["force", "encrypt-env"])
      if (input.has(name)) throw usageError(`--${name} requires --${flag}`);
    return undefined;
  }
  if (input.on("dry-run") === true) throw usageError(`--${flag} and --dry-run can't be combined`);
  if (file === "") throw usageError(`invalid --${flag} "": expected a file name`);
  const path = resolve(session.io.cwd, file);
  if (read !== undefined && isSameFile(resolve(session.io.cwd, read), path))
    throw usageError(`--${flag} can't be the input file: ${file}`);
  const existing = findStats(path);
  const force = input.on("force") === true || (existing?.isFile() === true && isEmptyPlan(path, existing));
  if (existing?.isDirectory()) throw usageError(`--${flag}: ${file} is a directory`);
  if (!force && existing?.isFile()) throw fileExistsError(`--${flag}: ${file}`);
  if (existing === undefined || existing.isFile()) assertWritable(path, `--${flag}: ${file}`);
  return { file, path, force, passphrase: readPassphrase(session, input) };
}

/** In bytes. A plan file of this size or more always contains steps. */
const emptyPlanLimit = 65_536;

/** Overwriting a plan file without steps or keys loses nothing. */
function isEmptyPlan(path: string, { size }: Stats): boolean {
  if (size >= emptyPlanLimit) return false;
  try {
    const [header, end] = readFileSync(path, "utf8").split("\n").map(parseJsonSafely);
    const { plan, keys } = Object(header);
    return typeof plan === "number" && keys === undefined && Object(end).end === 0;
  } catch {
    return false;
  }
}

function assertWritable(path: string, subject: string): void {
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (cause) {
    throw usageError(`${subject} can't be written: ${describeFsError(cause, "write")}`, { cause });
  }
}

/**
 * @param read path of the input file, as typed
 * @throws usage error (2)
 */
export function readPlanOutput(
  session: Session,
  input: Input,
  read: string,
  command: readonly string[],
): PlanOutput | undefined {
  const planFile = readPlanFileOptions(session, input, { read });
  return planFile && { ...planFile, random: session.random, command };
}

export function readPassphrase({ io, secrets }: Session, input: Input): string | undefined {
  const variable = input.text("encrypt-env");
  if (variable === undefined) return undefined;
  assertVariableName(variable, "--encrypt-env");
  const passphrase = io.env[variable];
  if (passphrase === undefined || passphrase === "")
    throw usageError(
      formatVariableProblem(variable, "--encrypt-env", passphrase === "" ? "is empty" : "is not set"),
    );
  secrets.add(passphrase);
  return passphrase;
}

export interface Sealed {
  file: string;
  id: string;
  steps: number;
  hasKeys?: boolean;
  /** Values of --allow that are required to apply the plan file. */
  words?: readonly string[];
}

/** @throws BulkError */
export async function sealOrganizationSteps(
  { clock, folders, signal }: Session,
  { file, path, force, passphrase, random, command }: PlanOutput,
  facts: Pick<PlanHeader, "target" | "provision">,
  steps: Iterable<PlanStep>,
): Promise<Sealed> {
  const { writePlan } = await import("../../write/plan/index.js");
  const header = {
    made_at: new Date(clock.now()).toISOString(),
    made_by: `voxctl ${version}`,
    command: [...command],
    ...facts,
  };
  const temporaryFolder = join(folders.data, "runs");
  await makePrivateFolder(temporaryFolder);
  const options = { force, passphrase, random, temporaryFolder, waiting: { clock, signal } };
  return { file, ...(await writePlan(path, { header, steps }, options)) };
}

type SealedKeys = Parameters<Seal>[3];

/** @throws BulkError */
export async function sealImport(
  output: PlanOutput,
  context: RunContext,
  journal: Journal,
  {
    resource,
    group,
    identity,
    keys,
  }: { resource: string; group: ImportGroup; identity: ImportAdapter["identity"]; keys: SealedKeys },
): Promise<Sealed> {
  const { importSteps, sealPlan } = await import("../../write/plan/index.js");
  const steps = keys?.lines ?? importSteps(context, journal, resource, group, identity);
  const sealing = { ...output, madeBy: `voxctl ${version}`, keys: keys?.keys };
  return {
    file: output.file,
    hasKeys: keys !== undefined,
    ...(await sealPlan(context, sealing, steps)),
  };
}
