import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { chooseProfile } from "../../../cli/profiles/choose.js";
import type { ParsedLine } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { findSourceProblem, findVariableProblem } from "../../../client/key-test.js";
import { openCommandFolder, readTargetNames } from "../../config/commands/target-context.js";
import type { Member } from "./open-members.js";

/** Commands of the distributor APIs, which use one key for all organizations. */
const distributorCommands = new Set(["orgs", "licenses", "usage", "billing", "customers", "partners"]);
/** Commands that can't run for a member: they use no organization or several, or start other programs. */
const otherCommands = new Set([
  ...[
    "fleet",
    "demo",
    "profiles",
    "rehearse",
    "emulator",
    "webhook",
    "mcp",
    "alias",
    "commands",
    "completion",
  ],
  ...["help", "open", "schema", "store", "version"],
]);

export function findCommandProblem({ path, input, globals }: ParsedLine): string | undefined {
  const [first = ""] = path;
  if (distributorCommands.has(first))
    return `"${first}" uses one distributor key for all organizations; to change many organizations, run \`voxctl orgs provision\``;
  if (otherCommands.has(first)) return `"${first}" can't be used with \`voxctl fleet\``;
  if (globals.text("profile") !== undefined)
    return "the command can't contain --profile: it would run in the same organization for each member";
  if (globals.text("confirm") !== undefined)
    return "--confirm must precede --, because it confirms the command for all members";
  const variable = input.text("encrypt-env");
  // The command is printed and stored, so refuse a name that may be a pasted secret.
  const variableProblem = variable === undefined ? undefined : findVariableProblem(variable, "plain");
  if (variableProblem !== undefined) return `--encrypt-env ${variableProblem}`;
  const secrets = [input.text("secret") ?? [], input.texts("secret")].flat();
  const [secretProblem] = secrets.flatMap((given) => findSecretProblem(given) ?? []);
  if (secretProblem !== undefined) return `--secret ${secretProblem}`;
  if (input.arguments.includes("-")) return "the command can't read standard input; specify a file";
  return undefined;
}

const sourcesWithoutName = new Set(["-", "ask", "none"]);

/** @param given SOURCE or NAME=SOURCE */
function findSecretProblem(given: string): string | undefined {
  const source = /^(?:env|file|keychain):/.test(given) ? given : given.replace(/^[^=]*=/, "");
  return sourcesWithoutName.has(source) ? undefined : findSourceProblem(source, "plain");
}

const inputActions = new Set(["import", "sync", "apply"]);

export function findFileProblem({ io }: Session, { path, accepts, input }: ParsedLine): string | undefined {
  if (!inputActions.has(path.at(-1) ?? "")) return undefined;
  for (const [index, { name }] of accepts.arguments.entries()) {
    const file = input.arguments[index];
    if (!["file", "plan"].includes(name) || file === undefined || URL.canParse(file)) continue;
    try {
      accessSync(resolve(io.cwd, file), constants.R_OK);
      statSync(resolve(io.cwd, file));
    } catch (error) {
      return `cannot read ${file}: ${describeFsError(error)}`;
    }
  }
  return undefined;
}

/**
 * Returns why a `config` target doesn't belong to the member's organization. Skips members with a URL and
 * key, because their URL and key override the target's profile.
 */
export async function findTargetProblem(
  session: Session,
  { access, reference }: Member,
  { path, input }: ParsedLine,
): Promise<string | undefined> {
  if (path[0] !== "config" || input.text("target") === undefined || !("profile" in reference))
    return undefined;
  const { targetOf } = await import("../../config/index.js");
  const folder = await openCommandFolder(session, input);
  const { io, folders, keychain } = session;
  for (const name of readTargetNames(input)) {
    const { profile: profileName } = targetOf(folder, name);
    if (profileName === undefined || profileName === reference.profile) continue;
    const profile = await chooseProfile({ io, folders, keychain }, profileName, `profile of target ${name}`);
    const target = profile.type === "remote" ? profile.targets.public : undefined;
    const identity = profile.type === "offline" ? profile.db : `${target?.baseUrl} ${target?.key}`;
    if (identity !== access?.identity)
      return `target ${name} uses profile "${profileName}", which has a different address or key than the member`;
  }
  return undefined;
}
