import { spawn } from "node:child_process";
import { once } from "node:events";

/** A program that makes a receiver public, and the addresses that it has printed. */
export interface Tunnel {
  addresses(): readonly string[];
  /** Undefined while it runs; what ended it. */
  ended(): string | undefined;
  close(): Promise<void>;
}

const closingMilliseconds = 2_000;

/** Starts a tunnel's program by the shell, `{port}` filled in. Whatever it starts ends with it. */
export function startTunnel(command: string, port: string, cwd: string, env: NodeJS.ProcessEnv): Tunnel {
  const windows = process.platform === "win32";
  const child = spawn(command.replaceAll("{port}", port), {
    cwd,
    env,
    shell: true,
    detached: !windows,
    windowsHide: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const found = new Set<string>();
  let ended: string | undefined;
  child.once("exit", (code, signal) => {
    ended = `ended with ${signal ?? code}`;
  });
  child.once("error", (error) => {
    ended = error.message;
  });
  for (const stream of [child.stdout, child.stderr]) {
    let rest = "";
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      // An address may come in two pieces.
      rest = (rest + chunk).slice(-8_192);
      for (const [address] of rest.matchAll(/https:\/\/[^\s"'<>|\\^`)\]}]+(?=[\s"'<>|)\]}])/g))
        found.add(address.replace(/[.,;:]+$/, ""));
    });
  }
  const signalAll = (signal: NodeJS.Signals) => {
    try {
      // There a signal ends the shell alone; what it started is ended by taskkill.
      if (windows) spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"], { windowsHide: true });
      else if (child.pid === undefined) child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // It is gone.
    }
  };
  return {
    addresses: () => [...found],
    ended: () => ended,
    async close() {
      if (ended !== undefined) return;
      const gone = once(child, "exit");
      signalAll("SIGTERM");
      const timer = setTimeout(() => signalAll("SIGKILL"), closingMilliseconds);
      await gone.catch(() => {});
      clearTimeout(timer);
    },
  };
}
