// Rows a second of an import by the built command, offline and over HTTP, over plain inserts of the same rows.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { interleaved, median, medianRatio, table, thousands } from "./measure.mjs";
import { makeUnlimitedWorld, root, startEmulator } from "./servers.mjs";

const argv = [
  "contacts",
  "import",
  "list.csv",
  "--group",
  "Bench",
  "--create-group",
  "--country",
  "DE",
  "-o",
  "json",
];

/** @returns {Promise<string>} a table in Markdown */
export async function benchImport({ rounds = 3, rows = 20_000 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-bench-"));
  try {
    const lines = Array.from(
      { length: rows },
      (_, row) => `Anna${row};Weiß;0170/${1_000_000 + row};anna${row}@example.org`,
    );
    const csv = `Vorname;Nachname;Telefon;E-Mail\n${lines.join("\n")}\n`;
    writeFileSync(join(folder, "list.csv"), csv);
    let count = 0;
    const fresh = (name) => {
      count += 1;
      return join(folder, `${name}-${count}`);
    };
    const results = await interleaved(rounds, {
      "plain insert, a commit for each row": () => plain(fresh("plain"), csv, rows),
      "import in process": () => inProcess(fresh("in"), folder, rows),
      "import over HTTP": () => overHttp(fresh("http"), folder, rows),
    });
    const [base] = Object.values(results);
    return table(
      [`${thousands(rows)} rows`, "rows per s", "ratio", "wanted"],
      Object.entries(results).map(([name, values]) => [
        name,
        thousands(median(values)),
        medianRatio(values, base).toFixed(2),
        name === "import in process" ? "≥ 0.15" : "",
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What anybody would write: read the lines, insert each, as lasting as the emulator's own writes (WAL, NORMAL). */
function plain(path, csv, rows) {
  const database = new DatabaseSync(path);
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE contacts (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, phone TEXT, email TEXT) STRICT",
  );
  const insert = database.prepare(
    "INSERT INTO contacts (first_name, last_name, phone, email) VALUES (?, ?, ?, ?)",
  );
  const began = performance.now();
  for (const line of csv.trim().split("\n").slice(1)) insert.run(...line.split(";"));
  const perSecond = rows / ((performance.now() - began) / 1000);
  database.close();
  return perSecond;
}

async function inProcess(data, folder, rows) {
  await makeUnlimitedWorld(join(data, "offline.db"));
  return imported(data, folder, rows, ["--profile", "offline"], {});
}

async function overHttp(data, folder, rows) {
  mkdirSync(data, { recursive: true });
  const server = await startEmulator(folder, [
    ...["--db", join(data, "world.db"), "--seed", "empty", "--clock", "real"],
    ...["--limits", "read=1000000000,write=1000000000"],
  ]);
  try {
    return await imported(data, folder, rows, [], {
      VOXCTL_BASE_URL: server.start.base_url,
      VOXCTL_API_KEY: server.start.keys.admin,
    });
  } finally {
    await server.stop();
  }
}

async function imported(data, folder, rows, flags, variables) {
  const began = performance.now();
  const child = spawn(process.execPath, [`${root}bin/voxctl.js`, ...argv, ...flags], {
    cwd: folder,
    env: { ...process.env, VOXCTL_DATA_DIR: data, VOXCTL_CONFIG_DIR: join(data, "config"), ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const [code] = await once(child, "close");
  if (code !== 0 || JSON.parse(out).created !== rows) throw new Error(`${out}${errors}`);
  return rows / ((performance.now() - began) / 1000);
}

if (process.argv[1]?.endsWith("import-ratio.mjs")) console.log(await benchImport());
