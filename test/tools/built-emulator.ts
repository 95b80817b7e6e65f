import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { StartLine } from "../../src/emulator/index.js";

const command = fileURLToPath(new URL("../../bin/voxctl.js", import.meta.url));

export interface BuiltEmulator {
  startLine: StartLine;
  stop(): Promise<void>;
}

/** Starts the built `voxctl emulator start`, on a free port and in memory. */
export async function startBuiltEmulator(...parameters: string[]): Promise<BuiltEmulator> {
  const child = spawn(
    process.execPath,
    [command, "emulator", "start", "--db", ":memory:", "--port", "0", "-o", "json", ...parameters],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      return { startLine: JSON.parse(line), stop: () => ended(child) };
    }
    throw new Error("the emulator ended before it responded");
  } catch (error) {
    await ended(child);
    throw error;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}
