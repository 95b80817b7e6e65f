import { resolve } from "node:path";
import { makePrivateFolder } from "../../../base/private-file.js";
import { formatCount, inflect } from "../../../base/text.js";
import { groupRunFlags, readBulkFlags } from "../../../cli/bulk/bulk-flags.js";
import { encryptFlag, readPassphrase } from "../../../cli/bulk/plan-file.js";
import { withBulkRun } from "../../../cli/bulk/run.js";
import { createBulkTarget, getRunsFolder } from "../../../cli/bulk/target.js";
import { CliError, exits, refusedError } from "../../../cli/errors/errors.js";
import { isRehearsed } from "../../../cli/profiles/profile.js";
import type { Command } from "../../../cli/session/command.js";
import { parseDuration } from "../../../cli/session/globals.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { RunContext } from "../../../write/engine/context.js";
import type { AppliedTarget } from "../../../write/engine/shared-runs.js";
import type { WriteSummary } from "../../../write/engine/summary.js";
import type { RunIdentity } from "../../../write/journal/identity.js";
import type { PlanSource } from "../../../write/plan/read.js";
import { showApplied, toApplyView } from "../../plans/commands/applied.js";
import { formatPlanSummary, formatUndoLimits, toConfirmationOptions } from "../../plans/commands/headline.js";
import type { ApplyConfigurationTask } from "../apply.js";
import { assertLockCurrent, targetNameOf } from "./applied-lock.js";
import { decideTarget } from "./decide-target.js";
import { withConfigErrors } from "./errors.js";
import { planFlags } from "./flags.js";
import { awaitIndexing, listTextKeys } from "./indexing.js";
import { showPlan } from "./plan.js";
import { assertNoRefusals, toPlanJson } from "./plan-output.js";
import { createSecretReader } from "./secret-sources.js";
import { forEachTarget, openCommandFolder, type TargetContext } from "./target-context.js";

const allowWords = ["assistants:create", "assistants:delete"];

export const apply: Command = {
  name: "apply",
  summary: "Update an organization to match the directory",
  description: `Plans the changes, shows them and applies them. To apply a reviewed plan, pass the file from \`config plan --out\`. voxctl updates the lock file after each resource. To resume an interrupted run, run the same command again.

Before voxctl changes a resource, it reads the resource again. If another user has changed the resource, voxctl skips it and exits with code 68. If another user changes the resource between this read and the write, voxctl can overwrite that change.`,
  arguments: [{ name: "plan", description: "Plan file from `config plan --out`", optional: true }],
  flags: [
    ...planFlags,
    {
      name: "allow",
      value: "word",
      repeatable: true,
      choices: allowWords,
      strict: true,
      description:
        "Allow voxctl to create assistants (each gets a phone number) or delete them (their numbers are lost)",
    },
    {
      name: "wait",
      value: "duration",
      description: "Maximum time to wait for changed knowledge items to be indexed; 0s skips the wait",
      default: "10m",
    },
    encryptFlag,
    ...groupRunFlags,
  ],
  confirms: true,
  examples: [
    { command: "voxctl config apply --target dev" },
    {
      command: "voxctl config apply --target prod plan.jsonl --yes",
      note: "Apply a reviewed plan in a CI job",
    },
    {
      command: "voxctl config apply --target neu --adopt --allow assistants:create",
      note: "Fill an empty organization",
    },
  ],
  verdict: true,
  run: (session, input) => withConfigErrors(() => runApply(session, input)),
};

async function runApply(session: Session, input: Input): Promise<void> {
  const folder = await openCommandFolder(session, input);
  const [file] = input.arguments;
  await forEachTarget(session, input, folder, { mutates: true }, async (targetContext) => {
    const runs = getRunsFolder(targetContext.session);
    await makePrivateFolder(runs);
    const target = await createBulkTarget(targetContext.session, targetContext.connection, runs, "public", {
      directory: folder.root,
    });
    const options = { ...readBulkFlags(input), command: formatCommand(targetContext) };
    await withBulkRun(target, options, async (context) => {
      await context.sharedRuns?.lease(targetNameOf(targetContext));
      // Send a request first, because its response identifies the emulator state.
      await context.client.call("ping", {}, { signal: session.signal });
      await (file === undefined
        ? planAndApply(targetContext, input, context)
        : applyPlanFile(targetContext, input, context, file));
    });
  });
}

