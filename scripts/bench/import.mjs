// Imports 10,000 and 100,000 rows in process, without limits, by the built command: time, and the peak of memory.
// node scripts/bench/import.mjs [rows…]
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { openEmulator } = await import(`${root}dist/emulator.js`);
const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10_000, 100_000];
const peak =
  'data:text/javascript,process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS+"\n"))';

const results = [];
for (const count of counts) results.push(await measure(count));
console.table(results);
const [first, last] = [results.at(0), results.at(-1)];
if (first && last && first !== last)
  console.log(`memory: ${(last["peak MB"] / first["peak MB"]).toFixed(2)} times`);

async function measure(rows) {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-bench-"));
  try {
    const limits = { read: 1e9, write: 1e9 };
    const world = await openEmulator({
      db: join(folder, "offline.db"),
      seed: "empty",
      clock: "virtual",
      limits,
    });
    await world.close();
    await writeRows(join(folder, "list.csv"), rows);
    const began = performance.now();
    const argv = ["contacts", "import", "list.csv", "--group", "Bench", "--create-group", "--country", "DE"];
    const ended = spawnSync(
      process.execPath,
      ["--import", peak, `${root}bin/voxctl.js`, ...argv, "--profile", "offline", "-o", "json"],
      {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, VOXCTL_DATA_DIR: folder, VOXCTL_CONFIG_DIR: join(folder, "config") },
      },
    );
    if (ended.status !== 0) throw new Error(ended.stderr);
    const { created, rate_limited } = JSON.parse(ended.stdout);
    const kilobytes = Number(/^peak (\d+)$/m.exec(ended.stderr)?.[1]);
    const seconds = (performance.now() - began) / 1000;
    return {
      rows,
      created,
      rate_limited,
      seconds: Math.round(seconds * 10) / 10,
      "peak MB": Math.round(kilobytes / 1024),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeRows(path, rows) {
  const file = createWriteStream(path);
  file.write("Vorname;Nachname;Telefon;E-Mail;Bemerkung\n");
  for (let row = 0; row < rows; row += 1) {
    const line = `Anna${row};Weiß;0170/${1_000_000 + row};anna${row}@example.org;"ruft; zurück"\n`;
    if (!file.write(line)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}
