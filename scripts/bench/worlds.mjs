// What a test suite does with worlds in memory: makes, forks, snapshots and restores them; the copies beside the cost of
// copying as many bytes as the world has.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { interleaved, median, medianRatio, table, thousands } from "./measure.mjs";
import { root } from "./servers.mjs";

const rows = 20_000;
const options = { seed: "empty", clock: "virtual", limits: { read: 1e9, write: 1e9 } };

/** @returns {Promise<string>} tables in Markdown */
export async function benchWorlds({ rounds = 15 } = {}) {
  return [await making(rounds), await copying(rounds)].join("\n\n");
}

async function making(rounds) {
  const { openEmulator } = await import(`${root}dist/emulator.js`);
  const lines = [];
  for (const [seed, wanted] of [
    ["empty", "≤ 5 ms"],
    ["demo", ""],
  ]) {
    const make = async () => {
      const began = performance.now();
      const emulator = await openEmulator({ seed, clock: "virtual" });
      const time = performance.now() - began;
      await emulator.close();
      return time;
    };
    const first = await make();
    const { later } = await interleaved(rounds, { later: make });
    lines.push([`seed ${seed}`, `${first.toFixed(1)} ms`, `${median(later).toFixed(1)} ms`, wanted]);
  }
  return table(["world in memory", "the first", "each after it", "wanted"], lines);
}

async function copying(rounds) {
  const { openEmulator } = await import(`${root}dist/emulator.js`);
  const folder = mkdtempSync(join(tmpdir(), "voxctl-bench-"));
  try {
    // The same on disk tells how many bytes it has.
    const db = join(folder, "world.db");
    const onDisk = await openEmulator({ ...options, db, exclusive: true });
    await fill(onDisk);
    await onDisk.close();
    const bytes = new Uint8Array(statSync(db).size).fill(1);

    const emulator = await openEmulator(options);
    await fill(emulator);
    await emulator.snapshot("first");
    const timed = (work, after) => async () => {
      const began = performance.now();
      const result = await work();
      const time = performance.now() - began;
      await after?.(result);
      return time;
    };
    const results = await interleaved(rounds, {
      "copy the bytes": timed(() => new Uint8Array(bytes)),
      "take a snapshot": timed(
        () => emulator.snapshot("next"),
        () => emulator.control("DELETE", "/snapshots/next"),
      ),
      "restore it": timed(() => emulator.restore("first")),
      "fork it": timed(
        () => emulator.fork(),
        (fork) => fork.close(),
      ),
    });
    await emulator.close();
    const [base] = Object.values(results);
    const canSerialize = Number(process.versions.node.split(".")[0]) >= 24;
    return table(
      [
        `world of ${thousands(rows)} contacts, ${thousands(bytes.length / 2 ** 20)} MB`,
        "median",
        "ratio",
        "wanted",
      ],
      Object.entries(results).map(([name, times], index) => [
        name,
        `${median(times).toFixed(1)} ms`,
        medianRatio(times, base).toFixed(1),
        index === 0 ? "" : canSerialize ? "≤ 2" : "≤ 8",
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(emulator) {
  const headers = {
    authorization: `Bearer ${emulator.startLine.keys.admin}`,
    "content-type": "application/json",
  };
  const ask = async (method, path, body) => {
    const request = { method, headers, body };
    const answer = await emulator.transport(`http://emulator.localhost/api/v1${path}`, request);
    return JSON.parse(await answer.text()).data;
  };
  const [{ id: group_id }] = await ask("GET", "/groups?type=contacts");
  for (let row = 0; row < rows; row += 1) {
    const contact = { group_id, first_name: `Anna ${row}`, phone_numbers: ["+4915112345678"] };
    await ask("POST", "/contacts", JSON.stringify(contact));
  }
}

if (process.argv[1]?.endsWith("worlds.mjs")) console.log(await benchWorlds());
