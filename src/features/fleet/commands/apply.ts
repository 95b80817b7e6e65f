import { join, resolve } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { formatCount } from "../../../base/text.js";
import { readUtf8 } from "../../../base/utf8.js";
import { exits, usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { withConfigErrors } from "../../config/commands/errors.js";
import type { FleetAbout, PlanEntry } from "../index.js";
import { throwAll } from "./check-members.js";
import { confirmFleet } from "./confirm-fleet.js";
import { executeRun } from "./execute.js";
import { driveFlags, formatListCommand, memberFlags, startFlags } from "./flags.js";
import type { Member } from "./open-members.js";
import { createFleetRun } from "./open-run.js";
import { prepareFleet, readOkExits } from "./prepare.js";
import { openResultFiles } from "./result-files.js";
import { digestOf, planWaves, toAccesses } from "./run.js";

export const applyFleet: Command = {
  name: "apply",
  summary: "Apply the plan files in a directory, in waves",
  description:
    "Applies the plan files from `voxctl fleet plan` exactly as they were written. If a plan file is missing or was changed, or if a member now has another URL or organization, nothing is sent. If a plan no longer matches its organization, the member fails (exit code 10).",
  arguments: [{ name: "directory", description: "Directory written by `voxctl fleet plan --out`" }],
  flags: [...memberFlags.filter(({ name }) => name !== "select"), ...driveFlags, ...startFlags],
  examples: [{ command: 'voxctl fleet apply plans --confirm "26 members"' }],
  verdict: true,
  run: (session, input) => withConfigErrors(() => runApply(session, input)),
};

async function runApply(session: Session, input: Input): Promise<void> {
  const { fleetType, indexFileName, parsePlanIndex, sumChanges } = await import("../index.js");
  const [directory = ""] = input.arguments;
  const folder = resolve(session.io.cwd, directory);
  const files = await openResultFiles(session, input);
  const text = await readUtf8(join(folder, indexFileName)).catch((cause: unknown) => {
    throw usageError(`cannot read the plans in ${directory}: ${describeFsError(cause)}`, { cause });
  });
  const index = parsePlanIndex(text, join(directory, indexFileName));
  const entries = new Map(
    index.members.filter(({ file }) => file !== null).map((entry) => [entry.name, entry]),
  );
  const unplanned = index.members.filter(
    ({ file, exit }) => file === null && exit !== exits.success && exit !== exits.differences,
  );
  if (unplanned.length > 0)
    session.notes.warn(
      `no plan for ${unplanned.map(({ name }) => name).join(", ")}; the command failed during planning`,
    );
  const prepared = await prepareFleet(session, input, async (member) => {
    const entry = entries.get(member.name);
    if (entry === undefined) return undefined;
    const path = join(folder, entry.file ?? "");
    const problem = await findPlanProblem(session, member, entry, path);
    return { words: [...entry.apply, path], problems: problem === undefined ? [] : [problem] };
  });
  const { members, checks } = prepared;
  const missing = [...entries.keys()].filter((name) => !members.some((member) => member.name === name));
  const moved = members.filter(
    ({ name }) => checks.get(name)?.oldestGroup !== entries.get(name)?.oldest_group,
  );
  throwAll(
    [
      ...missing.map((name) => usageError(`${name} has a plan, but is not selected or has no key`)),
      ...moved.map(({ name }) =>
        usageError(`${name} now belongs to a different organization than when its plan was created`),
      ),
    ],
    "plans can't be applied",
  );
  const plan = await planWaves(session, input, { ...prepared, withoutKey: [] });
  const { created, updated, deleted } = sumChanges(entries.values());
  await confirmFleet(
    session,
    members,
    `Apply the plans of ${formatCount(members.length, "member")}? They will create ${created}, update ${updated} and delete ${deleted} resources.`,
    formatListCommand(input),
  );
  const { waves, allowed, parallel, rows } = plan;
  const about: FleetAbout = {
    ...{ command: ["apply", directory], waves, allowed, parallel, undoes: null, directory: session.io.cwd },
    ...{ ok_exits: readOkExits(input), is_journaled: true, is_comparison: false },
  };
  const stored = {
    identity: { kind: fleetType, digest: digestOf([session.random.bytes(16).toString("hex"), folder]) },
    about,
    ...{ rows, files: plan.files, command: "fleet apply" },
  };
  const run = await createFleetRun(session, stored, plan.isShared);
  await executeRun(session, run, about, toAccesses(members), files);
}

async function findPlanProblem(
  session: Session,
  { access }: Member,
  { address, sha256, apply }: PlanEntry,
  path: string,
): Promise<string | undefined> {
  const { openPlan } = await import("../../../write/plan/index.js");
  if (access !== undefined && access.address !== address)
    return `its URL was ${address} when the plan was created`;
  const variable = apply[apply.indexOf("--encrypt-env") + 1];
  const passphrase = apply.includes("--encrypt-env") ? session.io.env[variable ?? ""] : undefined;
  try {
    const { digest } = await openPlan(path, { passphrase });
    return digest === sha256 ? undefined : `${path} was changed after it was created`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
