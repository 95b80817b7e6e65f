import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.js";
import { commandLine } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

test("`stats usage` shows the service's current week if this machine's clock is a century ahead", async () => {
  const emulator = await openSeededEmulator({ clock: "virtual", startTime: "2026-03-02T09:00:00Z" });
  onTestFinished(() => emulator.close());
  const { keys } = emulator.startLine;
  const { run } = commandLine({
    env: { VOXCTL_BASE_URL: "http://127.0.0.1:4711/api/v1", VOXCTL_API_KEY: keys.admin },
    overrides: {
      transport: emulator.transport,
      clock: { ...systemClock(), now: () => Date.parse("2126-03-02T09:00:00Z") },
    },
  });
  const shown = await run("stats", "usage", "-o", "json");
  expect(shown.code, shown.stderr).toBe(0);
  expect(shown.json).toMatchObject({ week: 10, year: 2026 });
});
