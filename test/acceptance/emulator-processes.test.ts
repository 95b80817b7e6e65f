// Tests emulators in separate processes (`npm run test:checks`). Tests without processes are in
// emulator-start.test.ts.
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";
import {
  createInstalledCli,
  emptySeed,
  readFirstLine,
  startServer,
  startServerInProcess,
} from "../helpers/installed-cli.js";
import { freePort } from "../helpers/ports.js";

test("`emulator start` refuses a database in use, and shows how to stop its emulator", async () => {
  const { command, home } = await startServer("--db", "of my own.db", ...emptySeed);
  await command(["ping", "--profile", "offline"]);
  const second = await command(["emulator", "start", "--db", "of my own.db", "--port", "0", "-o", "json"]);
  expect(second).toMatchObject({ code: 12, stdout: "" });
  const { hint } = JSON.parse(second.stderr).error;
  expect(hint).toContain(`stop that emulator: \`voxctl emulator stop --db '${join(home, "of my own.db")}'\``);
  const stopped = await command(["emulator", "stop", "--db", "of my own.db"]);
  expect(stopped.stderr).toContain("stopped the emulator at");
  expect(existsSync(join(home, "of my own.db.server.json"))).toBe(false);
});

test("an import with `--profile offline` stops immediately when the local server is killed", async () => {
  const { child, start, home } = await startServer(...emptySeed);
  const rows = Array.from({ length: 3_000 }, (_, row) => `Anna,030 231${10_000 + row}`);
  writeFileSync(join(home, "list.csv"), ["Vorname,Telefon", ...rows].join("\n"));
  const flags = ["--group", "Kunden", "--create-group", "--country", "DE", "--profile", "offline"];
  const running = start(["contacts", "import", "list.csv", ...flags]);
  let stderr = "";
  running.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
    if (stderr.includes("Created group")) child.kill("SIGKILL");
  });
  const [code] = await once(running, "close");
  expect(stderr).toMatch(
    /^error: the local emulator's server has ended\nhint: to resume, run the same command again/m,
  );
  expect([code, stderr]).toEqual([9, expect.not.stringContaining("pausing")]);
});

test("a background emulator is listed, can be stopped, and keeps its database", async () => {
  const voxctl = createInstalledCli();
  const started = JSON.parse(
    (await voxctl.run(["emulator", "start", "--detach", "--port", "0", ...emptySeed, "-o", "json"])).stdout,
  );
  const created = await fetch(`${started.base_url}/groups`, {
    method: "POST",
    headers: { authorization: `Bearer ${started.keys.admin}`, "content-type": "application/json" },
    body: JSON.stringify({ type: "contacts", name: "Kept" }),
  });
  expect(created.status).toBe(201);
  expect(JSON.parse((await voxctl.command(["emulator", "status", "-o", "json"])).stdout)).toMatchObject({
    running: true,
    pid: started.pid,
  });
  const stopped = await voxctl.command(["emulator", "stop", "-o", "json"]);
  expect(JSON.parse(stopped.stdout)).toEqual({
    stopped: true,
    url: started.url,
    pid: started.pid,
    db: started.db,
  });
  expect(JSON.parse((await voxctl.command(["emulator", "status", "-o", "json"])).stdout)).toMatchObject({
    running: false,
  });
  const kept = await voxctl.command(["groups", "get", "Kept", "--profile", "offline", "-o", "json"]);
  expect(JSON.parse(kept.stdout).name).toBe("Kept");
  const again = await voxctl.command(["emulator", "stop", "-o", "json"]);
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("no emulator") });
  expect(JSON.parse(again.stdout)).toEqual({ stopped: false, db: started.db });
  expect((await voxctl.command(["emulator", "stop", "-o", "table"])).stdout).toBe("");
  const queried = await voxctl.run(["emulator", "start", "--detach", "--port", "0", "--jq", ".base_url"]);
  expect([queried.stdout, queried.stderr]).toEqual([expect.stringMatching(/^http\S+\/api\/v1\n$/), ""]);
  await voxctl.command(["emulator", "stop"]);
  const reseeded = await voxctl.run(["emulator", "start", "--detach", "--port", "0", "--seed", "demo"]);
  expect(reseeded.stderr).toMatch(/^--seed ignored: \S+ already has data;/);
  await voxctl.command(["emulator", "stop"]);
});

test("`status`, `logs`, `reset` and `stop` find an in-memory background emulator by its port", async () => {
  const { run, command } = createInstalledCli();
  const started = await run([
    "emulator",
    "start",
    "--db",
    ":memory:",
    "--seed",
    "empty",
    "--detach",
    "--port",
    "0",
    "-o",
    "json",
  ]);
  const line = JSON.parse(started.stdout);
  const headers = { authorization: `Bearer ${line.keys.admin}` };
  expect((await fetch(`${line.base_url}/ping`, { headers })).status).toBe(200);
  const json = async (...argv: string[]) =>
    JSON.parse((await command(["emulator", ...argv, "-o", "json"])).stdout);
  expect(await json("status")).toMatchObject({ running: true, pid: line.pid, db: ":memory:" });
  expect(await json("logs")).toMatchObject([{ path: "/api/v1/ping", status: 200 }]);
  expect((await json("reset", "--yes", "--seed", "empty", "--new-keys")).keys.admin).not.toBe(
    line.keys.admin,
  );
  const second = await command(["emulator", "start", "--db", ":memory:", "--port", new URL(line.url).port]);
  expect(second).toMatchObject({ code: 2, stdout: "" });
  expect(second.stderr).toContain(`by your emulator (process ${line.pid}`);
  expect((await command(["emulator", "stop"])).code).toBe(0);
  await expect(fetch(`${line.base_url}/ping`)).rejects.toThrow();
  expect((await command(["emulator", "stop"])).stderr).toContain("no emulator");
});

