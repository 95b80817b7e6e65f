import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { makePrivateFolder } from "../../../base/private-file.js";
import { formatCount } from "../../../base/text.js";
import { parseTime } from "../../../base/time-text.js";
import { finalCheckFlag, groupRunFlags, readBulkFlags } from "../../../cli/bulk/bulk-flags.js";
import { readResultsPath } from "../../../cli/bulk/flags.js";
import { formatTarget } from "../../../cli/bulk/import.js";
import { encryptFlag } from "../../../cli/bulk/plan-file.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { withBulkRun } from "../../../cli/bulk/run.js";
import { noteUndo } from "../../../cli/bulk/run-notes.js";
import { createBulkTarget, getRunsFolder } from "../../../cli/bulk/target.js";
import { refusedError, usageError } from "../../../cli/errors/errors.js";
import { refuseInRehearsal } from "../../../cli/profiles/rehearsal-file.js";
import type { Command } from "../../../cli/session/command.js";
import { parseCount, parseDuration } from "../../../cli/session/globals.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import { listMirrors } from "../../../cli/session/mirrors.js";
import type { Session } from "../../../cli/session/session.js";
import { durationText, formatWriteDuration } from "../../../cli/terminal/progress.js";
import type { RunContext } from "../../../write/engine/context.js";
import type { WriteSummary } from "../../../write/engine/summary.js";
import type { Plan } from "../../../write/plan/read.js";
import type { FailedStep } from "../../../write/plan/sorted.js";
import type { ApplyTask } from "../../../write/plan/task.js";
import { assertNotApplied } from "./already-applied.js";
import { showApplied } from "./applied.js";
import { formatAssumptions } from "./assumptions.js";
import { formatPlanSummary, formatUndoLimits, noteIncomplete, toConfirmationOptions } from "./headline.js";
import { createPlanLearner } from "./learner.js";
import { openPlanFile, planArgument } from "./open.js";
import {
  countUnapplied,
  createCheckContext,
  findApplied,
  getPlanOperations,
  type PlanOperations,
} from "./plan-operations.js";
import { planSecretFlag, readPlanSecrets } from "./plan-secrets.js";
import {
  createOutdatedError,
  formatFailure,
  formatOutdated,
  showFailures,
  showPlanRequests,
} from "./requests.js";
import { formatSkipCommand } from "./skip-command.js";

const defaultMaxAge = "7d";

/** Values of --allow, copied so that printing help doesn't load the code for plans. */
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
    description: "Check the plan and print its requests, but don't send them",
  },
  {
    name: "skip-drifted",
    description: "Skip outdated steps and the steps that depend on them (exit code 68)",
  },
  {
    name: "digest",
    value: "sha256",
    description: "Expected digest of the plan, from `voxctl plan show` (exit code 12 if it differs)",
  },
  { name: "retry", description: "Retry the failed steps of a plan that was already applied" },
  {
    name: "again",
    description: "Repeat calls and indexing that may already have been done",
  },
  {
    name: "allow",
    value: "word",
    repeatable: true,
    choices: allowWords,
    strict: true,
    description: "Allow steps that cost money or can't be undone",
  },
  {
    name: "max-calls",
    value: "number",
    description: "Maximum number of calls; required if the plan makes calls",
  },
  {
    name: "max-age",
    value: "duration",
    description: "Maximum age of the plan (exit code 12 if it is older)",
    default: defaultMaxAge,
  },
  planSecretFlag,
  encryptFlag,
  {
    name: "state",
    value: "file",
    description: "File in which to store a sync plan's keys",
    default: "the file that `contacts sync` used, or a file in the data directory",
  },
  {
    name: "journal",
    value: "file",
    description:
      "File for the run's journal, for example in a CI cache, so that another machine can resume the run",
    default: "in the data directory",
  },
  {
    name: "verify",
    description: "Read all changed resources again at the end, and report those that differ from the plan",
  },
  {
    name: "report",
    value: "file",
    description: "Results file to write (NDJSON)",
    default: "in the run's directory",
  },
  ...groupRunFlags,
  finalCheckFlag,
];

export const apply: Command = {
  name: "apply",
  summary: "Apply a plan file",
  description: `First checks whether the plan is still up to date. If a step no longer applies, the command makes no changes, prints the reasons and exits with code 10; to apply the other steps, use --skip-drifted. An update no longer applies if a field that it changes now has a different value. A deletion no longer applies if any field has changed.

While it applies the plan, voxctl reads each resource again just before it changes or deletes it. If another user has changed the resource since the first check, voxctl skips the step (drifted) and all steps that depend on it (blocked), and exits with code 68. If another user changes the resource between this read and the write, voxctl can overwrite that change.

A plan can be applied again only after its run was undone. Its deletions then no longer apply, because the undo creates the resources with new IDs. If you repeat the command, it resumes an interrupted run, without asking again, or shows the result of a finished run.\n\nTo revert the changes, run \`voxctl runs undo RUN\`.

A plan from \`orgs provision\` is applied through the distributor API. This API can't read a single organization, so voxctl compares the plan with a list of organizations that is at most one minute old.`,
  arguments: [planArgument],
  flags,
  confirms: true,
  examples: [
    { command: "voxctl apply kunden.plan" },
    { command: "voxctl apply kunden.plan --dry-run", note: "Preview" },
    {
      command: 'voxctl apply kunden.plan --digest "$DIGEST" --yes',
      note: "In a CI job, apply only the plan that was reviewed",
    },
  ],
  verdict: true,
  run: (session, input) => withRefusals(() => runApply(session, input)),
};

