import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { onTestFinished } from "vitest";
import type { Io } from "../../src/base/io.js";
import { main } from "../../src/cli/main.js";
import { connectEmulator } from "../../src/cli/session/connection.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import type { Prompts } from "../../src/cli/terminal/questions.js";
import type { Emulator } from "../../src/emulator/types.js";

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
  /** Parsed stdout. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  json: any;
}

export interface RunOptions {
  env?: Record<string, string | undefined>;
  stdin?: string | Buffer;
  cwd?: string;
  /** All three streams are terminals of this width. */
  terminal?: number;
  /** stdout is a file or a pipe, even if `terminal` is set. */
  redirected?: boolean;
  overrides?: Overrides;
  main?: typeof main;
  before?: (io: TestIo) => void;
}

export interface TestIo extends Io {
  stdout: PassThrough & { isTTY?: boolean; columns?: number };
  stderr: PassThrough & { isTTY?: boolean; columns?: number };
  /** Simulates a signal from another process. */
  signal(name: "SIGINT" | "SIGTERM"): void;
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-"));
  // Retry, because a stopping process may still write into the directory.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  return folder;
}

/** Creates a command line with separate directories: `run("contacts", "list")`. */
export function commandLine(defaults: RunOptions = {}) {
  const home = temporaryFolder();
  const environment = {
    HOME: home,
    VOXCTL_CONFIG_DIR: join(home, "config"),
    VOXCTL_DATA_DIR: join(home, "data"),
    // Tests must not use the keychain of the user who runs them.
    VOXCTL_KEYCHAIN: "off",
    ...defaults.env,
  };
  const run = (...argv: string[]): Promise<Ran> => runWith({}, ...argv);
  const runWith = async (options: RunOptions, ...argv: string[]): Promise<Ran> => {
    const merged = { ...defaults, ...options, env: { ...environment, ...options.env } };
    return runMain(argv, { cwd: home, ...merged });
  };
  return { run, runWith, home, config: environment.VOXCTL_CONFIG_DIR, data: environment.VOXCTL_DATA_DIR };
}

async function runMain(argv: string[], options: RunOptions): Promise<Ran> {
  const io = testIo(options);
  options.before?.(io);
  const [stdout, stderr] = [collect(io.stdout), collect(io.stderr)];
  const code = await (options.main ?? main)(argv, io, options.overrides);
  return {
    code,
    stdout: stdout(),
    stderr: stderr(),
    get json() {
      return JSON.parse(stdout());
    },
  };
}

function testIo({ env = {}, stdin = "", cwd = "/", terminal, redirected = false }: RunOptions): TestIo {
  const listeners = new Map<string, Set<() => void>>();
  const stream = () =>
    Object.assign(
      new PassThrough({ highWaterMark: 1 << 26 }),
      terminal === undefined ? {} : { isTTY: true, columns: terminal },
    );
  return {
    stdin: Object.assign(
      Readable.from(stdin.length === 0 ? [] : [typeof stdin === "string" ? Buffer.from(stdin) : stdin]),
      terminal === undefined ? {} : { isTTY: true },
    ),
    stdout: redirected ? new PassThrough({ highWaterMark: 1 << 26 }) : stream(),
    stderr: stream(),
    env,
    cwd,
    onSignal(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener));
      return () => set.delete(listener);
    },
    signal(name) {
      for (const listener of listeners.get(name) ?? []) listener();
    },
  };
}

function collect(stream: PassThrough): () => string {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}

/** Connects every profile to this emulator, which stays open after the command. */
export function connectedTo(emulator: Emulator): Overrides {
  return {
    connect: async (profile, options) => ({
      ...connectEmulator(emulator, profile, options),
      close: async () => {},
    }),
  };
}

/** Creates prompts that receive these replies in order. `messages` contains the texts of the prompts. */
export function scriptPrompts(...replies: unknown[]): Prompts & { messages: string[] } {
  const messages: string[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: a test's answers fit the questions it expects
  const next = async (message: string): Promise<any> => {
    messages.push(message);
    if (replies.length === 0) throw new Error(`no reply to the prompt: ${message}`);
    return replies.shift();
  };
  return {
    available: true,
    messages,
    text: ({ message }) => next(message),
    secret: ({ message }) => next(message),
    confirm: ({ message }) => next(message),
    choose: async ({ message, choices }) => {
      const name = await next(message);
      const match = choices.find((choice) => choice.name === name);
      if (!match) throw new Error(`${name} is not one of ${choices.map((choice) => choice.name).join(", ")}`);
      return match.value;
    },
  };
}
