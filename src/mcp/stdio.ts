import type { Readable, Writable } from "node:stream";
import { PassThrough } from "node:stream";
import type { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";

interface StdioOptions {
  stdin: Readable;
  stdout: Writable;
  /** Ends it at once. */
  signal: AbortSignal;
  /** Told of messages that can't be read and the like. */
  onProblem(message: string): void;
}

/** Serves one connection over two streams, until its input ends and everything that was asked is answered. */
export async function serveStreams(
  createServer: () => Server,
  { stdin, stdout, signal, onProblem }: StdioOptions,
): Promise<void> {
  // The transport gives up what is under way when its input ends; who pipes requests in wants them answered.
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
  const waiting = awaitAnswers(transport);
  stdin.pipe(input, { end: false });
  stdin.once("end", () => void waiting().then(() => input.end()));
  stdin.once("error", () => input.end());
  await closed;
  stdin.unpipe(input);
  // A stream without a reader keeps no process.
  stdin.pause();
}

/** Follows a transport's requests; answers how to wait for all of them to be answered or taken back. */
function awaitAnswers(transport: StdioServerTransport): () => Promise<void> {
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
      // The last bytes may still be on their way through the pipe.
      setImmediate(() => open.size === 0 && resolve());
    });
}
