// Measures the peak memory of the built command with a hostile or huge response, file or plan file.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { row, thousands } from "./measure.mjs";
import { createUnlimitedDatabase, root } from "./servers.mjs";

const hook =
  'import{writeFileSync}from"node:fs";process.on("exit",()=>writeFileSync(process.env.MEMORY_FILE,String(process.resourceUsage().maxRSS)))';
const rows = Number(process.env.BENCH_ROWS ?? 100_000);
/** Size of an endless response. The limit for responses is lower, so the command must stop reading. */
const endlessBytes = 2 ** 30;

async function benchMemory() {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-bench-"));
  const server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  const list = (path) =>
    peakMegabytes(folder, ["contacts", "list"], {
      VOXCTL_BASE_URL: `http://127.0.0.1:${port}/${path}/api/v1`,
      VOXCTL_API_KEY: "bench",
    });
  try {
    await createUnlimitedDatabase(join(folder, "offline.db"));
    await pipeline(Readable.from(csvRows(3 * rows)), createWriteStream(join(folder, "huge.csv")));
    await pipeline(Readable.from(csvRows(rows)), createWriteStream(join(folder, "list.csv")));
    const offline = ["--profile", "offline", "--group", "Bench", "--create-group", "--country", "DE"];
    const guarded = ["contacts", "import", "list.csv", ...offline, "--plan", "rows.plan"];
    await peakMegabytes(folder, guarded);
    const peaks = {
      "a response that doesn't end": await list("endless"),
      "a compressed response that doesn't end": await list("compressed"),
      "a response of 2 million values": await list("values"),
      [`the preview of an import of ${thousands(3 * rows)} rows`]: await peakMegabytes(folder, [
        ...["contacts", "import", "huge.csv", ...offline, "--dry-run"],
      ]),
      [`a plan of ${thousands(rows)} steps, shown`]: await peakMegabytes(folder, [
        "plan",
        "show",
        "rows.plan",
      ]),
      [`a plan of ${thousands(rows)} steps, applied`]: await peakMegabytes(folder, [
        ...["apply", "rows.plan", "--yes", "--profile", "offline"],
      ]),
    };
    return Object.entries(peaks).map(([name, megabytes]) =>
      row(`peak memory, ${name}`, { wanted: "≤ 300 MB", value: `${megabytes.toFixed(0)} MB` }),
    );
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function* csvRows(count) {
  yield "Vorname;Nachname;Telefon;E-Mail\n";
  for (let index = 0; index < count; index += 1)
    yield `Anna${index};Weiß;0170/${1_000_000 + index};anna${index}@example.org\n`;
}

async function respond(request, response) {
  response.on("error", () => {});
  const kind = request.url.split("/")[1];
  const values = function* (count) {
    yield '{"data":[';
    for (let sent = 0; sent < count; sent += 1_000) yield `${"0,".repeat(999)}0,`;
    yield '0],"next_cursor":null}';
  };
  const body = Readable.from(values(kind === "values" ? 1_999_000 : endlessBytes / 2));
  const isCompressed = kind === "compressed";
  response.writeHead(200, {
    "content-type": "application/json",
    ...(isCompressed && { "content-encoding": "gzip" }),
  });
  // The command closes the connection when it has read enough.
  await pipeline(body, ...(isCompressed ? [createGzip()] : []), response).catch(() => {});
}

/** Returns the peak resident memory of a command. The command can succeed or fail, but must end by itself. */
async function peakMegabytes(folder, words, variables = {}) {
  const file = join(folder, "memory");
  rmSync(file, { force: true });
  const child = spawn(process.execPath, [`${root}bin/voxctl.js`, ...words], {
    cwd: folder,
    env: {
      ...process.env,
      VOXCTL_DATA_DIR: folder,
      VOXCTL_CONFIG_DIR: join(folder, "config"),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}`,
      MEMORY_FILE: file,
      ...variables,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const errors = await child.stderr.toArray();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  if (process.env.BENCH_SHOWN)
    console.error(words.join(" "), child.exitCode, Buffer.concat(errors).toString());
  return Number(readFileSync(file, "utf8")) / 1024;
}

console.log(JSON.stringify(await benchMemory()));
