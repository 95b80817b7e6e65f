import { resolve } from "node:path";
import { readInputText } from "../../../base/input-file.js";
import { suggestName } from "../../../base/suggestions.js";
import { inflect } from "../../../base/text.js";
import { readUtf8Stream } from "../../../base/utf8.js";
import { dryRunFlag, printRequests } from "../../../cli/derive/requests.js";
import { finalStatusFlag, readStatuses } from "../../../cli/nouns/calls/call/status.js";
import { openJunit, reportUnstartedSuite } from "../../../cli/output/junit.js";
import type { Command } from "../../../cli/session/command.js";
import { parseCount } from "../../../cli/session/globals.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { isKnownStatus, knownStatuses } from "../../../client/call-status.js";
import { expandAttempts } from "../attempts.js";
import type { PreparedScenario } from "../results.js";
import { parseSuite, type Suite } from "../suite.js";
import { announceCalls, assertCallLimits } from "./call-limits.js";
import { makeCalls } from "./make-calls.js";
import { filterSuite, readSuiteOptions, type SuiteOptions } from "./options.js";
import { assertOutput, forceFlag } from "./outputs.js";
import { createReport, reportFailures } from "./reports.js";
import {
  type OpenSuiteTarget,
  openOfflineTarget,
  openServiceTarget,
  prepareScenarios,
} from "./suite-target.js";