async function planAndApply(targetContext: TargetContext, input: Input, context: RunContext): Promise<void> {
  const { session } = targetContext;
  const applied = await findApplied(targetContext, context);
  if (!(await resumeUnfinishedRun(targetContext, input, context, applied)))
    assertLockCurrent(targetContext, applied);
  const { lockEditsOf, applyEditsAtOnce, writeLockFile } = await import("../index.js");
  const decided = await decideTarget(targetContext, input, context.client);
  const { decision, steps } = decided;
  const planJson = await toPlanJson(targetContext, decision, steps, null);
  const isRead = session.output.format === "table";
  if (isRead) await showPlan(targetContext, decided, null);
  else if (decision.refusals.length > 0) await session.output.item({ ...planJson, run: null });
  assertNoRefusals(decision);
  const project = targetContext.folder.project.project;
  if (steps.length === 0) {
    const edits = lockEditsOf(decision, targetContext.baseUrl, project);
    const { lock, path } = targetContext.lockFile;
    applyEditsAtOnce(lock, edits);
    const changed = Object.keys(edits.lines).length + edits.moves.length + edits.drops.length;
    if (changed > 0 || targetContext.lockFile.sha256 === "") await writeLockFile({ path, lock });
    await shareLock(targetContext, context);
    if (!isRead) await session.output.item({ ...planJson, run: null });
    return;
  }
  const { draftPlan } = await import("../../../write/plan/index.js");
  const { anchorsOf, configPartOf } = await import("../index.js");
  const { baseUrl, lockFile } = targetContext;
  const config = configPartOf(decision, { project, baseUrl, lockSha256: lockFile.sha256 });
  const plan = draftPlan(context, { lines: () => steps, config }, session.random);
  await confirmPlan(targetContext, input, plan, steps.length);
  const summary = await runPlan(targetContext, input, context, {
    ...{ plan, file: formatCommand(targetContext) },
    run: {
      identity: await getRunIdentity(targetContext, context),
      isUnfinished: false,
      anchors: anchorsOf(decision),
    },
  });
  await showApplied(session, summary, {
    shown: isRead ? undefined : { ...planJson, run: toApplyView(summary) },
  });
  await awaitIndexing(targetContext, await listTextKeys(plan), readWait(input));
}

/** Refuses the plan file if the lock file has changed since the plan was created. */
async function applyPlanFile(
  targetContext: TargetContext,
  input: Input,
  context: RunContext,
  file: string,
): Promise<void> {
  const { openPlan, runStateOf } = await import("../../../write/plan/index.js");
  const { session } = targetContext;
  const plan = await openPlan(resolve(session.io.cwd, file), { passphrase: readPassphrase(session, input) });
  const { config } = plan.header;
  if (
    config !== undefined &&
    (config.target !== targetContext.target || config.project !== targetContext.folder.project.project)
  )
    throw refusedError(
      "wrong_target",
      `plan ${plan.id} is for target ${config.target} of project ${config.project}`,
    );
  const state = await runStateOf(context, plan);
  if (state === "new") {
    assertLockCurrent(targetContext, await findApplied(targetContext, context));
    if ((config?.lock_sha256 ?? "") !== targetContext.lockFile.sha256)
      throw new CliError({
        exit: exits.differences,
        code: "plan_outdated",
        message: `${targetContext.lockFile.shown} was changed after plan ${plan.id} was created`,
        hint: "create a new plan",
      });
    await confirmPlan(targetContext, input, plan, plan.steps);
  }
  await showApplied(session, await runPlan(targetContext, input, context, { plan, file }));
  await awaitIndexing(targetContext, await listTextKeys(plan), readWait(input));
}

function readWait(input: Input): number {
  return parseDuration(input.text("wait") ?? "10m", "--wait");
}

