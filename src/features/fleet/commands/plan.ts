import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { inParallel } from "../../../base/in-parallel.js";
import { makePrivateFolder, writePrivateFile } from "../../../base/private-file.js";
import { formatCount } from "../../../base/text.js";
import { assertAllDone } from "../../../cli/bulk/outcome.js";
import { exits, fileExistsError, usageError } from "../../../cli/errors/errors.js";
import type { View } from "../../../cli/output/output.js";
import type { Command } from "../../../cli/session/command.js";
import { parseCount } from "../../../cli/session/globals.js";
import type { Input, ParsedLine } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { withConfigErrors } from "../../config/commands/errors.js";
import type { PlanEntry } from "../index.js";
import type { MemberCheck } from "./check-members.js";
import { listKeyVariables } from "./execute.js";
import { commandArgument, memberFlags } from "./flags.js";
import { runMemberProcess } from "./member-process.js";
import { type PlannedMember, prepareFleet } from "./prepare.js";

const view: View = {
  columns: [
    { header: "MEMBER", value: "name", keep: true },
    { header: "CREATE", value: "created", keep: true, align: "right" },
    { header: "UPDATE", value: "updated", keep: true, align: "right" },
    { header: "DELETE", value: "deleted", keep: true, align: "right" },
    { header: "NOTE", value: "note" },
  ],
  noun: "member",
};

export const planFleet: Command = {
  name: "plan",
  summary: "Save the planned changes of each member to a plan file",
  description:
    "Runs the command with --plan for each selected member, and writes DIR/NAME.plan and DIR/index.json. Sends only read requests. To review a plan, run `voxctl plan show DIR/NAME.plan`. To apply the plans, run `voxctl fleet apply DIR`.",
  arguments: [commandArgument],
  passesThrough: true,
  flags: [
    ...memberFlags,
    {
      name: "out",
      value: "directory",
      description: "Directory for the plans; must be new or empty",
      required: true,
    },
    {
      name: "parallel",
      value: "number",
      description: "Number of members that run at the same time",
      default: "4",
    },
    {
      name: "require-keys",
      description: "Fail (exit code 12) if voxctl has no key for an organization listed by a distributor",
    },
  ],
  examples: [
    { command: "voxctl fleet plan --out plans -- contacts sync hotline.csv --group Hotline --key id" },
  ],
  verdict: true,
  run: (session, input) => withConfigErrors(() => runPlan(session, input)),
};

async function runPlan(session: Session, input: Input): Promise<void> {
  const { fillWords, indexFileName, sumChanges } = await import("../index.js");
  const out = input.text("out");
  if (out === undefined) throw usageError("missing required flag: --out");
  const folder = resolve(session.io.cwd, out);
  if ((await readdir(folder).catch(() => [])).length > 0)
    throw fileExistsError(`--out: ${out}`, "choose a new or empty directory");
  const command = input.arguments;
  const parallel = parseCount(input.text("parallel") ?? "4", "--parallel");
  const { members, checks } = await prepareFleet(session, input, async ({ name, labels }) => {
    const { words, problems } = fillWords(command, labels);
    if (problems.length > 0) return { words, problems };
    const flag = findPlanFlag(await session.parseLine(words));
    if (flag === undefined) return { words, problems: [`"${words.join(" ")}" has no --plan flag`] };
    return { words: [...words, flag, join(folder, `${name}.plan`)], problems: [] };
  });
  await makePrivateFolder(folder);
  const keyVariables = listKeyVariables(members);
  const entries = new Map<string, PlanEntry>();
  await inParallel(members, parallel, async (member) => {
    session.signal.throwIfAborted();
    entries.set(
      member.name,
      await planMember(session, member, { folder, keyVariables, check: checks.get(member.name) }),
    );
  });
  const listed = members.flatMap(({ name }) => entries.get(name) ?? []);
  const index = {
    version: 1,
    command: [...command],
    made_at: new Date(session.clock.now()).toISOString(),
    members: listed,
  };
  await writePrivateFile(join(folder, indexFileName), `${JSON.stringify(index, null, 2)}\n`, {
    replace: false,
  });
  await session.output.list(listed, view);
  showPlanned(session, listed, sumChanges(listed));
}

function findPlanFlag({ path, accepts }: ParsedLine): string | undefined {
  if (accepts.flags.some(({ name, value }) => name === "plan" && value !== undefined)) return "--plan";
  return path.join(" ") === "config plan" ? "--out" : undefined;
}

async function planMember(
  session: Session,
  { name, words, access, line }: PlannedMember,
  {
    folder,
    keyVariables,
    check,
  }: { folder: string; keyVariables: ReadonlySet<string>; check: MemberCheck | undefined },
): Promise<PlanEntry> {
  if (access === undefined) throw new Error(`no URL and key for member ${name}`);
  const { exit, error } = await runMemberProcess(session, {
    ...{ logFolder: folder, mark: undefined, name, words, access },
    ...{ directory: session.io.cwd, keyVariables, interrupt: session.signal },
    onProcess: () => {},
    findRuns: async () => [],
  });
  const entry = {
    ...{ name, address: access.address, oldest_group: check?.oldestGroup ?? null, exit },
    ...{ file: null, id: null, sha256: null, apply: listApplyWords(line) },
    ...{ created: 0, updated: 0, deleted: 0, note: null },
  };
  // Exit code 10 means that there are changes or conflicting rows. In both cases, the plan file exists.
  if (exit !== exits.success && exit !== exits.differences)
    return { ...entry, note: `failed (${exit}): ${error ?? ""}; ${name}.log` };
  const { openPlan } = await import("../../../write/plan/index.js");
  const variable = line.input.text("encrypt-env");
  const passphrase = variable === undefined ? undefined : session.io.env[variable];
  const path = join(folder, `${name}.plan`);
  if (!existsSync(path)) return { ...entry, note: "no changes" };
  const plan = await openPlan(path, { passphrase });
  if (plan.steps === 0) return { ...entry, note: "no changes" };
  const { sumChanges } = await import("../index.js");
  const counts = sumChanges(Object.values(plan.needs().summary));
  return { ...entry, file: `${name}.plan`, id: plan.id, sha256: plan.digest, ...counts };
}

function listApplyWords({ path, input }: ParsedLine): string[] {
  const variable = input.text("encrypt-env");
  const encryption = variable === undefined ? [] : ["--encrypt-env", variable];
  if (path[0] !== "config") return ["apply", ...encryption];
  const flags = ["target", "directory"].flatMap((flag) => {
    const value = input.text(flag);
    return value === undefined ? [] : [`--${flag}`, value];
  });
  return ["config", "apply", ...flags, ...encryption];
}

/** @throws CliError with exit code 68 if the command failed for a member */
function showPlanned(
  { notes }: Session,
  entries: readonly PlanEntry[],
  { created, updated, deleted }: Pick<PlanEntry, "created" | "updated" | "deleted">,
): void {
  const changed = entries.filter(({ file }) => file !== null);
  const failed = entries.filter(({ exit }) => exit !== exits.success && exit !== exits.differences);
  const equal = entries.length - changed.length - failed.length;
  notes.note(
    `${formatCount(entries.length, "member")}: ${changed.length} to change, ${equal} without changes, ${failed.length} failed; ` +
      `${formatCount(created, "create")}, ${formatCount(updated, "update")}, ${formatCount(deleted, "delete")}`,
  );
  assertAllDone(
    { failed: failed.length },
    {
      message: () => `the command failed for ${formatCount(failed.length, "member")}`,
      isPartly: false,
      hint: "see the logs in the --out directory",
    },
  );
}
