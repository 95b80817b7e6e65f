// Measures the cost of requests as an emulator database grows, the time to open the database, and its size.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contactId, contactRows, fillContacts } from "./contacts.mjs";
import { interleaved, median, medianRatio, row } from "./measure.mjs";
import { openSqlite, root } from "./servers.mjs";

const sizes = [1_000, 1_000_000];
const limits = { read: 1e9, write: 1e9 };

/** Creates databases of these sizes in one directory. */
async function createEmulators(folder) {
  const { openEmulator } = await import(`${root}dist/emulator.js`);
  const emulators = [];
  for (const size of sizes) {
    const db = join(folder, `${size}.db`);
    const emulator = await openEmulator({ db, seed: "empty", clock: "virtual", limits });
    const { organization_id } = emulator.startLine;
    await emulator.close();
    fillContacts(db, organization_id, size);
    emulators.push({ size, db });
  }
  return emulators;
}

async function benchSize({ rounds = 31 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-bench-"));
  try {
    const emulators = await createEmulators(folder);
    const [, largest] = emulators;
    const bytes = statSync(largest.db).size / largest.size;
    return [
      row("file size per contact, 1,000,000 rows", { wanted: "≤ 400 B", value: `${bytes.toFixed(0)} B` }),
      ...(await pages(emulators, rounds)),
      ...(await smallestPages(folder, rounds)),
      await files(emulators, rounds),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const grown = "from 1,000 to 1,000,000 rows";

async function pages(emulators, rounds) {
  const { openEmulator } = await import(`${root}dist/emulator.js`);
  const opened = [];
  for (const { size, db } of emulators) {
    const emulator = await openEmulator({ db, exclusive: true, limits });
    opened.push({ size, emulator, queries: await queriesOf(emulator, size) });
  }
  const rows = [];
  for (const name of Object.keys(opened[0].queries)) {
    const candidates = Object.fromEntries(
      opened.map(({ size, emulator, queries }) => [size, () => microseconds(emulator, queries[name])]),
    );
    for (const run of Object.values(candidates)) await run();
    const { results, noisy } = await interleaved(rounds, candidates);
    const ratio = medianRatio(results[1_000_000], results[1_000]).toFixed(2);
    rows.push(row(`${name}, ${grown}`, { wanted: "≤ 1.1", value: ratio, noisy }));
  }
  for (const { emulator } of opened) await emulator.close();
  return rows;
}

/** Measures pages of the smallest program: SQLite only reads the texts of a hundred rows. */
async function smallestPages(folder, rounds) {
  const databases = sizes.map((size) => smallestDatabase(join(folder, `smallest-${size}.db`), size));
  const rows = [];
  for (const [name, of] of [
    ["first page of 100", "WHERE id > '' AND ? <> ''"],
    ["page of 100 of a group", "INDEXED BY contacts_by_group WHERE group_id = ? AND id > ''"],
  ]) {
    const page = `SELECT group_concat(object) AS objects, max(id) AS last FROM (SELECT id, object FROM contacts ${of} ORDER BY id LIMIT 100)`;
    const candidates = Object.fromEntries(
      sizes.map((size, index) => {
        const statement = databases[index].prepare(page);
        return [size, () => statementMicroseconds(statement)];
      }),
    );
    for (const run of Object.values(candidates)) run();
    const { results, noisy } = await interleaved(rounds, candidates);
    const value = medianRatio(results[1_000_000], results[1_000]).toFixed(2);
    rows.push(row(`${name}, the smallest program, ${grown}`, { value, noisy }));
  }
  for (const database of databases) database.close();
  return rows;
}

const smallestGroup = "a".repeat(24);

function smallestDatabase(path, size) {
  const database = openSqlite(path);
  database.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE contacts (id TEXT PRIMARY KEY, group_id TEXT NOT NULL, object TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX contacts_by_group ON contacts(group_id, id);
  `);
  const insert = database.prepare("INSERT INTO contacts VALUES (?, ?, ?)");
  database.exec("BEGIN");
  for (const [, id, , object] of contactRows("", smallestGroup, size, []))
    insert.run(id, smallestGroup, object);
  database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  return database;
}

function statementMicroseconds(statement) {
  const count = 500;
  const before = process.cpuUsage();
  for (let index = 0; index < count; index += 1) statement.get(smallestGroup);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

/** Returns requests at the beginning, in the middle and at the end of the list. */
async function queriesOf(emulator, size) {
  const ask = asking(emulator);
  const groups = JSON.parse(await ask("GET", "/groups?type=contacts"));
  const group = groups.data[0].id;
  const first = JSON.parse(await ask("GET", "/contacts?limit=100"));
  const middle = contactId(size / 2);
  let cursor = first.meta.next_cursor;
  // Use the cursor of an early page, independent of the list's size.
  for (let page = 0; page < 4; page += 1)
    cursor = JSON.parse(await ask("GET", `/contacts?limit=150&cursor=${cursor}`)).meta.next_cursor;
  return {
    "first page of 100": ["GET", "/contacts?limit=100"],
    "page of 100 after a cursor": ["GET", `/contacts?limit=100&cursor=${cursor}`],
    "page of 100 of a group": ["GET", `/contacts?limit=100&group_id=${group}`],
    "get by ID": ["GET", `/contacts/${middle}`],
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
  const count = 500;
  const before = process.cpuUsage();
  for (let index = 0; index < count; index += 1) await ask(method, path, body);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

/** Measures the time to open files of these sizes. */
async function files(emulators, rounds) {
  const { openEmulator } = await import(`${root}dist/emulator.js`);
  const candidates = Object.fromEntries(
    emulators.map(({ size, db }) => [
      size,
      async () => {
        const times = [];
        // Repeat, because the first run of a round starts with cold code and a cold file.
        for (let count = 0; count < 5; count += 1) {
          const began = performance.now();
          const emulator = await openEmulator({ db, exclusive: true });
          times.push(performance.now() - began);
          await emulator.close();
        }
        return median(times);
      },
    ]),
  );
  for (const run of Object.values(candidates)) await run();
  const { results, noisy } = await interleaved(rounds, candidates);
  const ratio = medianRatio(results[1_000_000], results[1_000]).toFixed(2);
  return row(`opening a file, ${grown}`, { wanted: "≤ 1.1", value: ratio, noisy });
}

console.log(JSON.stringify(await benchSize()));
