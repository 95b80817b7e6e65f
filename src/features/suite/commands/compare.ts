import { resolve } from "node:path";
import { readInputText } from "../../../base/input-file.js";
import { formatCount } from "../../../base/text.js";
import { CliError, exits, usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Session } from "../../../cli/session/session.js";
import { findBaselineDifferences, parseBaseline } from "../baseline.js";

export const compareCalls: Command = {
  name: "compare",
  summary: "Compare the baselines from two runs of a test suite",
  description:
    "For each scenario, lists differences in the result, the status, the analyses, the facts and the numbers that the assistant says. Exits with code 10 if there are any differences. Some differences are only warnings, which don't affect the exit code: a scenario that passes again or is in only one baseline, a much longer or shorter duration, and a very different number of turns.",
  arguments: [
    { name: "before", description: "Baseline from the earlier run" },
    { name: "after", description: "Baseline from the later run" },
  ],
  examples: [{ command: "voxctl calls compare main.json today.json" }],
  verdict: true,
  run: (session, input) => compareBaselines(session, input.arguments),
};

/**
 * @throws CliError with exit code 10 if the baselines differ; usage error (2) if they have no scenario in
 * common
 */
async function compareBaselines(session: Session, files: readonly string[]): Promise<void> {
  const [earlier = "", later = ""] = files;
  const read = (file: string) => readInputText(resolve(session.io.cwd, file), `compare: ${file}`);
  const before = parseBaseline(await read(earlier), earlier);
  const after = parseBaseline(await read(later), later);
  const names = new Set(before.scenarios.map(({ scenario }) => scenario));
  if (!after.scenarios.some(({ scenario }) => names.has(scenario)))
    throw usageError(`${earlier} and ${later} have no scenario in common`);
  const differences = findBaselineDifferences(before, after);
  const rows = differences.map(({ isWarning, ...row }) => ({
    ...row,
    kind: isWarning ? "warning" : "difference",
  }));
  await session.output.list(rows, {
    columns: [
      { header: "SCENARIO", value: "scenario" },
      { header: "FIELD", value: "field", keep: true },
      { header: "BEFORE", value: "before" },
      { header: "AFTER", value: "after" },
      { header: "TYPE", value: "kind", keep: true },
    ],
    fields: ["scenario", "field", "before", "after", "kind"],
    empty: "no differences",
  });
  const warnings = differences.filter(({ isWarning }) => isWarning).length;
  const failures = differences.length - warnings;
  const counts = [
    ...(failures > 0 ? [formatCount(failures, "difference")] : []),
    ...(warnings > 0 ? [formatCount(warnings, "warning")] : []),
  ].join(", ");
  if (failures === 0) {
    if (warnings > 0) session.notes.note(`No differences, ${counts}.`);
    return;
  }
  throw new CliError({
    exit: exits.differences,
    code: "calls_differ",
    message: `${counts} between ${earlier} and ${later}`,
  });
}
