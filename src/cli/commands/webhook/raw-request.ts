import type { IncomingMessage } from "node:http";
import { ConnectionError } from "../../../base/transport.js";
import { AnswerTooLarge, readBytes } from "../../../client/answer-bounds.js";
import { connectionError } from "../../../client/connection-failures.js";
import { connectionHeaders } from "../../../contract/connection-headers.js";
import type { Answer, Header } from "./exchange.js";

/** Headers as they are passed on: order, case and repetition stay. */
export function passedOn(headers: readonly Header[]): Header[] {
  const named = headers
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(",").map((one) => one.trim().toLowerCase()));
  const dropped = new Set([...connectionHeaders, ...named]);
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()));
}

/**
 * Sends a request byte for byte over a connection of its own, and reads its answer whole.
 * @param target where its host is; `path` is what is asked for there
 * @throws ConnectionError where there is no answer, the signal's reason when it is aborted
 */
export async function rawRequest(
  target: URL,
  { method, path, headers, body }: { method: string; path: string; headers: readonly Header[]; body: Buffer },
  signal: AbortSignal,
): Promise<Answer> {
  const { request } = target.protocol === "https:" ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const sent = request({
      protocol: target.protocol,
      hostname: target.hostname.replace(/^\[|\]$/g, ""),
      port: target.port,
      method,
      path,
      agent: false,
      signal,
      // An array is written as it is: nothing is added, sorted or joined.
      headers: [
        ...headers,
        ["Host", target.host],
        ["Content-Length", String(body.length)],
        ["Connection", "close"],
      ].flat(),
    });
    sent.on("error", (error) => reject(signal.aborted ? signal.reason : connectionError(error, true)));
    sent.on("response", (message) => answerOf(message).then(resolve, reject));
    sent.end(body);
  });
}

async function answerOf(message: IncomingMessage): Promise<Answer> {
  const body = await readBytes(message).catch((error: unknown) => {
    throw error instanceof AnswerTooLarge ? new ConnectionError(error.message, true) : error;
  });
  const headers: Header[] = [];
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2)
    headers.push([message.rawHeaders[index] ?? "", message.rawHeaders[index + 1] ?? ""]);
  return { status: message.statusCode ?? 0, headers: passedOn(headers), body };
}
