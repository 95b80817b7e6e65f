// The emulator beside what people would use instead: Prism and json-server, installed by npm into a folder of their own.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "./load.mjs";
import { interleaved, median, medianRatio, table, thousands } from "./measure.mjs";
import { startEmulator, startOther } from "./servers.mjs";

const wanted = { "json-server": "0.17.4", "@stoplight/prism-cli": "5.14.2" };
const rows = 1000;

/** @returns {Promise<string>} tables in Markdown */
export async function benchOthers({ rounds = 7, seconds = 1.2 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-bench-"));
  const servers = {};
  try {
    const missing = install(folder);
    if (missing) return missing;
    const emulator = await startEmulator(folder, [
      ...["--db", join(folder, "world.db"), "--seed", "empty"],
      ...["--limits", "read=1000000000,write=1000000000"],
    ]);
    servers.emulator = emulator;
    const { key, group, id } = await fill(emulator);
    servers["json-server"] = await startJsonServer(folder, id);
    servers.prism = await startPrism(folder, emulator);

    const body = JSON.stringify({ group_id: group, first_name: "Anna", last_name: "Sommer" });
    const paths = { emulator: "/api/v1/contacts", "json-server": "/contacts", prism: "/contacts" };
    const kinds = [
      {
        name: "get by id",
        next: (at) => ({ method: "GET", path: `${at}/${id}`, key }),
        targets: ["≥ 3", "≥ 4"],
      },
      {
        name: "page of 100",
        next: (at, name) => ({
          method: "GET",
          path: `${at}?${name === "json-server" ? "_limit" : "limit"}=100`,
          key,
        }),
        targets: ["", ""],
      },
      { name: "create", next: (at) => ({ method: "POST", path: at, key, body }), targets: ["≥ 10", "≥ 1"] },
    ];
    const lines = [];
    for (const { name, next, targets } of kinds) {
      const candidates = Object.fromEntries(
        Object.entries(servers).map(([server, { url }]) => [
          server,
          async () => {
            const result = await load({ url, seconds, next: () => next(paths[server], server) });
            const failed = Object.keys(result.statuses).filter((status) => status >= "300");
            if (failed.length > 0) throw new Error(`${name}: ${server} answered ${failed}`);
            return result.perSecond;
          },
        ]),
      );
      for (const run of Object.values(candidates)) await run();
      const results = await interleaved(rounds, candidates);
      lines.push([
        name,
        ...["emulator", "json-server", "prism"].map((server) => thousands(median(results[server]))),
        medianRatio(results.emulator, results["json-server"]).toFixed(1),
        targets[0],
        medianRatio(results.emulator, results.prism).toFixed(1),
        targets[1],
      ]);
      console.error(`  ${lines.at(-1).join("  ")}`);
    }
    return table(
      [
        "request",
        "emulator, per s",
        "json-server",
        "Prism",
        "over json-server",
        "wanted",
        "over Prism",
        "wanted",
      ],
      lines,
    );
  } finally {
    for (const { stop } of Object.values(servers)) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns {string | undefined} why they can't be measured */
function install(folder) {
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const packages = Object.entries(wanted).map(([name, version]) => `${name}@${version}`);
  try {
    execFileSync("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: folder, stdio: "pipe" });
  } catch {
    return "Not measured this time: npm could not install json-server and Prism here.";
  }
  return undefined;
}

/** A thousand contacts; answers the last one's id. */
async function fill({ url, start }) {
  const key = start.keys.admin;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await fetch(`${url}/api/v1/groups?type=contacts`, { headers });
  const group = (await answer.json()).data[0].id;
  let id = "";
  for (let row = 0; row < rows; row += 1) {
    const body = JSON.stringify({ group_id: group, first_name: `Anna ${row}` });
    const created = await fetch(`${url}/api/v1/contacts`, { method: "POST", headers, body });
    id = (await created.json()).data.id;
  }
  return { key, group, id };
}

async function startJsonServer(folder, id) {
  const contacts = Array.from({ length: rows }, (_, row) => ({
    id: row === rows - 1 ? id : `${row}`.padStart(24, "0"),
    group_id: "0".repeat(24),
    first_name: `Anna ${row}`,
  }));
  writeFileSync(join(folder, "db.json"), JSON.stringify({ contacts }));
  const port = await freePort();
  const command = binOf(folder, "json-server", "json-server");
  return startOther(command, ["db.json", "--port", port, "--host", "127.0.0.1", "--quiet"], {
    url: `http://127.0.0.1:${port}`,
    cwd: folder,
  });
}

/** Mocks the emulator's own description. */
async function startPrism(folder, { url }) {
  const description = await (await fetch(`${url}/api/v1/openapi.json`)).text();
  writeFileSync(join(folder, "openapi.json"), description);
  const port = await freePort();
  const command = binOf(folder, "@stoplight/prism-cli", "prism");
  return startOther(
    command,
    ["mock", "openapi.json", "--port", port, "--host", "127.0.0.1", "--verboseLevel", "silent"],
    { url: `http://127.0.0.1:${port}`, cwd: folder },
  );
}

function binOf(folder, name, command) {
  const path = join(folder, "node_modules", name);
  const { bin } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  return join(path, typeof bin === "string" ? bin : bin[command]);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(String(port)));
    });
  });
}

if (process.argv[1]?.endsWith("others.mjs")) console.log(await benchOthers());
