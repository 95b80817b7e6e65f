import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { formatCount } from "../../../base/text.js";
import { parseTime } from "../../../base/time-text.js";
import type { RunContext } from "../../../bulk/engine/context.js";
import type { Failure } from "../../../bulk/plan/expectations.js";
import type { PlanNeeds } from "../../../bulk/plan/inspect.js";
import type { Plan } from "../../../bulk/plan/read.js";
import type { ApplySummary, ApplyTask } from "../../../bulk/plan/task.js";
import { type Bucket, buckets } from "../../../contract/limits.js";
import { CliError, exits, partlyDoneError, unknownError, usageError } from "../../errors/errors.js";
import { refuseInRehearsal } from "../../profiles/rehearsal-file.js";
import type { Command } from "../../session/command.js";
import { parseCount, parseDuration } from "../../session/globals.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { durationText } from "../../terminal/progress.js";
import { groupRunFlags, readBulkFlags } from "../bulk/bulk-flags.js";
import { readResultsPath } from "../bulk/flags.js";
import { formatTarget } from "../bulk/import.js";
import { encryptFlag } from "../bulk/plan-file.js";
import { withRefusals } from "../bulk/refusals.js";
import { withBulkRun } from "../bulk/run.js";
import { summaryView } from "../bulk/summary.js";
import { createBulkTarget, getRunsFolder } from "../bulk/target.js";
import { formatPlanSummary } from "./headline.js";
import { createPlanLearner } from "./learner.js";
import { openPlanFile, planArgument } from "./open.js";
import { createCheckContext, getPlanOperations, type PlanOperations } from "./plan-operations.js";
import { planSecretFlag, readPlanSecrets } from "./plan-secrets.js";
import { showPlanRequests } from "./requests.js";

const defaultMaxAge = "7d";

/** A8: said in the flag's help; the bulk layer is loaded only to carry a plan out. */
const allowWords = [
  "assistants:create",
  "assistants:delete",
  "groups:delete",
  "orgs:delete",
  "recordings:delete",
  "calls:create",
];

const flags: readonly Flag[] = [
  {
    name: "dry-run",
    description: "check the preconditions and print the requests instead of sending them",
  },
  {
    name: "skip-drifted",
    description: "leave out the steps that don't fit any more, and what needs them (68)",
  },
  { name: "retry", description: "of a plan that was applied before: try again what came to nothing" },
  {
    name: "again",
    description: "apply calls and re-indexing, too, of which nothing tells whether they were done before",
  },
  {
    name: "allow",
    value: "word",
    repeatable: true,
    choices: allowWords,
    strict: true,
    description: "let steps through that cost something, or can't be taken back",
  },
  { name: "max-calls", value: "n", description: "how many calls a plan may make; wanted where it makes any" },
  {
    name: "max-age",
    value: "duration",
    description: "refuse a plan that is older (12)",
    default: defaultMaxAge,
  },
  planSecretFlag,
  encryptFlag,
  {
    name: "state",
    value: "file",
    description: "where the keys of a synchronization's plan are kept",
    default: "path of contacts sync, otherwise in the data directory",
  },
  {
    name: "journal",
    value: "file",
    description:
      "where the run's journal is kept, for a cache of CI or a shared folder: another machine goes on with it",
    default: "in the data folder",
  },
  { name: "verify", description: "read everything that was written once more at the end" },
  {
    name: "report",
    value: "file",
    description: "File for the results",
    default: "in the directory of the run",
  },
  ...groupRunFlags,
];

/** `voxctl apply PLAN` */
export const apply: Command = {
  name: "apply",
  summary: "Apply a plan file",
  description: `Every precondition is read first: where one does not hold, nothing is sent, each difference is printed, and the command ends with 10. A plan is applied once: given again, it goes on where it was interrupted, or says that it was applied before. runs undo takes it back as far as that is possible.

voxctl reads each resource again before it changes or deletes it. If the resource differs from the plan, the step (drifted) and all steps that depend on it (blocked) are skipped, and the command exits with code 68. The service has no conditional write: a change made between that read and the write can be overwritten.

A plan of organizations (orgs provision --plan) goes to the distributor API. No request of it shows one organization, so what is deleted or gets another license is looked for in a list that was read within the minute before.`,
  arguments: [planArgument],
  flags,
  examples: [
    { command: "voxctl apply kunden.plan" },
    { command: "voxctl apply kunden.plan --dry-run", note: "what would be sent, and whether it still fits" },
    { command: "voxctl apply kunden.plan --yes -o json", note: "in CI, after the merge" },
  ],
  verdict: true,
  run: (session, input) => withRefusals(() => runApply(session, input)),
};