test("the error of a second emulator on the same database names the first emulator", async () => {
  const voxctl = createInstalledCli();
  const start = () => voxctl.start(["emulator", "start", "--port", "0", "--seed", "empty", "-o", "json"]);
  const both = [start(), start()].map(async (child) => {
    const complaint = text(child.stderr);
    const line = await readFirstLine(child);
    return line === "" ? { code: child.exitCode, complaint: await complaint } : { line: JSON.parse(line) };
  });
  const [first, second] = await Promise.all(both);
  const winner = [first, second].find((end) => end?.line);
  const loser = [first, second].find((end) => end?.complaint);
  expect(loser?.complaint).toContain(`the emulator at ${winner?.line.url}, process ${winner?.line.pid}`);
});

test("if the background server can't start, `emulator start` shows the server's error", async () => {
  const { run, line } = await startServerInProcess(...emptySeed);
  const port = new URL(line.url).port;
  for (const [flags, code, reason] of [
    [["--db", ":memory:", "--port", port], 2, `port ${port} on 127.0.0.1 is in use by your emulator`],
    [["--port", "0"], 12, "is in use by the emulator at"],
    [["--db", ":memory:", "--port", "0", "--limits", "x=1"], 2, "--limits"],
  ] as const) {
    const refused = await run(["emulator", "start", "--detach", ...flags, "-o", "json"]);
    expect(refused.code).toBe(code);
    expect(JSON.parse(refused.stderr).error.message).toContain(reason);
    expect(JSON.parse(refused.stderr).error.message).not.toContain("{");
  }
});

test("a background server that can't be registered is stopped, with an error", async () => {
  const { run, data } = createInstalledCli();
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, "emulators"), "");
  const port = await freePort();
  const argv = ["emulator", "start", "--detach", "--db", ":memory:", "--port", String(port), ...emptySeed];
  const refused = await run([...argv, "-o", "json"]);
  expect([refused.code, refused.stdout]).toEqual([2, ""]);
  const { message } = JSON.parse(refused.stderr).error;
  expect(message).toContain("its entry in the data directory can't be written");
  rmSync(join(data, "emulators"));
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});

test("`emulator stop` returns only after the server has released its database", async () => {
  const { command, child, line, data } = await startServer(...emptySeed);
  await command(["emulator", "faults", "add", "delay", "--delay", "80000000ms", "--path", "/api/v1/**"]);
  const headers = { authorization: `Bearer ${line.keys.admin}` };
  const response = fetch(`${line.base_url}/ping`, { headers });
  const struck = async () =>
    JSON.parse((await command(["emulator", "control", "faults.list", "-o", "json"])).stdout)[0].struck;
  await expect.poll(struck, { timeout: 10_000 }).toBe(1);
  const ended = once(child, "exit");
  expect((await command(["emulator", "stop"])).code).toBe(0);
  expect(statSync(join(data, "offline.db-wal"), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  expect((await response).status).toBe(200);
  expect(await ended).toEqual([0, null]);
});

test("a running server continues to work after its installation is replaced", async () => {
  const folder = temporaryFolder();
  const root = fileURLToPath(new URL("../..", import.meta.url));
  for (const part of ["bin", "dist", "package.json"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const voxctl = createInstalledCli({}, join(folder, "bin/voxctl.js"));
  const flags = ["--db", ":memory:", "--port", "0", "-o", "json", "--debug"];
  const child = voxctl.start(["emulator", "start", ...flags]);
  const line = JSON.parse(await readFirstLine(child));
  for await (const chunk of child.stderr.iterator({ destroyOnReturn: false }))
    if (String(chunk).includes("loaded all modules")) break;
  renameSync(join(folder, "dist"), join(folder, "gone"));

  const ask = async (path: string, key: string, body?: object) => {
    const response = await fetch(line.url + path, {
      method: body ? "POST" : "GET",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return [path, response.status, response.status < 400 ? "" : await response.text()];
  };
  const { admin, distributor_v2, distributor_v1 } = line.keys;
  for (const path of [
    "ping",
    "contacts",
    "assistants",
    "calls",
    "knowledge-items",
    "tools",
    "openapi.json",
    "openapi.yaml",
  ])
    expect(await ask(`/api/v1/${path}`, admin)).toEqual([`/api/v1/${path}`, 200, ""]);
  expect((await ask("/api/distributor/v2/organizations/tree", distributor_v2))[1]).toBe(200);
  expect((await ask("/api/distributor/v1/partners", distributor_v1))[1]).toBe(200);
  expect((await ask("/mcp", admin, { jsonrpc: "2.0", id: 1, method: "tools/list" }))[1]).toBe(200);
  for (const path of ["status", "coverage", "rules", "operations", "limits", "faults"])
    expect((await ask(`/_emulator/${path}`, line.control_token))[1]).toBe(200);
  const ticket = await ask("/_emulator/ui-tickets", line.control_token, {});
  expect(ticket[1]).toBe(201);
});
