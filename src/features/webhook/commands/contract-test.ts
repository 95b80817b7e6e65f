import { resolve } from "node:path";
import { messageOf } from "../../../base/error-code.js";
import { readInputText } from "../../../base/input-file.js";
import { formatCount } from "../../../base/text.js";
import { CliError, exits, usageError } from "../../../cli/errors/errors.js";
import { formatJunit, type JunitCase, openJunit, reportUnstartedSuite } from "../../../cli/output/junit.js";
import { saveResults } from "../../../cli/output/save-results.js";
import type { Command } from "../../../cli/session/command.js";
import { readSecretSource } from "../../../cli/session/secret-source.js";
import type { Session } from "../../../cli/session/session.js";
import { joined, type Text } from "../../../cli/terminal/paint.js";
import type { Auth } from "../checks.js";
import { type Contract, parseContract } from "../contract-file.js";
import { type CaseResult, NoResponseError, runContract } from "../contract-run.js";
import { parseAddressFlag } from "./response-options.js";

export const contractTest: Command = {
  name: "test",
  summary: "Test a receiver against a contract file",
  description: `The file, in YAML:

  version: 1
  url: \${WEBHOOK_URL:-http://127.0.0.1:3000/hook}
  auth: { type: bearer, secret: { from: env:WEBHOOK_SECRET } }
  limits: { time: 2s, bytes: 32KiB }
  response:
    schema: { type: object, required: [name] }    # JSON Schema of successful responses
  cases:
    - name: known caller
      request: { from: "+4915112345678" }         # fields to add or replace in the emulator's request
      expect: { status: 200, json: { name: Anna } }
    - { name: withheld number, request: { from: null } }
  standard: [no_auth, wrong_auth, malformed_body, unknown_fields, repeated, concurrent_20, slow_client]

A case without expect requires a 2xx response that is within the limits and matches the schema. Exits with code 11 if a case fails, and with code 9 if the receiver can't be reached. url and auth.secret accept environment variables.`,
  arguments: [{ name: "contract", description: "Contract file" }],
  flags: [
    { name: "url", value: "url", description: "Receiver URL (default: url in the file)" },
    { name: "junit", value: "file", description: "File for the results as JUnit XML" },
    { name: "force", description: "Overwrite the --junit file even if it has other content" },
  ],
  examples: [
    { command: "voxctl webhook test contract.yaml" },
    {
      command: "voxctl webhook test contract.yaml --url http://127.0.0.1:8080/hook --junit results.xml",
      note: "In a CI job",
    },
  ],
  verdict: true,
  async run(session, input) {
    const named = input.arguments[0] ?? "";
    const junit = await openJunit(input.text("junit"), named, session, {
      replaces: input.on("force") === true,
    });
    const begun = session.clock.now();
    const { contract, url, auth } = await reportUnstartedSuite(
      session,
      junit,
      { file: named, begun },
      async () => {
        const read = await readContract(session, named);
        const address = parseAddressFlag(
          input.text("url") ?? read.url,
          input.has("url") ? "--url" : `${named}: url`,
        );
        if (address === undefined) throw usageError(`missing URL: use --url, or set url in ${named}`);
        return { contract: read, url: address, auth: await readContractAuth(session, read) };
      },
    );
    const results: CaseResult[] = [];
    let failure: unknown;
    const reportResult = async (given: CaseResult) => {
      const { mask } = session.secrets;
      const result = { ...given, problems: given.problems.map(mask), answer: mask(given.answer) };
      results.push(result);
      if (session.output.format === "table") await session.output.lines(formatResult(result, session));
    };
    try {
      const running = {
        contract,
        url,
        auth,
        body: () => createDefaultBody(session),
        clock: session.clock,
        signal: session.signal,
        mask: session.secrets.mask,
      };
      for await (const result of runContract(running)) await reportResult(result);
    } catch (error) {
      failure = error;
    }
    const cases = [...results.map(toJunitCase), ...listCasesNotRun(contract, results, failure)];
    await saveResults(session, {
      print: () => printResults(session, results, failure),
      saves: [async () => junit?.write(formatJunit({ name: named, file: named, begun }, cases))],
      conclude: () => conclude(session, results, failure),
    });
  },
};

