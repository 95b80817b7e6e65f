import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { formatJunit } from "../../../cli/output/junit.js";
import type { ResultFile } from "../../../cli/output/result-file.js";
import { saveFailure } from "../../../cli/output/save-results.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { createPaint } from "../../../cli/terminal/paint.js";
import { formatResultSummary } from "../result-text.js";
import type { ScenarioResult } from "../results.js";
import { formatStepSummary } from "../step-summary.js";
import type { Suite } from "../suite.js";
import { createNotMadeResults } from "./call-failure.js";
import { formatDetails } from "./text.js";

/** Writes the report even if `work` fails before the first call, because CI systems read only the reports. */
export async function reportFailures<T>(
  session: Session,
  report: Report | undefined,
  suite: Suite,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const results = createNotMadeResults(suite.scenarios, error, session.signal);
    return saveFailure(session, error, async () => report?.write(results));
  }
}

export interface Report {
  write(results: readonly ScenarioResult[]): Promise<void>;
}

/**
 * Creates the writer of the reports for CI systems: JUnit results if requested, and the step summary in GitHub jobs.
 */
export function createReport(
  { io, notes }: Session,
  input: Input,
  suite: Suite,
  { junit, begun }: { junit: ResultFile | undefined; begun: number },
): Report {
  const plain = { paint: createPaint(false), columns: undefined, callStays: input.on("offline") !== true };
  const summary = io.env.GITHUB_STEP_SUMMARY;
  return {
    async write(results) {
      const cases = results.map((result) => ({
        name: result.scenario.name,
        milliseconds: result.milliseconds,
        // CI systems fail a job with any failed test, but a quarantined scenario must not fail it.
        result: result.quarantinedUntil === undefined ? result.result : ("skipped" as const),
        message:
          result.quarantinedUntil === undefined
            ? formatResultSummary(result)
            : `in quarantine until ${result.quarantinedUntil}: ${formatResultSummary(result)}`,
        text: String(formatDetails(result, plain)),
      }));
      if (summary !== undefined && summary !== "")
        await appendFile(resolve(io.cwd, summary), formatStepSummary(suite, results)).catch(
          (error: unknown) =>
            notes.warn(`the step summary can't be written: ${describeFsError(error, "write")}`),
        );
      if (junit === undefined) return;
      await junit.write(formatJunit({ name: suite.name, file: suite.file, begun }, cases));
      notes.note(`Saved the JUnit results to ${input.text("junit")}.`);
    },
  };
}
