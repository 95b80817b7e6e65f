import { isOnlyDifferent } from "./baseline-checks.js";
import type { ScenarioResult } from "./results.js";

/** Fields of a result, in the order of the output. */
export const rowFields = [
  "scenario",
  "result",
  "assistant",
  "to",
  "call_id",
  "status",
  "duration_seconds",
  "expectations",
  "error",
  "transcript",
  "analyses",
  "attempts",
  "retries",
  "quarantined_until",
];

export function toResultRow({
  scenario,
  result,
  call,
  checks,
  error,
  ...more
}: ScenarioResult): Record<string, unknown> {
  return {
    scenario: scenario.name,
    result: isOnlyDifferent({ result, checks }) ? "differs" : result,
    assistant: scenario.assistant,
    to: scenario.to,
    call_id: call?.["id"] ?? call?.["call_id"] ?? null,
    status: call?.["status"] ?? null,
    duration_seconds: call?.["duration_seconds"] ?? null,
    expectations: checks,
    error: error?.message ?? null,
    transcript: call?.["transcript"] ?? [],
    analyses: call?.["analyses"] ?? [],
    attempts: more.attempts ?? null,
    retries: more.retries ?? 0,
    quarantined_until: more.quarantinedUntil ?? null,
  };
}
