import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../../base/private-file.js";
import { isAlive } from "../../base/processes.js";
import type { Transport } from "../../base/transport.js";
import type { StartLine } from "../../emulator/types.js";
import { isServing } from "./local-server.js";

/** voxctl's data directory. */
type Folders = Readonly<{ data: string }>;

const suffix = ".server.json";

/** The directory contains the start line of each running emulator, in a file named after the process ID. */
function getRegistryFolder(folders: Folders): string {
  return join(folders.data, "emulators");
}

/**
 * Registers the emulator that this process serves.
 * @returns the function that removes the entry
 */
export async function registerEmulator(folders: Folders, line: StartLine): Promise<() => void> {
  const { removeServerState, writeServerState } = await import("../../emulator/server-state.js");
  const folder = getRegistryFolder(folders);
  await makePrivateFolder(folder);
  const statePath = join(folder, String(line.pid));
  writeServerState(line, statePath);
  return () => removeServerState(statePath);
}

/** Returns whether an emulator still has an entry. It removes the entry after closing its database. */
export function isRegistered(folders: Folders, { pid }: StartLine): boolean {
  return existsSync(join(getRegistryFolder(folders), `${pid}${suffix}`)) && isAlive(pid);
}

/** Lists this user's running emulators, which must respond with the registered token and process ID. */
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
