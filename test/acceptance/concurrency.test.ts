import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openEmulator } from "../../src/emulator/index.js";
import { createTestClock } from "../conformance/harness/clock.js";
import { commandLine } from "../helpers/cli.js";
import { readContacts } from "../helpers/import.js";

/** Returns the import's duration, in seconds. */
async function farAway({ rows, delay, otherWrites }: { rows: number; delay: number; otherWrites: number }) {
  const clock = createTestClock();
  const emulator = await openEmulator({
    seed: "empty",
    clock: "real",
    // Emulator time is in whole milliseconds.
    systemClock: { ...clock, now: () => Math.floor(clock.now()) },
    limits: { write: 600 },
  });
  onTestFinished(() => emulator.close());
  const key = emulator.startLine.keys.admin;
  const shell = commandLine({
    env: { VOXCTL_BASE_URL: "https://far.example/api/v1", VOXCTL_API_KEY: key },
    overrides: { clock, transport: emulator.transport },
  });
  const group = (await shell.run("groups", "create", "--type", "contacts", "--name", "Kunden")).json;
  const rename = { method: "PATCH", body: JSON.stringify({ name: "Kunden" }) };
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  for (let count = 1; count < otherWrites; count += 1) {
    await emulator.fetch(
      new Request(`http://emulator.localhost/api/v1/groups/${group.id}`, { ...rename, headers }),
    );
  }
  await emulator.control("POST", "/faults", {
    operation: "contacts.create",
    kind: "delay",
    delay_ms: delay,
  });
  const names = Array.from({ length: rows }, (_, row) => `Anna${row}`);
  writeFileSync(join(shell.home, "list.csv"), `Vorname\n${names.join("\n")}\n`);
  const ran = await shell.run("contacts", "import", "list.csv", "--group", group.id, "-o", "json");
  expect(ran.json).toMatchObject({ created: rows, rate_limited: 0, unknown: 0 });
  expect(await readContacts(emulator, group.id)).toHaveLength(rows);
  return ran.json.seconds as number;
}

test("an import sends several requests concurrently if responses are slow", async () => {
  // Sequential requests would take 36 s.
  expect(await farAway({ rows: 48, delay: 750, otherWrites: 0 })).toBeLessThan(9);
});

test("an import near the rate limit uses the whole limit despite slow responses", async () => {
  // One request at a time would take 40 s; five at a time would take 8 s.
  expect(await farAway({ rows: 20, delay: 2_000, otherWrites: 575 })).toBeLessThan(6.5);
});
