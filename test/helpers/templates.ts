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
