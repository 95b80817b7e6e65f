import { join } from "node:path";
import { formatCount } from "../../../base/text.js";
import { readBulkFlags } from "../../../cli/bulk/bulk-flags.js";
import { readResultsPath } from "../../../cli/bulk/flags.js";
import { assertAllDone } from "../../../cli/bulk/outcome.js";
import { formatCommandWords, readPlanFileOptions } from "../../../cli/bulk/plan-file.js";
import { withBulkRun } from "../../../cli/bulk/run.js";
import { formatApplyHint } from "../../../cli/bulk/run-notes.js";
import { previewView, summaryView, toPreview } from "../../../cli/bulk/summary.js";
import { getRunsFolder, openImportTarget } from "../../../cli/bulk/target.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { version } from "../../../cli/session/version.js";
import type { RunContext } from "../../../write/engine/context.js";
import type { WriteSummary } from "../../../write/engine/summary.js";
import { createResultsPath } from "../../import/commands/results-path.js";
import type { GroupsTask } from "../group-changes.js";
import { listContactGroups } from "./groups.js";

export interface GroupsRun {
  context: RunContext;
  task: GroupsTask;
  note(text: string): void;
  clear(): void;
  /** Asks for confirmation, except in a preview. */
  confirm(question: string): Promise<void>;
}

/**
 * Runs on the contact group in --group, or on all contact groups.
 * @param options.flags flags that the plan file stores if the user passed them
 */
export async function runOnGroups(
  session: Session,
  input: Input,
  options: { verb: string; flags: readonly Flag[]; isLooking: boolean },
  work: (run: GroupsRun) => Promise<WriteSummary>,
): Promise<WriteSummary> {
  const { verb, flags, isLooking } = options;
  const plan = readPlanFileOptions(session, input);
  const isSending = !isLooking && plan === undefined;
  const target = await openImportTarget(session, getRunsFolder(session), { dryRun: !isSending });
  const report = readResultsPath(input.text("report"), undefined, session.io.cwd);
  const summary = await withBulkRun(
    target,
    { ...readBulkFlags(input), command: `contacts ${verb}`, resumedBy: "run" },
    async (context, line) =>
      work({
        context,
        task: {
          groups: await listContactGroups(session, context.client, input.text("group")),
          dryRun: isLooking,
          planPath: plan?.path,
          force: plan?.force === true,
          passphrase: plan?.passphrase,
          folder: join(session.folders.data, "sync"),
          resultsPath: report ?? createResultsPath(session, verb),
          profile: target.profile,
          command: formatCommandWords(["contacts", verb], input, flags),
          madeBy: `voxctl ${version}`,
          random: session.random,
        },
        note: target.notes.note,
        clear: line.clear,
        confirm: async (question) => {
          if (isSending) await session.confirm(question, { loses: false });
        },
      }),
  );
  const { plan_id } = summary;
  if (plan !== undefined && plan_id !== null)
    session.notes.note(
      `Saved plan ${plan_id} to ${plan.file}. No changes were made. ${formatApplyHint(plan.file)}`,
    );
  return summary;
}

/** @throws CliError with exit code 75 for unconfirmed changes, 68 for failed changes */
export async function showChanged(
  session: Session,
  { outcomes, report }: WriteSummary,
  {
    view,
    isLooking,
    write,
    noun,
    done,
  }: {
    view: Readonly<Record<string, unknown>>;
    /** Whether this is a preview, whose counts are planned changes. */
    isLooking: boolean;
    /** Singular noun for a write, such as "delete". */
    write: string;
    /** Singular noun for what is changed, such as "contact". */
    noun: string;
    /** Participle for a successful change, such as "deleted". */
    done: string;
  },
): Promise<void> {
  if (isLooking) session.notes.note("No changes were made.");
  if (isLooking) await session.output.item(toPreview({ dry_run: true, ...view }), previewView);
  else await session.output.item(view, summaryView);
  const { updated = 0, deleted = 0, unknown = 0, failed = 0, drifted = 0 } = outcomes;
  const count = failed + drifted;
  const hint = `see ${report}`;
  assertAllDone(outcomes, {
    ...{ unconfirmed: formatCount(unknown, write), unconfirmedHint: hint },
    message: () =>
      `${formatCount(count, noun)} ${count === 1 ? "was" : "were"} not ${done}: rejected by the service, or changed or deleted by another user`,
    isPartly: updated + deleted > 0,
    hint,
  });
}
