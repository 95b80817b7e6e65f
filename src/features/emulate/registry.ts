import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../../base/private-file.js";
import { isAlive } from "../../base/processes.js";
import type { Transport } from "../../base/transport.js";
import type { StartLine } from "../../emulator/types.js";
import { isServing } from "./local-server.js";

type Folders = Readonly<{ data: string }>;

const suffix = ".server.json";

/** The directory contains each running emulator's start line, in a file named after the process ID. */
function getRegistryFolder(folders: Folders): string {
  return join(folders.data, "emulators");
}

/** @returns a function that removes the entry */
export async function registerEmulator(folders: Folders, line: StartLine): Promise<() => void> {
  const { removeServerState, writeServerState } = await import("../../emulator/server-state.js");
  const folder = getRegistryFolder(folders);
  await makePrivateFolder(folder);
  const statePath = join(folder, String(line.pid));
  writeServerState(line, statePath);
  return () => removeServerState(statePath);
}

/** Returns whether the emulator runs and has an entry, which it removes only after it has closed its database. */
export function isRegistered(folders: Folders, { pid }: StartLine): boolean {
  return existsSync(join(getRegistryFolder(folders), `${pid}${suffix}`)) && isAlive(pid);
}

/** Returns the emulators that accept their registered token and respond with their process ID. */
export async function listRunningEmulators(folders: Folders, transport: Transport): Promise<StartLine[]> {
  const { readServerState } = await import("../../emulator/server-state.js");
  const folder = getRegistryFolder(folders);
  const running: StartLine[] = [];
  for (const name of listNames(folder)) {
    const statePath = join(folder, name.slice(0, -suffix.length));
    const line = readServerState(statePath);
    if (line && (await isServing(line, transport))) running.push(line);
    else if (!line || !isAlive(line.pid)) rmSync(join(folder, name), { force: true });
  }
  return running;
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(suffix));
  } catch {
    return [];
  }
}
