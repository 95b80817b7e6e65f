import { formatCount, inflect } from "../../../base/text.js";
import { CliError, exits } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { Decision } from "../decision.js";
import { compareTarget } from "./decide-target.js";
import { withConfigErrors } from "./errors.js";
import { lookOptions, targetFlags } from "./flags.js";
import { formatPlan } from "./plan-output.js";
import { forEachTarget, openCommandFolder, openFurtherTarget, type TargetContext } from "./target-context.js";

export const diff: Command = {
  name: "diff",
  summary: "Show differences between the directory and an organization",
  description:
    "Shows changes in the files, changes in the organization (drift), changes in both (conflicts), and resources that exist only in the files or only in the organization. Makes no changes, and exits with code 10 if anything differs. With --against, compares two organizations, matching their resources by key.",
  arguments: [{ name: "key", description: "Compare only these keys", optional: true, variadic: true }],
  flags: [
    ...targetFlags,
    {
      name: "only",
      value: "changes",
      choices: ["drift", "changed"],
      strict: true,
      description:
        "Exit with code 10 only for one kind of change: in the organization (drift) or in the files (changed)",
    },
    { name: "against", value: "target", description: "Other target to compare with" },
  ],
  examples: [
    { command: "voxctl config diff --target prod" },
    {
      command: "voxctl config diff --target prod --only drift",
      note: "Find changes made in the dashboard",
    },
    { command: "voxctl config diff --target dev --against prod" },
  ],
  verdict: true,
  run: (session, input) => withConfigErrors(() => runDiff(session, input)),
};

async function runDiff(session: Session, input: Input): Promise<void> {
  const folder = await openCommandFolder(session, input);
  const against = input.text("against");
  await forEachTarget(session, input, folder, { mutates: false }, async (targetContext) => {
    if (against === undefined) await showDiff(targetContext, input);
    else await compareTargets(targetContext, input, against);
  });
}

async function readDecision(targetContext: TargetContext, keys: readonly string[]): Promise<Decision> {
  const only = keys.length === 0 ? undefined : keys;
  const { decision } = await compareTarget(targetContext, { ...lookOptions, only });
  await targetContext.cache?.save();
  return decision;
}

async function showDiff(targetContext: TargetContext, input: Input): Promise<void> {
  const { session, target } = targetContext;
  const decision = await readDecision(targetContext, input.arguments);
  const { changes, drift, conflicts, candidates, gone, needsAdopt, ambiguous, unmanaged } = decision;
  const changed = changes
    .filter(({ action }) => action === "update" || action === "replace")
    .map(({ object, sends, secrets }) => ({
      key: object.key,
      fields: [...sends, ...secrets.filter(({ isSent }) => isSent).map(({ field }) => field)],
    }));
  const created = changes.filter(({ action }) => action === "create").map(({ object }) => object.key);
  const fileOnly = [...created, ...gone];
  const unbound = [...needsAdopt, ...ambiguous].map(({ key }) => key);
  const liveOnly = candidates.map(({ key }) => key);
  const counts =
    input.text("only") === "drift"
      ? drift.length + conflicts.length + gone.length
      : input.text("only") === "changed"
        ? changed.length + conflicts.length + created.length
        : changed.length +
          drift.length +
          conflicts.length +
          fileOnly.length +
          liveOnly.length +
          unbound.length;
  if (session.output.format === "table") {
    const lines = (await formatPlan(targetContext, { ...decision, refusals: [] }, [], 0)).slice(0, -1);
    await session.output.lines([...lines, ...(counts === 0 ? ["equal"] : [])]);
  } else {
    await session.output.item({
      target,
      file_only: fileOnly.length,
      live_only: liveOnly.length,
      drift,
      changed,
      conflicts,
      created,
      gone,
      prune_candidates: liveOnly,
      needs_adopt: unbound,
      unmanaged,
    });
  }
  if (counts > 0)
    throw toDifferenceError(
      `${formatCount(counts, "resource")} in ${target} ${inflect(counts, "differs", "differ")}`,
    );
}

function toDifferenceError(message: string): CliError {
  return new CliError({ exit: exits.differences, code: "config_differs", message });
}

async function compareTargets(targetContext: TargetContext, input: Input, against: string): Promise<void> {
  const { session, folder, target } = targetContext;
  const { compareLive } = await import("../index.js");
  const againstContext = await openFurtherTarget(session, input, folder, against);
  try {
    const [decision, againstDecision] = [
      await readDecision(targetContext, input.arguments),
      await readDecision(againstContext, input.arguments),
    ];
    const result = compareLive(decision, againstDecision);
    const count = result.different.length + result.only_here.length + result.only_there.length;
    if (session.output.format === "table") {
      const lines = [
        ...result.different.map(({ key, fields }) => `  ~ ${key}: ${fields.join(", ")}`),
        ...result.only_here.map((key) => `  + ${key}: only in ${target}`),
        ...result.only_there.map((key) => `  - ${key}: only in ${against}`),
        ...(count === 0 ? [`${target} and ${against} are equal`] : []),
      ];
      await session.output.lines(lines);
    } else await session.output.item({ target, against, ...result });
    if (count > 0)
      throw toDifferenceError(
        `${formatCount(count, "resource")} ${inflect(count, "differs", "differ")} between ${target} and ${against}`,
      );
  } finally {
    await againstContext.connection.close();
  }
}
