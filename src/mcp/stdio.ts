import { isUtf8 } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import { PassThrough, Transform } from "node:stream";
import { isSpecType, type Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";

interface StdioOptions {
  stdin: Readable;
  stdout: Writable;
  signal: AbortSignal;
  /** Called for each problem, such as an unreadable message. */
  onProblem(message: string): void;
}

/** Serves one connection until its input has ended and every request has a response. */
export async function serveStreams(
  createServer: () => Server,
  { stdin, stdout, signal, onProblem }: StdioOptions,
): Promise<void> {
  // The transport drops pending requests when its input ends. Give it a separate input that ends only after
  // the last response, so that requests from a pipe are not dropped.
  const input = new PassThrough();
  const transport = new StdioServerTransport(input, stdout);
  const closed = new Promise<void>((resolve) => {
    const handle = serveStdio(createServer, {
      transport,
      onerror: (error) => onProblem(error.message),
    });
    const close = () => void handle.close().finally(resolve);
    const end = transport.onclose;
    transport.onclose = () => {
      end?.();
      resolve();
    };
    if (signal.aborted) close();
    else signal.addEventListener("abort", close, { once: true });
  });
  const waiting = trackResponses(transport);
  const messages = createMessageFilter((line) => stdout.write(line));
  stdin.pipe(messages).pipe(input, { end: false });
  messages.once("end", () => void waiting().then(() => input.end()));
  stdin.once("error", () => input.end());
  await closed;
  stdin.unpipe(messages);
  // Pause stdin, so that it doesn't keep the process running.
  stdin.pause();
}

const newline = 0x0a;
const notUtf8 = { id: null, error: { code: -32700, message: "Parse error: the line is not valid UTF-8" } };

/**
 * Forwards lines with a message, and responds to all other lines with a JSON-RPC error, because the transport
 * would drop them silently.
 */
function createMessageFilter(writeReply: (line: string) => void): Transform {
  let held: Buffer[] = [];
  const pass = (line: Buffer, to: Transform) => {
    const error = isUtf8(line) ? findMessageError(line.toString("utf8").trim()) : notUtf8;
    if (error === undefined) to.push(Buffer.concat([line, Buffer.of(newline)]));
    else writeReply(`${JSON.stringify({ jsonrpc: "2.0", ...error })}\n`);
  };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        pass(Buffer.concat([...held, chunk.subarray(from, at)]), this);
        held = [];
        from = at + 1;
      }
      held.push(chunk.subarray(from));
      done();
    },
    flush(done) {
      const last = Buffer.concat(held);
      if (last.length > 0) pass(last, this);
      done();
    },
  });
}

/** Returns the JSON-RPC error (2.0, 5.1) for an invalid line; undefined for a valid or empty line. */
function findMessageError(
  line: string,
): { id: string | number | null; error: { code: number; message: string } } | undefined {
  if (line === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "invalid JSON";
    return { id: null, error: { code: -32700, message: `Parse error: ${reason}` } };
  }
  if (isSpecType.JSONRPCMessage(value)) return undefined;
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
  const isValidId = typeof id === "string" || typeof id === "number";
  const reason = Array.isArray(value)
    ? "a batch is not supported; send each message on a separate line"
    : 'a message requires "jsonrpc": "2.0" and a method; params and id are optional: params must be an object, id a string or an integer';
  return { id: isValidId ? id : null, error: { code: -32600, message: `Invalid Request: ${reason}` } };
}

/** Returns a function that waits until each request has a response or is cancelled. */
function trackResponses(transport: StdioServerTransport): () => Promise<void> {
  const open = new Set<unknown>();
  let finished = () => {};
  const finish = (id: unknown) => {
    open.delete(id);
    if (open.size === 0) finished();
  };
  const deliver = transport.onmessage;
  transport.onmessage = (message) => {
    if ("method" in message && "id" in message) open.add(message.id);
    if ("method" in message && message.method === "notifications/cancelled")
      finish(message.params?.["requestId"]);
    deliver?.(message);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if (!("method" in message)) finish(message.id);
  };
  return () =>
    new Promise((resolve) => {
      finished = resolve;
      // Check again later, because the last bytes may still be in the pipe.
      setImmediate(() => open.size === 0 && resolve());
    });
}
