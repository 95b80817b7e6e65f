import { getText } from "../../../output/fields.js";
import { formatClock } from "../call/text.js";
import { formatResultSummary } from "./result-text.js";
import type { ScenarioResult } from "./results.js";
import type { Suite } from "./suite.js";

const marks: Readonly<Record<ScenarioResult["result"], string>> = {
  passed: "✅ passed",
  failed: "❌ failed",
  error: "⚠️ error",
  skipped: "➖ not tried",
};

/**
 * The results as GitHub shows them on a run's page, in Markdown.
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions#adding-a-job-summary
 */
export function formatStepSummary(suite: Suite, results: readonly ScenarioResult[]): string {
  const passed = results.filter(({ result }) => result === "passed").length;
  const rows = results.map((scenarioResult) => {
    const { scenario, result, call, quarantinedUntil } = scenarioResult;
    const seconds = call?.["duration_seconds"];
    const id = call ? getText(call, "id") || getText(call, "call_id") : "";
    const length = typeof seconds === "number" ? formatClock(seconds) : "";
    // Like its annotation, it is not an error, since the job exits with code 0.
    const mark =
      quarantinedUntil === undefined ? marks[result] : `➖ in quarantine until ${quarantinedUntil}`;
    return `| ${[mark, escapeCell(scenario.name), escapeCell(id), length, escapeCell(formatResultSummary(scenarioResult))].join(" | ")} |`;
  });
  return [
    `### ${escapeCell(suite.name)}: ${passed} of ${results.length} passed`,
    "",
    "| Result | Scenario | Call | Length | What was wrong |",
    "| --- | --- | --- | ---: | --- |",
    ...rows,
    "",
    "",
  ].join("\n");
}

/** A caller's words must not become Markdown or HTML. */
function escapeCell(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/[\\`*_{}[\]()#+!|~-]/g, (character) => `\\${character}`)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
