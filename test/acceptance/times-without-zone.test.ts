import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";
import { createWorkbook } from "../helpers/xlsx.js";

async function openNewYork() {
  vi.stubEnv("TZ", "America/New_York");
  onTestFinished(() => void vi.unstubAllEnvs());
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00",
  });
  onTestFinished(() => emulator.close());
  return {
    emulator,
    ...commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } }),
  };
}

test("an import treats a time without a zone as UTC", async () => {
  const { run, home } = await openNewYork();
  const day = (value: string) => ({ attributes: 't="d"', xml: `<v>${value}</v>` });
  const rows = [
    ["Term", "Definition"],
    ["Start", day("2026-11-01T09:30:00")],
    ["End", day("2026-11-02T00:00:00")],
  ];
  writeFileSync(join(home, "days.xlsx"), createWorkbook({ rows }));
  const imported = await run("glossary", "import", "days.xlsx", "--group", "Days", "--create-group");
  expect([imported.code, imported.stderr]).toEqual([0, expect.any(String)]);
  const { json } = await run("glossary", "list", "--group", "Days", "-o", "json");
  expect(json.map((item: { definition: string }) => item.definition).sort()).toEqual([
    "2026-11-01T09:30:00.000Z",
    "2026-11-02",
  ]);
});

test("`calls list` treats a start time without a zone as UTC", async () => {
  const { emulator } = await openNewYork();
  expect(await emulator.control("GET", "/clock")).toMatchObject({ now: "2026-03-02T09:00:00.000Z" });
});
