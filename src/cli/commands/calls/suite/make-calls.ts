import { counted } from "../../../../base/text.js";
import type { Session } from "../../../session/session.js";
import { createBulkProgress, durationText } from "../../../terminal/progress.js";
import { styleOf } from "../call/text.js";
import { annotationOf } from "./annotations.js";
import { type Attempt, foldResults } from "./attempts.js";
import { callAgain } from "./call-again.js";
import type { History } from "./history.js";
import { createLateCalls } from "./late-calls.js";
import { type Report, resultRow, rowFields } from "./reports.js";
import type { PreparedScenario, ScenarioResult } from "./results.js";
import { runSuite, type SuiteListener, type SuitePlace } from "./run.js";
import type { Suite } from "./suite.js";
import { resultText } from "./text.js";
import { interruption, verdict } from "./verdict.js";

interface Suited {
  session: Session;
  suite: Suite;
  place: SuitePlace;
  offline: boolean;
  report: Report;
  attempts: readonly Attempt[];
  history: History;
  retries: number;
}

/**
 * Makes the calls of a suite, shows and reports how they went, and judges them.
 * @throws CliError where not everything passed, or the run was interrupted
 */
export async function makeCalls(
  { session, suite, place, offline, report, attempts, history, retries }: Suited,
  prepared: readonly PreparedScenario[],
): Promise<void> {
  const { io, notes, output } = session;
  const { output: chosen, fields } = session.flags;
  // Lines for a reader of a log, too: JSON is for whoever asks for it.
  const asText = fields === undefined && (chosen === undefined || chosen === "table");
  const progress = createBulkProgress(notes, session.clock, place.clock);
  const results: ScenarioResult[] = [];
  const late = createLateCalls(place);
  let folded: ScenarioResult[] = [];
  const style = { ...styleOf(session), callStays: !offline };
  const listener: SuiteListener = {
    async ended(result) {
      progress.end();
      if (asText) await output.text(resultText(result, style));
    },
    progress: ({ done, running, nextMilliseconds }) =>
      progress.activity(
        [
          `${done} of ${prepared.length} done`,
          ...(running > 0 ? [`${running} under way`] : []),
          ...(nextMilliseconds === undefined ? [] : [`next call in ${durationText(nextMilliseconds)}`]),
        ].join(" · "),
      ),
  };
  const isFailed = (one: ScenarioResult) =>
    one.result === "failed" || (one.result === "passed" && history.differs(one));
  try {
    await runSuite(prepared, place, listener, results, late);
    for (let round = 1; round <= retries; round += 1)
      await callAgain({ prepared, place, listener, results, late, round, of: retries, session, isFailed });
  } catch (error) {
    throw offline ? error : interruption(error, results, session.signal);
  } finally {
    progress.end();
    const made = foldResults(suite.scenarios, attempts, results);
    const ordered = await history.judge(suite, made);
    folded = ordered;
    // These were shown as passed when their calls ended.
    const failedSince = ordered.filter(
      ({ result }, index) => result === "failed" && made[index]?.result === "passed",
    );
    if (asText && failedSince.length > 0) {
      await output.text("held against the baseline:\n");
      for (const one of failedSince) await output.text(resultText(one, style));
    }
    // Not call by call: a failed one may be repeated, or be in quarantine.
    for (const one of ordered) {
      const annotation = annotationOf(suite, one, io);
      if (annotation !== undefined) notes.annotate(annotation);
    }
    await report.write(ordered);
    if (!asText) await output.list(ordered.map(resultRow), { columns: [], fields: rowFields });
  }
  const error = verdict(folded);
  if (error) throw error;
  const passed = folded.filter(({ result }) => result === "passed").length;
  const all = passed > 1 && passed === folded.length ? "all " : "";
  const excused = folded.filter(({ quarantinedUntil }) => quarantinedUntil !== undefined).length;
  notes.note(
    `${all}${counted(passed, "scenario")} passed${excused > 0 ? `, and ${excused} failed in quarantine` : ""}`,
  );
}
