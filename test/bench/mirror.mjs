// Measures how the built command mirrors an organization's contacts offline. Compares one pass with plain
// inserts of the same rows (one commit per page), and with the smallest program that mirrors the rows.
// BENCH_ROWS=20000 sets the number of rows.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contactRows, fillContacts } from "./contacts.mjs";
import { interleaved, medianRatio, row, thousands } from "./measure.mjs";
import { createUnlimitedDatabase, openSqlite, root } from "./servers.mjs";

const rows = Number(process.env.BENCH_ROWS ?? 100_000);
const pageRows = 200;

async function benchMirror() {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-bench-"));
  try {
    const db = join(folder, "offline.db");
    await createUnlimitedDatabase(db);
    const things = await fill(db);
    let count = 0;
    const { results, noisy } = await interleaved(7, {
      insert: () => {
        count += 1;
        return inserted(join(folder, `plain-${count}.db`), things);
      },
      mirror: () => {
        count += 1;
        return mirrored(folder, `copy${count}`);
      },
      smallest: () => {
        count += 1;
        return smallest(db, join(folder, `smallest-${count}.db`));
      },
    });
    const overInsert = (name) => ({ value: medianRatio(results[name], results.insert).toFixed(1), noisy });
    const mirror = `a mirror of ${thousands(rows)} contacts, each pass`;
    return [
      row(`${mirror}, over inserting the rows`, { wanted: "≤ 4", ...overInsert("mirror") }),
      row(`${mirror}, the smallest program, over inserting the rows`, overInsert("smallest")),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(db) {
  const { openEmulator } = await import(`${root}dist/emulator.js`);
  const emulator = await openEmulator({ db, exclusive: true });
  const { organization_id } = emulator.startLine;
  await emulator.close();
  const emails = ["anna@example.org"];
  const group = fillContacts(db, organization_id, rows, emails);
  return [...contactRows(organization_id, group, rows, emails)];
}

function inserted(path, things) {
  const began = performance.now();
  const database = openSqlite(path);
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE contacts (organization_id TEXT, id TEXT, group_id TEXT, members TEXT, PRIMARY KEY (organization_id, id)) STRICT, WITHOUT ROWID; CREATE INDEX by_group ON contacts(group_id, organization_id, id)",
  );
  const insert = database.prepare("INSERT INTO contacts VALUES (?, ?, ?, ?)");
  for (const [index, thing] of things.entries()) {
    if (index % pageRows === 0) database.exec("BEGIN");
    insert.run(...thing);
    if (index % pageRows === pageRows - 1 || index === things.length - 1) database.exec("COMMIT");
  }
  const time = performance.now() - began;
  database.close();
  return time;
}

function mirrored(folder, name) {
  const began = performance.now();
  const argv = [
    "mirror",
    "create",
    name,
    "--profile",
    "offline",
    "--include",
    "groups,contacts",
    "-o",
    "json",
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${root}bin/voxctl.js`, ...argv], {
    encoding: "utf8",
    env: { ...process.env, VOXCTL_DATA_DIR: folder, VOXCTL_CONFIG_DIR: join(folder, "config") },
  });
  if (status !== 0) throw new Error(`mirror create ended with ${status}: ${stderr}`);
  const { passes } = JSON.parse(stdout);
  return (performance.now() - began) / passes.length;
}

function smallest(source, path) {
  const began = performance.now();
  const argv = [`${root}test/bench/smallest-mirror.cjs`, source, path];
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8" });
  if (status !== 0) throw new Error(`the smallest program ended with ${status}: ${stderr}`);
  return (performance.now() - began) / 2;
}

console.log(JSON.stringify(await benchMirror()));
