import { appendFile, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describeFsError } from "../../../../base/describe-fs-error.js";
import { counted } from "../../../../base/text.js";
import { readAll } from "../../../derive/body.js";
import { dryRunFlag, printRequests } from "../../../derive/requests.js";
import { usageError } from "../../../errors/errors.js";
import { meantOf } from "../../../errors/nearest.js";
import { junitText, openJunit } from "../../../output/junit.js";
import type { Command } from "../../../session/command.js";
import { parseCount } from "../../../session/globals.js";
import type { Input } from "../../../session/input.js";
import type { Session } from "../../../session/session.js";
import { createPaint } from "../../../terminal/paint.js";
import { createBulkProgress, durationText } from "../../../terminal/progress.js";
import { finalStatusFlag, readStatuses } from "../call/status.js";
import { styleOf } from "../call/text.js";
import { annotationOf } from "./annotations.js";
import { type Attempt, attemptsOf, foldResults } from "./attempts.js";
import { callAgain } from "./call-again.js";
import { announce, refuseTooMany } from "./cost.js";
import { assistantFinder } from "./find-assistant.js";
import type { History } from "./history.js";
import { chosenScenarios, readOptions, type SuiteOptions } from "./options.js";
import { summaryOf } from "./result-text.js";
import {
  interruption,
  notMade,
  type PreparedScenario,
  runSuite,
  type ScenarioResult,
  type SuiteListener,
  type SuitePlace,
  verdict,
} from "./run.js";
import { stepSummary } from "./step-summary.js";
import { parseSuite, type Suite } from "./suite.js";
import { detailText, resultText } from "./text.js";

