import { longestTimer, onAbort } from "../base/abort.js";
import { monotonicMilliseconds } from "../base/clock.js";
import { isFields } from "../base/fields.js";
import { ConnectionError, LimitUsedUp, type Transport, type TransportRequest } from "../base/transport.js";
import type { Attempt, CompletedAttempt, WithdrawnAttempt } from "./attempt.js";
import { decodeResponse, UnknownEncoding } from "./decode-response.js";
import { ClientError } from "./errors.js";
import { type Mask, maskHeaders } from "./masking.js";
import { parseJson, unwrap } from "./parsing.js";
import { findExceededBound, ResponseTooLargeError } from "./response-bounds.js";

interface ExchangeParts {
  transport: Transport;
  timeoutMilliseconds: number;
  mask: Mask;
}

export interface Exchange {
  url: string;
  request: Omit<TransportRequest, "signal" | "mayStart">;
  signal: AbortSignal | undefined;
  mayStart?: TransportRequest["mayStart"];
  /**
   * `json` requires a JSON body. `item` requires a JSON body that contains an object. `bytes` returns a
   * successful response as a stream. `any` accepts every media type.
   */
  expects: "json" | "item" | "nothing" | "bytes" | "any";
}

/** Longest wait for the transport to report whether an aborted request was sent. */
const graceMilliseconds = 50;

/**
 * Runs one attempt. The time limit includes the body; for a stream, it restarts whenever enough bytes have
 * arrived.
 * @throws ClientError `configuration` if the transport can't send requests at all
 */
export async function exchange(
  parts: ExchangeParts,
  { url, request, signal, mayStart, expects }: Exchange,
): Promise<Attempt | WithdrawnAttempt> {
  const limit = startLimit(parts.timeoutMilliseconds, signal);
  let streaming = false;
  try {
    const { method, headers: given, body, waitsForLimit } = request;
    const bounded = { method, headers: given, body, waitsForLimit, mayStart, signal: limit.signal };
    const received = await limit.bound(parts.transport(url, bounded));
    const response =
      received.headers["content-encoding"] === undefined
        ? received
        : await decodeResponse(received).catch((error: unknown) => ignoreUnreadable(error));
    const { status, headers } = response ?? received;
    if (response === undefined)
      return { type: "answered", status, headers, text: undefined, body: undefined, flaw: "encoded" };
    if (status < 300 && isBytes(expects, headers["content-type"])) {
      streaming = true;
      // A caller that ignores the stream must not keep the process running.
      limit.pause();
      return { type: "answered", status, headers, text: undefined, body: stream(response.body, limit) };
    }
    const text = await limit.bound(response.text()).catch((error: unknown) => toUnreadText(error));
    if (typeof text !== "string") {
      const { timedOut } = limit;
      return { type: "answered", status, headers, text: undefined, body: undefined, timedOut, ...text };
    }
    const isText = status < 300 && isNonJsonText(expects, headers["content-type"]);
    const exceeded = isText ? undefined : findExceededBound(text);
    if (exceeded) return { type: "answered", status, headers, text: undefined, body: undefined, exceeded };
    if (status >= 300) {
      const masked = maskHeaders(headers, parts.mask);
      return { type: "answered", status, headers: masked, text: parts.mask(text), body: undefined };
    }
    const { body: parsedBody, flaw } = read(text, expects, headers["content-type"]);
    return { type: "answered", status, headers, text, body: parsedBody, flaw };
  } catch (error) {
    if (error instanceof ClientError) throw error;
    if (error instanceof LimitUsedUp) return { type: "withdrawn", headers: error.headers };
    return { type: "lost", error: toConnectionError(error), timedOut: limit.timedOut };
  } finally {
    if (!streaming) limit.end();
  }
}

function read(
  text: string,
  expects: Exchange["expects"],
  type = "",
): Pick<CompletedAttempt, "body" | "flaw"> {
  if (text === "" && (expects === "nothing" || expects === "any")) return { body: undefined };
  const isText = isNonJsonText(expects, type);
  // A body of another media type may also be JSON, so try to parse the text unless it exceeds a limit.
  const body = isText && findExceededBound(text) ? undefined : parseJson(text);
  if (body !== undefined) {
    const isFlawed = expects === "item" && !isFields(unwrap(body, expects));
    return { body, ...(isFlawed ? { flaw: "no_item" } : {}) };
  }
  return isText ? { body: text } : { body: undefined, flaw: "not_json" };
}

function isNonJsonText(expects: Exchange["expects"], type = ""): boolean {
  return expects === "any" && type !== "" && !/\bjson\b/i.test(type);
}

const fileTypes = /^(?:audio|video|image|font|application)\//i;
const textTypes = /^application\/[^;]*(?:json|xml|yaml|javascript|graphql|x-www-form-urlencoded)/i;

