import { resolve } from "node:path";
import { waitForAbort } from "../../../base/abort.js";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { isLoopback } from "../../../base/loopback.js";
import { formatCount } from "../../../base/text.js";
import { CliError, exits, usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import { parseCount, parseWholeNumber } from "../../../cli/session/globals.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { styled } from "../../../cli/terminal/paint.js";
import { findNextNumber, prepareCaptureFolder, writeCapture } from "../capture.js";
import type { Auth } from "../checks.js";
import type { Exchange } from "../exchange.js";
import { formatExchangeLine, toExchangeJson } from "../exchange-text.js";
import type { Probe } from "../probe.js";
import { type Handle, type Receiver, startReceiver } from "../receiver.js";
import { createResponder } from "../responder.js";
import { maskPath, type SecretHeaders } from "../secrets.js";
import { type Attaching, attachFlags, readAttaching, whileAttached } from "./attach.js";
import { authFlags, readAuth } from "./auth-flags.js";
import { readResponseOptions, responseFlags } from "./response-options.js";

const usualPort = 4020;

export const listen: Command = {
  name: "listen",
  summary: "Receive, check and respond to pre-call webhook requests",
  description:
    "Listens on this machine and prints a line for each request. To check the authentication of requests, use --auth. The response is {} unless --answer, --rules or --forward specifies a different one. -o ndjson prints each request with its headers and bodies.\n\n" +
    "--attach points an assistant's webhook at this receiver until the command exits; nothing else is changed. To call an assistant in the emulator, run `voxctl emulator incoming-call` in a second terminal.\n\n" +
    `A file for --rules, in YAML. The first matching response rule applies:

  version: 1
  rules:
    - when: { body.from: "+4915112345678" }       # all must match: body.…, header.…, query.…, path, method
      answer: { json: { name: Anna, call: "{{body.call_id}}" } }
    - when: { body.from: /^\\+43/ }
      answer: { status: 200, text: "Anruf {{seq}} um {{now}}", delay: 800ms }
    - when: { query.v: "2" }
      answer: { file: answers/v2.json, headers: { X-Site: Berlin } }
  default: { status: 200, json: {} }

{{body.…}}, {{header.…}}, {{query.…}}, {{path}}, {{now}}, {{uuid}} and {{seq}} are replaced by their values.`,
  flags: [
    {
      name: "port",
      value: "port",
      description: "Port to listen on; 0 selects a free port",
      default: String(usualPort),
    },
    {
      name: "host",
      value: "address",
      description: "Address to listen on; addresses other than loopback require --auth",
      default: "127.0.0.1",
    },
    ...authFlags,
    {
      name: "expect-header",
      value: "name[=value]",
      description: "Header that each request must have",
      repeatable: true,
    },
    ...responseFlags,
    {
      name: "record",
      value: "directory",
      description: "Directory in which to save each request and response, without secrets",
    },
    ...attachFlags,
    { name: "once", description: "Stop after the first request", conflicts: ["max"] },
    { name: "max", value: "n", description: "Number of requests after which to stop" },
    { name: "exit-on-failure", description: "Exit with code 11 when a request fails a check" },
  ],
  confirms: "--attach changes the assistant",
  examples: [
    { command: "voxctl webhook listen --auth bearer --secret env:HOOK_SECRET --rules rules.yaml" },
    {
      command: "voxctl webhook listen --attach Empfang --profile offline --yes",
      note: "Receive calls from `voxctl emulator incoming-call`",
    },
    { command: "voxctl webhook listen --forward http://127.0.0.1:3000/hook --record requests" },
  ],
  async run(session, input) {
    assertFormat(session);
    // Register the handler before printing the address, because a script may send a signal as soon as it
    // reads the address.
    const { signal } = session;
    const setup = await readSetup(session, input);
    const ended = new AbortController();
    const seen = { requests: 0, failed: 0, unkept: 0 };
    const count = (failed: boolean) => {
      seen.requests += 1;
      if (failed) seen.failed += 1;
      if (seen.requests >= setup.maximum || (failed && setup.exitsOnFailure)) ended.abort();
    };
    let reported = Promise.resolve();
    let failure: unknown;
    const handle = createResponder(
      { ...setup.responseOptions, expected: { auth: setup.auth, headers: setup.headers } },
      {
        clock: session.clock,
        draw: () => session.random.next(),
        uuid: () => uuid(session.random.bytes(16)),
        firstNumber: setup.folder === undefined ? 1 : await findNextNumber(setup.folder),
        onExchange(exchange) {
          count(exchange.checks.some(({ ok }) => !ok));
          reported = reported
            .then(() => keepExchange(session, exchange, setup, seen))
            .then(() => reportExchange(session, exchange, setup))
            .catch((error: unknown) => {
              failure ??= error;
              ended.abort();
            });
        },
      },
    );
    const refused = ({ method, path }: { method: string; path: string }) => {
      count(true);
      const shown = maskPath(path, setup.secrets);
      session.notes.warn(`${method} ${shown}: refused a body over 1 MiB (413)`);
    };
    const receiver = await startListening(session, input, addProbe(handle, setup.attaching?.probe), refused);
    try {
      const host = new URL(receiver.url).hostname;
      session.notes.note(`listening on ${receiver.url}${isLoopback(host) ? "  (loopback)" : ""}`);
      const until = AbortSignal.any([signal, ended.signal]);
      await untilEnd(session, setup, { url: receiver.url, until, requests: () => seen.requests });
    } finally {
      await receiver.close();
      await reported;
    }
    conclude(session, seen, setup.exitsOnFailure);
    if (failure !== undefined) throw failure;
  },
};

/** The response to a probe shows that a URL leads to this receiver. */
function addProbe(handle: Handle, probe: Probe | undefined): Handle {
  if (probe === undefined) return handle;
  return async (request, signal) =>
    request.method === "GET" && request.path.endsWith(probe.path)
      ? {
          response: {
            status: 200,
            headers: [["content-type", "text/plain"]],
            body: Buffer.from(probe.expectedText),
          },
        }
      : handle(request, signal);
}

async function untilEnd(
  session: Session,
  { attaching }: Setup,
  receiving: { url: string; until: AbortSignal; requests: () => number },
): Promise<void> {
  if (attaching) await whileAttached(session, attaching, receiving);
  else await waitForAbort(receiving.until);
}

/** Reports only the first write error. */
async function keepExchange(
  session: Session,
  exchange: Exchange,
  { folder, secrets }: Setup,
  seen: { unkept: number },
): Promise<void> {
  if (folder === undefined) return;
  await writeCapture(folder, exchange, secrets).catch((error: unknown) => {
    if (seen.unkept === 0)
      session.notes.warn(`--record: can't save captures: ${describeFsError(error, "write")}`);
    seen.unkept += 1;
  });
}

interface Setup {
  attaching: Attaching | undefined;
  auth: Auth | undefined;
  headers: { name: string; value: string | undefined }[];
  responseOptions: Awaited<ReturnType<typeof readResponseOptions>>;
  secrets: SecretHeaders;
  folder: string | undefined;
  maximum: number;
  exitsOnFailure: boolean;
}

async function readSetup(session: Session, input: Input): Promise<Setup> {
  const auth = await readAuth(session, input);
  const attaching = await readAttaching(session, input);
  const record = input.text("record");
  const folder = record === undefined ? undefined : resolve(session.io.cwd, record);
  if (folder !== undefined) await prepareCaptureFolder(folder, record ?? "");
  const max = input.text("max");
  return {
    attaching,
    auth,
    headers: input.texts("expect-header").map(expectedHeader),
    responseOptions: await readResponseOptions(session, input),
    secrets: {
      names: auth?.type === "api_key" ? [auth.headerName] : [],
      mask: (text) => session.secrets.mask(text),
    },
    folder,
    maximum: input.on("once") ? 1 : max === undefined ? Number.POSITIVE_INFINITY : parseCount(max, "--max"),
    exitsOnFailure: input.on("exit-on-failure") === true,
  };
}

function expectedHeader(text: string): { name: string; value: string | undefined } {
  const [name = "", value] = text.split(/=(.*)/s);
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    throw usageError(`invalid --expect-header "${name}": expected a header name`);
  return { name, value };
}

function assertFormat({ flags }: Session): void {
  const { output: format } = flags;
  if (format !== undefined && format !== "table" && format !== "ndjson")
    throw usageError(`invalid -o ${format}: use -o table or -o ndjson`);
}

async function startListening(
  session: Session,
  input: Input,
  handle: Handle,
  refused: NonNullable<Parameters<typeof startReceiver>[0]["refused"]>,
): Promise<Receiver> {
  const host = input.text("host") ?? "127.0.0.1";
  if (host.trim() === "")
    throw usageError("invalid --host: expected an address such as 127.0.0.1, or 0.0.0.0 for all addresses");
  if (!isLoopback(host)) {
    if (!input.has("auth"))
      throw usageError(`--host ${host} requires --auth because other machines can reach it`);
    session.notes.warn(`other machines can reach ${host}; use this command only for development`);
  }
  const port = parseWholeNumber("port", input.text("port"), usualPort, 65_535);
  try {
    return await startReceiver({ host, port, now: () => session.clock.now(), handle, refused });
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const why = code === "EADDRINUSE" ? "the port is in use" : cause instanceof Error ? cause.message : "";
    throw usageError(`can't listen on ${host}:${port}: ${why}`, {
      hint: "use --port 0 for a free port",
      cause,
    });
  }
}

async function reportExchange(session: Session, exchange: Exchange, { secrets }: Setup): Promise<void> {
  const { output, notes } = session;
  if (output.format !== "table") {
    await output.json([`${JSON.stringify(toExchangeJson(exchange, secrets))}\n`]);
    return;
  }
  const indent = " ".repeat(10);
  const line = formatExchangeLine(exchange, secrets);
  const lines = [
    exchange.checks.every(({ ok }) => ok) ? line : notes.paint.red(line),
    ...exchange.warnings.map((warning) => styled`${indent}${notes.paint.yellow(`warning: ${warning}`)}`),
  ];
  await output.lines(lines);
}

function conclude(
  { notes, signal }: Session,
  { requests, failed, unkept }: { requests: number; failed: number; unkept: number },
  exitsOnFailure: boolean,
): void {
  notes.note(
    `${formatCount(requests, "request")}${failed === 0 ? "" : `, ${failed} failed a check`}${unkept === 0 ? "" : `, ${unkept} not saved`}`,
  );
  if (failed > 0 && exitsOnFailure)
    throw new CliError({ exit: exits.endedBadly, code: "check_failed", message: "a request failed a check" });
  // Only SIGTERM counts as an interruption, because users usually stop this command with Ctrl-C.
  if (signal.reason instanceof CliError && signal.reason.exit === exits.terminated) throw signal.reason;
}

function uuid(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