const defaultMaxCalls = 20;
/** `voxctl calls test SUITE.yaml [--junit FILE] [--max-calls N] [--offline]` */
export const testCalls: Command = {
  name: "test",
  summary: "Make the calls of a suite and check how they went",
  description: `The suite is a YAML file:

  defaults: { assistant: Terminservice, to: "\${TEST_NUMBER}", timeout: 3m }
  scenarios:
    - name: reminds of the appointment
      tags: [smoke]                # --tag smoke
      pass: 2/3                    # of three calls two; repeat: 3 wants all
      details: Termin am Freitag um 9 Uhr
      expect:
        status: completed          # the default; or another, or a list
        duration: { at_least: 10s, at_most: 2m }
        transcript:
          contains: [Freitag, { user: ja }]     # by anybody; by the user
          matches: /\\b(9|neun) Uhr\\b/i
          never: [Preis]
        analyses: { goal_reached: "yes" }
      offline:                     # how it goes with --offline
        duration: 45s
        transcript:
          - assistant: Guten Tag, es geht um Freitag, 9 Uhr.
          - user: Ja, ich komme.
        analyses: { goal_reached: "yes" }

\${NAME} and \${NAME:-otherwise} are variables of the environment. An assistant calls once a minute and a number is called by one call at a time, so calls of different assistants to different numbers run side by side; 60 an hour are allowed. Real calls are made and cost money: more than --max-calls are refused. --offline makes them in a throw-away emulator, at once. Results are lines of text, in a log as on a terminal, unless -o says otherwise; on GitHub they stand in the job's summary, too. Ends with 11 when an expectation was not met.`,
  arguments: [
    { name: "suite", description: "the file, or - for standard input; or: compare RECORD RECORD" },
    {
      name: "record",
      description: "with compare: two files that --record wrote",
      optional: true,
      variadic: true,
    },
  ],
  flags: [
    { name: "junit", value: "file", description: "write the results as JUnit XML, too" },
    {
      name: "max-calls",
      value: "n",
      description: "refuse a suite of more calls",
      default: `${defaultMaxCalls}; offline none`,
    },
    {
      name: "max-minutes",
      value: "n",
      description: "refuse a suite of more minutes of calls, as they are guessed",
    },
    { name: "only", value: "text", description: "only scenarios with this in their names", repeatable: true },
    { name: "tag", value: "tag", description: "only scenarios with this tag", repeatable: true },
    {
      name: "matrix",
      value: "assistants=a,b",
      description: "each scenario with each of these assistants in place of its own",
    },
    { name: "retries", value: "n", description: "call a scenario that failed so often again", default: "0" },
    { name: "record", value: "file", description: "write how the calls went, for --baseline and compare" },
    {
      name: "baseline",
      value: "file",
      description:
        "fail where status, analyses, or numbers, dates, prices and phone numbers said differ from this record",
    },
    {
      name: "quarantine",
      value: "file",
      description: "scenarios that may fail until a day: quarantine: [{ scenario, until, reason }]",
    },
    finalStatusFlag,
    { name: "offline", description: "in a throw-away emulator, with the outcomes that the suite scripts" },
    {
      name: "mirror",
      value: "name",
      description: "with --offline: with the assistants of this mirror, in a copy of it",
    },
    dryRunFlag,
  ],
  examples: [
    { command: "voxctl calls test smoke.yaml --offline" },
    { command: "voxctl calls test smoke.yaml --offline --mirror acme", note: "with acme's own assistants" },
    { command: "voxctl calls test smoke.yaml --junit results.xml --max-calls 5", note: "in a CI job" },
    { command: "voxctl calls test smoke.yaml --dry-run", note: "what would be called" },
    { command: "voxctl calls test smoke.yaml --offline --retries 1 --record today.json" },
    {
      command: "voxctl calls test smoke.yaml --offline --baseline main.json",
      note: "what differs from main.json fails",
    },
    { command: "voxctl calls test compare main.json today.json" },
  ],
  verdict: true,
  async run(session, input) {
    const [first, ...records] = input.arguments;
    if (first === "compare" && records.length === 2) {
      await (await import("./compare.js")).compareRecords(session, records);
      return;
    }
    if (records.length > 0) throw usageError("too many arguments; two records are compared by: compare A B");
    const offline = input.on("offline") === true;
    const dryRun = input.on("dry-run") === true;
    const mirror = input.text("mirror");
    if (mirror !== undefined && !offline) throw usageError("--mirror goes with --offline");
    if (offline && dryRun) throw usageError("--offline sends nothing to anybody; give it without --dry-run");
    const maxCalls = parseCount(input.text("max-calls") ?? String(defaultMaxCalls), "--max-calls");
    const finalStatuses = readStatuses(input, "final-status");
    const options = readOptions(input);
    const history = await (await import("./history.js")).openHistory(session, input);
    const named = await readSuite(session, input);
    const suite = chosenScenarios(named, options);
    const attempts = attemptsOf(suite.scenarios);
    // Offline a call costs nothing: only a bound that was named holds, so that it can be tried.
    if (!dryRun) refuseTooMany(attempts, offline && !input.has("max-calls") ? Infinity : maxCalls, options);
    if (offline && mirror === undefined) warnOfMadeAssistants(session, named, options);
    // Tried before anything is asked: a result that can't be written must not cost calls.
    const report = dryRun ? undefined : await openReports(session, input, suite);
    const reported = <T>(work: () => Promise<T>) => withReport(report, suite, session.signal, work);
    const place = await reported<Place>(() =>
      offline ? openOfflinePlace(session, suite, mirror) : openPlace(session, dryRun, finalStatuses),
    );
    try {
      const prepared = await reported(() => prepare(attempts, place));
      if (!report) {
        await printRequests(session, prepared.map(plannedRequest));
        announce(session, prepared, false, options.retries);
      } else {
        announce(session, prepared, offline, options.retries);
        await makeCalls({ session, suite, place, offline, report, attempts, history, ...options }, prepared);
      }
    } finally {
      await place.close();
    }
  },
};

/** Without a mirror the throw-away world has whatever assistants are named: a typing error would go unnoticed. */
function warnOfMadeAssistants(
  { notes }: Session,
  { scenarios }: Suite,
  { assistants }: Pick<SuiteOptions, "assistants">,
): void {
  const known = new Set(scenarios.map(({ assistant }) => assistant));
  const unknown = assistants.filter((one) => !known.has(one));
  if (unknown.length === 0) return;
  const meant = unknown.map((one) => meantOf(one, known)).join("");
  notes.warn(
    `--matrix: no scenario names ${unknown.map((one) => `"${one}"`).join(", ")}, so nothing tells whether there is such an assistant; the throw-away emulator made one. ${meant}--mirror NAME takes your own assistants`,
  );
}

async function prepare(attempts: readonly Attempt[], place: Place): Promise<PreparedScenario[]> {
  const prepared: PreparedScenario[] = [];
  for (const { scenario } of attempts)
    prepared.push({ scenario, assistant: await place.assistantOf(scenario.assistant) });
  return prepared;
}

/** A failure before the first call stands in the reports, too: a CI job reads nothing else. */
async function withReport<T>(
  report: Report | undefined,
  suite: Suite,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await report?.write(notMade(suite.scenarios, error, signal));
    throw error;
  }
}

async function readSuite(session: Session, input: Input): Promise<Suite> {
  const file = input.arguments[0] ?? "";
  const { io } = session;
  let content: string;
  if (file === "-") content = await readAll(io.stdin);
  else {
    try {
      content = await readFile(resolve(io.cwd, file), "utf8");
    } catch (error) {
      throw usageError(`<suite>: ${file} can't be read: ${describeFsError(error)}`, { cause: error });
    }
  }
  return parseSuite(content, { file, env: io.env });
}

