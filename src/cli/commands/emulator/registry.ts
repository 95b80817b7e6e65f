import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Transport } from "../../../base/transport.js";
import type { StartLine } from "../../../emulator/types.js";
import type { Folders } from "../../profiles/folders.js";
import { answersAs } from "../../session/local-server.js";
import { isAlive } from "../../session/processes.js";

const suffix = ".server.json";

/** Where running emulators leave their start lines (0600), each under its process: one in memory has no file to lie beside. */
function registryFolder(folders: Folders): string {
  return join(folders.data, "emulators");
}

/** Says that this process serves a world; the answer takes it back. */
export async function registerEmulator(folders: Folders, line: StartLine): Promise<() => void> {
  const { removeServerState, writeServerState } = await import("../../../emulator/server-state.js");
  const folder = registryFolder(folders);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const place = join(folder, String(line.pid));
  writeServerState(line, place);
  return () => removeServerState(place);
}

/** Does it still say that it serves? It takes that back when its file is closed, after its last answer. */
export function isRegistered(folders: Folders, { pid }: StartLine): boolean {
  return existsSync(join(registryFolder(folders), `${pid}${suffix}`)) && isAlive(pid);
}

/** The emulators of this user that run now: those that answer with their own token and as the process they say. */
export async function runningEmulators(folders: Folders, transport: Transport): Promise<StartLine[]> {
  const { readServerState } = await import("../../../emulator/server-state.js");
  const folder = registryFolder(folders);
  const running: StartLine[] = [];
  for (const name of namesIn(folder)) {
    const place = join(folder, name.slice(0, -suffix.length));
    const line = readServerState(place);
    if (line && (await answersAs(line, transport))) running.push(line);
    else if (!line || !isAlive(line.pid)) rmSync(join(folder, name), { force: true });
  }
  return running;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(suffix));
  } catch {
    return [];
  }
}
