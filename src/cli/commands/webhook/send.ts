import { resolve } from "node:path";
import { stopwatch } from "../../../base/clock.js";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { readUtf8 } from "../../../base/utf8.js";
import { CliError, exits, usageError } from "../../errors/errors.js";
import { commandWord } from "../../errors/shell-words.js";
import { textIn } from "../../output/fields.js";
import type { Command } from "../../session/command.js";
import { readHeaderLine } from "../../session/header-line.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { addressOf } from "./answer-flags.js";
import { knownAuth, readAssistant } from "./assistant.js";
import { authFlags, readAuth } from "./auth-flags.js";
import { authHeader } from "./checks.js";
import { callerOf } from "./emulate.js";
import { warningsOf } from "./warnings.js";

const usualCaller = "+4915112345678";
const usualAssistant = "65f1a0b2c3d4e5f601234567";

/** `voxctl webhook send URL` */
export const send: Command = {
  name: "send",
  summary: "Send a receiver one request, as the emulator does for an incoming call",
  description:
    "Within 5 s, at most 64 KiB of answer, no redirects: what does not fit is no answer, and ends with 11. With --assistant in place of an address, the one that is configured, with its type of auth; its secret can't be read and is given by --secret.",
  arguments: [{ name: "url", description: "the receiver's address", optional: true }],
  flags: [
    { name: "assistant", value: "name|id", description: "send to its configured webhook" },
    ...authFlags,
    { name: "header", value: "name: value", description: "one more header", repeatable: true },
    { name: "from", value: "number", description: "who calls", default: usualCaller },
    { name: "body", value: "json|@file", description: "the whole body, in place of the emulator's" },
  ],
  examples: [
    { command: "voxctl webhook send http://127.0.0.1:3000/hook --auth bearer --secret env:HOOK_SECRET" },
    { command: "voxctl webhook send --assistant Empfang --secret env:HOOK_SECRET" },
  ],
  verdict: true,
  async run(session, input) {
    const { url, auth, assistantId, to } = await readTarget(session, input);
    const body = await bodyOf(session, input, { assistantId, to });
    const credentials = auth && authHeader(auth);
    const headers = [
      ["Content-Type", "application/json"],
      ["User-Agent", "voxctl-webhook"],
      ...input.texts("header").map(readHeaderLine),
      ...(credentials ? [credentials] : []),
    ] as const;
    const { sendWebhook } = await import("../../../emulator/calls/webhook-request.js");
    const began = stopwatch(session.clock);
    const { response, error } = await sendWebhook(url.href, headers, body, { allowPrivate: true });
    const milliseconds = Math.round(stopwatch(session.clock) - began);
    const answer = response && {
      status: response.status,
      headers: Object.entries(response.headers),
      body: Buffer.from(response.body),
    };
    if (answer) {
      for (const warning of warningsOf(answer, milliseconds)) session.notes.warn(warning);
      await session.output.item({
        status: answer.status,
        milliseconds,
        body: session.secrets.mask(response.body),
      });
    }
    if (error === null) return;
    throw new CliError({
      exit: answer ? exits.endedBadly : exits.unavailable,
      code: answer ? "no_answer_that_counts" : "network",
      message: `${url.host}: ${error.replace(/^connect ECONNREFUSED .*/, "nothing listens there")}`,
    });
  },
};

interface Target {
  url: URL;
  auth: Awaited<ReturnType<typeof readAuth>>;
  assistantId: string;
  to: string | null;
}

async function readTarget(session: Session, input: Input): Promise<Target> {
  const [address] = input.arguments;
  const named = input.text("assistant");
  if ((address === undefined) === (named === undefined))
    throw usageError("give a receiver's address, or --assistant for a configured one");
  if (named === undefined) {
    const url = addressOf(address, "<url>") ?? new URL("http://127.0.0.1");
    return { url, auth: await readAuth(session, input), assistantId: usualAssistant, to: null };
  }
  const configured = await readAssistant(session, named, "--assistant");
  const url = configured.webhook === null ? "" : textIn(configured.webhook, "url");
  if (url === "")
    throw usageError(`the assistant "${configured.name}" has no webhook with an address`, {
      hint: `voxctl assistants webhook set ${commandWord(configured.name)} --url URL gives it one`,
    });
  const auth = await readAuth(session, input, knownAuth(configured));
  return { url: new URL(url), auth, assistantId: configured.id, to: configured.phoneNumber || null };
}

/** The emulator's body, as it is assumed to be, or the one that was given. */
async function bodyOf(
  session: Session,
  input: Input,
  { assistantId, to }: Pick<Target, "assistantId" | "to">,
): Promise<string> {
  const given = input.text("body");
  if (given !== undefined) {
    if (input.has("from")) throw usageError("--from and --body exclude each other");
    if (!given.startsWith("@")) return given;
    try {
      return await readUtf8(resolve(session.io.cwd, given.slice(1)));
    } catch (cause) {
      throw usageError(`--body ${given} can't be read: ${describeFsError(cause)}`, { cause });
    }
  }
  const from = callerOf(input.text("from") ?? usualCaller);
  const call_id = session.random.bytes(12).toString("hex");
  return JSON.stringify({ call_id, assistant_id: assistantId, from, to });
}
