import { request } from "node:http";
import { connect } from "node:net";
import { commandLine, type Ran, type RunOptions, type TestIo } from "../helpers/cli.js";

type Shell = ReturnType<typeof commandLine>;

export interface Listening {
  url: string;
  io: TestIo;
  /** Returns the output so far. */
  stderr(): string;
  ended: Promise<Ran>;
  /** Sends Ctrl-C and waits for the end. */
  stop(): Promise<Ran>;
}

/** Starts `voxctl webhook listen --port 0 …` and waits until it has printed its URL. */
export function startListening(
  shell: Shell,
  argv: readonly string[],
  options: RunOptions = {},
): Promise<Listening> {
  return new Promise((resolve, reject) => {
    let output = "";
    const before = (io: TestIo) => {
      io.stderr.on("data", (chunk) => {
        output += chunk;
        const url = /listening on (\S+)/.exec(output)?.[1];
        if (url === undefined) return;
        resolve({
          url,
          io,
          stderr: () => output,
          ended,
          stop: () => {
            io.signal("SIGINT");
            return ended;
          },
        });
      });
      options.before?.(io);
    };
    const port = argv.includes("--port") ? [] : ["--port", "0"];
    const ended = shell.runWith({ ...options, before }, "webhook", "listen", ...port, ...argv);
    ended.then((ran) => reject(new Error(`it ended with ${ran.code}: ${ran.stderr}`)), reject);
  });
}

/** Creates a command line with a separate emulator for the profile offline. */
export const shell = (options: RunOptions = {}) =>
  commandLine({ ...options, env: { VOXCTL_PROFILE: "offline", ...options.env } });

export interface Sent {
  status: number;
  body: string;
}

/** Sends a request with exactly these headers. */
export function post(url: string, body: string, headers: readonly string[] = []): Promise<Sent> {
  const { host, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const message = request(url, {
      method: "POST",
      agent: false,
      path: pathname + search,
      headers: [
        "Host",
        host,
        "Content-Length",
        String(Buffer.byteLength(body)),
        "Connection",
        "close",
        ...headers,
      ],
    });
    message.on("error", reject);
    message.on("response", async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") });
    });
    message.end(body);
  });
}

/** Sends raw bytes. Returns the bytes received until the connection closes. */
export function sendRaw(url: string, bytes: Buffer | string): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.end(bytes));
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
  });
}

/** Resolves when the receiver reports that the assistant is attached. */
export async function attachedOf(stderr: () => string): Promise<void> {
  while (!stderr().includes("until this command exits"))
    await new Promise((resolve) => setTimeout(resolve, 5));
}
