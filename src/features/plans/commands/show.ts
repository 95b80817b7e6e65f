import { join } from "node:path";
import { stringifyExactJson } from "../../../base/exact-json.js";
import { makePrivateFolder } from "../../../base/private-file.js";
import { encryptFlag } from "../../../cli/bulk/plan-file.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import type { Command } from "../../../cli/session/command.js";
import type { Flag } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { Plan } from "../../../write/plan/read.js";
import type { ShownStep } from "../../../write/plan/sorted.js";
import { formatStep, hasMaskedValues, maskHeaderValues, maskPartly } from "./changes.js";
import { formatHeadlines } from "./headline.js";
import { formatMarkdown } from "./markdown.js";
import { openPlanFile, planArgument } from "./open.js";

const shownInSummary = 20;

const flags: readonly Flag[] = [
  {
    name: "format",
    value: "name",
    description: "Output format",
    choices: ["text", "markdown", "json"],
    strict: true,
    default: "text, or the -o format",
  },
  {
    name: "diff",
    value: "how-much",
    description: `Which changes to print: the first ${shownInSummary} (summary), all (full) or none`,
    choices: ["summary", "full", "none"],
    strict: true,
    default: "a summary; with -o json, the whole plan",
  },
  { name: "unmasked", description: "Show complete phone numbers and emails" },
  encryptFlag,
];

interface ShowOptions {
  limit: number;
  unmasked: boolean;
}

export const show: Command = {
  name: "show",
  summary: "Print the changes in a plan file",
  description:
    "Requires no network or profile. Lists deletions first, then sorts changes by resource type and name, so that you can compare two plans; changes to organizations keep their order. Phone " +
    "numbers and emails are partly masked. JSON output that is piped to a program or file contains them in full, except in CI. Secrets and header values are never shown.",
  arguments: [planArgument],
  flags,
  examples: [
    { command: "voxctl plan show kunden.plan" },
    {
      command: "voxctl plan show kunden.plan --format markdown --diff full",
      note: "Print Markdown to paste into a pull request comment",
    },
  ],
  run: (session, input) =>
    withRefusals(async () => {
      const plan = await openPlanFile(session, input);
      const format = input.text("format");
      const isJson = format === "json" || (format === undefined && session.output.format !== "table");
      const diff = input.text("diff") ?? (isJson ? "full" : "summary");
      const limit = diff === "none" ? 0 : diff === "full" ? Number.POSITIVE_INFINITY : shownInSummary;
      const options = { limit, unmasked: input.on("unmasked") === true };
      if (isJson) return session.output.json(formatJson(session, plan, options));
      const { formatPermissionFlags } = await import("../../../write/plan/index.js");
      const lines = formatHeadlines(plan, formatPermissionFlags(plan.totals.words));
      const steps = await sortSteps(session, plan);
      if (format === "markdown") await session.output.document(await formatMarkdown(lines, steps, options));
      else await showText(session, lines, steps, { ...options, all: plan.steps });
    }),
};

async function sortSteps(session: Session, plan: Plan): Promise<AsyncIterable<ShownStep>> {
  const { sortedSteps } = await import("../../../write/plan/index.js");
  const folder = join(session.folders.data, "runs");
  await makePrivateFolder(folder);
  return sortedSteps(plan, folder);
}

async function showText(
  { output }: Session,
  lines: readonly string[],
  steps: AsyncIterable<ShownStep>,
  { limit, all, unmasked }: ShowOptions & { all: number },
): Promise<void> {
  await output.lines(lines);
  let resource: string | undefined;
  let shown = 0;
  let isMasked = false;
  for await (const step of steps) {
    if (shown === limit) break;
    if (step.resource !== resource) {
      resource = step.resource;
      await output.text(`\n${resource}\n`);
    }
    const formatted = formatStep(step, { unmasked });
    await output.lines(formatted);
    isMasked ||= !unmasked && hasMaskedValues(formatted, step);
    shown += 1;
  }
  if (isMasked)
    await output.text("\nPhone numbers and emails are partly masked; to show them, use --unmasked\n");
  if (shown < all && limit > 0) await output.text(`\n… ${all - shown} more; to print all, use --diff full\n`);
}

/** Yields a JSON document in parts, because a plan may be too large for memory. */
async function* formatJson(
  { io }: Session,
  plan: Plan,
  { limit, unmasked }: ShowOptions,
): AsyncGenerator<string, void> {
  const { summary, undo } = plan.totals;
  const isLogged = io.env.CI !== undefined && io.env.CI !== "" && io.env.CI !== "false";
  const shown = (value: unknown) =>
    maskHeaderValues(unmasked || !(io.stdout.isTTY === true || isLogged) ? value : maskPartly(value));
  yield `{\n  "id": ${JSON.stringify(plan.id)},\n  "digest": ${JSON.stringify(plan.digest)},\n  "summary": ${JSON.stringify(summary)},\n  "undo": ${JSON.stringify(undo)},\n  "header": ${JSON.stringify(plan.header)},\n  "steps": [`;
  let count = 0;
  for await (const entry of plan.entries()) {
    if (entry.type !== "step") continue;
    if (count === limit) break;
    yield `${count === 0 ? "" : ","}\n    ${stringifyExactJson(shown(entry.step))}`;
    count += 1;
  }
  yield `${count === 0 ? "" : "\n  "}]\n}\n`;
}
