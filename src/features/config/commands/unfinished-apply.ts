import { hasCode, messageOf } from "../../../base/error-code.js";
import { buildFlagWords, quoteWord } from "../../../base/shell-words.js";
import { getRunsFolder } from "../../../cli/bulk/target.js";
import type { Input } from "../../../cli/session/input.js";
import { formatSuggestedCommand } from "../../../cli/session/suggested-command.js";
import type { RunContext } from "../../../write/engine/context.js";
import { readTargetStore } from "./applied-lock.js";
import type { TargetContext } from "./target-context.js";

/**
 * Warns about an interrupted `config apply` of this target: `apply` resumes it before it plans changes. Ignores
 * the runs in a store, because only a command that writes can open them.
 */
export async function warnOfUnfinishedApply(
  targetContext: TargetContext,
  input: Input,
  requestStats: RunContext["requestStats"],
): Promise<void> {
  if ((await readTargetStore(targetContext)) !== undefined) return;
  const { session, folder, target, baseUrl } = targetContext;
  const { findUnfinishedRun } = await import("../../../write/index.js");
  const { configRunIdentity } = await import("../index.js");
  const identity = configRunIdentity({ baseUrl, requestStats }, folder.project.project, target);
  const run = await findUnfinishedRun(getRunsFolder(session), identity, () => {}).catch((error: unknown) => {
    // A run that another process uses is not interrupted.
    if (!hasCode(error, "run_busy"))
      session.notes.warn(`could not check for an unfinished \`config apply\`: ${messageOf(error)}`);
    return undefined;
  });
  if (run === undefined) return;
  const flags = ["directory", "lock"].flatMap((flag) => {
    const value = input.text(flag);
    return value === undefined ? [] : buildFlagWords(flag, value);
  });
  const words = ["config", "apply", ...buildFlagWords("target", target), ...flags].map((word) =>
    quoteWord(word),
  );
  session.notes.warn(
    `run ${run.id} is unfinished; resume it with \`${formatSuggestedCommand(session, words.join(" "))}\``,
  );
}
