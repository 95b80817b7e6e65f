import { makePrivateFolder } from "../../../base/private-file.js";
import { formatCount } from "../../../base/text.js";
import { encryptFlag } from "../../../cli/bulk/plan-file.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { isTableOutput } from "../../../cli/bulk/summary.js";
import { getRunsFolder } from "../../../cli/bulk/target.js";
import type { Command } from "../../../cli/session/command.js";
import type { Session } from "../../../cli/session/session.js";
import type { FailedStep } from "../../../write/plan/sorted.js";
import { assertNotApplied } from "./already-applied.js";
import { noteIncomplete } from "./headline.js";
import { openPlanFile, planArgument } from "./open.js";
import { createCheckContext, getPlanOperations } from "./plan-operations.js";
import { createOutdatedError, formatFailureReason, formatOutdated, showFailures } from "./requests.js";
import { formatSkipCommand } from "./skip-command.js";

export const check: Command = {
  name: "check",
  summary: "Check whether a plan file is still up to date",
  description:
    "Reads the resources that the plan depends on. Makes no changes. If a resource differs, the command prints " +
    "its expected and its current state and exits with code 10. If a run has " +
    "already applied the plan, completely or in part, the command prints only this run and exits with code 10.\n\nWith -o json, prints an entry for each step; its state is ready or outdated.",
  arguments: [planArgument],
  flags: [encryptFlag],
  examples: [{ command: "voxctl plan check kunden.plan" }],
  verdict: true,
  run: (session, input) =>
    withRefusals(async () => {
      const plan = await openPlanFile(session, input);
      const { api, ...operations } = await getPlanOperations(plan);
      const connection = await session.connect();
      const folder = getRunsFolder(session);
      await makePrivateFolder(folder);
      const context = await createCheckContext(session, connection, api);
      const [file = ""] = input.arguments;
      await assertNotApplied(plan, context, operations, file);
      noteIncomplete(session, plan);
      const failures = operations.check(plan, context);
      const isText = isTableOutput(session);
      const outdated = isText
        ? (await showFailures(failures, (line) => session.output.lines([line]))).size
        : await showStates(session, failures, plan.steps);
      if (outdated > 0) {
        const skipCommand = await formatSkipCommand(session, input, plan, { flags: [] });
        throw await createOutdatedError(plan, skipCommand, formatOutdated(plan, outdated));
      }
      if (isText) session.notes.note(`${formatCount(plan.steps, "step")} checked: the plan is up to date.`);
    }),
};

async function* groupByStep(
  failures: AsyncIterable<FailedStep>,
): AsyncGenerator<{ first: FailedStep; reasons: string[] }, void> {
  let group: { first: FailedStep; reasons: string[] } | undefined;
  for await (const failure of failures) {
    const reason = formatFailureReason(failure);
    if (group?.first.step === failure.step) {
      group.reasons.push(reason);
      continue;
    }
    if (group !== undefined) yield group;
    group = { first: failure, reasons: [reason] };
  }
  if (group !== undefined) yield group;
}

/** Prints each step as ready or outdated, for scripts. @returns the number of outdated steps */
async function showStates(
  { output }: Session,
  failures: AsyncIterable<FailedStep>,
  steps: number,
): Promise<number> {
  let outdated = 0;
  async function* states(): AsyncGenerator<object, void> {
    let step = 1;
    const ready = () => ({ step, state: "ready", resource: null, reason: null });
    for await (const { first, reasons } of groupByStep(failures)) {
      for (; step < first.step; step += 1) yield ready();
      // The first reason doesn't name its resource, because the field `resource` already does.
      const reason = [first.reason, ...reasons.slice(1)].join("; ");
      yield { step: first.step, state: "outdated", resource: first.resource, reason };
      step = first.step + 1;
      outdated += 1;
    }
    for (; step <= steps; step += 1) yield ready();
  }
  await output.list(states(), { columns: [] });
  return outdated;
}
