// Creates, forks, snapshots and restores emulators in memory, as test suites do. Compares the time to copy an
// emulator with the time to copy an equal number of bytes.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { interleaved, median, medianRatio, row, thousands } from "./measure.mjs";
import { root } from "./servers.mjs";

const rows = 20_000;
const options = { seed: "empty", clock: "virtual", limits: { read: 1e9, write: 1e9 } };

async function benchWorlds({ rounds = 15 } = {}) {
  return [...(await making(rounds)), ...(await copying(rounds))];
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
    await make();
    const { results, noisy } = await interleaved(rounds, { later: make });
    const value = `${median(results.later).toFixed(1)} ms`;
    lines.push(row(`another emulator in memory, seed ${seed}`, { wanted, value, noisy }));
  }
  return lines;
}

async function copying(rounds) {
  const { openEmulator } = await import(`${root}dist/emulator.js`);
  const folder = mkdtempSync(join(tmpdir(), "voxctl-bench-"));
  try {
    // Create the same emulator on disk, to measure its size.
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
    const { results, noisy } = await interleaved(rounds, {
      "copy the bytes": timed(() => new Uint8Array(bytes)),
      "create a snapshot": timed(
        () => emulator.snapshot("next"),
        () => emulator.control("DELETE", "/snapshots/next"),
      ),
      "restore a snapshot": timed(() => emulator.restore("first")),
      "fork an emulator": timed(
        () => emulator.fork(),
        (fork) => fork.close(),
      ),
    });
    await emulator.close();
    const [base] = Object.values(results);
    const canSerialize = Number(process.versions.node.split(".")[0]) >= 24;
    return ["create a snapshot", "restore a snapshot", "fork an emulator"].map((name) =>
      row(`${name}, ${thousands(rows)} contacts, over copying the same number of bytes`, {
        wanted: canSerialize ? "≤ 2" : "≤ 8",
        value: medianRatio(results[name], base).toFixed(1),
        noisy,
      }),
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
  for (let index = 0; index < rows; index += 1) {
    const contact = { group_id, first_name: `Anna ${index}`, phone_numbers: ["+4915112345678"] };
    await ask("POST", "/contacts", JSON.stringify(contact));
  }
}

console.log(JSON.stringify(await benchWorlds()));
