import { stringifyExactJson } from "../../../base/exact-json.js";
import { formatCount } from "../../../base/text.js";
import type { Failure } from "../../../bulk/plan/expectations.js";
import type { Plan } from "../../../bulk/plan/read.js";
import { wire } from "../../../contract/wire.js";
import { CliError, exits } from "../../errors/errors.js";
import { maskSecrets } from "../../session/secret-fields.js";
import type { Session } from "../../session/session.js";

/**
 * `apply --dry-run`: the requests of a plan, references and secrets as the plan has them, then what no longer fits.
 * @throws CliError (10)
 */
export async function showPlanRequests(
  session: Session,
  plan: Plan,
  failures: AsyncIterable<Failure>,
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
  let count = 0;
  for await (const failure of failures) {
    count += 1;
    notes.note(`step ${failure.step}  ${failure.resource}  ${failure.reason}`);
  }
  notes.note("dry run: nothing was sent");
  if (count === 0) return;
  throw new CliError({
    exit: exits.differences,
    code: "plan_outdated",
    message: `${formatCount(count, "precondition")} of the plan ${plan.id} ${count === 1 ? "does" : "do"} not hold`,
    hint: "make a new plan, or leave these steps out with --skip-drifted",
  });
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
