import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { counted } from "../../../base/text.js";
import type { RunContext } from "../../../bulk/engine/context.js";
import type { Plan } from "../../../bulk/plan/read.js";
import type { ApplySummary } from "../../../bulk/plan/task.js";
import { CliError, exits, refusedError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { parseDuration } from "../../session/globals.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { version } from "../../session/version.js";
import { groupRunFlags, readBulkFlags } from "../bulk/bulk-flags.js";
import { encryptFlag, readPassphrase } from "../bulk/plan-file.js";
import { withBulkRun } from "../bulk/run.js";
import { bulkTarget, runsFolder } from "../bulk/target.js";
import { showApplied } from "../plan/apply.js";
import { summaryText } from "../plan/headline.js";
import { decideFor } from "./decided.js";
import { withConfigErrors } from "./errors.js";
import { planFlags } from "./flags.js";
import { awaitIndexing, textsOf } from "./indexing.js";
import { eachTarget, openCommandFolder, type TargetPlace } from "./place.js";
import { showPlan } from "./plan.js";
import { assertNoRefusals, planReport } from "./report.js";
import { secretReader } from "./secret-sources.js";

const allowWords = ["assistants:create", "assistants:delete"];

export const apply: Command = {
  name: "apply",
  summary: "Make an organization equal to the folder",
  description: `Plans, shows the plan, asks, and carries it out; with a plan of config plan --out, exactly that. The lock is written after each thing, so that a run that was interrupted can be gone on with by the same command.

Right before each change its thing is read once more; where others changed it meanwhile it is left, and the command ends with 68. The service has no conditional write: between that read and the write another's change can be overwritten.`,
  arguments: [{ name: "plan", description: "a plan of config plan --out", optional: true }],
  flags: [
    ...planFlags,
    {
      name: "allow",
      value: "word",
      repeatable: true,
      choices: allowWords,
      strict: true,
      description: "let assistants be created, which get a number, or be deleted, which lose theirs",
    },
    {
      name: "wait",
      value: "duration",
      description: "for the indexing of texts that changed; 0s: don't",
      default: "10m",
    },
    encryptFlag,
    ...groupRunFlags,
  ],
  examples: [
    { command: "voxctl config apply --target dev" },
    { command: "voxctl config apply --target prod plan.jsonl --yes", note: "in CI, after the merge" },
    {
      command: "voxctl config apply --target neu --adopt --allow assistants:create",
      note: "into an empty organization",
    },
  ],
  verdict: true,
  run: (session, input) => withConfigErrors(() => run(session, input)),
};

async function run(session: Session, input: Input): Promise<void> {
  const folder = await openCommandFolder(session, input);
  const [file] = input.arguments;
  await eachTarget(session, input, folder, { mutates: true }, async (place) => {
    const runs = runsFolder(place.session);
    await mkdir(runs, { recursive: true, mode: 0o700 });
    const target = bulkTarget(place.session, place.connection, runs, "public");
    const options = { ...readBulkFlags(input), command: `config apply --target ${place.target}` };
    await withBulkRun(target, options, async (context) => {
      // Its answer names an emulator's world.
      await context.client.call("ping", {}, { signal: session.signal });
      await (file === undefined
        ? planAndApply(place, input, context)
        : applySealed(place, input, context, file));
    });
  });
}

async function planAndApply(place: TargetPlace, input: Input, context: RunContext): Promise<void> {
  const { session } = place;
  await goOn(place, input, context);
  const { lockEditsOf, applyEditsAtOnce, writeLockFile, sealDecision } = await import(
    "../../../config/index.js"
  );
  const decided = await decideFor(place, input, context.client);
  const { decision, steps } = decided;
  const report = planReport(place, decision, steps, null);
  const isRead = session.output.format === "table";
  if (isRead) await showPlan(place, decided, null);
  else if (decision.refusals.length > 0) await session.output.item({ ...report, run: null });
  assertNoRefusals(decision);
  const project = place.folder.project.project;
  if (steps.length === 0) {
    const edits = lockEditsOf(decision, place.baseUrl, project);
    const { lock, path } = place.lockFile;
    lock.base_url = place.baseUrl;
    applyEditsAtOnce(lock, edits);
    const changed = Object.keys(edits.lines).length + edits.moves.length + edits.drops.length;
    if (changed > 0 || place.lockFile.sha256 === "") await writeLockFile({ path, lock });
    if (!isRead) await session.output.item({ ...report, run: null });
    return;
  }
  const path = pendingPath(place);
  await mkdir(join(session.folders.data, "config"), { recursive: true, mode: 0o700 });
  await sealDecision(decision, steps, {
    path,
    force: true,
    passphrase: undefined,
    project,
    baseUrl: place.baseUrl,
    lockSha256: place.lockFile.sha256,
    command: ["config", "apply", "--target", place.target],
    madeBy: `voxctl ${version}`,
    clock: session.clock,
    signal: session.signal,
    random: session.random,
    temporaryFolder: context.folder,
  });
  const { openPlan } = await import("../../../bulk/plan/index.js");
  const plan = await openPlan(path);
  await confirmPlan(place, input, plan);
  const summary = await carryOut(place, input, context, plan, `config apply --target ${place.target}`);
  const texts = await textsOf(plan);
  await forget(path);
  await showApplied(session, summary, isRead ? summary : { ...report, run: summary });
  await awaitIndexing(place, texts, waitOf(input));
}

/** A sealed plan: exactly that, if the lock is still the one that it was made with. */
async function applySealed(
  place: TargetPlace,
  input: Input,
  context: RunContext,
  file: string,
): Promise<void> {
  const { openPlan, runStateOf } = await import("../../../bulk/plan/index.js");
  const { session } = place;
  const plan = await openPlan(resolve(session.io.cwd, file), { passphrase: readPassphrase(session, input) });
  const { config } = plan.header;
  if (
    config !== undefined &&
    (config.target !== place.target || config.project !== place.folder.project.project)
  )
    throw refusedError(
      "wrong_target",
      `the plan ${plan.id} is for the target ${config.target} of the project ${config.project}; nothing was sent`,
    );
  const state = await runStateOf(context, plan);
  if (state === "new") {
    if ((config?.lock_sha256 ?? "") !== place.lockFile.sha256)
      throw new CliError({
        exit: exits.differences,
        code: "plan_outdated",
        message: `${place.lockFile.shown} has changed since the plan ${plan.id} was made; nothing was sent`,
        hint: "make a new plan",
      });
    await confirmPlan(place, input, plan);
  }
  await showApplied(session, await carryOut(place, input, context, plan, file));
  await awaitIndexing(place, await textsOf(plan), waitOf(input));
}

function waitOf(input: Input): number {
  return parseDuration(input.text("wait") ?? "10m", "--wait");
}

async function confirmPlan({ session, target }: TargetPlace, input: Input, plan: Plan): Promise<void> {
  if (plan.steps === 0) return;
  const needs = plan.needs();
  const deletes = Object.values(needs.summary).reduce((sum, { deleted }) => sum + deleted, 0);
  const last = needs.undo.none > 0 ? `; ${counted(needs.undo.none, "step")} can't be undone` : "";
  await session.confirm(`Apply to ${target}: ${summaryText(needs.summary)}${last}?`, { loses: deletes > 0 });
  // A7: on a terminal a question of their own, without one a flag.
  for (const word of allowWords) {
    const count = needs.words.get(word) ?? 0;
    if (count === 0 || input.texts("allow").includes(word) || !session.prompts.available) continue;
    const what = word.endsWith("create") ? "Create" : "Delete";
    const about = word.endsWith("create") ? "each gets a number" : "their numbers are lost";
    await session.confirm(`${what} ${counted(count, "assistant")}; ${about}?`, { loses: true });
  }
}

async function carryOut(
  place: TargetPlace,
  input: Input,
  context: RunContext,
  plan: Plan,
  file: string,
): Promise<ApplySummary> {
  const { carryOutConfiguration, ConfigError } = await import("../../../config/index.js");
  const { session, connection, lockFile } = place;
  const reader = await secretReader(place);
  const secrets = new Map<string, string>();
  const missing: string[] = [];
  for (const from of plan.needs().secrets) {
    const value = await reader.read(from);
    if (value === undefined) missing.push(from);
    else secrets.set(from, value);
  }
  if (missing.length > 0)
    throw new ConfigError(
      "config_secrets",
      `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} unset, and the plan sends ${missing.length === 1 ? "it" : "them"}; nothing was sent`,
    );
  const { profile } = connection;
  if (profile.kind === "remote" && profile.rehearsal !== undefined) {
    const { keepSources } = await import("../../session/rehearsed-sources.js");
    await keepSources(profile.rehearsal.data, secrets);
  }
  const asked = session.prompts.available ? allowWords : [];
  return carryOutConfiguration(context, {
    plan,
    file,
    profile: connection.profile.name,
    lockFile,
    secrets,
    fingerprints: reader.fingerprints,
    allow: new Set([...input.texts("allow"), ...asked]),
  });
}

/** A run of this target that was interrupted is gone on with first, so that none of its requests is sent twice. */
async function goOn(place: TargetPlace, input: Input, context: RunContext): Promise<void> {
  const { openPlan, runStateOf } = await import("../../../bulk/plan/index.js");
  const path = pendingPath(place);
  const plan = await openPlan(path).catch(() => undefined);
  if (plan === undefined) return;
  const state = await runStateOf(context, plan);
  if (state !== "new") {
    if (state === "unfinished")
      place.session.notes.note(`going on with the run of the plan ${plan.id}, which was interrupted`);
    await carryOut(place, input, context, plan, `config apply --target ${place.target}`);
  }
  await forget(path);
}

function pendingPath({ session, target, folder, baseUrl }: TargetPlace): string {
  const name = [folder.project.project, target, Buffer.from(baseUrl).toString("base64url").slice(-40)].join(
    "-",
  );
  return join(session.folders.data, "config", `${name}.plan`);
}

async function forget(path: string): Promise<void> {
  const { rm } = await import("node:fs/promises");
  await rm(path, { force: true });
}
