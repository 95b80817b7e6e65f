import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { seededDraw } from "../../src/base/random.js";
import type { Emulator } from "../../src/emulator/index.js";
import { temporaryFolder } from "../helpers/cli.js";
import { inheritedEnvironment } from "../helpers/environment.js";
import { freePort } from "../helpers/ports.js";
import { runHere } from "../helpers/processes.js";
import { openSeededEmulator } from "../helpers/templates.js";

const isProof = process.env["PROOF"] !== undefined;
const count = isProof ? 60 : 1;
/** `PROOF_SEED` repeats the moments of another run. */
const seed = Number(process.env["PROOF_SEED"] ?? (isProof ? Date.now() % 1e6 : 7));
const command = fileURLToPath(new URL("../../bin/voxctl.js", import.meta.url));

/** Moment of a kill: before or after the service applies the nth request. */
interface Moment {
  request: number;
  isAfter: boolean;
  /** Additional delay, in milliseconds. */
  later: number;
}

/** Sets up a service that can kill the process that sends a request. */
async function setUp() {
  const emulator = await openSeededEmulator({ seed: "demo", clock: "real" });
  let heard = 0;
  let ending: (Moment & { process: ChildProcess }) | undefined;
  const server = createServer(async (message, response) => {
    const request = ++heard;
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk);
    const here = (isAfter: boolean) => ending?.request === request && ending.isAfter === isAfter;
    if (here(false)) return void endedAt(ending);
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
    const headers = new Headers(Object.entries(message.headers).map(([name, value]) => [name, `${value}`]));
    const { url = "", method = "" } = message;
    const reply = await emulator.fetch(`http://emulator${url}`, { method, headers, ...body });
    const text = await reply.text();
    if (here(true)) endedAt(ending);
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await emulator.close();
  });
  const home = temporaryFolder();
  const env = {
    HOME: home,
    VOXCTL_CONFIG_DIR: join(home, "config"),
    VOXCTL_DATA_DIR: join(home, "data"),
    VOXCTL_KEYCHAIN: "off",
    VOXCTL_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    VOXCTL_API_KEY: emulator.startLine.keys.admin,
    HOOK: "s3cret-value",
  };
  /** Sends Ctrl-C when the assistant is attached. */
  async function run(argv: readonly string[], moment: Moment | undefined) {
    const child = spawn(process.execPath, [command, ...argv], {
      env: { ...inheritedEnvironment(), ...env },
      cwd: home,
      stdio: ["ignore", "ignore", "pipe"],
    });
    heard = 0;
    ending = moment && { ...moment, process: child };
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      const isNew = !stderr.includes("until this command exits");
      stderr += chunk;
      if (isNew && stderr.includes("until this command exits")) child.kill("SIGINT");
    });
    const [code, signal]: [number | null, string | null] = await once(child, "close").then(
      ([code, signal]) => [code, signal],
    );
    return { code, signal, stderr, requests: heard };
  }
  return { emulator, run, here: (...argv: string[]) => runHere(argv, { env, cwd: home }) };
}

function endedAt(ending: (Moment & { process: ChildProcess }) | undefined): void {
  if (ending === undefined) return;
  if (ending.later === 0) ending.process.kill("SIGKILL");
  else setTimeout(() => ending.process.kill("SIGKILL"), ending.later);
}

const Snapshot = z.object({ tables: z.object({ assistants: z.array(z.looseObject({ id: z.string() })) }) });

/** Returns the assistant stored by the emulator, including its credential. */
async function readStored({ control }: Emulator, id: string) {
  await control("POST", "/snapshots", { name: "now" });
  const { tables } = Snapshot.parse(await control("GET", "/snapshots/now?secrets=true"));
  await control("DELETE", "/snapshots/now");
  const row = tables.assistants.find((candidate) => candidate.id === id);
  expect(JSON.stringify(row)).toContain("s3cret-value");
  const { updated_at: _, ...otherFields } = row ?? { id: "" };
  return otherFields;
}

// A killed process can't restore the settings; its journal contains them.
test("after random kills of `webhook listen --attach`, `restore` resets the assistant", async () => {
  let drawn = 0;
  const draw = () => seededDraw(seed, drawn++);
  const { emulator, run, here } = await setUp();
  const set = [
    "--url",
    "https://crm.example/hook",
    "--no-enabled",
    "--auth",
    "bearer",
    "--secret",
    "env:HOOK",
  ];
  expect((await here("assistants", "webhook", "set", "Empfang", ...set)).code).toBe(0);
  const { id } = JSON.parse((await here("assistants", "get", "Empfang", "-o", "json")).stdout);
  const before = await readStored(emulator, id);
  const port = await freePort();
  const listen = ["webhook", "listen", "--port", String(port), "--attach", "Empfang", "--yes"];
  listen.push("--public-url", `http://127.0.0.1:${port}`);
  const unharmed = await run(listen, undefined);
  expect([unharmed.code, await readStored(emulator, id)], unharmed.stderr).toEqual([0, before]);
  let killed = 0;
  for (let round = 0; round < count; round += 1) {
    const momentOf = (requests: number): Moment => ({
      request: 1 + Math.floor(draw() * requests),
      isAfter: draw() < 0.6,
      later: draw() < 0.5 ? 0 : Math.floor(draw() * 30),
    });
    const moment = momentOf(unharmed.requests);
    const description = `seed ${seed}, round ${round}, ${JSON.stringify(moment)}`;
    const ended = await run(listen, moment);
    if (ended.signal === "SIGKILL") killed += 1;
    else expect(ended.code, `${description}: ${ended.stderr}`).toBe(0);
    const isChangedByOther = draw() < 0.3;
    if (isChangedByOther)
      await here("assistants", "webhook", "set", "Empfang", "--url", "https://new.example/hook", "--enabled");
    const left = await readStored(emulator, id);
    if (isProof && draw() < 0.4) await run(["webhook", "restore"], momentOf(3));
    const restored = await here("webhook", "restore");
    expect(restored.code, `${description}: ${restored.stderr}`).toBe(0);
    expect(await readStored(emulator, id), description).toEqual(isChangedByOther ? left : before);
    expect((await here("voices", "list")).stderr, description).not.toContain("restore");
    if (isChangedByOther)
      await here(
        "assistants",
        "webhook",
        "set",
        "Empfang",
        "--url",
        "https://crm.example/hook",
        "--no-enabled",
      );
    expect(await readStored(emulator, id), description).toEqual(before);
  }
  expect(killed, `seed ${seed}`).toBeGreaterThan(0);
});
