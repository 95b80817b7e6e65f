import { formatClock } from "../../base/duration.js";
import { getText } from "../../base/fields.js";
import { formatResultSummary } from "./result-text.js";
import type { ScenarioResult } from "./results.js";
import type { Suite } from "./suite.js";

const marks: Readonly<Record<ScenarioResult["result"], string>> = {
  passed: "✅ passed",
  failed: "❌ failed",
  error: "⚠️ error",
  skipped: "➖ skipped",
};

/**
 * Formats the results in Markdown, for the summary page of a GitHub job.
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions#adding-a-job-summary
 */
export function formatStepSummary(suite: Suite, results: readonly ScenarioResult[]): string {
  const passed = results.filter(({ result }) => result === "passed").length;
  const rows = results.map((scenarioResult) => {
    const { scenario, result, call, quarantinedUntil } = scenarioResult;
    const seconds = call?.["duration_seconds"];
    const id = call ? getText(call, "id") || getText(call, "call_id") : "";
    const length = typeof seconds === "number" ? formatClock(seconds) : "";
    // The job succeeds despite a quarantined scenario, so don't mark the scenario as failed.
    const mark =
      quarantinedUntil === undefined ? marks[result] : `➖ in quarantine until ${quarantinedUntil}`;
    return `| ${[mark, escapeCell(scenario.name), escapeCell(id), length, escapeCell(formatResultSummary(scenarioResult))].join(" | ")} |`;
  });
  return [
    `### ${escapeCell(suite.name)}: ${passed} of ${results.length} passed`,
    "",
    "| Result | Scenario | Call | Length | Reason |",
    "| --- | --- | --- | ---: | --- |",
    ...rows,
    "",
    "",
  ].join("\n");
}

/** Prevents a caller's words from being read as Markdown or HTML. */
function escapeCell(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/[\\`*_{}[\]()#+!|~-]/g, (character) => `\\${character}`)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
