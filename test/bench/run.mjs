// `npm run bench` measures all parts with each installed version of Node.js, and writes the table to
// docs/performance.md. `npm run bench -- http start --node /path/to/node` measures some parts with one
// version. With
// --write, it writes the table; otherwise, it only prints the table.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { machine, table } from "./measure.mjs";
import { root } from "./servers.mjs";

/**
 * The files of the parts, and whether a part is measured with each version of Node.js or only with the first.
 */
const parts = {
  http: { file: "http.mjs", each: true },
  start: { file: "startup.mjs", each: true },
  import: { file: "import-ratio.mjs" },
  mirror: { file: "mirror.mjs" },
  size: { file: "size.mjs" },
  emulators: { file: "emulators.mjs" },
  holds: { file: "holds.mjs" },
  memory: { file: "memory.mjs" },
  soak: { file: "soak.mjs" },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: "string", multiple: true },
    write: { type: "boolean" },
    /** Duration of a round of requests, in seconds; 0.5 if omitted. */
    seconds: { type: "string" },
    /** Duration of the soak, in seconds; 60 if omitted. */
    soak: { type: "string" },
  },
});
const unknown = positionals.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) throw new Error(`${unknown} is none of ${Object.keys(parts).join(", ")}`);
const chosen = positionals.length > 0 ? positionals : Object.keys(parts);
const nodes = (values.node ?? [process.execPath, ...nodesOfNpx()]).map((path) => ({
  path,
  version: execFileSync(path, ["--version"], { encoding: "utf8" }).trim(),
}));
const [first] = nodes;
/** By row name: the target, and the result for each version of Node.js. */
const rows = new Map();
for (const { path, version } of nodes) {
  for (const name of chosen) {
    if (!parts[name].each && version !== first.version) continue;
    console.error(`${name}, node ${version}`);
    const measured = spawnSync(path, [`${root}test/bench/${parts[name].file}`], {
      stdio: ["ignore", "pipe", "inherit"],
      encoding: "utf8",
      env: {
        ...process.env,
        ...(values.seconds && { BENCH_SECONDS: values.seconds }),
        ...(values.soak && { BENCH_SOAK: values.soak }),
      },
    });
    if (measured.status !== 0) {
      console.error(`  ended with ${measured.status ?? measured.signal}`);
      process.exitCode = 1;
      continue;
    }
    for (const row of JSON.parse(measured.stdout)) {
      if (!rows.has(row.name)) rows.set(row.name, { wanted: row.wanted, figures: new Map() });
      rows.get(row.name).figures.set(version, row.value);
    }
  }
}
const versions = [...new Set(nodes.map(({ version }) => version))];
const text = table(
  ["", "target", ...versions.map((version) => `Node ${version.slice(1)}`)],
  [...rows].map(([name, { wanted, figures }]) => [
    name,
    wanted,
    ...versions.map((version) => figures.get(version) ?? "–"),
  ]),
);
console.log(text);
if (positionals.length === 0 || values.write) write({ machine: `${machine()}.`, table: text });

/** Returns the Node.js versions that commands such as `npx -p node@24 node` downloaded. */
function nodesOfNpx() {
  const folder = join(homedir(), ".npm", "_npx");
  if (!existsSync(folder)) return [];
  const own = process.versions.node;
  const found = new Map();
  for (const name of readdirSync(folder)) {
    const path = join(folder, name, "node_modules", "node", "bin", "node");
    if (!existsSync(path)) continue;
    const version = execFileSync(path, ["-p", "process.versions.node"], { encoding: "utf8" }).trim();
    const major = Number(version.split(".")[0]);
    if (version !== own && [20, 22, 24].includes(major)) found.set(major, path);
  }
  return [...found].sort(([a], [b]) => a - b).map(([, path]) => path);
}

/** Replaces the figures between the markers. Keeps the handwritten text outside of the markers. */
function write(texts) {
  const path = `${root}docs/performance.md`;
  let page = readFileSync(path, "utf8");
  for (const [mark, value] of Object.entries(texts)) {
    const part = new RegExp(`(<!-- ${mark} -->\n)[^]*?(<!-- /${mark} -->)`);
    if (!part.test(page)) throw new Error(`docs/performance.md has no marker ${mark}`);
    page = page.replace(part, (_, begin, end) => `${begin}\n${value}\n\n${end}`);
  }
  writeFileSync(path, page);
}
