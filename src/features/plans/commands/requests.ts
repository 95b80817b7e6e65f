import { stringifyExactJson } from "../../../base/exact-json.js";
import { maskSecrets } from "../../../base/secret-fields.js";
import { capitalize, formatCount } from "../../../base/text.js";
import { CliError, exits } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import { wire } from "../../../contract/wire.js";
import type { Plan } from "../../../write/plan/read.js";
import type { FailedStep } from "../../../write/plan/sorted.js";
import type { ApplyTask } from "../../../write/plan/task.js";
import { formatStepAction } from "./changes.js";

/**
 * Prints a plan's requests, with masked secrets, and then its outdated steps.
 * @throws CliError with exit code 10 if steps are outdated
 */
export async function showPlanRequests(
  session: Session,
  plan: Plan,
  { skipCommand, failures }: Pick<ApplyTask, "skipCommand"> & { failures: AsyncIterable<FailedStep> },
): Promise<void> {
  const { output, notes } = session;
  if (output.format === "table") {
    for await (const { method, path, body } of listRequests(plan)) {
      const text = body === undefined ? "" : `${stringifyExactJson(body, 2)}\n`;
      await output.text(`${method} ${path}\n${text}`);
    }
  } else {
    const view = { columns: [], fields: ["step", "method", "path", "body"], anyFields: true };
    await output.list(listRequests(plan), view);
  }
  const { size } = await showFailures(failures, (line) => notes.note(line));
  notes.note("Dry run: no changes were made.");
  if (size === 0) return;
  throw await createOutdatedError(plan, skipCommand, formatOutdated(plan, size));
}

/** @returns the numbers of the outdated steps */
export async function showFailures(
  failures: AsyncIterable<FailedStep>,
  print: (line: string) => Promise<void> | void,
): Promise<ReadonlySet<number>> {
  const steps = new Set<number>();
  for await (const failure of failures) {
    steps.add(failure.step);
    await print(formatFailure(failure));
  }
  return steps;
}

/** @param skipCommand see `ApplyTask` */
export async function createOutdatedError(
  { header }: Plan,
  skipCommand: string | undefined,
  message: string,
): Promise<CliError> {
  const { formatOutdatedHint } = await import("../../../write/plan/index.js");
  return new CliError({
    exit: exits.differences,
    code: "plan_outdated",
    message,
    hint: formatOutdatedHint(header, skipCommand),
  });
}

/**
 * Formats an unmet precondition, such as "Update contact Anna Weiß (step 2, 65f1…4567): no longer exists".
 */
export function formatFailure(failure: FailedStep): string {
  return `${capitalize(formatStepAction(failure.shown, { unmasked: false }))}: ${formatFailureReason(failure)}`;
}

/** Names the outdated resource if the step changes a different resource. */
export function formatFailureReason({ shown, resource, reason }: FailedStep): string {
  const [, id = shown.id] = resource.split("/");
  return id === shown.id || id === shown.label ? reason : `${resource}: ${reason}`;
}

export function formatOutdated({ id }: Plan, count: number): string {
  return `plan ${id} is outdated: ${formatCount(count, "step")} no longer ${count === 1 ? "applies" : "apply"}`;
}

interface ShownRequest {
  step: number;
  method: string;
  path: string;
  body?: unknown;
}

async function* listRequests(plan: Plan): AsyncGenerator<ShownRequest, void> {
  for await (const entry of plan.entries()) {
    if (entry.type !== "step") continue;
    const { step, op, path = {}, body } = entry.step;
    const { method, path: template } = wire[op];
    const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = path[name];
      return typeof value === "string" ? encodeURIComponent(value) : JSON.stringify(value);
    });
    yield { step, method, path: filled, ...(body === undefined ? {} : { body: maskSecrets(body) }) };
  }
}