const defaultMaxCalls = 20;
export const testCalls: Command = {
  name: "test",
  summary: "Run a test suite: place its calls and check the results",
  description: `The suite is a YAML file:

  defaults: { assistant: Terminservice, to: "\${TEST_NUMBER:-+4915112345678}" }
  scenarios:
    - name: reminds the customer of the appointment
      tags: [smoke]                # --tag smoke
      pass: 2/3                    # 2 of 3 calls; repeat: 3 requires all 3
      details: Termin am Freitag um 9 Uhr
      expect:
        status: completed  # default; or no_answer, busy, failed, or a list
        duration: { at_least: 10s, at_most: 2m }
        transcript:
          contains: [Freitag, { user: /\\bja\\b/i }]  # by anyone; by the user
          matches: /\\b(9|neun) Uhr\\b/i
          never: [Preis]
        analyses: { goal_reached: "yes" }
      facts: { day: /montag|freitag/i }  # compared by --baseline
      offline:  # outcome with --offline; also status: no_answer
        duration: 45s
        transcript:
          - assistant: Guten Tag, es geht um Freitag, 9 Uhr.
          - user: Ja, ich komme.
        analyses: { goal_reached: "yes" }

\${NAME} and \${NAME:-default} are environment variables. An assistant places one call per minute. Calls to different numbers run in parallel, up to 60 per hour. Real calls cost money, so voxctl refuses a suite with more than --max-calls calls.

An emulator that runs as a server doesn't use the outcomes under \`offline\`. The last digits of the number determine how a call ends: 0001 means no answer, 0002 busy and 0003 failed; all other calls are completed.

Without -o, results are lines of text; GitHub jobs also show a summary. If an expectation is not met or a result differs from --baseline, the command exits with code 11. If a call can't be placed or followed, the command exits with the exit code of the error; see \`voxctl help exit-codes\`.`,
  arguments: [{ name: "suite", description: "Suite file, or - for standard input" }],
  flags: [
    {
      name: "junit",
      value: "file",
      description:
        "File for the results as JUnit XML. Times include dialing and retries; with --offline, times are simulated",
    },
    {
      name: "max-calls",
      value: "n",
      description: "Maximum number of calls, including retries",
      default: `${defaultMaxCalls}; unlimited with --offline`,
    },
    {
      name: "max-minutes",
      value: "n",
      description:
        "Maximum number of call minutes, estimated from the longest time in each call's `expect.duration` (at least 1 minute, at most its timeout), rounded up",
    },
    {
      name: "only",
      value: "text",
      description: "Only scenarios with this text in their name",
      repeatable: true,
    },
    { name: "tag", value: "tag", description: "Only scenarios with this tag", repeatable: true },
    {
      name: "matrix",
      value: "assistants=a,b",
      description: "Run each scenario with each of these assistants",
    },
    {
      name: "retries",
      value: "n",
      description: "Number of retries for a scenario that fails or differs from --baseline",
      default: "0",
    },
    {
      name: "record",
      value: "file",
      description:
        "File to save the results to, for `calls compare` and the --baseline of later runs; must differ from this run's --baseline",
    },
    {
      name: "baseline",
      value: "file",
      description:
        "Baseline that --record saved earlier; a scenario fails if its status, an analysis, the result of a `facts` check or a number that the assistant says differs from the baseline",
    },
    {
      name: "quarantine",
      value: "file",
      description:
        "File with scenarios that may fail until a date: quarantine: [{ scenario, until, reason }]",
    },
    forceFlag,
    finalStatusFlag,
    {
      name: "offline",
      description:
        "Simulate the calls in a temporary emulator, with each scenario's `offline` outcome; assistant names are checked only with --mirror",
    },
    {
      name: "mirror",
      value: "name",
      description: "Use the assistants of this mirror (`voxctl mirror create`); requires --offline",
      requires: "offline",
    },
    dryRunFlag,
  ],
  examples: [
    { command: "voxctl calls test smoke.yaml --offline" },
    {
      command: "voxctl calls test smoke.yaml --offline --mirror acme",
      note: 'Use the assistants from mirror "acme"',
    },
    { command: "voxctl calls test smoke.yaml --junit results.xml --max-calls 5", note: "In a CI job" },
    { command: "voxctl calls test smoke.yaml --dry-run", note: "List the calls" },
    { command: "voxctl calls test smoke.yaml --offline --retries 1 --record today.json" },
    {
      command: "voxctl calls test smoke.yaml --offline --baseline main.json",
      note: "Fail on differences from main.json",
    },
  ],
  verdict: true,
  async run(session, input) {
    const offline = input.on("offline") === true;
    const dryRun = input.on("dry-run") === true;
    const mirror = input.text("mirror");
    const maxCalls = parseCount(input.text("max-calls") ?? String(defaultMaxCalls), "--max-calls");
    const finalStatuses = readStatuses(input, "final-status");
    const options = readSuiteOptions(input);
    await assertOutput(session, input, "junit");
    // Open the JUnit file first, to remove old results and to report an unwritable file before calls cost
    // money.
    const file = input.arguments[0] ?? "";
    const junit = dryRun
      ? undefined
      : await openJunit(input.text("junit"), file, session, { replaces: true });
    const begun = session.clock.now();
    // Offline calls are free, so the default limit doesn't apply.
    const mostCalls = offline && !input.has("max-calls") ? Infinity : maxCalls;
    const { named, suite, attempts, history } = await reportUnstartedSuite(
      session,
      junit,
      { file, begun },
      async () => {
        await assertOutput(session, input, "record");
        const all = await readSuite(session, input);
        const selected = filterSuite(all, options);
        const expanded = expandAttempts(selected.scenarios);
        if (!dryRun) assertCallLimits(expanded, mostCalls, options);
        const opened = await (await import("./history.js")).openHistory(session, input, all, selected);
        return { named: all, suite: selected, attempts: expanded, history: opened };
      },
    );
    warnOfStatuses(session, suite);
    if (offline && mirror === undefined) warnOfUnknownAssistants(session, named, options);
    const report = dryRun ? undefined : createReport(session, input, suite, { junit, begun });
    const reported = <T>(work: Parameters<typeof reportFailures<T>>[3]) =>
      reportFailures(session, report, suite, work);
    const target = await reported<OpenSuiteTarget>(() =>
      offline
        ? openOfflineTarget(session, suite, mirror)
        : openServiceTarget(session, suite, dryRun, finalStatuses),
    );
    try {
      const prepared = await reported((preparing) => prepareScenarios(attempts, target, preparing));
      announceCalls(session, prepared, { offline, dryRun }, options.retries);
      if (offline && mirror === undefined)
        session.notes.note(
          "Assistant names are not checked; to check them, create a mirror (`voxctl mirror create NAME`) and use --mirror NAME.",
        );
      if (!report) {
        await printRequests(session, prepared.map(toRequest));
        // With --dry-run, show the costs even if they exceed the limits.
        assertCallLimits(attempts, mostCalls, options);
      } else {
        const run = { session, suite, target, offline, report, attempts, history, ...options };
        const placeCalls = () => makeCalls(run, prepared);
        await (target.withAssistants?.(prepared, file, placeCalls) ?? placeCalls());
      }
    } finally {
      await target.close();
    }
  },
};

/**
 * Warns about a status that resembles a known status, because it is probably a typo. Accepts other unknown
 * statuses, because the service may define its own.
 */
function warnOfStatuses({ notes }: Session, { scenarios }: Suite): void {
  for (const { name, expect } of scenarios)
    for (const status of expect.status ?? []) {
      const suggestion = isKnownStatus(status) ? "" : suggestName(status, knownStatuses);
      if (suggestion !== "")
        notes.warn(
          `"${name}": expect.status: "${status}" is not a known final status; ${suggestion}`.trimEnd(),
        );
    }
}

/**
 * Warns about unknown assistants in --matrix. Without a mirror, the temporary emulator creates any assistant,
 * even a misspelled one.
 */
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
    `--matrix: ${unknown.map((assistant) => `"${assistant}"`).join(", ")} ${inflect(unknown.length, "is", "are")} not used in any scenario and might not exist; ${suggestion}to use your own assistants, add --mirror NAME`,
  );
}

async function readSuite(session: Session, input: Input): Promise<Suite> {
  const file = input.arguments[0] ?? "";
  const { io } = session;
  const content = await (file === "-"
    ? readUtf8Stream(io.stdin)
    : readInputText(resolve(io.cwd, file), file));
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
