/** These checks run before any request is sent. */
import { quoteWord } from "../../base/shell-words.js";
import { parseTime } from "../../base/time-text.js";
import type { RunContext } from "../engine/context.js";
import { BulkError } from "../errors.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { recordOf } from "../values.js";
import type { PlanNeeds, PlanTotals } from "./inspect.js";
import type { PlanSource } from "./read.js";
import { secretsIn } from "./references.js";
import type { ApplyTask } from "./task.js";

/** @throws BulkError if the plan can't be applied with these options or at this time */
export function assertUsable(
  { machineClock }: RunContext,
  { plan, allow = new Set(), maxCalls, maxAgeMilliseconds, isConfiguration = false }: ApplyTask<PlanSource>,
  needs: PlanNeeds,
): void {
  const { header, id } = plan;
  if (header.config !== undefined && !isConfiguration) {
    throw new BulkError(
      "plan_of_configuration",
      `plan ${id} belongs to configuration project ${header.config.project}`,
      `to apply it, run \`voxctl config apply --target ${header.config.target}\``,
    );
  }
  const age = machineClock.now() - parseTime(header.made_at);
  if (maxAgeMilliseconds !== undefined && age > maxAgeMilliseconds) {
    throw new BulkError(
      "plan_too_old",
      `plan ${id} is too old for --max-age: it was created ${header.made_at}`,
      "create a new plan, or use a longer --max-age",
    );
  }
  if (allow === "all") return;
  const missing = [...needs.words.keys()].filter((word) => !allow.has(word)).sort();
  const calls = needs.words.get("calls:create") ?? 0;
  const flags = formatPermissionFlags(needs.words, { allow, maxCalls });
  if (flags.length > 0) {
    const actions = missing.map((word) => `${needs.words.get(word)} × ${word}`);
    throw new BulkError(
      "plan_not_allowed",
      `plan ${id} requires permission for: ${[...actions, ...(missing.length === 0 ? ["calls"] : [])].join(", ")}`,
      `if this is intended, use ${flags.join(" ")}`,
    );
  }
  if (calls > (maxCalls ?? 0)) {
    throw new BulkError(
      "plan_not_allowed",
      `plan ${id} makes ${calls} calls, but --max-calls allows ${maxCalls}`,
    );
  }
}

/**
 * Returns the flags of `apply` that allow a plan's actions.
 * @param words see `PlanTotals`
 * @param given flags that are already set
 */
export function formatPermissionFlags(
  words: PlanTotals["words"],
  { allow, maxCalls }: { allow?: ReadonlySet<string>; maxCalls?: number | undefined } = {},
): string[] {
  const missing = [...words.keys()].filter((word) => allow?.has(word) !== true).sort();
  const calls = words.get("calls:create") ?? 0;
  return [
    ...missing.map((word) => `--allow ${word}`),
    ...(calls > 0 && maxCalls === undefined ? [`--max-calls ${calls}`] : []),
  ];
}

/** @throws BulkError `plan_secrets` */
export function assertSecrets({ plan: { id }, secrets }: ApplyTask<PlanSource>, needs: PlanNeeds): void {
  const missing = [...needs.secrets].filter((name) => secrets?.has(name) !== true);
  if (missing.length > 0) {
    throw new BulkError(
      "plan_secrets",
      `plan ${id} requires ${missing.length === 1 ? "a secret" : `${missing.length} secrets`}: ${missing.join(", ")}`,
      `use ${missing.map((name) => `--secret ${name}=env:VARIABLE`).join(" ")}`,
    );
  }
}

export function unprovable(id: string, step: number): BulkError {
  return new BulkError(
    "plan_unprovable",
    `can't check whether step ${step} of plan ${id} was already done`,
    "if the step was not done, use --again",
  );
}

/** @throws BulkError `plan_secrets` */
export function assertNoSecrets(journal: Journal): void {
  for (const item of eachIn(journal, "planned")) {
    const [name] = secretsIn(item.body);
    if (name === undefined) continue;
    throw new BulkError(
      "plan_secrets",
      `the remaining steps require the secret ${name}`,
      `to resume, run \`voxctl apply ${quoteWord(String(journal.setting("file")))} --secret ${name}=env:VARIABLE\``,
    );
  }
}

/**
 * Refuses to resume a run of `config apply`, because only `config apply` also updates the lock file.
 * @throws BulkError `plan_of_configuration`
 */
export function assertNoLock(journal: Journal): void {
  const config = journal.setting("config");
  if (config === undefined) return;
  throw new BulkError(
    "plan_of_configuration",
    "the run belongs to a configuration directory, whose lock file must also be updated",
    `to resume it, run \`voxctl config apply --target ${String(recordOf(config)["target"])}\``,
  );
}