async function runApply(session: Session, input: Input): Promise<void> {
  refuseInRehearsal(session.io.env, "apply");
  const { allow, maxCalls, maxAgeMilliseconds } = readLimits(input);
  const digest = readDigest(input);
  const plan = await openPlanFile(session, input);
  if (digest !== undefined && plan.digest !== digest)
    throw refusedError(
      "plan_differs",
      `--digest doesn't match the plan file, whose digest is ${plan.digest}`,
      "to review the plan file and get its digest, run `voxctl plan show`",
    );
  const secrets = await readPlanSecrets(input, session);
  const [file = ""] = input.arguments;
  const dryRun = input.on("dry-run") === true;
  const needs = plan.needs();
  const skipCommand = await formatSkipCommand(session, input, plan, { flags, allow, maxCalls });
  const operations = await getPlanOperations(plan);
  const { api } = operations;
  const connection = await session.connect({ mutates: !dryRun, quiet: true });
  const folder = getRunsFolder(session);
  await makePrivateFolder(folder);
  const target = await createBulkTarget(session, connection, folder, api);
  if (dryRun) {
    const context = await createCheckContext(session, connection, api);
    await assertNotApplied(plan, context, operations, file);
    noteIncomplete(session, plan);
    return showPlanRequests(session, plan, { skipCommand, failures: operations.check(plan, context) });
  }
  const journal = input.text("journal");
  const stateFile = findStateFile(session, input, plan);
  const preview = () => {
    session.notes.note(
      `Plan ${plan.id} will ${formatPlanSummary(needs)} in ${formatTarget(target)}. Created ${formatAge(session, plan)} ago.`,
    );
    noteIncomplete(session, plan);
    const assumptions = formatAssumptions(plan.header.assumed);
    if (assumptions !== undefined) session.notes.note(`Assumptions: ${assumptions}`);
    if (stateFile?.isElsewhere) session.notes.note(`Will store the keys in ${stateFile.path}`);
  };
  const task: ApplyTask = {
    plan,
    file,
    profile: target.profile,
    secrets,
    allow,
    maxCalls,
    maxAgeMilliseconds,
    skipDrifted: input.on("skip-drifted") === true,
    skipCommand,
    retry: input.on("retry") === true,
    again: input.on("again") === true,
    verify: input.on("verify") === true,
    resultsPath: readResultsPath(input.text("report"), resolve(session.io.cwd, file), session.io.cwd),
    stateFile: stateFile?.path,
  };
  const options = { ...readBulkFlags(input), unit: "step" as const, command: `apply ${file}` };
  const summary = await withBulkRun(target, options, (context) =>
    applyPlan(session, context, task, {
      ...{ operations, preview },
      journalPath: journal === undefined ? undefined : resolve(session.io.cwd, journal),
    }),
  );
  try {
    await showApplied(session, summary, { members: needs.members });
  } finally {
    const { created = 0, updated = 0, reassigned = 0, deleted = 0 } = summary.outcomes;
    if (summary.run_id !== null && created + updated + reassigned + deleted > 0) {
      noteUndo(session, "undo these changes", summary.run_id);
      if (summary.applied_before !== true) await noteOutdatedMirrors(session, plan);
    }
  }
}

/**
 * Prints the mirrors of the changed organization, because a rehearsal on such a mirror uses outdated data.
 */
async function noteOutdatedMirrors(session: Session, { header: { target } }: Plan): Promise<void> {
  for (const { name, manifest } of await listMirrors(session)) {
    if (manifest?.base_url !== target.base_url) continue;
    if (manifest.anchors.some((anchor) => target.anchors.includes(anchor)))
      session.notes.note(
        `Mirror ${name} doesn't contain these changes. To update it, run \`voxctl mirror refresh ${name}\`.`,
      );
  }
}

interface StateFile {
  path: string;
  /**
   * Whether the path is relative to the directory where the plan was created, not to the current directory.
   */
  isElsewhere: boolean;
}

/**
 * Resolves a relative path in the plan against the directory where the plan was created or, if this directory
 * no longer exists, against the current directory.
 * @throws usage error (2) if `--state` is used with a plan without keys
 */
