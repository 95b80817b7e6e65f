import { makePrivateFolder } from "../../../base/private-file.js";
import { quoteWord } from "../../../base/shell-words.js";
import { formatCount } from "../../../base/text.js";
import { encryptPlanFlag, type PlanFileOptions, readPlanFileOptions } from "../../../cli/bulk/plan-file.js";
import { getRunsFolder } from "../../../cli/bulk/target.js";
import { usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { version } from "../../../cli/session/version.js";
import { createClient } from "../../../client/client.js";
import { checkLock } from "./applied-lock.js";
import { decideTarget } from "./decide-target.js";
import { withConfigErrors } from "./errors.js";
import { planFlags } from "./flags.js";
import { assertNoRefusals, formatPlan, toPlanJson } from "./plan-output.js";
import { forEachTarget, openCommandFolder, readTargetNames, type TargetContext } from "./target-context.js";
import { warnOfUnfinishedApply } from "./unfinished-apply.js";

export const plan: Command = {
  name: "plan",
  summary: "Show the changes that `apply` will make",
  description: `Compares the directory with the organization and with the last apply, without making changes. The exit code is 0 if the changes can be applied, and 10 for drift, conflicts, missing bindings or ambiguous moves. It is 12 if a limit blocks the plan, or if the changes must first be applied to another target.`,
  flags: [
    ...planFlags,
    {
      name: "out",
      value: "file",
      description: 'Save the plan to a file for `config apply` (compressed if the name ends with ".gz")',
    },
    { name: "force", description: "Overwrite an existing plan file" },
    encryptPlanFlag,
  ],
  examples: [
    { command: "voxctl config plan --target prod" },
    {
      command: "voxctl config plan --target prod --out plan.jsonl",
      note: "Save the plan for review",
    },
    { command: "voxctl config plan --target prod --prune", note: "Also plan deletions" },
  ],
  verdict: true,
  run: (session, input) => withConfigErrors(() => runPlanCommand(session, input)),
};

async function runPlanCommand(session: Session, input: Input): Promise<void> {
  const out = readPlanFileOptions(session, input, { flag: "out" });
  if (out !== undefined && readTargetNames(input).length > 1)
    throw usageError("--out can't be used with several targets");
  const folder = await openCommandFolder(session, input);
  await forEachTarget(session, input, folder, { mutates: false }, async (targetContext) => {
    await checkLock(targetContext);
    const { client, requestStats } = await createCountingClient(targetContext);
    const decided = await decideTarget(targetContext, input, client);
    await warnOfUnfinishedApply(targetContext, input, requestStats);
    const { decision, steps } = decided;
    const sealed = decision.refusals.length > 0 ? null : await sealPlan(targetContext, out, decided);
    await showPlan(targetContext, decided, sealed);
    assertNoRefusals(decision);
    if (sealed !== null)
      session.notes.note(
        `Saved plan ${sealed} with ${formatCount(steps.length, "step")} to ${out?.file}. To apply it, run \`voxctl config apply --target ${quoteWord(targetContext.target)} ${quoteWord(out?.file ?? "")}\`.`,
      );
  });
}

/** `requestStats` contains an emulator's ID, which is known only after the first response. */
async function createCountingClient({ session, connection }: TargetContext) {
  const { bulkClientOptions, createRequestStats } = await import("../../../write/index.js");
  const requestStats = createRequestStats();
  const { signal, flags } = session;
  const { maxWaitMilliseconds } = flags;
  const client = createClient(
    bulkClientOptions(connection.clientOptions, requestStats, { signal, maxWaitMilliseconds }),
  );
  return { client, requestStats };
}

type TargetDecision = Awaited<ReturnType<typeof decideTarget>>;

export async function showPlan(
  targetContext: TargetContext,
  { decision, steps }: TargetDecision,
  planId: string | null,
): Promise<void> {
  const { output } = targetContext.session;
  const { lockEditsOf } = await import("../index.js");
  if (output.format !== "table") return output.item(await toPlanJson(targetContext, decision, steps, planId));
  const edits = lockEditsOf(decision, targetContext.baseUrl, targetContext.folder.project.project);
  const changed = Object.values(edits.lines).filter(
    ({ pending, sent }) => Object.keys(pending).length + Object.keys(sent).length === 0,
  ).length;
  const lines = await formatPlan(
    targetContext,
    decision,
    steps,
    changed + edits.moves.length + edits.drops.length,
  );
  await output.lines(lines);
}

async function sealPlan(
  targetContext: TargetContext,
  out: PlanFileOptions | undefined,
  { decision, steps }: TargetDecision,
): Promise<string | null> {
  if (out === undefined) return null;
  const { sealDecision } = await import("../index.js");
  const { session, folder, baseUrl, lockFile } = targetContext;
  const temporaryFolder = getRunsFolder(session);
  await makePrivateFolder(temporaryFolder);
  const sealed = await sealDecision(decision, steps, {
    path: out.path,
    force: out.force,
    passphrase: out.passphrase,
    project: folder.project.project,
    baseUrl,
    lockSha256: lockFile.sha256,
    command: ["config", "plan", "--target", targetContext.target],
    madeBy: `voxctl ${version}`,
    clock: session.clock,
    signal: session.signal,
    random: session.random,
    temporaryFolder,
  });
  return sealed.id;
}
