import { quoteWord } from "../../../base/shell-words.js";
import { formatCommandWords } from "../../../cli/bulk/plan-file.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { formatSuggestedCommand } from "../../../cli/session/suggested-command.js";
import type { Plan } from "../../../write/plan/read.js";
import type { ApplyTask } from "../../../write/plan/task.js";

/**
 * Returns the command that applies the plan without its outdated steps: `apply` with the flags that were typed or
 * that the plan requires. Returns undefined for a plan from `config plan`, because `apply` refuses it.
 * @param options.flags flags of this command that `apply` also has
 */
export async function formatSkipCommand(
  session: Session,
  input: Input,
  plan: Plan,
  {
    flags,
    allow,
    maxCalls,
  }: { flags: readonly Flag[]; allow?: ReadonlySet<string> } & Pick<ApplyTask, "maxCalls">,
): Promise<string | undefined> {
  if (plan.header.config !== undefined) return undefined;
  const { formatPermissionFlags } = await import("../../../write/plan/index.js");
  const { words, secrets } = plan.needs();
  const repeated = flags.filter(({ name }) => name !== "skip-drifted");
  const given = new Set(input.texts("secret").map((text) => text.slice(0, text.indexOf("="))));
  const missing = [...secrets].filter((name) => !given.has(name));
  const passphrase = input.text("encrypt-env");
  const typed = [
    ...formatCommandWords(["apply"], input, repeated),
    ...(passphrase === undefined ? [] : ["--encrypt-env", passphrase]),
    ...missing.flatMap((name) => ["--secret", `${name}=env:VARIABLE`]),
  ];
  const permissions = formatPermissionFlags(words, { ...(allow && { allow }), maxCalls });
  return formatSuggestedCommand(
    session,
    [...typed.map((word) => quoteWord(word)), ...permissions, "--skip-drifted"].join(" "),
  );
}
