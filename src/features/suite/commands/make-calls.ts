import type { Clock } from "../../../base/clock.js";
import { formatCount, trimPeriod } from "../../../base/text.js";
import { createStoppedClockCheck } from "../../../cli/nouns/calls/call/stopped-clock.js";
import { formatPlacedCall, getCallStyle } from "../../../cli/nouns/calls/call/text.js";
import { unfinishedRun } from "../../../cli/output/junit.js";
import { saveResults } from "../../../cli/output/save-results.js";
import type { Session } from "../../../cli/session/session.js";
import {
  type BulkProgress,
  createBulkProgress,
  durationText,
  formatClockDuration,
} from "../../../cli/terminal/progress.js";
import { cooldownSeconds } from "../../../contract/limits.js";
import { type Attempt, foldResults } from "../attempts.js";
import { createLateCalls } from "../late-calls.js";
import { rowFields, toResultRow } from "../result-row.js";
import {
  createErrorResult,
  markInterruption,
  type PreparedScenario,
  type ScenarioResult,
} from "../results.js";
import { retryFailedCalls } from "../retry.js";
import { runSuite, type SuiteListener, type SuiteTarget } from "../run.js";
import type { Suite } from "../suite.js";
import { createScenarioAnnotation } from "./annotations.js";
import type { History } from "./history.js";
import type { Report } from "./reports.js";
import { createGetCommand, formatResult, type ResultStyle } from "./text.js";
import { toInterruptionError, toVerdictError } from "./verdict.js";

interface SuiteRun {
  session: Session;
  suite: Suite;
  target: SuiteTarget;
  offline: boolean;
  report: Report;
  attempts: readonly Attempt[];
  history: History;
  retries: number;
}

/** @throws CliError if a scenario failed or the run was interrupted */
export async function makeCalls(
  { session, suite, target, offline, report, attempts, history, retries }: SuiteRun,
  prepared: readonly PreparedScenario[],
): Promise<void> {
  const { io, notes, output } = session;
  const asText = isText(session);
  const progress = createBulkProgress(notes, session.clock, target.clock);
  const results: ScenarioResult[] = [];
  const late = createLateCalls({
    ...target,
    onWait: (callId, milliseconds) =>
      progress.note(
        `Waiting up to ${formatClockDuration(milliseconds, target.clock)} for call ${callId} to end, because a later call is to the same number…`,
      ),
  });
  let interruption: unknown;
  const style = { ...getCallStyle(session), formatGetCommand: createGetCommand(session, offline) };
  const unfinished = { message: unfinishedRun, type: "single" } as const;
  const ended = new Map(
    attempts.map(({ scenario }) => [scenario, createErrorResult(scenario, unfinished)] as const),
  );
  const listener = createListener(session, {
    ...{ progress, offline, calls: prepared.length, style },
    clock: target.clock,
    checkClock: createStoppedClockCheck(target.clock, (text) => progress.note(text)),
    compare: history.compare,
    // Save each result before printing it: if the run is killed, the report contains every printed result.
    // Offline calls can be repeated for free, so their results are not saved.
    async save(result) {
      if (offline) return;
      ended.set(result.scenario, result);
      await report.writeUnfinished(foldResults(suite.scenarios, attempts, [...ended.values()]));
    },
  });
  const isFailed = (result: ScenarioResult) => history.compare(result).result === "failed";
  try {
    await runSuite(prepared, target, listener, results, late);
    for (let round = 1; round <= retries; round += 1)
      await retryFailedCalls({
        prepared,
        target,
        listener,
        results,
        late,
        round,
        announce: (calls) =>
          notes.note(`Retrying ${formatCount(calls, "call")} (retry ${round} of ${retries})…`),
        isFailed,
      });
  } catch (error) {
    interruption = offline ? error : toInterruptionError(error, results, session);
  }
  progress.end();
  const folded = foldResults(suite.scenarios, attempts, results);
  const made = interruption === undefined ? folded : markInterruption(folded);
  const judged = history.judge(made);
  // Annotate at the end, because a failed call may still be retried or quarantined.
  for (const result of judged) {
    const annotation = createScenarioAnnotation(suite, result, io);
    if (annotation !== undefined) notes.annotate(annotation);
  }
  const print = async () => {
    if (!asText) await output.list(judged.map(toResultRow), { columns: [], fields: rowFields });
    // Results of repeated scenarios are compared only now: the baseline contains one combined result per
    // scenario.
    const differing = asText ? findDiffering(made, judged) : [];
    if (differing.length > 0) await output.text("Compared with the baseline:\n");
    for (const result of differing) await output.text(formatResult(result, style));
  };
  await saveResults(session, {
    print,
    saves: [() => history.save(made), () => report.write(judged)],
    conclude() {
      const failure = interruption ?? toVerdictError(judged, session);
      if (failure !== undefined) throw failure;
      const passed = judged.filter(({ result }) => result === "passed").length;
      const all = passed > 1 && passed === judged.length ? "all " : "";
      const excused = judged.filter(({ quarantinedUntil }) => quarantinedUntil !== undefined).length;
      const comparison = history.describeComparison();
      const compared = comparison === undefined ? "" : `; ${comparison}`;
      notes.note(
        `${all}${formatCount(passed, "scenario")} passed${excused > 0 ? `, ${excused} failed in quarantine` : compared}`,
      );
    },
  });
}

/** Unlike other commands, `calls test` prints text even if stdout is not a terminal. */
function isText({ flags: { output, fields } }: Session): boolean {
  return fields === undefined && (output === undefined || output === "table");
}

function createListener(
  session: Session,
  {
    progress,
    offline,
    calls,
    style,
    clock,
    checkClock,
    compare,
    save,
  }: {
    progress: BulkProgress;
    offline: boolean;
    calls: number;
    style: ResultStyle;
    /** Clock of the service; with --offline, the emulator's clock, which can skip waits. */
    clock: Clock;
    checkClock: SuiteListener["polled"];
    compare: History["compare"];
    save: SuiteListener["ended"];
  },
): SuiteListener {
  return {
    // A killed run prints no results, but its calls continue, so print each call's ID immediately.
    placed(call) {
      if (!offline) progress.note(formatPlacedCall(call));
    },
    polled: checkClock,
    refused({ name }, { cooldown, message }, milliseconds) {
      // Print the whole cooldown, because the service's message may state only the rest of it
      // (public.errors.2).
      const reason = cooldown
        ? `an assistant can make only one call every ${cooldownSeconds} s`
        : trimPeriod(message);
      progress.note(`"${name}": ${reason}; trying again in ${formatClockDuration(milliseconds, clock)}…`);
    },
    async ended(result) {
      progress.end();
      await save(result);
      if (isText(session)) await session.output.text(formatResult(compare(result), style));
    },
    progress: ({ done, running, nextMilliseconds }) =>
      progress.activity(
        [
          `${done} of ${calls} done`,
          ...(running > 0 ? [`${running} in progress`] : []),
          ...(nextMilliseconds === undefined ? [] : [`next call in ${durationText(nextMilliseconds)}`]),
        ].join(" · "),
      ),
  };
}

/**
 * Returns the repeated scenarios that differ from the baseline, without the checks that were already printed.
 */
function findDiffering(
  before: readonly ScenarioResult[],
  after: readonly ScenarioResult[],
): readonly ScenarioResult[] {
  return after.flatMap((result, index) => {
    const shown = before[index];
    const checks = result.checks.slice(shown?.checks.length);
    if (checks.length === 0 || result.scenario.repeat === 1) return [];
    return [{ ...result, checks, call: shown?.result === "passed" ? result.call : undefined }];
  });
}
