import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../client/client.js";
import type { Client } from "../../client/types.js";
import type { Emulator } from "../../emulator/types.js";
import type { FinishedMirror } from "./mirrors.js";
import type { Session } from "./session.js";

export function copyMirror({ path }: Pick<FinishedMirror, "path">, to: string): void {
  copyFileSync(`${path}.key`, `${to}.key`);
  copyFileSync(path, to);
}

/** A temporary copy of a mirror. Closing the copy deletes it. Waiting advances the copy's clock. */
export interface MirrorFork {
  emulator: Emulator;
  client: Client;
  close(): Promise<void>;
}

export async function openMirrorFork(
  { random }: Pick<Session, "random">,
  mirror: FinishedMirror,
): Promise<MirrorFork> {
  const { openEmulator } = await import("../../emulator/index.js");
  const folder = mkdtempSync(join(tmpdir(), "voxctl-mirror-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const db = join(folder, "world.db");
    copyMirror(mirror, db);
    const emulator = await openEmulator({ db, clock: "virtual", exclusive: true });
    const { base_url, keys } = emulator.startLine;
    return {
      emulator,
      client: createClient({
        targets: { public: { baseUrl: base_url, key: keys.admin } },
        transport: emulator.transport,
        clock: emulator.clock,
        random,
        maxWaitMilliseconds: Number.POSITIVE_INFINITY,
      }),
      close: async () => {
        await emulator.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
