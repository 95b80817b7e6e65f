import { resolve } from "node:path";
import { describeFsError } from "../../../../base/describe-fs-error.js";
import { readUtf8, readUtf8Stream } from "../../../../base/utf8.js";
import { dryRunFlag, printRequests } from "../../../derive/requests.js";
import { usageError } from "../../../errors/errors.js";
import { suggestName } from "../../../errors/suggestions.js";
import type { Command } from "../../../session/command.js";
import { parseCount } from "../../../session/globals.js";
import type { Input } from "../../../session/input.js";
import type { Session } from "../../../session/session.js";
import { finalStatusFlag, isKnownStatus, knownStatuses, readStatuses } from "../call/status.js";
import { expandAttempts } from "./attempts.js";
import { announceCalls, assertCallLimits } from "./cost.js";
import { makeCalls } from "./make-calls.js";
import { filterSuite, readSuiteOptions, type SuiteOptions } from "./options.js";
import { assertOutputs, forceFlag } from "./outputs.js";
import { openReports, reportFailures } from "./reports.js";
import type { PreparedScenario } from "./results.js";
import { parseSuite, type Suite } from "./suite.js";
import {
  type OpenSuiteTarget,
  openOfflineTarget,
  openServiceTarget,
  prepareScenarios,
} from "./suite-target.js";

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
          contains: [Freitag, { user: /\\bja\\b/i }]  # by anybody; by the user
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
  arguments: [{ name: "suite", description: "the file, or - for standard input" }],
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
    {
      name: "retries",
      value: "n",
      description: "call a scenario that failed, or differs from --baseline, so often again",
      default: "0",
    },
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
    forceFlag,
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
  ],
  verdict: true,
  async run(session, input) {
    const offline = input.on("offline") === true;
    const dryRun = input.on("dry-run") === true;
    const mirror = input.text("mirror");
    if (mirror !== undefined && !offline) throw usageError("--mirror goes with --offline");
    if (offline && dryRun) throw usageError("--offline sends nothing to anybody; give it without --dry-run");
    const maxCalls = parseCount(input.text("max-calls") ?? String(defaultMaxCalls), "--max-calls");
    const finalStatuses = readStatuses(input, "final-status");
    const options = readSuiteOptions(input);
    await assertOutputs(session, input);
    const named = await readSuite(session, input);
    const suite = filterSuite(named, options);
    const attempts = expandAttempts(suite.scenarios);
    // Offline a call costs nothing: only a bound that was named holds, so that it can be tried.
    const mostCalls = offline && !input.has("max-calls") ? Infinity : maxCalls;
    if (!dryRun) assertCallLimits(attempts, mostCalls, options);
    const history = await (await import("./history.js")).openHistory(session, input, named, suite);
    warnOfStatuses(session, suite);
    if (offline && mirror === undefined) warnOfUnknownAssistants(session, named, options);
    // Tried before anything is asked: a result that can't be written must not cost calls.
    const report = dryRun ? undefined : await openReports(session, input, suite);
    const reported = <T>(work: () => Promise<T>) => reportFailures(report, suite, session.signal, work);
    const target = await reported<OpenSuiteTarget>(() =>
      offline ? openOfflineTarget(session, suite, mirror) : openServiceTarget(session, dryRun, finalStatuses),
    );
    try {
      const prepared = await reported(() => prepareScenarios(attempts, target));
      if (!report) {
        await printRequests(session, prepared.map(toRequest));
        announceCalls(session, prepared, false, options.retries);
        // Refused as without --dry-run, after the costs were shown: a job that tries a suite first is not misled.
        assertCallLimits(attempts, mostCalls, options);
      } else {
        announceCalls(session, prepared, offline, options.retries);
        await makeCalls({ session, suite, target, offline, report, attempts, history, ...options }, prepared);
      }
    } finally {
      await target.close();
    }
  },
};

/** A service may have statuses of its own (T11), but one that is nearly a usual one is mostly mistyped. */
function warnOfStatuses({ notes }: Session, { scenarios }: Suite): void {
  for (const { name, expect } of scenarios)
    for (const status of expect.status ?? []) {
      const suggestion = isKnownStatus(status) ? "" : suggestName(status, knownStatuses);
      if (suggestion !== "")
        notes.warn(`"${name}": expect.status: "${status}" ends no call as a rule. ${suggestion}`.trimEnd());
    }
}

/** Without a mirror the throw-away world has whatever assistants are named: a typing error would go unnoticed. */
function warnOfUnknownAssistants(
  { notes }: Session,
  { scenarios }: Suite,
  { assistants }: Pick<SuiteOptions, "assistants">,
): void {
  const known = new Set(scenarios.map(({ assistant }) => assistant));
  const unknown = assistants.filter((assistant) => !known.has(assistant));
  if (unknown.length === 0) return;
  const suggestion = unknown.map((assistant) => suggestName(assistant, known)).join("");
  notes.warn(
    `--matrix: no scenario names ${unknown.map((assistant) => `"${assistant}"`).join(", ")}, so nothing tells whether there is such an assistant; the throw-away emulator made one. ${suggestion}--mirror NAME takes your own assistants`,
  );
}

async function readSuite(session: Session, input: Input): Promise<Suite> {
  const file = input.arguments[0] ?? "";
  const { io } = session;
  let content: string;
  if (file === "-") content = await readUtf8Stream(io.stdin);
  else {
    try {
      content = await readUtf8(resolve(io.cwd, file));
    } catch (error) {
      throw usageError(`<suite>: ${file} can't be read: ${describeFsError(error)}`, { cause: error });
    }
  }
  return parseSuite(content, { file, env: io.env });
}

function toRequest({ scenario, assistant }: PreparedScenario) {
  const { to, details } = scenario;
  return {
    method: "POST",
    path: "/calls",
    body: { to, ...(details === undefined ? {} : { details }), ...assistant },
  };
}
