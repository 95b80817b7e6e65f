import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { openDatabase } from "../../src/base/database.js";
import { seededDraw } from "../../src/base/random.js";
import { temporaryFolder } from "../helpers/cli.js";
import { createInstalledCli, readFirstLine } from "../helpers/installed-cli.js";

const kills = process.env["PROOF"] ? 50 : 1;
const writers = 8;

async function writeUntilGone(
  line: { base_url: string; keys: { admin: string } },
  group_id: string,
  onStored: () => void,
): Promise<string[]> {
  const headers = { authorization: `Bearer ${line.keys.admin}`, "content-type": "application/json" };
  const acknowledged: string[] = [];
  for (let index = 0; ; index += 1) {
    const body = JSON.stringify({ group_id, first_name: `Nr. ${index}` });
    try {
      const response = await fetch(`${line.base_url}/contacts`, { method: "POST", headers, body });
      // Only a complete response is an acknowledgement.
      const parsed = JSON.parse(await response.text());
      if (response.status !== 201) continue;
      acknowledged.push(parsed.data.id);
      onStored();
    } catch {
      return acknowledged;
    }
  }
}

it(`[emulator.durable] after SIGKILL at ${kills} random moments, every acknowledged write is stored`, async () => {
  const { start } = createInstalledCli();
  const db = join(temporaryFolder(), "world.db");
  const acknowledged = new Set<string>();
  for (let round = 0; round < kills; round += 1) {
    const child = start([
      ...["emulator", "start", "--db", db, "--port", "0", "--seed", "empty", "-o", "json"],
      ...["--limits", "write=1000000,read=1000000"],
    ]);
    const complaint = text(child.stderr);
    const printed = await readFirstLine(child);
    if (printed === "") throw new Error(`round ${round}: it did not start: ${await complaint}`);
    const line = JSON.parse(printed);
    const groups = await fetch(`${line.base_url}/groups?type=contacts`, {
      headers: { authorization: `Bearer ${line.keys.admin}` },
    });
    const group_id = JSON.parse(await groups.text()).data[0].id;
    const stored = new AbortController();
    const writing = Array.from({ length: writers }, () =>
      writeUntilGone(line, group_id, () => stored.abort()),
    );
    stored.signal.addEventListener("abort", () =>
      setTimeout(() => child.kill("SIGKILL"), seededDraw(9, "kill", round) * 400),
    );
    const [writtenIds] = await Promise.all([Promise.all(writing), once(child, "exit")]);
    for (const id of writtenIds.flat()) acknowledged.add(id);

    const database = await openDatabase(db);
    expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
    const kept = new Set(
      database
        .prepare("SELECT id FROM contacts")
        .all()
        .map(({ id }) => String(id)),
    );
    database.close();
    expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([]);
    // Each kill interrupts at most one request of each writer.
    expect(kept.size - acknowledged.size).toBeLessThanOrEqual(writers * (round + 1));
  }
  expect(acknowledged.size).toBeGreaterThan(0);
}, 600_000);
