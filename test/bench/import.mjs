// Measures imports of 10,000 and 100,000 rows by the built command, in process and without limits: the time,
// the journal's share of the time, and the peak memory. Run by `node test/bench/import.mjs [ROWS…]`.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { machine, table, thousands } from "./measure.mjs";
import { createUnlimitedDatabase, root } from "./servers.mjs";

const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10_000, 100_000];
const preload = new URL("journal-time.mjs", import.meta.url).href;

const results = [];
for (const count of counts) results.push(await measure(count));
const smallest = results[0];
console.log(`${machine()}\n`);
console.log(
  table(
    ["rows", "seconds", "rows per second", "journal's share", "peak memory", "relative to the first"],
    results.map((result) => [
      thousands(result.rows),
      (result.milliseconds / 1000).toFixed(1),
      thousands(result.rows / (result.milliseconds / 1000)),
      `${Math.round((100 * result.journalMilliseconds) / result.milliseconds)} %`,
      `${thousands(result.peakKilobytes / 1024)} MB`,
      (result.peakKilobytes / smallest.peakKilobytes).toFixed(2),
    ]),
  ),
);

async function measure(rows) {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-bench-"));
  try {
    await createUnlimitedDatabase(join(folder, "offline.db"));
    await writeRows(join(folder, "list.csv"), rows);
    const argv = ["contacts", "import", "list.csv", "--group", "Bench", "--create-group", "--country", "DE"];
    const ended = spawnSync(
      process.execPath,
      ["--import", preload, `${root}bin/voxctl.js`, ...argv, "--profile", "offline", "-o", "json"],
      {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, VOXCTL_DATA_DIR: folder, VOXCTL_CONFIG_DIR: join(folder, "config") },
      },
    );
    if (ended.status !== 0) throw new Error(ended.stderr);
    const { created, rate_limited } = JSON.parse(ended.stdout);
    if (created !== rows || rate_limited !== 0) throw new Error(ended.stdout);
    return { rows, ...JSON.parse(/^measured (.+)$/m.exec(ended.stderr)?.[1] ?? "") };
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
