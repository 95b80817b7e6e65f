import { readFileSync, rmSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { resolveRealPath } from "./database/resolve-real-path.js";
import type { StartLine } from "./types.js";

/** Other commands read the start line from a file next to the database. */
const serverState = () =>
  z.object({
    url: z.string(),
    base_url: z.string(),
    distributor_v1_url: z.string(),
    distributor_v2_url: z.string(),
    legacy_url: z.string(),
    mcp_url: z.string(),
    control_url: z.string(),
    control_token: z.string(),
    organization_id: z.string(),
    keys: z.object({
      admin: z.string(),
      editor: z.string(),
      caller: z.string(),
      viewer: z.string(),
      legacy: z.string(),
      distributor_v1: z.string(),
      distributor_v2: z.string(),
    }),
    db: z.string(),
    pid: z.number(),
  });

const toStatePath = (databasePath: string) => `${resolveRealPath(databasePath)}.server.json`;

/** @param databasePath database next to which the file is written (default: the emulator's) */
export function writeServerState(line: StartLine, databasePath = line.db): void {
  rmSync(toStatePath(databasePath), { force: true });
  writeFileSync(toStatePath(databasePath), `${JSON.stringify(line)}\n`, { mode: 0o600 });
}

export function removeServerState(databasePath: string): void {
  rmSync(toStatePath(databasePath), { force: true });
}

/** The server might have stopped, so callers must check the file's lock. */
export function readServerState(databasePath: string): StartLine | undefined {
  let text: string;
  try {
    text = readFileSync(toStatePath(databasePath), "utf8");
  } catch {
    return undefined;
  }
  try {
    return serverState().parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