async function runApply(session: Session, input: Input): Promise<void> {
  refuseInRehearsal(session.io.env, "apply");
  const { allow, maxCalls, maxAgeMilliseconds } = readLimits(input);
  const secrets = await readPlanSecrets(input, session);
  const plan = await openPlanFile(session, input);
  const [file = ""] = input.arguments;
  const dryRun = input.on("dry-run") === true;
  const needs = plan.needs();
  const operations = await getPlanOperations(plan);
  const { api } = operations;
  const connection = await session.connect({ mutates: !dryRun, quiet: true });
  const folder = getRunsFolder(session);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const target = createBulkTarget(session, connection, folder, api);
  if (dryRun) {
    const context = await createCheckContext(session, connection, api);
    return showPlanRequests(session, plan, operations.check(plan, context));
  }
  const retry = input.on("retry") === true;
  const journal = input.text("journal");
  // Whether it was applied before stands in a file of the user's own.
  const { baseUrl } = target;
  const before =
    journal === undefined
      ? await operations.appliedBefore(folder, { baseUrl, emulatorId: null }, plan)
      : undefined;
  if (before !== undefined && !(retry && hasUndoneSteps(before))) return showApplied(session, before);
  session.notes.note(
    `plan ${plan.id}: ${formatPlanSummary(needs.summary)} → ${formatTarget(target)}; made ${formatAge(session, plan)} ago`,
  );
  const stateFile = findStateFile(session, input, plan);
  const task: ApplyTask = {
    plan,
    file,
    profile: target.profile,
    secrets,
    allow,
    maxCalls,
    maxAgeMilliseconds,
    skipDrifted: input.on("skip-drifted") === true,
    retry,
    again: input.on("again") === true,
    verify: input.on("verify") === true,
    resultsPath: readResultsPath(input.text("report"), resolve(session.io.cwd, file), session.io.cwd),
    stateFile,
  };
  const options = { ...readBulkFlags(input), command: `apply ${file}` };
  const summary = await withBulkRun(target, options, (context) =>
    applyPlan(session, context, task, {
      needs,
      operations,
      journalPath: journal === undefined ? undefined : resolve(session.io.cwd, journal),
    }),
  );
  await showApplied(session, summary);
}

function hasUndoneSteps({ steps }: ApplySummary): boolean {
  return steps.drifted + steps.blocked + steps.rejected + steps.skipped > 0;
}

/**
 * Returns the path of the user's own file with the plan's keys: as `--state` names it, else as the command that made
 * the plan did, from its directory. If that does not exist, this is another machine, and the current directory counts.
 * @throws usage error (2) for a plan that has no keys to keep
 */
function findStateFile({ io, notes }: Session, input: Input, { header, id }: Plan): string | undefined {
  const given = input.text("state");
  if (given !== undefined && header.keys === undefined)
    throw usageError(`--state: the plan ${id} was not made by a sync, and has no keys to keep`);
  if (given !== undefined) return resolve(io.cwd, given);
  const { state, state_directory } = header.keys ?? {};
  if (!state) return undefined;
  const directory = state_directory && existsSync(state_directory) ? state_directory : io.cwd;
  const path = resolve(directory, state);
  if (path !== resolve(io.cwd, state)) notes.note(`the keys will be saved in ${path}`);
  return path;
}

function readLimits(input: Input) {
  const maxCalls = input.text("max-calls");
  const maxAge = input.text("max-age") ?? defaultMaxAge;
  return {
    allow: new Set(input.texts("allow")),
    maxCalls: maxCalls === undefined ? undefined : parseCount(maxCalls, "--max-calls"),
    maxAgeMilliseconds: parseDuration(maxAge, "--max-age"),
  };
}

interface ApplyOptions {
  needs: PlanNeeds;
  operations: PlanOperations;
  /** Where the user wants the run's journal. */
  journalPath: string | undefined;
}

