import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { scriptProgram } from "./own-program.js";
import { createStart } from "./windows-command.js";

/**
 * Script of a guard process, which starts a program in a new session. The guard ends that session when the
 * program ends or the channel to voxctl closes. It ignores signals; voxctl forwards them over the channel.
 */
const guard = `
const { spawn, spawnSync } = require("node:child_process");
const windows = process.platform === "win32";
const looks = { every: 20, times: 100, timesAfterKill: 500 };
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
let child;
let ending = false;
let passedOn = false;
function signalAll(signal) {
  try {
    if (windows && signal !== 0) spawnSync("taskkill", ["/pid", String(child.pid), "/T", "/F"], { windowsHide: true });
    else process.kill(windows ? child.pid : -child.pid, signal);
    return true;
  } catch {
    return false;
  }
}
function endAll(done) {
  if (!child?.pid) return done();
  // An earlier call is already ending the processes.
  if (ending) return;
  ending = true;
  // The processes have received a signal and may be saving results. A second one would end some of them at once.
  if (!passedOn) signalAll("SIGTERM");
  const look = (left) => {
    if (!signalAll(0)) return done();
    if (left > 0) return setTimeout(look, looks.every, left - 1);
    signalAll("SIGKILL");
    awaitDeath(looks.timesAfterKill, done);
  };
  look(looks.times);
}
// A killed program still has its locks until the system has ended it.
function awaitDeath(left, done) {
  const isDead = child.exitCode !== null || child.signalCode !== null;
  if (isDead || left === 0) return done();
  setTimeout(awaitDeath, looks.every, left - 1, done);
}
// After the program has ended, an open channel would keep this process running.
const tell = (ended) => process.connected && process.send(ended, () => process.connected && process.disconnect());
process.on("disconnect", () => endAll(() => {}));
process.on("message", (message) => {
  if (typeof message === "string") {
    passedOn = true;
    return signalAll(message);
  }
  const { program, args, shell, cwd, env } = message;
  child = spawn(program, args, { shell, cwd, env, stdio: "inherit", detached: !windows });
  child.on("spawn", () => process.connected && process.send({ pid: child.pid }, () => {}));
  child.on("error", ({ code, message }) => tell({ problem: code ?? message }));
  child.on("exit", (code, signal) => {
    if (process.connected) endAll(() => tell({ code, signal }));
  });
});
`;

interface Program {
  program: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

export type ProgramEnd =
  | { exit: number }
  /** The system's error code, such as `ENOENT`, if the program couldn't be started. */
  | { problem: string };

type OnOutput = (stream: "stdout" | "stderr", text: string) => void;

interface GuardOptions {
  signal: AbortSignal;
  getSignal(): NodeJS.Signals;
  stdoutToStderr?: boolean;
  /** Receives the output. If set, the program has no standard input. */
  onOutput?: OnOutput;
  /** Called with the guard's process ID before the program starts. The guard exits only after the program. */
  onGuard?: (pid: number) => void;
}

/** The guard kills a program that is still running this long after a signal. */
const graceMilliseconds = 10_000;

/**
 * Runs a program with this process's streams. When the program or this process exits, the guard also ends the
 * program's child processes. Child processes in a new session continue.
 * @param signal when aborted, the program receives the signal that `getSignal` returns
 * @param stdoutToStderr sends the program's output to stderr, to keep stdout free
 */
export async function runGuarded(
  { program, args, cwd, env }: Program,
  { signal, getSignal, stdoutToStderr = false, onOutput, onGuard }: GuardOptions,
): Promise<ProgramEnd> {
  // NODE_OPTIONS applies to the program, not to the guard.
  const { NODE_OPTIONS: _, ...guardEnv } = env;
  const script = scriptProgram(guard);
  const process_ = spawn(script.program, script.args, {
    cwd,
    env: guardEnv,
    stdio: onOutput
      ? ["ignore", "pipe", "pipe", "ipc"]
      : ["inherit", stdoutToStderr ? 2 : "inherit", "inherit", "ipc"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  let kill: NodeJS.Timeout | undefined;
  const pass = () => {
    if (process_.connected) process_.send(getSignal());
    kill = setTimeout(() => process_.connected && process_.send("SIGKILL"), graceMilliseconds);
  };
  try {
    const ended = waitForEnd(process_, onOutput ? "close" : "exit");
    if (onOutput) readOutput(process_, onOutput);
    if (process_.pid !== undefined) onGuard?.(process_.pid);
    process_.send({ ...createStart(program, args, process.platform), cwd, env });
    signal.addEventListener("abort", pass, { once: true });
    if (signal.aborted) pass();
    return await ended;
  } finally {
    clearTimeout(kill);
    signal.removeEventListener("abort", pass);
  }
}

interface GuardMessage {
  pid?: number;
  problem?: string;
  code?: number | null;
  signal?: NodeJS.Signals | null;
}

function readOutput(guardProcess: ChildProcess, onOutput: OnOutput): void {
  for (const name of ["stdout", "stderr"] as const) {
    guardProcess[name]?.setEncoding("utf8");
    guardProcess[name]?.on("data", (text: string) => onOutput(name, text));
  }
}

function waitForEnd(guardProcess: ChildProcess, last: "exit" | "close"): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    let pid: number | undefined;
    let result: ProgramEnd | undefined;
    guardProcess.on("message", (message: GuardMessage) => {
      if (message.pid !== undefined) pid = message.pid;
      else if (message.problem !== undefined) result = { problem: message.problem };
      else result = { exit: message.signal ? 128 + constants.signals[message.signal] : (message.code ?? 0) };
    });
    guardProcess.on("error", reject);
    guardProcess.on(last, () => {
      // The guard was killed, so this process must end the program.
      if (!result && pid !== undefined) killGroup(pid);
      resolve(result ?? { exit: 128 + constants.signals.SIGKILL });
    });
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