function findStateFile({ io }: Session, input: Input, { header, id }: Plan): StateFile | undefined {
  const given = input.text("state");
  if (given !== undefined && header.keys === undefined)
    throw usageError(`--state requires a sync plan, but plan ${id} stores no keys`);
  if (given !== undefined) return { path: resolve(io.cwd, given), isElsewhere: false };
  const { state, state_directory } = header.keys ?? {};
  if (!state) return undefined;
  const directory = state_directory && existsSync(state_directory) ? state_directory : io.cwd;
  const path = resolve(directory, state);
  return { path, isElsewhere: path !== resolve(io.cwd, state) };
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

/** @throws usage error (2) if the digest is not a hexadecimal SHA-256 hash */
function readDigest(input: Input): string | undefined {
  const digest = input.text("digest")?.toLowerCase();
  if (digest !== undefined && !/^[0-9a-f]{64}$/.test(digest))
    throw usageError(
      `invalid --digest "${digest}": expected the 64 hexadecimal digits that \`voxctl plan show\` prints`,
    );
  return digest;
}

interface ApplyOptions {
  operations: PlanOperations;
  journalPath: string | undefined;
  preview: () => void;
}

async function applyPlan(
  session: Session,
  context: RunContext,
  task: ApplyTask,
  { operations, journalPath, preview }: ApplyOptions,
): Promise<WriteSummary> {
  const { inspectRemaining, linkPlanJournal, preparePlan } = await import("../../../write/plan/index.js");
  const { plan } = task;
  const before = await findApplied(context, plan, {
    ...operations,
    // With --journal, only the journal in that file shows whether the plan was applied.
    link: journalPath === undefined ? undefined : () => linkPlanJournal(context, plan, journalPath),
  });
  if (before !== undefined && !(task.retry && countUnapplied(before) > 0)) return before;
  if (before === undefined) preview();
  else await operations.greet(context);
  const state = await preparePlan(context, task);
  // Without a prompt, the run itself reports outdated steps before its first write.
  const needsConfirmation = !(await session.isConfirmed());
  const differs = needsConfirmation ? undefined : (failure: FailedStep) => reportDifference(session, failure);
  if (state === "new" && needsConfirmation && plan.steps > 0) {
    const outdated = await showDifferences(session, operations.check(plan, context), task);
    const { steps, totals } = outdated.size === 0 ? plan : await inspectRemaining(plan, outdated);
    const parts = [
      `It will ${formatPlanSummary(totals)}`,
      formatSkipped(outdated.size, plan.steps - steps - outdated.size),
      ...formatUndoLimits(totals.undo),
      formatWriteDuration(steps, operations.api === "public" ? "write" : "distributor", context.clock),
    ];
    const question = `Apply plan ${plan.id}? ${parts.filter(Boolean).join("; ")}.`;
    await session.confirm(question, toConfirmationOptions(totals.undo));
  } else if (task.retry === true) {
    await session.confirm(`Retry the failed steps of plan ${plan.id}?`, { loses: false });
  }
  const learn = await createPlanLearner(session, context);
  const after = await operations.apply(context, { ...task, learn, ...(differs && { differs }) });
  return before === undefined || after.applied_before ? after : countRetried(before, after, context);
}

/** Excludes the steps that the run had applied before the retry. */
function countRetried(before: WriteSummary, after: WriteSummary, { requestStats }: RunContext): WriteSummary {
  const retried = Object.entries(after.outcomes).map(([name, count]) => [
    name,
    unappliedOutcomes.has(name) ? count : count - (before.outcomes[name] ?? 0),
  ]);
  const seconds = Math.round((after.seconds - before.seconds) * 10) / 10;
  const { requests, rateLimited: rate_limited } = requestStats;
  return { ...after, outcomes: Object.fromEntries(retried), requests, rate_limited, seconds };
}

const unappliedOutcomes: ReadonlySet<string> = new Set([
  "unknown",
  "failed",
  "blocked",
  "drifted",
  "skipped",
]);

/**
 * Checks a plan's preconditions and prints those that are not met.
 * @returns the numbers of the outdated steps
 * @throws CliError with exit code 10 if steps are outdated and are not skipped
 */
async function showDifferences(
  session: Session,
  failures: AsyncIterable<FailedStep>,
  { plan, skipDrifted = false, skipCommand }: ApplyTask,
): Promise<ReadonlySet<number>> {
  const outdated = await showFailures(failures, (line) => session.notes.note(line));
  if (outdated.size === 0 || skipDrifted) return outdated;
  const message = `${formatOutdated(plan, outdated.size)}. No changes were made`;
  throw await createOutdatedError(plan, skipCommand, message);
}

function formatSkipped(outdated: number, dependent: number): string {
  if (outdated === 0) return "";
  const also = dependent === 0 ? "" : ` and ${formatCount(dependent, "dependent step")}`;
  return `${formatCount(outdated, "outdated step")}${also} will be skipped`;
}

function reportDifference({ notes }: Session, failure: FailedStep): void {
  notes.note(formatFailure(failure));
}

function formatAge({ clock }: Session, { header }: Plan): string {
  return durationText(clock.now() - parseTime(header.made_at));
}

export const planApply: Command = {
  ...apply,
  examples: apply.examples.map(({ command, ...example }) => ({
    ...example,
    command: command.replace("voxctl apply", "voxctl plan apply"),
  })),
};
