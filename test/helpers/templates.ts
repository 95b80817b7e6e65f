import { copyFileSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, type EmulatorOptions, openEmulator } from "../../src/emulator/index.js";

const templates = new Map<string, Promise<Emulator>>();

/**
 * A world of the test's own, as `openEmulator` opens it. One in memory that only its seed, time and limits tell from others is
 * a fork of a template that each worker makes once: that takes a twentieth of the time. By the machine's clock such a
 * world's data may be some minutes old.
 */
export async function openSeeded(options: EmulatorOptions): Promise<Emulator> {
  const { seed, clock, startTime, limits, ...own } = options;
  if (Object.keys(own).length > 0) return openEmulator(options);
  const key = JSON.stringify([seed, clock, startTime, limits]);
  let template = templates.get(key);
  if (!template) {
    template = openEmulator(options);
    templates.set(key, template);
  }
  return (await template).fork();
}

let offlineWorld: Promise<string> | undefined;

/**
 * Puts the offline world into a data folder that has none, as the first command would make it there: a copy of one that
 * each worker makes once, which takes a tenth of the time.
 */
export async function placeOfflineWorld(data: string): Promise<void> {
  offlineWorld ??= makeOfflineWorld();
  copyFiles(await offlineWorld, data);
}

/** The folder goes with the run's. */
async function makeOfflineWorld(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-offline-"));
  const emulator = await openEmulator({ db: join(folder, "offline.db"), seed: "demo" });
  await emulator.close();
  return folder;
}

/** The files that lie in a folder, without those in folders of its own. */
export function copyFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
}
