// What requests cost, and how much memory a server takes, as a world grows; how long its file takes to open.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { interleaved, median, medianRatio, table, thousands } from "./measure.mjs";
import { root, startEmulator } from "./servers.mjs";

const sizes = [1_000, 100_000, 1_000_000];
const limits = { read: 1e9, write: 1e9 };

/** Worlds of these sizes on disk, in one folder; filled past the emulator, or it would take the better part of an hour. */
async function makeWorlds(folder) {
  const { openEmulator } = await import(`${root}dist/emulator.js`);
  const worlds = [];
  for (const size of sizes) {
    const db = join(folder, `${size}.db`);
    const emulator = await openEmulator({ db, seed: "empty", clock: "virtual", limits });
    const { organization_id } = emulator.startLine;
    await emulator.close();
    fill(db, organization_id, size);
    worlds.push({ size, db });
  }
  return worlds;
}

function fill(db, organization, size) {
  const database = new DatabaseSync(db);
  const group = database
    .prepare("SELECT id FROM groups WHERE organization_id = ? AND type = 'contacts'")
    .get(organization).id;
  const insert = database.prepare(
    "INSERT INTO contacts (organization_id, id, group_id, members) VALUES (?, ?, ?, ?)",
  );
  const time = "2023-11-14T22:13:20.000Z";
  database.exec("BEGIN");
  for (let row = 0; row < size; row += 1) {
    const id = (0x50000000 + row).toString(16).padStart(8, "0") + "0".repeat(16);
    const members = {
      first_name: `Anna ${row}`,
      last_name: "Sommer",
      phone_numbers: ["+4915112345678"],
      emails: [],
      created_at: time,
      updated_at: time,
    };
    insert.run(organization, id, group, JSON.stringify(members).slice(1));
  }
  database.exec("COMMIT");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

/** @returns {Promise<{ pages: string, memory: string, files: string }>} tables in Markdown */
export async function benchSize({ rounds = 9 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-bench-"));
  try {
    const worlds = await makeWorlds(folder);
    return {
      pages: await pages(worlds, rounds),
      memory: await memory(folder, worlds),
      files: await files(worlds, rounds),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function pages(worlds, rounds) {
  const { openEmulator } = await import(`${root}dist/emulator.js`);
  const opened = [];
  for (const { size, db } of worlds) {
    const emulator = await openEmulator({ db, exclusive: true, limits });
    opened.push({ size, emulator, queries: await queriesOf(emulator, size) });
  }
  const rows = [];
  for (const name of Object.keys(opened[0].queries)) {
    const candidates = Object.fromEntries(
      opened.map(({ size, emulator, queries }) => [size, () => microseconds(emulator, queries[name])]),
    );
    for (const run of Object.values(candidates)) await run();
    const results = await interleaved(rounds, candidates);
    const ratio = medianRatio(results[1_000_000], results[1_000]).toFixed(2);
    rows.push([
      name,
      ...sizes.map((size) => `${thousands(median(results[size]))} µs`),
      ratio,
      name.startsWith("page") ? "≤ 1.3" : "",
    ]);
  }
  for (const { emulator } of opened) await emulator.close();
  return table(
    ["request, in process", ...sizes.map((size) => `${thousands(size)} rows`), "last over first", "wanted"],
    rows,
  );
}

/** Requests at the beginning, in the middle and at the end of the list. */
async function queriesOf(emulator, size) {
  const ask = asking(emulator);
  const groups = JSON.parse(await ask("GET", "/groups?type=contacts"));
  const group = groups.data[0].id;
  const first = JSON.parse(await ask("GET", "/contacts?limit=100"));
  const middle = (0x50000000 + size / 2).toString(16) + "0".repeat(16);
  let cursor = first.meta.next_cursor;
  // As far into the list as a few pages lead, whatever its size.
  for (let page = 0; page < 4; page += 1)
    cursor = JSON.parse(await ask("GET", `/contacts?limit=150&cursor=${cursor}`)).meta.next_cursor;
  return {
    "page of 100, the first": ["GET", "/contacts?limit=100"],
    "page of 100, by its cursor": ["GET", `/contacts?limit=100&cursor=${cursor}`],
    "page of 100, of a group": ["GET", `/contacts?limit=100&group_id=${group}`],
    "get by id": ["GET", `/contacts/${middle}`],
    change: ["PATCH", `/contacts/${middle}`, '{"last_name":"Winter"}'],
    create: ["POST", "/contacts", JSON.stringify({ group_id: group, first_name: "Anna" })],
  };
}

function asking(emulator) {
  const key = emulator.startLine.keys.admin;
  return async (method, path, body) => {
    const response = await emulator.transport(`http://emulator.localhost/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
      body,
    });
    const text = await response.text();
    if (response.status >= 300) throw new Error(`${method} ${path}: ${text}`);
    return text;
  };
}

async function microseconds(emulator, [method, path, body]) {
  const ask = asking(emulator);
  const count = 60;
  const began = performance.now();
  for (let index = 0; index < count; index += 1) await ask(method, path, body);
  return ((performance.now() - began) / count) * 1000;
}

/** The resident memory of a server that has listed a world, from its beginning to its end. */
async function memory(folder, worlds) {
  const { readFileSync } = await import("node:fs");
  if (process.platform !== "linux") return "Not measured here: it is read from /proc.";
  const rows = [];
  const { openEmulator } = await import(`${root}dist/emulator.js`);
  const small = join(folder, "10000.db");
  const emulator = await openEmulator({ db: small, seed: "empty", clock: "virtual", limits });
  const { organization_id } = emulator.startLine;
  await emulator.close();
  fill(small, organization_id, 10_000);
  const measured = [];
  for (const { size, db } of [{ size: 10_000, db: small }, worlds.at(-1)]) {
    const server = await startEmulator(folder, ["--db", db, "--limits", "read=1000000000,write=1000000000"]);
    const headers = { authorization: `Bearer ${server.start.keys.admin}` };
    let cursor = "";
    // The same number of requests of both: memory by rows, not by what was asked.
    for (let page = 0; page < 500; page += 1) {
      const answer = await (
        await fetch(`${server.url}/api/v1/contacts?limit=200${cursor}`, { headers })
      ).json();
      cursor = answer.meta.has_more ? `&cursor=${answer.meta.next_cursor}` : "";
    }
    const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
    const megabytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
    measured.push(megabytes);
    rows.push([
      thousands(size),
      `${Math.round(megabytes)} MB`,
      (megabytes / measured[0]).toFixed(2),
      measured.length > 1 ? "≤ 1.3" : "",
    ]);
    await server.stop();
  }
  return table(["rows", "peak of a server that answered 500 pages", "over the first", "wanted"], rows);
}

/** How long files of these sizes take to open. */
async function files(worlds, rounds) {
  const { openEmulator } = await import(`${root}dist/emulator.js`);
  const candidates = Object.fromEntries(
    worlds.map(({ size, db }) => [
      size,
      async () => {
        const began = performance.now();
        const emulator = await openEmulator({ db, exclusive: true });
        const time = performance.now() - began;
        await emulator.close();
        return time;
      },
    ]),
  );
  const results = await interleaved(rounds, candidates);
  return table(
    ["file of so many rows", "opens in"],
    sizes.map((size) => [thousands(size), `${median(results[size]).toFixed(1)} ms`]),
  );
}

if (process.argv[1]?.endsWith("size.mjs")) {
  console.log(Object.values(await benchSize()).join("\n\n"));
}
