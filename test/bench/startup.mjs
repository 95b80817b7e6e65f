// Compares the start-up time of whole processes with bare node. Prints the median of the ratios of all
// rounds.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleSmallestList } from "./bundle-list.mjs";
import { interleaved, median, medianRatio, row } from "./measure.mjs";
import { openSqlite, root, startEmulator, startSmallestStart } from "./servers.mjs";

const voxctl = `${root}bin/voxctl.js`;
const commands = {
  "node -e 0": { argv: ["-e", "0"] },
  "node that prints a line": { argv: ["-e", "process.stdout.write('a line\\n')"] },
  "`voxctl --version`": { argv: [voxctl, "--version"], wanted: "≤ 1.15" },
  "`voxctl --help`": { argv: [voxctl, "--help"], wanted: "≤ 1.3" },
  "completion of a group's name": {
    argv: [voxctl, "__complete", "zsh", "voxctl", "contacts", "list", "--group", ""],
    wanted: "≤ 2",
  },
  "`voxctl contacts list --profile offline`": {
    argv: [voxctl, "contacts", "list", "--profile", "offline", "-o", "json"],
    wanted: "≤ 1.9 on Node 20, 2.0 on 22 and 24",
  },
};
const smallest = "the smallest program with these libraries that lists, over bare node";
const firstAnswer = "voxctl emulator start, until its first response";
const smallestAnswer = "the smallest program that starts, until its first response";
/** Rows with a difference from bare node instead of a ratio. */
const answers = { [firstAnswer]: "≤ 65 ms more than bare node", [smallestAnswer]: undefined };

async function benchStartup({ rounds = 15 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-bench-"));
  const env = {
    ...process.env,
    VOXCTL_DATA_DIR: join(folder, "data"),
    VOXCTL_CONFIG_DIR: join(folder, "config"),
    CI: "true",
  };
  const timed = (argv) => () => {
    const began = performance.now();
    const result = spawnSync(process.execPath, argv, { env, stdio: ["ignore", "ignore", "pipe"] });
    if (result.status !== 0) throw new Error(`${argv} ended with ${result.status}: ${result.stderr}`);
    return performance.now() - began;
  };
  const candidates = Object.fromEntries(
    Object.entries(commands).map(([name, { argv }]) => [name, timed(argv)]),
  );
  const smallestList = await bundleSmallestList(folder);
  candidates[smallest] = timed([smallestList, "contacts", "list", "--profile", "offline", "-o", "json"]);
  const untilAnswer = (start) => async () => {
    const began = performance.now();
    const server = await start();
    const headers = { authorization: `Bearer ${server.start.keys.admin}` };
    const answer = await fetch(`${server.url}/api/v1/contacts`, { headers });
    if (answer.status !== 200) throw new Error(`the first response is ${answer.status}`);
    const time = performance.now() - began;
    await server.stop();
    return time;
  };
  const schema = join(folder, "schema.sql");
  candidates[firstAnswer] = untilAnswer(() => startEmulator(folder, ["--db", ":memory:", "--seed", "empty"]));
  candidates[smallestAnswer] = untilAnswer(() => startSmallestStart(schema));
  try {
    // Run each candidate once to create the database and to fill the disk's cache.
    for (const [name, run] of Object.entries(candidates)) {
      if (name === smallestAnswer) writeFileSync(schema, schemaOf(join(folder, "data", "offline.db")));
      await run();
    }
    const { results, noisy } = await interleaved(rounds, candidates);
    const bare = results["node -e 0"];
    return Object.entries(results).flatMap(([name, times]) => {
      if (name === "node -e 0") return [];
      const over = times.map((time, round) => time - bare[round]);
      return name in answers
        ? [
            row(name, {
              wanted: answers[name],
              value: `${median(over).toFixed(0)} ms`,
              noisy,
            }),
          ]
        : [
            row(name === smallest ? name : `${name}, over bare node`, {
              wanted: commands[name]?.wanted,
              value: medianRatio(times, bare).toFixed(2),
              noisy,
            }),
          ];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the schema of an emulator database as SQLite stores it. */
function schemaOf(path) {
  const database = openSqlite(path);
  const rows = database
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rootpage = 0, type = 'index'",
    )
    .all();
  database.close();
  return rows.map(({ sql }) => sql).join(";\n");
}

console.log(JSON.stringify(await benchStartup()));