interface Place extends SuitePlace {
  assistantOf(name: string): Promise<PreparedScenario["assistant"]>;
  close(): Promise<void>;
}

async function openPlace(
  session: Session,
  dryRun: boolean,
  finalStatuses: readonly string[],
): Promise<Place> {
  const { client, clock } = await session.connect({ mutates: !dryRun });
  return {
    client,
    clock,
    signal: session.signal,
    maxWaitMilliseconds: session.flags.maxWaitMilliseconds ?? Number.POSITIVE_INFINITY,
    finalStatuses,
    onOutage: ({ message }) =>
      session.notes.note(`${message} It is tried again until the scenario's timeout`),
    assistantOf: assistantFinder(client, session),
    close: async () => {},
  };
}

async function openOfflinePlace(
  session: Session,
  { scenarios }: Suite,
  mirror: string | undefined,
): Promise<Place> {
  const { openOffline, openOnMirror } = await import("./offline.js");
  return mirror === undefined ? openOffline(session, scenarios) : openOnMirror(session, mirror);
}

function plannedRequest({ scenario, assistant }: PreparedScenario) {
  const { to, details } = scenario;
  return {
    method: "POST",
    path: "/calls",
    body: { to, ...(details === undefined ? {} : { details }), ...assistant },
  };
}

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

async function makeCalls(
  { session, suite, place, offline, report, attempts, history, retries }: Suited,
  prepared: readonly PreparedScenario[],
): Promise<void> {
  const { io, notes, output } = session;
  const { output: chosen, fields } = session.flags;
  // Lines for a reader of a log, too: JSON is for whoever asks for it.
  const asText = fields === undefined && (chosen === undefined || chosen === "table");
  const progress = createBulkProgress(notes, session.clock, place.clock);
  const results: ScenarioResult[] = [];
  let folded: ScenarioResult[] = [];
  const style = { ...styleOf(session), callStays: !offline };
  const listener: SuiteListener = {
    async ended(result) {
      progress.end();
      if (asText) await output.text(resultText(result, style));
      const annotation = annotationOf(suite, result, io);
      if (annotation !== undefined) notes.note(annotation);
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
  try {
    await runSuite(prepared, place, listener, results);
    for (let round = 1; round <= retries; round += 1)
      await callAgain({ prepared, place, listener, results, round, of: retries, session });
  } catch (error) {
    throw offline ? error : interruption(error, results, session.signal);
  } finally {
    progress.end();
    const ordered = await history.judge(suite, foldResults(suite.scenarios, attempts, results));
    folded = ordered;
    await report.write(ordered);
    if (!asText) await output.list(ordered.map(resultRow), { columns: [], fields: rowFields });
  }
  const error = verdict(folded);
  if (error) throw error;
  const passed = folded.filter(({ result }) => result === "passed").length;
  const all = passed > 1 && passed === folded.length ? "all " : "";
  notes.note(`${all}${counted(passed, "scenario")} passed`);
}

interface Report {
  write(results: readonly ScenarioResult[]): Promise<void>;
}

/** The files that CI systems read: JUnit where it was asked for, and GitHub's summary where GitHub wants one. */
async function openReports(session: Session, input: Input, suite: Suite): Promise<Report> {
  const { io, notes } = session;
  const junit = await openJunit(input.text("junit"), input.arguments[0] ?? "", session);
  const begun = session.clock.now();
  const plain = { paint: createPaint(false), columns: undefined, callStays: input.on("offline") !== true };
  const summary = io.env.GITHUB_STEP_SUMMARY;
  return {
    async write(results) {
      const cases = results.map((one) => ({
        name: one.scenario.name,
        line: one.scenario.line,
        milliseconds: one.milliseconds,
        result: one.result,
        message: summaryOf(one),
        text: detailText(one, plain),
      }));
      await junit?.write(junitText({ name: suite.name, file: suite.file, begun }, cases));
      if (summary === undefined || summary === "") return;
      await appendFile(resolve(io.cwd, summary), stepSummary(suite, results)).catch((error: unknown) =>
        notes.warn(`the step summary can't be written: ${describeFsError(error, "write")}`),
      );
    },
  };
}

const rowFields = [
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

function resultRow({
  scenario,
  result,
  call,
  checks,
  error,
  ...more
}: ScenarioResult): Record<string, unknown> {
  return {
    scenario: scenario.name,
    result,
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