/** Returns whether a body is returned as a stream, because decoding it as UTF-8 text would change it. */
function isBytes(expects: Exchange["expects"], type = ""): boolean {
  if (expects !== "any") return expects === "bytes";
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1] ?? "utf-8";
  return (fileTypes.test(type) && !textTypes.test(type)) || !/^(?:utf-?8|us-ascii)$/i.test(charset);
}

/** Minimum number of bytes of a stream per time limit. A slower server counts as disconnected. */
const leastBytes = 1_000;

/** The time limit is paused while the reader uses a chunk. */
async function* stream(body: AsyncIterable<Uint8Array>, limit: Limit): AsyncGenerator<Uint8Array, void> {
  const pieces = body[Symbol.asyncIterator]();
  limit.restart();
  let brought = 0;
  try {
    for (;;) {
      const piece = await limit.bound(pieces.next());
      limit.pause();
      if (piece.done) return;
      yield piece.value;
      brought += piece.value.length;
      if (brought < leastBytes) limit.resume();
      else {
        brought = 0;
        limit.restart();
      }
    }
  } finally {
    limit.end();
    // Don't wait for the transport: it might ignore the signal and never finish.
    void pieces.return?.().catch(() => undefined);
  }
}

interface Limit {
  signal: AbortSignal | undefined;
  readonly timedOut: boolean;
  /** Rejects soon after the time limit, even if the transport ignores the signal. */
  bound<T>(work: Promise<T>): Promise<T>;
  restart(): void;
  pause(): void;
  resume(): void;
  end(): void;
}

/**
 * Uses the system's clock even for an emulator, because a real connection may hang. `AbortSignal.any` would
 * leak a signal for each attempt.
 */
function startLimit(milliseconds: number, outer: AbortSignal | undefined): Limit {
  if (milliseconds === Number.POSITIVE_INFINITY) return createUntimedLimit(outer);
  const controller = new AbortController();
  const { signal } = controller;
  let timedOut = false;
  let giveUp = () => {};
  let timer: NodeJS.Timeout | undefined;
  let left = milliseconds;
  let begun = 0;
  const stop = (reason: unknown) => {
    controller.abort(reason);
    giveUp();
  };
  const interrupt = () => stop(outer?.reason);
  const pause = () => {
    clearTimeout(timer);
    left -= monotonicMilliseconds() - begun;
  };
  const resume = () => {
    clearTimeout(timer);
    begun = monotonicMilliseconds();
    timer = setTimeout(
      () => {
        timedOut = true;
        stop(new ConnectionError("no response arrived in time", true, "TIMEOUT"));
      },
      Math.min(Math.max(0, left), longestTimer),
    );
  };
  const restart = () => {
    left = milliseconds;
    resume();
  };
  if (outer?.aborted) interrupt();
  else if (outer) onAbort(outer, interrupt);
  restart();
  return {
    signal,
    get timedOut() {
      return timedOut;
    },
    bound: (work) =>
      new Promise((resolve, reject) => {
        const grace = startGrace(reject);
        giveUp = grace.begin;
        if (signal.aborted) grace.begin();
        work.then(resolve, reject).finally(grace.end);
      }),
    restart,
    pause,
    resume,
    end() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", interrupt);
    },
  };
}

function createUntimedLimit(signal: AbortSignal | undefined): Limit {
  return {
    signal,
    timedOut: false,
    bound: (work) => (signal === undefined ? work : rejectOnAbort(work, signal)),
    restart: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
    end: () => undefined,
  };
}

function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const grace = startGrace(reject);
    const release = () => {
      grace.end();
      signal.removeEventListener("abort", grace.begin);
    };
    if (signal.aborted) grace.begin();
    else onAbort(signal, grace.begin);
    work.then(resolve, reject).finally(release);
  });
}

function startGrace(reject: (error: unknown) => void): { begin(): void; end(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  return {
    begin() {
      if (isOver) return;
      timer = setTimeout(
        () => reject(new ConnectionError("the request was aborted", true)),
        graceMilliseconds,
      );
    },
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

function toConnectionError(error: unknown): ConnectionError {
  if (error instanceof ConnectionError) return error;
  // The transport didn't report whether it sent the request, so assume that it did.
  const message = error instanceof Error ? error.message : "the connection failed";
  return new ConnectionError(message, true, undefined, { cause: error });
}

function toUnreadText(error: unknown): Pick<CompletedAttempt, "flaw" | "exceeded" | "cause"> {
  if (error instanceof ResponseTooLargeError) return { exceeded: error.bound };
  return { flaw: "cut", cause: toConnectionError(error) };
}

function ignoreUnreadable(error: unknown): undefined {
  if (!(error instanceof UnknownEncoding)) throw error;
}
