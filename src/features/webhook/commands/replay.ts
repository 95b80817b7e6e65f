import { resolve } from "node:path";
import { abortAfter } from "../../../base/abort.js";
import { messageOf } from "../../../base/error-code.js";
import { isLoopback } from "../../../base/loopback.js";
import { formatCount, inflect } from "../../../base/text.js";
import { CliError, exits, usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Session } from "../../../cli/session/session.js";
import { type Capture, findCaptures } from "../capture.js";
import { createAuthHeader } from "../checks.js";
import { describeDifference } from "../compare.js";
import type { Header, WebhookResponse } from "../exchange.js";
import { filterForwardedHeaders, sendRawRequest } from "../raw-request.js";
import { applyChanges, type Change, parseChange, replaceCredentials } from "../replayed-request.js";
import { authFlags, readAuth } from "./auth-flags.js";
import { parseAddressFlag } from "./response-options.js";

const attemptMilliseconds = 30_000;

export const replay: Command = {
  name: "replay",
  summary: "Send captured requests again to a receiver",
  description:
    "Sends the path, headers and body of each capture to --to, in the original order. Captures contain no credentials; to send credentials, use --auth and --secret.",
  arguments: [{ name: "recording", description: "Capture file or directory of captures" }],
  flags: [
    {
      name: "to",
      value: "url",
      description: "Receiver URL; captured paths are appended to its path",
      required: true,
    },
    ...authFlags,
    {
      name: "compare",
      description: "Compare each response with the captured one; exit with code 11 if they differ",
    },
    {
      name: "ignore",
      value: "path",
      description: "Path of a JSON field that may differ from the capture; requires --compare",
      repeatable: true,
      requires: "compare",
    },
    {
      name: "set",
      value: "body.path=value",
      description: "Change a part of each JSON body",
      repeatable: true,
    },
  ],
  confirms: "requests to a host other than this machine",
  examples: [
    { command: "voxctl webhook replay requests --to http://127.0.0.1:3000 --compare" },
    { command: "voxctl webhook replay requests --to http://127.0.0.1:3000 --set body.from=+4930123456" },
  ],
  verdict: true,
  async run(session, input) {
    const to = parseAddressFlag(input.text("to"), "--to");
    if (to === undefined) throw usageError("missing required flag: --to");
    const shown = input.arguments[0] ?? "";
    const captures = await findCaptures(resolve(session.io.cwd, shown), shown);
    const changes = input.texts("set").map(parseChange);
    // Read all captures first, to report an invalid capture before any request is sent.
    for await (const capture of captures.read()) changeBody(capture, changes);
    const auth = await readAuth(session, input);
    if (!isLoopback(to.hostname))
      await session.confirm(`Send ${formatCount(captures.count, "captured request")} to ${to.host}?`);
    const credentials = auth && createAuthHeader(auth);
    let differing = 0;
    const results = (async function* () {
      for await (const recording of captures.read()) {
        const response = await sendCapture(session, to, recording, { credentials, changes });
        const difference = input.on("compare")
          ? describeDifference(recording.answer, response, input.texts("ignore"), session.secrets.mask)
          : undefined;
        if (difference !== undefined) differing += 1;
        yield {
          recording: recording.file,
          status: response.status,
          recorded_status: recording.answer?.status ?? null,
          ...(input.on("compare") ? { difference: difference ?? null } : {}),
        };
      }
    })();
    await session.output.list(results, {
      columns: [
        { header: "CAPTURE", value: "recording", keep: true },
        { header: "STATUS", value: "status" },
        { header: "CAPTURED", value: "recorded_status" },
        ...(input.on("compare") ? [{ header: "DIFFERENCE", value: "difference" }] : []),
      ],
    });
    if (differing > 0)
      throw new CliError({
        exit: exits.endedBadly,
        code: "differences",
        message: `${differing} of ${formatCount(captures.count, "response")} ${inflect(differing, "differs", "differ")} from the capture`,
      });
  },
};

async function sendCapture(
  session: Session,
  to: URL,
  capture: Capture,
  { credentials, changes }: { credentials: Header | undefined; changes: readonly Change[] },
): Promise<WebhookResponse> {
  const { method, path, headers } = capture.request;
  if (capture.request.body_masked)
    session.notes.warn(
      `${capture.file}: the body is sent without the secret that was removed from the capture`,
    );
  const message = {
    method,
    path: to.pathname.replace(/\/$/, "") + path,
    headers: filterForwardedHeaders(replaceCredentials(headers, credentials)),
    body: changeBody(capture, changes),
  };
  const signal = AbortSignal.any([
    session.signal,
    abortAfter(session.flags.timeoutMilliseconds ?? attemptMilliseconds),
  ]);
  try {
    return await sendRawRequest(to, message, signal);
  } catch (cause) {
    if (session.signal.aborted) throw session.signal.reason;
    const why = messageOf(cause);
    throw new CliError({
      exit: exits.unavailable,
      code: "network",
      message: `${to.host} did not respond to ${capture.file}: ${why}`,
      cause,
    });
  }
}

const changeBody = ({ request, file }: Capture, changes: readonly Change[]) =>
  applyChanges(Buffer.from(request.body_base64, "base64"), changes, file);
