import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";
import { inheritedEnvironment } from "../helpers/environment.js";
import { shell } from "./receiving.js";

const isProof = process.env["PROOF"] !== undefined;
const command = fileURLToPath(new URL("../../bin/voxctl.js", import.meta.url));
/** Starts the built command with less memory than the captures need, and fewer open files than captures. */
function started(folder: string, argv: readonly string[]) {
  const child = spawn("sh", ["-c", 'ulimit -n 256; exec "$@"', "sh", process.execPath, command, ...argv], {
    env: {
      ...inheritedEnvironment(),
      HOME: folder,
      VOXCTL_CONFIG_DIR: join(folder, "config"),
      VOXCTL_DATA_DIR: join(folder, "data"),
      VOXCTL_KEYCHAIN: "off",
      NODE_OPTIONS: "--max-old-space-size=64 --max-semi-space-size=4",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  const listening = new Promise<string>((resolve) => {
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk;
      const url = /listening on (\S+)/.exec(stderr)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const ended = once(child, "close").then(([code]: unknown[]) => ({ code, stderr }));
  return { listening, ended };
}

async function sendMany(url: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  let next = 0;
  const send = (number: number) =>
    new Promise<void>((resolve, reject) => {
      const message = request(url, {
        method: "POST",
        agent,
        headers: { "Content-Type": "application/json" },
      });
      message.on("response", (response) => response.resume().on("end", resolve));
      message.on("error", reject);
      message.end(JSON.stringify({ call_id: `c${number}`, notes: "x".repeat(20_000) }));
    });
  const worker = async () => {
    while (next < count) await send(next++);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  agent.destroy();
}

// Takes a minute, so only `npm run proof -- webhooks` runs it.
describe.runIf(isProof)("10,000 requests with 200 MB in total", () => {
  test("10,000 captures are received, replayed and analyzed with 64 MB of memory", async () => {
    const count = 10_000;
    const folder = temporaryFolder();
    const recordings = join(folder, "requests");
    const receive = ["webhook", "listen", "--port", "0", "--max", String(count)];
    const listen = started(folder, [...receive, "--record", recordings]);
    await sendMany(await listen.listening, count);
    const listened = await listen.ended;
    expect([listened.code, readdirSync(recordings).length], listened.stderr).toEqual([0, count]);
    const target = started(folder, receive);
    const replay = ["webhook", "replay", recordings, "--to", await target.listening, "-o", "ndjson"];
    const replayed = await started(temporaryFolder(), replay).ended;
    expect(replayed.code, replayed.stderr).toBe(0);
    expect((await target.ended).code).toBe(0);
    const shaped = await started(folder, ["webhook", "shape", recordings]).ended;
    expect(shaped.code, shaped.stderr).toBe(0);
  });
});

test("`webhook replay` reports an invalid capture before the first request", async () => {
  const cli = shell();
  const folder = join(cli.home, "requests");
  mkdirSync(folder);
  const recording = {
    version: 1,
    at: "2026-11-22T08:00:00Z",
    request: { method: "POST", path: "/", headers: [], body_base64: "" },
    answer: null,
    milliseconds: 1,
  };
  writeFileSync(join(folder, "0001-a.json"), JSON.stringify(recording));
  writeFileSync(join(folder, "0002-b.json"), "{}");
  const { code, stderr } = await cli.run("webhook", "replay", "requests", "--to", "http://127.0.0.1:1");
  expect([code, stderr]).toEqual([2, expect.stringContaining("0002-b.json is not a capture")]);
});
