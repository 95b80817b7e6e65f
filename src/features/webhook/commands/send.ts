import { resolve } from "node:path";
import { stopwatch } from "../../../base/clock.js";
import { readInputText } from "../../../base/input-file.js";
import { CliError, exits, usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import { readHeaderLine } from "../../../cli/session/header-line.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { E164 } from "../../../contract/primitives.js";
import { createAuthHeader } from "../checks.js";
import { findResponseWarnings } from "../warnings.js";
import { authFlags, readAuth } from "./auth-flags.js";
import { parseAddress } from "./response-options.js";

const usualCaller = "+4915112345678";
const usualAssistant = "65f1a0b2c3d4e5f601234567";

export const send: Command = {
  name: "send",
  summary: "Send a test request to a receiver",
  description:
    "Sends the request that the emulator sends for an incoming call. Exits with code 11 if the response takes longer than 5 s, is over 64 KiB or does not have a 2xx status, because the emulator ignores such a response.",
  arguments: [{ name: "url", description: "Receiver URL" }],
  flags: [
    ...authFlags,
    { name: "header", value: "name: value", description: "Additional header", repeatable: true },
    {
      name: "from",
      value: "number",
      description: "Caller's phone number",
      default: usualCaller,
      conflicts: ["data"],
    },
    {
      name: "data",
      value: "json|@file",
      description: "Request body (default: the body that the emulator sends)",
    },
  ],
  examples: [
    { command: "voxctl webhook send http://127.0.0.1:3000/hook --auth bearer --secret env:HOOK_SECRET" },
    { command: "voxctl webhook send http://127.0.0.1:3000/hook --from +4930123456" },
  ],
  verdict: true,
  async run(session, input) {
    const url = parseAddress(input.arguments[0] ?? "", "<url>");
    const auth = await readAuth(session, input);
    const body = await readBody(session, input);
    const credentials = auth && createAuthHeader(auth);
    const headers = [
      ["Content-Type", "application/json"],
      ["User-Agent", "voxctl-webhook"],
      ...input.texts("header").map(readHeaderLine),
      ...(credentials ? [credentials] : []),
    ] as const;
    const { sendWebhook, webhookTimeoutMilliseconds } = await import(
      "../../../emulator/calls/webhook-request.js"
    );
    const { timeoutMilliseconds = webhookTimeoutMilliseconds } = session.flags;
    const began = stopwatch(session.clock);
    const { response, error, isTimeout } = await sendWebhook(url.href, headers, body, {
      allowPrivate: true,
      timeoutMilliseconds,
      signal: session.signal,
    });
    session.signal.throwIfAborted();
    const milliseconds = Math.round(stopwatch(session.clock) - began);
    const webhookResponse = response && {
      status: response.status,
      headers: Object.entries(response.headers),
      body: Buffer.from(response.body),
    };
    if (webhookResponse) {
      for (const warning of findResponseWarnings(webhookResponse, milliseconds)) session.notes.warn(warning);
      await session.output.item({
        status: webhookResponse.status,
        milliseconds,
        body: session.secrets.mask(response.body),
      });
    }
    const isLate = (isTimeout ? timeoutMilliseconds : milliseconds) >= webhookTimeoutMilliseconds;
    const problem = error ?? (isLate ? "the response took longer than 5 s" : undefined);
    if (problem === undefined) return;
    const isUnused = webhookResponse !== null || isLate;
    throw new CliError({
      exit: isUnused ? exits.endedBadly : exits.unavailable,
      code: isUnused ? "no_answer_that_counts" : "network",
      message: `${url.host}: ${problem.replace(/^connect ECONNREFUSED .*/, "connection refused")}`,
    });
  },
};

/** Without --data, returns the body that the emulator would send. */
async function readBody(session: Session, input: Input): Promise<string> {
  const given = input.text("data");
  if (given !== undefined) {
    if (!given.startsWith("@")) return given;
    return readInputText(resolve(session.io.cwd, given.slice(1)), `--data ${given}`);
  }
  const from = input.text("from") ?? usualCaller;
  if (!E164.safeParse(from).success)
    throw usageError(`invalid --from "${from}": expected a phone number such as ${usualCaller}`);
  const call_id = session.random.bytes(12).toString("hex");
  return JSON.stringify({ call_id, assistant_id: usualAssistant, from, to: null });
}
