import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { unreadableFile } from "../../../base/input-file.js";
import { parseJsonSafely } from "../../../base/json.js";
import { readUtf8 } from "../../../base/utf8.js";
import { usageError } from "../../../cli/errors/errors.js";
import { parseDuration } from "../../../cli/session/globals.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { WebhookResponse } from "../exchange.js";
import { parseFailure } from "../failures.js";
import type { ResponseOptions } from "../responder.js";
import { watchResponseRules } from "../watched-rules.js";

export const responseFlags: readonly Flag[] = [
  {
    name: "answer",
    value: "file|json",
    description: "Response body: a file, or JSON that starts with {",
    default: "{}",
    conflicts: ["rules", "forward"],
  },
  { name: "status", value: "code", description: "HTTP status code", default: "200" },
  { name: "delay", value: "duration", description: "Time to wait before the response" },
  {
    name: "rules",
    value: "file",
    description: "File with response rules; reloaded when it changes",
    conflicts: ["forward"],
  },
  {
    name: "forward",
    value: "url",
    description: "URL to forward requests to; its responses are returned",
    conflicts: ["status"],
  },
  {
    name: "fail",
    value: "fault",
    description:
      "Fault to cause: timeout, drop, garbage, status=500 or slow=3s; append :0.2 for 20% of requests or :3 for every third one",
    repeatable: true,
  },
];

/** @throws usage error (2) */
export async function readResponseOptions(
  session: Session,
  input: Input,
): Promise<Omit<ResponseOptions, "expected">> {
  const rulesFile = input.text("rules");
  const delay = input.text("delay");
  return {
    failures: input.texts("fail").map(parseFailure),
    forward: parseAddressFlag(input.text("forward"), "--forward"),
    defaultResponse: await readDefaultResponse(session, input),
    delayMilliseconds: delay === undefined ? 0 : parseDuration(delay, "--delay"),
    rules:
      rulesFile === undefined
        ? async () => undefined
        : await watchResponseRules(resolve(session.io.cwd, rulesFile), rulesFile, session),
    // Paths in a rules file are relative to the file's directory.
    readFile: (file) => readUtf8(resolve(session.io.cwd, dirname(rulesFile ?? ""), file)),
  };
}

/** @throws usage error (2) */
export function parseAddressFlag(text: string | undefined, flag: string): URL | undefined {
  return text === undefined ? undefined : parseAddress(text, flag);
}

/** @throws usage error (2) */
export function parseAddress(text: string, flag: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw usageError(`invalid ${flag} "${text}": expected an http or https URL`);
}

async function readDefaultResponse({ io }: Session, input: Input): Promise<WebhookResponse> {
  const status = Number(input.text("status") ?? "200");
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw usageError(`invalid --status "${input.text("status")}": expected 200 to 599`);
  const file = input.text("answer") ?? "{}";
  if (file.trimStart().startsWith("{")) {
    if (parseJsonSafely(file) === undefined)
      throw usageError(`invalid --answer: expected a file or valid JSON`);
    return { status, headers: [["content-type", "application/json"]], body: Buffer.from(file) };
  }
  try {
    const body = await readFile(resolve(io.cwd, file));
    const type = file.toLowerCase().endsWith(".json") ? "application/json" : "text/plain; charset=utf-8";
    return { status, headers: [["content-type", type]], body };
  } catch (cause) {
    throw unreadableFile(`--answer: ${file}`, cause);
  }
}