async function readContract(session: Session, named: string): Promise<Contract> {
  const content = await readInputText(resolve(session.io.cwd, named), named);
  return parseContract(content, { file: named, env: session.io.env });
}

/** @throws usage error (2) */
async function readContractAuth(session: Session, { auth }: Contract): Promise<Auth> {
  if (auth === undefined || auth.type === "none") return { type: "none" };
  const secret =
    auth.secret === undefined ? "" : await readSecretSource(session, auth.secret.from, "auth.secret.from");
  if (secret === "") throw usageError(`auth.type ${auth.type} requires auth.secret: { from: env:VARIABLE }`);
  if (auth.type === "bearer") return { type: auth.type, secret };
  if (auth.type === "api_key")
    return { type: auth.type, secret, headerName: auth.header_name ?? "X-Api-Key" };
  if (auth.username === undefined) throw usageError("auth.type basic requires auth.username");
  session.secrets.add(Buffer.from(`${auth.username}:${secret}`).toString("base64"));
  return { type: auth.type, secret, username: auth.username };
}

/** voxctl assumes that the service sends the same fields as the emulator. */
function createDefaultBody({ random }: Session): Record<string, unknown> {
  const id = () => random.bytes(12).toString("hex");
  return {
    call_id: id(),
    assistant_id: "65f1a0b2c3d4e5f601234567",
    from: "+4915112345678",
    to: "+4932221000001",
  };
}

function formatResult(
  { name, problems, answer: responseText, skipped }: CaseResult,
  { notes: { paint } }: Session,
): Text[] {
  const mark = skipped
    ? paint.yellow("skipped")
    : problems.length === 0
      ? paint.green("passed")
      : paint.red("failed");
  return [joined([mark, `  ${name}  ${responseText}`]), ...problems.map((problem) => `        ${problem}`)];
}

function toJunitCase({ name, problems, answer: responseText, milliseconds, skipped }: CaseResult): JunitCase {
  return {
    name,
    milliseconds,
    result: skipped ? "skipped" : problems.length === 0 ? "passed" : "failed",
    message: problems.join("; "),
    text: [responseText, ...problems].join("\n"),
  };
}

/** Lists the cases that were not run after a failure, so that the XML file contains all cases. */
function listCasesNotRun(
  { cases, standard }: Contract,
  results: readonly CaseResult[],
  failure: unknown,
): JunitCase[] {
  if (failure === undefined) return [];
  const message = messageOf(failure);
  return [...cases.map(({ name }) => name), ...standard]
    .filter((name) => !results.some((result) => result.name === name))
    .map((name) => ({ name, milliseconds: 0, result: "error", message, text: message }));
}

async function printResults(
  session: Session,
  results: readonly CaseResult[],
  failure: unknown,
): Promise<void> {
  if (failure !== undefined || session.output.format === "table") return;
  await session.output.list(
    results.map(({ skipped = false, ...result }) => ({
      ...result,
      passed: !skipped && result.problems.length === 0,
      skipped,
    })),
    { columns: [] },
  );
}

/** @throws CliError if the receiver was not reached or a case failed */
function conclude({ notes }: Session, results: readonly CaseResult[], failure: unknown): void {
  if (failure instanceof NoResponseError)
    throw new CliError({
      exit: exits.unavailable,
      code: "network",
      message: failure.message,
      hint: "start the receiver, or check --url",
      cause: failure,
    });
  if (failure !== undefined) throw failure;
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  if (failed > 0)
    throw new CliError({
      exit: exits.endedBadly,
      code: "cases_failed",
      message: `${formatCount(failed, "case")} of ${results.length} failed`,
    });
  const skipped = results.filter((result) => result.skipped).length;
  const passed = formatCount(results.length - skipped, "case");
  notes.note(`${passed} passed${skipped === 0 ? "" : `, ${skipped} skipped`}`);
}
