import { isAbsolute, relative, resolve } from "node:path";
import type { Io } from "../../../base/io.js";
import { createAnnotation, isRead, type WorkflowCommand } from "../../../cli/terminal/workflow-commands.js";
import { formatResultSummary } from "../result-text.js";
import type { ScenarioResult } from "../results.js";
import type { Suite } from "../suite.js";

/**
 * Returns a GitHub annotation for a failed scenario; undefined outside GitHub jobs. The annotation for a
 * quarantined scenario is a notice instead of an error, because the job succeeds.
 */
export function createScenarioAnnotation(
  suite: Suite,
  result: ScenarioResult,
  io: Pick<Io, "env" | "cwd">,
): WorkflowCommand | undefined {
  const { env, cwd } = io;
  if (!isRead(io) || (result.result !== "failed" && result.result !== "error")) return undefined;
  const file = resolve(cwd, suite.file);
  const workspace = env.GITHUB_WORKSPACE ?? cwd;
  const inside = relative(workspace, file);
  const properties = {
    file: inside.startsWith("..") || isAbsolute(inside) ? suite.file : inside.replaceAll("\\", "/"),
    line: String(result.scenario.line),
    title: result.scenario.name,
  };
  return result.quarantinedUntil === undefined
    ? createAnnotation("error", properties, formatResultSummary(result))
    : createAnnotation(
        "notice",
        properties,
        `in quarantine until ${result.quarantinedUntil}: ${formatResultSummary(result)}`,
      );
}
