// Measures the rows per second of imports by the built command, offline and over HTTP. Compares them with
// plain inserts of the same rows. The time includes the start and the end of the process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { interleaved, median, medianRatio, row, thousands } from "./measure.mjs";
import { createUnlimitedDatabase, root, startEmulator } from "./servers.mjs";

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

async function benchImport({ rounds = 7, rows = Number(process.env.BENCH_ROWS ?? 10_000) } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-bench-"));
  try {
    const csvOf = (name) =>
      `Vorname;Nachname;Telefon;E-Mail\n${Array.from({ length: rows }, (_, index) => `${name}${index};Weiß;0170/${1_000_000 + index};anna${index}@example.org`).join("\n")}\n`;
    writeFileSync(join(folder, "list.csv"), csvOf("Anna"));
    writeFileSync(join(folder, "changed.csv"), csvOf("Berta"));
    let count = 0;
    const fresh = (name) => {
      count += 1;
      return join(folder, `${name}-${count}`);
    };
    const { results, noisy } = await interleaved(rounds, {
      plain: () => plain(fresh("plain"), folder, rows),
      smallest: () => smallest(fresh("smallest"), folder, rows),
      inProcess: () => inProcess(fresh("in"), folder, rows),
      overHttp: () => overHttp(fresh("http"), folder, rows),
      creates: () => applied(fresh("create"), folder, rows, "create"),
      updates: () => applied(fresh("update"), folder, rows, "update"),
    });
    const over = (name, base) => medianRatio(results[name], results[base]).toFixed(3);
    return [
      row("import in process, over plain inserts with a commit per row", {
        wanted: "≥ 0.15",
        value: over("inProcess", "plain"),
        noisy,
      }),
      row("import in process, the smallest program, over plain inserts with a commit per row", {
        value: over("smallest", "plain"),
        noisy,
      }),
      row("import over HTTP, over plain inserts with a commit per row", {
        wanted: "≥ 0.05",
        value: over("overHttp", "plain"),
        noisy,
      }),
      row("import in process, rows per second", { value: thousands(median(results.inProcess)), noisy }),
      row("apply in process, creates, over the import", {
        wanted: "≥ 0.8",
        value: over("creates", "inProcess"),
        noisy,
      }),
      row("apply in process, updates, over the import", {
        wanted: "≥ 0.4",
        value: over("updates", "inProcess"),
        noisy,
      }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Applies a plan file whose steps create contacts or change existing ones. */
async function applied(data, folder, rows, action) {
  await createUnlimitedDatabase(join(data, "offline.db"));
  const offline = ["--profile", "offline"];
  if (action === "update") await imported(data, folder, rows, offline, {});
  const plan = join(data, "rows.plan");
  const source = action === "create" ? argv : argv.with(2, "changed.csv");
  const matching = ["--match", "phone", "--on-match", "replace"];
  const guard = ["--max-update", String(rows)];
  await ran([...source, ...offline, ...matching, ...guard, "--plan", plan], data, folder, {});
  const began = performance.now();
  await ran(["apply", plan, "--yes", "-o", "json", ...offline], data, folder, {});
  return rows / ((performance.now() - began) / 1000);
}

/** Imports with a program of test/bench instead of voxctl. Returns rows per second. */
async function program(name, words, data, folder, rows) {
  mkdirSync(data, { recursive: true });
  const began = performance.now();
  const out = await ranBy([`${root}test/bench/${name}`, ...words, join(folder, "list.csv")], data, folder);
  if (JSON.parse(out).created !== rows) throw new Error(out);
  return rows / ((performance.now() - began) / 1000);
}

const plain = (data, folder, rows) =>
  program("plain-import.cjs", [join(data, "plain.db")], data, folder, rows);

async function smallest(data, folder, rows) {
  const database = join(data, "offline.db");
  await createUnlimitedDatabase(database);
  return program("smallest-import.cjs", [database, join(data, "journal.db")], data, folder, rows);
}

async function inProcess(data, folder, rows) {
  await createUnlimitedDatabase(join(data, "offline.db"));
  return imported(data, folder, rows, ["--profile", "offline"], {});
}

async function overHttp(data, folder, rows) {
  mkdirSync(data, { recursive: true });
  const server = await startEmulator(folder, [
    ...["--db", join(data, "database.db"), "--seed", "empty", "--clock", "real"],
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
  const out = await ran([...argv, ...flags], data, folder, variables);
  if (JSON.parse(out).created !== rows) throw new Error(out);
  return rows / ((performance.now() - began) / 1000);
}

const ran = (words, data, folder, variables) =>
  ranBy([`${root}bin/voxctl.js`, ...words], data, folder, variables);

async function ranBy(words, data, folder, variables = {}) {
  const child = spawn(process.execPath, words, {
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
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}: ${out}${errors}`);
  return out;
}

console.log(JSON.stringify(await benchImport()));
