import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { inheritedEnvironment } from "../helpers/environment.js";
import { freePort } from "../helpers/ports.js";
import { debianPython, findMissingModule, findMissingPrograms } from "./programs.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const examples = join(root, "docs/examples");
const home = mkdtempSync(join(tmpdir(), "receivers-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const env = {
  ...inheritedEnvironment(),
  HOME: home,
  VOXCTL_CONFIG_DIR: join(home, "config"),
  VOXCTL_DATA_DIR: join(home, "data"),
  HOOK_SECRET: "s3cret-value",
  PYTHONDONTWRITEBYTECODE: "1",
};

async function waitForReceiver(port: number, receiver: ChildProcess): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isConnected = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isConnected) return;
    if (receiver.exitCode !== null) throw new Error(`the receiver ended with ${receiver.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function contractOf(program: string, argv: (port: string) => readonly string[], cwd: string) {
  const port = await freePort();
  const receiver = spawn(program, argv(String(port)), { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
  onTestFinished(async () => {
    receiver.kill();
    if (receiver.exitCode === null) await once(receiver, "close");
  });
  await waitForReceiver(port, receiver);
  const flags = ["--url", `http://127.0.0.1:${port}/hook`];
  const command = [join(root, "bin/voxctl.js"), "webhook", "test", join(examples, "webhook.contract.yaml")];
  const tested = spawn(process.execPath, [...command, ...flags], { cwd: home, env });
  let outputText = "";
  tested.stdout.on("data", (chunk) => (outputText += chunk));
  tested.stderr.on("data", (chunk) => (outputText += chunk));
  const [code] = await once(tested, "close");
  return { code, said: outputText };
}

/** Installs Express next to a copy of the Express sample, like `npm install`. */
function installedExpress(): { folder: string; missing: string | undefined } {
  const folder = join(root, "node_modules/.cache/express-sample");
  mkdirSync(folder, { recursive: true });
  cpSync(join(examples, "webhook-node"), folder, { recursive: true });
  if (existsSync(join(folder, "node_modules/express"))) return { folder, missing: undefined };
  writeFileSync(join(folder, ".npmrc"), "package-lock=false\n");
  const parameters = [
    "install",
    "--ignore-scripts",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--silent",
  ];
  const { status, stderr } = spawnSync("npm", parameters, {
    cwd: folder,
    encoding: "utf8",
    timeout: 120_000,
  });
  if (status === 0 && existsSync(join(folder, "node_modules/express"))) return { folder, missing: undefined };
  console.warn(`skipped, npm could not install express: ${stderr}`);
  return { folder, missing: "express" };
}

const all = { code: 0, said: expect.stringContaining("10 cases passed") };

describe("a sample receiver", () => {
  it("the sample receiver passes the contract with only Node.js", async () => {
    const folder = join(examples, "webhook-node");
    expect(await contractOf(process.execPath, (port) => ["server.mjs", port], folder)).toEqual(all);
  });

  const express = installedExpress();
  // Needs the npm registry for Express.
  it.skipIf(express.missing)("the sample receiver passes the contract with Express", async () => {
    expect(await contractOf(process.execPath, (port) => ["express.mjs", port], express.folder)).toEqual(all);
  });

  const python = findMissingPrograms("python3");
  // Needs Python.
  it.skipIf(python)(
    "the sample receiver in Python, without other packages, passes the contract",
    async () => {
      expect(await contractOf("python3", (port) => ["hook.py", port], join(examples, "python"))).toEqual(all);
    },
  );

  const fastapi = python ?? findMissingModule("fastapi") ?? findMissingModule("uvicorn");
  // Needs FastAPI and a server for it.
  it.skipIf(fastapi)("the sample receiver passes the contract with FastAPI", async () => {
    const argv = (port: string) => [
      "-m",
      "uvicorn",
      "fastapi_hook:app",
      "--port",
      port,
      "--log-level",
      "error",
    ];
    expect(await contractOf(debianPython, argv, join(examples, "python"))).toEqual(all);
  });
});
