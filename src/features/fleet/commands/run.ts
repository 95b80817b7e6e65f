import { createHash } from "node:crypto";
import { formatCount } from "../../../base/text.js";
import { readStoreSettings } from "../../../cli/bulk/store.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { withConfigErrors } from "../../config/commands/errors.js";
import type { FleetAbout, MemberRow } from "../index.js";
import { confirmFleet } from "./confirm-fleet.js";
import { createRow, executeRun } from "./execute.js";
import { commandArgument, driveFlags, formatListCommand, memberFlags, startFlags } from "./flags.js";
import { collectFiles } from "./member-folder.js";
import type { Member } from "./open-members.js";
import { createFleetRun } from "./open-run.js";
import {
  divideMembers,
  type PlannedMember,
  type Prepared,
  prepareFleet,
  readLimits,
  readOkExits,
} from "./prepare.js";
import { openResultFiles } from "./result-files.js";

export const runFleet: Command = {
  name: "run",
  summary: "Run a command once for each member",
  description: `Runs the voxctl command after -- for each selected member, as a separate process with the member's URL and key. {name} and {label.KEY} in the command are replaced with the member's name and labels.

Before anything is written, voxctl parses each command and sends a read request to each member. It doesn't check the names in a command, such as that of a group; to preview each member's changes, use the command's own --dry-run.

Members run in waves. When all members of a wave have ended, voxctl waits for the time in the wave's \`hold\` (if set), then starts the next wave. If more members fail than --max-failures allows, no more members are started. A failure in a wave with \`hold\` always stops the run, and so does a member with unconfirmed changes (exit code 75).

The output of each member is in a log in the data directory. To resume the run, run \`voxctl fleet resume RUN\`. To undo it, run \`voxctl runs undo RUN\`.`,
  arguments: [commandArgument],
  passesThrough: true,
  flags: [
    ...memberFlags,
    ...driveFlags,
    ...startFlags,
    { name: "dry-run", description: "Show the members, waves and commands; send only read requests" },
  ],
  examples: [
    { command: "voxctl fleet run --select kind=dental -- config apply --target '{name}'" },
    {
      command:
        'voxctl fleet run --confirm "28 members" -- contacts sync hotline.csv --group Hotline --key id',
      note: "In a script",
    },
  ],
  verdict: true,
  run: (session, input) => withConfigErrors(() => startRun(session, input)),
};

async function startRun(session: Session, input: Input): Promise<void> {
  const { fillWords, fleetType, isComparison, isJournaled } = await import("../index.js");
  const command = input.arguments;
  const files = await openResultFiles(session, input);
  const prepared = await prepareFleet(session, input, async ({ labels }) => fillWords(command, labels));
  const { path, hasCheckFlag } = prepared;
  const plan = await planWaves(session, input, prepared);
  const { members } = prepared;
  if (input.on("dry-run") === true) return showDryRun(session, plan, members);
  const count = formatCount(members.length, "member");
  await confirmFleet(
    session,
    members,
    `Run \`voxctl ${command.join(" ")}\` for ${count} in ${formatCount(plan.waves.length, "wave")}?`,
    formatListCommand(input),
  );
  const { waves, allowed, parallel, rows, isShared } = plan;
  const about: FleetAbout = {
    ...{ command: [...command], waves, allowed, parallel, undoes: null, directory: session.io.cwd },
    ok_exits: readOkExits(input),
    is_journaled: isJournaled(path),
    is_comparison: isComparison(path, hasCheckFlag),
  };
  const identity = {
    kind: fleetType,
    digest: digestOf([session.random.bytes(16).toString("hex"), ...command]),
  };
  const stored = { identity, about, rows, files: plan.files, command: "fleet run" };
  const run = await createFleetRun(session, stored, isShared);
  await executeRun(session, run, about, toAccesses(members), files);
}

export function digestOf(words: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(words)).digest("hex");
}

export function toAccesses(members: readonly Member[]) {
  return new Map(
    members.flatMap(({ name, access }) => (access === undefined ? [] : [[name, access] as const])),
  );
}

type Planned = Pick<FleetAbout, "waves" | "allowed" | "parallel"> & {
  rows: MemberRow[];
  isShared: boolean;
  files: readonly Buffer[];
};

/** @throws usage error (2) */
export async function planWaves(
  session: Session,
  input: Input,
  { members, withoutKey, checks, path, settings }: Prepared,
): Promise<Planned> {
  const limits = await readLimits(input, settings);
  const { waves, empty } = await divideMembers(members, limits.waves);
  for (const name of empty) session.notes.note(`Wave ${name} has no members; skipping it.`);
  const waveOf = new Map(waves.flatMap((wave, index) => wave.members.map((name) => [name, index] as const)));
  const isShared = canShare(members, path) && (await readStoreSettings(session)) !== undefined;
  const files = collectFiles(session);
  const rows: MemberRow[] = [];
  for (const member of members) {
    const words = isShared ? await files.copy(member.line, member.words) : { words: member.words };
    const oldestGroup = checks.get(member.name)?.oldestGroup ?? null;
    rows.push(createRow(member, { ...words, wave: waveOf.get(member.name) ?? 0, oldestGroup }));
  }
  return {
    waves: waves.map(({ name, hold }) => ({ name, hold })),
    allowed: limits.allowed(members.length + withoutKey.length),
    parallel: limits.parallel,
    rows: [
      ...rows,
      ...withoutKey.map((member) => createRow(member, { wave: -1, words: [], state: "no key" })),
    ],
    ...{ isShared, files: files.contents },
  };
}

/** Returns whether other machines can run the members: embedded emulators and lock files exist only on this one. */
function canShare(members: readonly PlannedMember[], [first]: readonly string[]): boolean {
  return first !== "config" && members.every(({ access }) => access?.profile.type === "remote");
}

async function showDryRun(
  { output, notes }: Session,
  { rows, waves }: Pick<Planned, "rows" | "waves">,
  members: readonly PlannedMember[],
): Promise<void> {
  // A row of a shared run contains the names of copied files, not the typed names.
  const typed = new Map(members.map(({ name, words }) => [name, words.join(" ")]));
  const listed = rows.map(({ name, wave, state }) => ({
    name,
    wave: wave < 0 ? null : wave + 1,
    wave_name: waves[wave]?.name ?? null,
    command: typed.get(name) ?? null,
    state,
  }));
  await output.list(listed, {
    columns: [
      { header: "WAVE", value: "wave", align: "right" },
      { header: "MEMBER", value: "name", keep: true },
      { header: "COMMAND", value: "command" },
      { header: "STATE", value: "state", as: "status", optional: true },
    ],
    noun: "member",
  });
  notes.note("Dry run: no changes were made.");
}