async function applyPlan(
  session: Session,
  context: RunContext,
  task: ApplyTask,
  { needs, operations, journalPath }: ApplyOptions,
): Promise<ApplySummary> {
  const { linkPlanJournal, preparePlan } = await import("../../../bulk/plan/index.js");
  await operations.greet(context);
  const { plan, skipDrifted = false } = task;
  if (journalPath !== undefined) await linkPlanJournal(context, plan, journalPath);
  const state = await preparePlan(context, task);
  // Without a prompt, the run reports differences before its first write.
  const needsConfirmation = !(await session.isConfirmed());
  const differs = needsConfirmation ? undefined : (failure: Failure) => reportDifference(session, failure);
  if (state === "new" && needsConfirmation && plan.steps > 0) {
    const drifted = await showDifferences(session, operations.check(plan, context), plan, skipDrifted);
    const parts = [
      `Apply the plan ${plan.id}: ${formatPlanSummary(needs.summary)}`,
      drifted > 0 ? `without what depends on ${formatCount(drifted, "difference")}` : "",
      needs.undo.none > 0 ? `${formatCount(needs.undo.none, "step")} can't be undone` : "",
      formatWriteDuration(plan.steps, operations.api === "public" ? "write" : "distributor"),
    ];
    const question = `${parts.filter((part) => part !== "").join("; ")}?`;
    await session.confirm(question, { loses: needs.undo.none > 0 });
  } else if (task.retry === true) {
    const { baseUrl, folder, requestStats } = context;
    const before = await operations.appliedBefore(
      folder,
      { baseUrl, emulatorId: requestStats.emulatorId },
      plan,
    );
    if (before !== undefined && !hasUndoneSteps(before)) return before;
    await session.confirm(`Try what came to nothing of the plan ${plan.id} again?`, { loses: false });
  }
  const learn = await createPlanLearner(session, context);
  return operations.apply(context, { ...task, learn, ...(differs && { differs }) });
}

/**
 * A3: tests the preconditions, and prints those that don't hold.
 * @returns how many of them are left out
 * @throws CliError (10)
 */
async function showDifferences(
  session: Session,
  failures: AsyncIterable<Failure>,
  plan: Plan,
  isSkipping: boolean,
): Promise<number> {
  let count = 0;
  for await (const failure of failures) {
    count += 1;
    reportDifference(session, failure);
  }
  if (count === 0 || isSkipping) return count;
  throw new CliError({
    exit: exits.differences,
    code: "plan_outdated",
    message: `${formatCount(count, "precondition")} of the plan ${plan.id} ${count === 1 ? "does" : "do"} not hold; nothing was sent`,
    hint: "make a new plan, or leave these steps out with --skip-drifted",
  });
}

function reportDifference({ notes }: Session, { step, resource, reason }: Failure): void {
  notes.note(`step ${step}  ${resource}  ${reason}`);
}

/** How long that many writes take where nothing else is written: worth a word where they don't go at once. */
function formatWriteDuration(steps: number, bucket: Bucket): string {
  const { limit, windowSeconds } = buckets[bucket];
  if (steps <= limit) return "";
  return `about ${durationText((steps / limit) * windowSeconds * 1000)} at ${limit} ${bucket === "write" ? "writes" : "requests"} a minute`;
}

function formatAge({ clock }: Session, { header }: Plan): string {
  return durationText(clock.now() - parseTime(header.made_at));
}

/**
 * The results of a plan.
 * @throws CliError: unknown (75) or partly done (68)
 */
export async function showApplied(
  session: Session,
  summary: ApplySummary,
  /** The part of it that is printed, where it is part of something else. */
  shown: object = summary,
): Promise<void> {
  const { steps, report, plan_id, applied_before, run_id, stored_otherwise } = summary;
  if (applied_before)
    session.notes.note(`Plan ${plan_id} was already applied by run ${run_id}. No changes were made.`);
  await session.output.item(shown, shown === summary ? summaryView : undefined);
  if (stored_otherwise > 0)
    session.notes.note(`the service normalized ${formatCount(stored_otherwise, "resource")}; see ${report}`);
  const notDone = steps.drifted + steps.blocked + steps.rejected + steps.skipped;
  if (steps.unknown > 0) {
    throw unknownError(
      `it is unknown whether ${formatCount(steps.unknown, "step")} of the plan ${plan_id} took effect`,
      `they are listed in ${report}`,
    );
  }
  if (notDone > 0) {
    const parts = (["drifted", "blocked", "rejected", "skipped"] as const).flatMap((name) =>
      steps[name] > 0 ? [`${steps[name]} ${name}`] : [],
    );
    throw partlyDoneError(
      `${formatCount(notDone, "step")} of the plan ${plan_id} ${notDone === 1 ? "was" : "were"} not done: ${parts.join(", ")}`,
      steps.done > 0,
      `they are listed in ${report}; --retry tries them again`,
    );
  }
  session.signal.throwIfAborted();
}

/** `voxctl plan apply`, which `voxctl apply` is short for. */
export const planApply: Command = {
  ...apply,
  examples: apply.examples.map(({ command, ...example }) => ({
    ...example,
    command: command.replace("voxctl apply", "voxctl plan apply"),
  })),
};
