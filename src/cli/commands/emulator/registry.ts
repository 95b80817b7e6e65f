import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Transport } from "../../../base/transport.js";
import type { StartLine } from "../../../emulator/types.js";
import type { Folders } from "../../profiles/folders.js";
import { isServing } from "../../session/local-server.js";
import { isAlive } from "../../session/processes.js";

const suffix = ".server.json";

/** Where running emulators leave their start lines (0600), each under its process: one in memory has no file to lie beside. */
function getRegistryFolder(folders: Folders): string {
  return join(folders.data, "emulators");
}

/** Says that this process serves a world; the answer takes it back. */
export async function registerEmulator(folders: Folders, line: StartLine): Promise<() => void> {
  const { removeServerState, writeServerState } = await import("../../../emulator/server-state.js");
  const folder = getRegistryFolder(folders);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const statePath = join(folder, String(line.pid));
  writeServerState(line, statePath);
  return () => removeServerState(statePath);
}

/** Does it still say that it serves? It takes that back when its file is closed, after its last answer. */
export function isRegistered(folders: Folders, { pid }: StartLine): boolean {
  return existsSync(join(getRegistryFolder(folders), `${pid}${suffix}`)) && isAlive(pid);
}

/** The emulators of this user that run now: those that answer with their own token and as the process they say. */
export async function listRunningEmulators(folders: Folders, transport: Transport): Promise<StartLine[]> {
  const { readServerState } = await import("../../../emulator/server-state.js");
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
