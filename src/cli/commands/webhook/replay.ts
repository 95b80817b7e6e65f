import { resolve } from "node:path";
import { isLoopback } from "../../../base/loopback.js";
import { counted } from "../../../base/text.js";
import { CliError, exits, usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Session } from "../../session/session.js";
import { addressOf } from "./answer-flags.js";
import { authFlags, readAuth } from "./auth-flags.js";
import { authHeader } from "./checks.js";
import { differenceOf } from "./compare.js";
import type { Answer, Header } from "./exchange.js";
import { passedOn, rawRequest } from "./raw-request.js";
import { findRecordings, type Recorded } from "./recording.js";

const attemptMilliseconds = 30_000;

/** `voxctl webhook replay FOLDER --to URL` */
export const replay: Command = {
  name: "replay",
  summary: "Send recorded requests again, byte for byte, to a receiver",
  description:
    "Sends the path, headers and body of each recording to --to, in the recorded order. Recordings have no credentials: use --auth and --secret to add them. Requests to a host other than this machine require confirmation.",
  arguments: [{ name: "recording", description: "a recording's file, or a folder of them" }],
  flags: [
    {
      name: "to",
      value: "url",
      description: "the receiver; its path stands before the recorded one",
      required: true,
    },
    ...authFlags,
    {
      name: "compare",
      description: "hold each answer against the recorded one; end with 11 where they differ",
    },
    {
      name: "ignore",
      value: "path",
      description: "with --compare: a part of the JSON that may differ",
      repeatable: true,
    },
    {
      name: "set",
      value: "body.path=value",
      description: "change a part of each JSON body",
      repeatable: true,
    },
  ],
  examples: [
    { command: "voxctl webhook replay requests --to http://127.0.0.1:3000 --compare" },
    { command: "voxctl webhook replay requests --to http://127.0.0.1:3000 --set body.from=+4930123456" },
  ],
  verdict: true,
  async run(session, input) {
    const to = addressOf(input.text("to"), "--to");
    if (to === undefined)
      throw usageError("--to says where to send them: nothing is sent where it was recorded");
    const shown = input.arguments[0] ?? "";
    const recordings = await findRecordings(resolve(session.io.cwd, shown), shown);
    // A file that is no recording is told of before the first request is sent.
    for await (const _ of recordings.read());
    const auth = await readAuth(session, input);
    const changes = input.texts("set").map(changeOf);
    if (!isLoopback(to.hostname))
      await session.confirm(`Send ${counted(recordings.count, "recorded request")} to ${to.host}?`);
    const credentials = auth && authHeader(auth);
    let differing = 0;
    const results = (async function* () {
      for await (const recording of recordings.read()) {
        const answer = await sent(session, to, recording, { credentials, changes });
        const difference = input.on("compare")
          ? differenceOf(recording.answer, answer, input.texts("ignore"))
          : undefined;
        if (difference !== undefined) differing += 1;
        yield {
          recording: recording.file,
          status: answer.status,
          recorded_status: recording.answer?.status ?? null,
          ...(input.on("compare") ? { difference: difference ?? null } : {}),
        };
      }
    })();
    await session.output.list(results, {
      columns: [
        { header: "RECORDING", value: "recording", keep: true },
        { header: "STATUS", value: "status" },
        { header: "RECORDED", value: "recorded_status" },
        ...(input.on("compare") ? [{ header: "DIFFERENCE", value: "difference" }] : []),
      ],
    });
    if (differing > 0)
      throw new CliError({
        exit: exits.endedBadly,
        code: "differences",
        message: `${counted(differing, "answer")} of ${recordings.count} ${differing === 1 ? "differs" : "differ"} from the recorded`,
      });
  },
};

interface Change {
  path: readonly string[];
  value: unknown;
}

/** `body.from=+49…`: what is JSON is taken as such, else as text. */
function changeOf(text: string): Change {
  const [, path = "", written = ""] = /^body\.([^=]+)=(.*)$/s.exec(text) ?? [];
  if (path === "") throw usageError(`--set: "${text}" must be body.PATH=VALUE`);
  // A telephone number would lose its plus as a number.
  if (/^\+/.test(written)) return { path: path.split("."), value: written };
  try {
    return { path: path.split("."), value: JSON.parse(written) };
  } catch {
    return { path: path.split("."), value: written };
  }
}

async function sent(
  session: Session,
  to: URL,
  recording: Recorded,
  { credentials, changes }: { credentials: Header | undefined; changes: readonly Change[] },
): Promise<Answer> {
  const { method, path, headers, body_base64 } = recording.request;
  if (recording.request.body_masked)
    session.notes.warn(`${recording.file}: its body held a secret, which is not in it`);
  const message = {
    method,
    path: to.pathname.replace(/\/$/, "") + path,
    headers: passedOn(withCredentials(headers, credentials)),
    body: changed(Buffer.from(body_base64, "base64"), changes, recording.file),
  };
  const signal = AbortSignal.any([
    session.signal,
    AbortSignal.timeout(session.flags.timeoutMilliseconds ?? attemptMilliseconds),
  ]);
  try {
    return await rawRequest(to, message, signal);
  } catch (cause) {
    if (session.signal.aborted) throw session.signal.reason;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError({
      exit: exits.unavailable,
      code: "network",
      message: `${to.host} did not answer ${recording.file}: ${why}`,
      cause,
    });
  }
}

/** The recorded headers in their places; where credentials stood, those that are made anew. */
function withCredentials(headers: Recorded["request"]["headers"], credentials: Header | undefined): Header[] {
  const own = credentials?.[0].toLowerCase();
  const isThere = headers.some(([name]) => name.toLowerCase() === own);
  const placed = headers.flatMap(([name, value]): Header[] => {
    if (name.toLowerCase() === own) return credentials ? [[name, credentials[1]]] : [];
    return typeof value === "string" ? [[name, value]] : [];
  });
  return credentials && !isThere ? [...placed, credentials] : placed;
}

function changed(body: Buffer, changes: readonly Change[], file: string): Buffer {
  if (changes.length === 0) return body;
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw usageError(`--set: the body of ${file} is no JSON`, { cause });
  }
  return Buffer.from(
    JSON.stringify(changes.reduce((before, { path, value: next }) => withValue(before, path, next), value)),
  );
}

function withValue(value: unknown, [part, ...rest]: readonly string[], next: unknown): unknown {
  if (part === undefined) return next;
  if (Array.isArray(value))
    return value.map((entry, index) => (String(index) === part ? withValue(entry, rest, next) : entry));
  const fields = typeof value === "object" && value !== null ? { ...value } : {};
  return { ...fields, [part]: withValue(Reflect.get(fields, part), rest, next) };
}