async function confirmPlan(
  { session, target }: TargetContext,
  input: Input,
  plan: PlanSource,
  steps: number,
): Promise<void> {
  if (steps === 0) return;
  const needs = plan.needs();
  const parts = [`It will ${formatPlanSummary(needs)}`, ...formatUndoLimits(needs.undo)];
  const question = `Apply the plan to ${target}? ${parts.join("; ")}.`;
  await session.confirm(question, toConfirmationOptions(needs.undo));
  // Confirm creations and deletions of assistants separately. A script needs `--allow` instead.
  for (const word of allowWords) {
    const count = needs.words.get(word) ?? 0;
    if (count === 0 || input.texts("allow").includes(word) || !session.prompts.available) continue;
    const what = word.endsWith("create") ? "Create" : "Delete";
    const about = word.endsWith("create") ? "Each gets a phone number." : "Their phone numbers will be lost.";
    await session.confirm(`${what} ${formatCount(count, "assistant")}? ${about}`, { loses: true });
  }
}

async function runPlan(
  targetContext: TargetContext,
  input: Input,
  context: RunContext,
  { plan, file, run }: Pick<ApplyConfigurationTask, "plan" | "file" | "run">,
): Promise<WriteSummary> {
  const { applyConfiguration, ConfigError } = await import("../index.js");
  const { session, connection, lockFile } = targetContext;
  const reader = await createSecretReader(targetContext);
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
      `the plan requires ${missing.join(", ")}, which ${inflect(missing.length, "is", "are")} not set`,
    );
  const { profile } = connection;
  if (isRehearsed(profile)) {
    const { keepSources } = await import("../../../cli/session/rehearsed-sources.js");
    await keepSources(profile.rehearsal.data, secrets);
  }
  const confirmedWords = session.prompts.available ? allowWords : [];
  const summary = await applyConfiguration(context, {
    ...{ plan, file, run },
    profile: connection.profile.name,
    lockFile,
    secrets,
    fingerprints: reader.fingerprints,
    allow: new Set([...input.texts("allow"), ...confirmedWords]),
  });
  await shareLock(targetContext, context);
  if (isRehearsed(profile))
    session.notes.note(
      "`voxctl apply` doesn't update the lock file of this directory. To apply the rehearsed changes, run `voxctl config apply`.",
    );
  return summary;
}

function findApplied(
  targetContext: TargetContext,
  { sharedRuns }: RunContext,
): Promise<AppliedTarget | undefined> | undefined {
  return sharedRuns?.findTarget(targetNameOf(targetContext));
}

/** Stores the hash of this lock file, so that other machines refuse any other lock file. */
async function shareLock(targetContext: TargetContext, { sharedRuns }: RunContext): Promise<void> {
  if (sharedRuns === undefined) return;
  const { hashLock } = await import("../index.js");
  await sharedRuns.saveTarget(targetNameOf(targetContext), hashLock(targetContext.lockFile.lock));
}

/**
 * Resumes an interrupted run before planning, so that no request is sent twice.
 * @returns whether there was an interrupted run
 */
async function resumeUnfinishedRun(
  targetContext: TargetContext,
  input: Input,
  context: RunContext,
  applied: AppliedTarget | undefined,
): Promise<boolean> {
  const { findUnfinishedRun } = await import("../../../write/index.js");
  const { journaledPlan } = await import("../../../write/plan/index.js");
  const identity = await getRunIdentity(targetContext, context);
  const unfinished = await findUnfinishedRun(context.folder, identity, (journal) =>
    journaledPlan(context, journal),
  );
  if (unfinished === undefined) return false;
  const plan = unfinished.read;
  // Skip the check on the machine that started the run, because the run itself may have changed the lock
  // file.
  const isStarter = (await context.sharedRuns?.isOwnRun(unfinished.id)) !== false;
  if (!isStarter) assertLockCurrent(targetContext, applied);
  targetContext.session.notes.note(`Resuming the interrupted run of plan ${plan.id}…`);
  const file = formatCommand(targetContext);
  await runPlan(targetContext, input, context, {
    plan,
    file,
    run: { identity, isUnfinished: true, anchors: [] },
  });
  return true;
}

async function getRunIdentity({ folder, target }: TargetContext, context: RunContext): Promise<RunIdentity> {
  const { configRunIdentity } = await import("../index.js");
  return configRunIdentity(context, folder.project.project, target);
}

function formatCommand({ target }: TargetContext): string {
  return `config apply --target ${target}`;
}
