// Starts servers in separate processes, and waits until they respond. Stops a server by its process ID.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** @returns {Promise<{ url: string, stop: () => Promise<void> }>} */
export async function startBare(answersFile) {
  const child = spawn(process.execPath, [`${root}test/bench/bare-server.mjs`, answersFile], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await firstLine(child);
  return { url: `http://127.0.0.1:${port}`, stop: () => stopped(child), pid: child.pid };
}

/** Starts the handwritten server, hand-server.mjs. */
export async function startHand(folder, database) {
  const argv = [`${root}test/bench/hand-server.mjs`, folder, database];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  const port = await firstLine(child);
  return { url: `http://127.0.0.1:${port}`, stop: () => stopped(child), pid: child.pid };
}

/** Starts smallest-server.mjs, the smallest program that does the emulator's work. */
export async function startSmallest(database) {
  const argv = [`${root}test/bench/smallest-server.mjs`, database];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  const port = await firstLine(child);
  return { url: `http://127.0.0.1:${port}`, stop: () => stopped(child), pid: child.pid };
}

/** Starts smallest-start.cjs, the smallest program for comparisons of the start-up time. */
export async function startSmallestStart(schema) {
  const argv = [`${root}test/bench/smallest-start.cjs`, schema];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  const start = JSON.parse(await firstLine(child));
  return { url: start.url, start, stop: () => stopped(child), pid: child.pid };
}

/**
 * Starts `voxctl emulator start`.
 * @returns {Promise<{ url: string, start: object, stop: () => Promise<void> }>}
 */
export async function startEmulator(folder, flags) {
  const argv = [`${root}bin/voxctl.js`, "emulator", "start", "--port", "0", "-o", "json", ...flags];
  const child = spawn(process.execPath, [...(process.env.BENCH_NODE_FLAGS?.split(" ") ?? []), ...argv], {
    env: { ...process.env, VOXCTL_DATA_DIR: folder, VOXCTL_CONFIG_DIR: `${folder}/config`, CI: "true" },
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const start = JSON.parse(await firstLine(child));
  return { url: start.url, start, stop: () => stopped(child), pid: child.pid };
}

/** Starts any other server, and waits until it responds. */
export async function startOther(command, argv, { url, cwd }) {
  const child = spawn(process.execPath, [command, ...argv], { cwd, stdio: ["ignore", "ignore", "ignore"] });
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer) return { url, stop: () => stopped(child), pid: child.pid };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stopped(child);
  throw new Error(`${command} does not respond`);
}

/** Opens a database with the driver that voxctl uses on this version of Node.js. */
export function openSqlite(path) {
  const isNewer = Number(process.versions.node.split(".")[0]) >= 24;
  const { DatabaseSync } = createRequire(import.meta.url)(isNewer ? "node:sqlite" : "@photostructure/sqlite");
  return new DatabaseSync(path);
}

/** Creates an emulator database for commands that open the database themselves. Its keys have no limits. */
export async function createUnlimitedDatabase(db) {
  const { openEmulator } = await import(`${root}dist/emulator.js`);
  const emulator = await openEmulator({ db, seed: "empty", clock: "virtual" });
  for (const { id, kind } of await emulator.control("GET", "/keys")) {
    if (kind !== "public") continue;
    await emulator.control("PATCH", `/keys/${id}`, { limits: { read: 1e9, write: 1e9 } });
  }
  await emulator.close();
}

async function firstLine(child) {
  let text = "";
  for await (const chunk of child.stdout) {
    text += chunk;
    const end = text.indexOf("\n");
    if (end >= 0) {
      // Keep reading and ignore further output, because closing the stream would break the server.
      child.stdout.resume?.();
      return text.slice(0, end);
    }
  }
  throw new Error(`the server ended with ${child.exitCode}: ${text}`);
}

async function stopped(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
