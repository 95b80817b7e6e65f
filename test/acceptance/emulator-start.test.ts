import { once } from "node:events";
import { cpSync, existsSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";
import { webhookServer } from "../helpers/hook.js";
import { firstLine, installed } from "../helpers/installed.js";

/** A server of the offline world, and its start line. */
async function served(...flags: string[]) {
  const voxctl = installed();
  const child = voxctl.start(["emulator", "start", "--port", "0", "-o", "json", ...flags]);
  const line = JSON.parse(await firstLine(child));
  return { ...voxctl, child, line };
}

/** The same in this process, where a process of its own is not the point. */
async function servedHere(...flags: string[]) {
  const voxctl = installed();
  const { printed, end } = await voxctl.serve(["emulator", "start", "--port", "0", "-o", "json", ...flags]);
  return { ...voxctl, end, line: JSON.parse(printed) };
}

/** Where the demo's data is not the point. */
const empty = ["--seed", "empty"];

test("prints one line with addresses and keys that work, and ends cleanly on SIGTERM and SIGINT", async () => {
  const { child, line, data } = await served(...empty);
  expect(Object.keys(line)).toEqual(
    "url base_url distributor_v1_url distributor_v2_url legacy_url mcp_url control_url control_token organization_id keys db pid".split(
      " ",
    ),
  );
  const answer = await fetch(`${line.base_url}/ping`, {
    headers: { authorization: `Bearer ${line.keys.viewer}` },
  });
  expect(answer.status).toBe(200);
  expect(line.pid).toBe(child.pid);
  for (const file of ["offline.db", "offline.db.key", "offline.db.server.json", "offline.db.lock"]) {
    expect(statSync(join(data, file)).mode & 0o777, file).toBe(0o600);
  }
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(existsSync(join(data, "offline.db.server.json"))).toBe(false);

  const other = await servedHere(...empty);
  expect(existsSync(join(other.data, "offline.db.server.json"))).toBe(true);
  expect((await other.end("SIGINT"))?.code).toBe(0);
  expect(existsSync(join(other.data, "offline.db.server.json"))).toBe(false);
});

test("offline commands beside a running server go through it", async () => {
  const { command, line } = await servedHere(...empty);
  const created = await command([
    "groups",
    "create",
    "--type",
    "contacts",
    "--name",
    "Through the server",
    "--profile",
    "offline",
  ]);
  expect(created.code).toBe(0);
  const headers = { authorization: `Bearer ${line.keys.admin}` };
  const groups = JSON.parse(
    await (await fetch(`${line.base_url}/groups?type=contacts&limit=200`, { headers })).text(),
  );
  expect(groups.data.map((group: { name: string }) => group.name)).toContain("Through the server");
  const logs = JSON.parse((await command(["emulator", "logs", "-o", "json"])).stdout);
  expect(logs.map((entry: { path: string }) => entry.path)).toContain("/api/v1/groups");
});

test("the waits of an offline command move a virtual server's clock instead of lasting", async () => {
  const { command, line } = await servedHere("--clock", "virtual", "--limits", "write=2", ...empty);
  const now = async () =>
    Date.parse(JSON.parse((await command(["emulator", "clock", "show", "-o", "json"])).stdout).now);
  const before = await now();
  const rows = Array.from({ length: 5 }, (_, index) => `Name ${index},+49301000000${index}`).join("\n");
  const imported = await command(
    ["contacts", "import", "-", "--group", "New", "--create-group", "--profile", "offline", "-o", "json"],
    `first_name,phone\n${rows}\n`,
  );
  expect(imported.code).toBe(0);
  expect(JSON.parse(imported.stdout)).toMatchObject({ created: 5, rate_limited: 0 });
  // Six writes at two a minute.
  expect((await now()) - before).toBeGreaterThanOrEqual(120_000);
  expect(line.url).toContain("127.0.0.1");
});

test("a second server on the same world is refused, and a port in use is named", async () => {
  const { command, line } = await servedHere(...empty);
  const second = await command(["emulator", "start", "--port", "0"]);
  expect(second).toMatchObject({ code: 12, stdout: "" });
  expect(second.stderr).toContain("held by another voxctl");
  const port = new URL(line.url).port;
  const other = await command(["emulator", "start", "--memory", "--port", port]);
  expect(other).toMatchObject({ code: 2, stdout: "" });
  expect(other.stderr).toContain(`port ${port}`);
});

test("who is refused a world is told how to stop the emulator that holds it, not another one", async () => {
  const { command, home } = await served("--db", "of my own.db", ...empty);
  await command(["ping", "--profile", "offline"]);
  const second = await command(["emulator", "start", "--db", "of my own.db", "--port", "0", "-o", "json"]);
  expect(second).toMatchObject({ code: 12, stdout: "" });
  const { hint } = JSON.parse(second.stderr).error;
  expect(hint).toContain(`voxctl emulator stop --db '${join(home, "of my own.db")}' ends it`);
  const stopped = await command(["emulator", "stop", "--db", "of my own.db"]);
  expect(stopped.stderr).toContain("stopped the emulator at");
  expect(existsSync(join(home, "of my own.db.server.json"))).toBe(false);
});

test("is ended by a call, not by a signal, which some systems don't have: it ends with 0", async () => {
  const { serve, command } = installed();
  const { end } = await serve(["emulator", "start", "--memory", "--port", "0", ...empty, "-o", "json"]);
  // It is this very process: a signal would end the tests.
  expect(await command(["emulator", "stop"])).toMatchObject({ code: 0 });
  expect(await end()).toMatchObject({ code: 0, stderr: expect.stringContaining("stopping") });
});

test("starts in the background, is found and stopped, and its world is there again", async () => {
  const voxctl = installed();
  const started = JSON.parse(
    (await voxctl.run(["emulator", "start", "--detach", "--port", "0", ...empty, "-o", "json"])).stdout,
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
});

test("one in memory, started in the background, is found by status, logs, reset and stop, and a port names it", async () => {
  const { run, command } = installed();
  const started = await run([
    "emulator",
    "start",
    "--memory",
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
  const second = await command(["emulator", "start", "--memory", "--port", new URL(line.url).port]);
  expect(second).toMatchObject({ code: 2, stdout: "" });
  expect(second.stderr).toContain(`by your emulator, process ${line.pid}`);
  expect((await command(["emulator", "stop"])).code).toBe(0);
  await expect(fetch(`${line.base_url}/ping`)).rejects.toThrow();
  expect((await command(["emulator", "stop"])).stderr).toContain("no emulator");
});

test("options that make no sense are refused by name", async () => {
  const { command } = installed();
  const cases: [string[], string][] = [
    [["--port", "x"], "--port"],
    [["--limits", "reads=5"], "--limits"],
    [["--db", "a.db", "--memory"], "--memory"],
    [["--db", "nowhere/x.db"], "--db: there is no folder"],
    [["--limits", "write=0", "--port", "x"], "--limits write=0 leaves no request: each of them is refused"],
    [["--start-time", "yesterday"], "--start-time"],
    [["--start-time", "1969-07-20T20:17:40Z"], "--start-time"],
    [["--start-time", "2101-01-01T00:00:00Z"], "--start-time"],
    [["--seed", "full"], "--seed"],
    [["--memory", "--host", ""], "--host"],
    [["--memory", "--port", "0", "--host", "203.0.113.7"], "203.0.113.7"],
    [["--memory", "--port", "0", "--host", "nowhere.invalid"], "nowhere.invalid"],
  ];
  for (const [flags, named] of cases) {
    const refused = await command(["emulator", "start", ...flags]);
    expect(refused, flags.join(" ")).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(named);
  }
});

test("of two that start on one world at once one serves it, and the other says which", async () => {
  const voxctl = installed();
  const start = () => voxctl.start(["emulator", "start", "--port", "0", "--seed", "empty", "-o", "json"]);
  const both = [start(), start()].map(async (child) => {
    const complaint = text(child.stderr);
    const line = await firstLine(child);
    return line === "" ? { code: child.exitCode, complaint: await complaint } : { line: JSON.parse(line) };
  });
  const [one, other] = await Promise.all(both);
  const winner = [one, other].find((end) => end?.line);
  const loser = [one, other].find((end) => end?.complaint);
  expect(loser?.complaint).toContain(`the emulator at ${winner?.line.url}, process ${winner?.line.pid}`);
});

test("why one did not start in the background is said in its own words, with its own exit code", async () => {
  const { run, line } = await servedHere(...empty);
  const port = new URL(line.url).port;
  for (const [flags, code, reason] of [
    [["--memory", "--port", port], 2, `port ${port} of 127.0.0.1 is in use by your emulator`],
    [["--port", "0"], 12, "is held by another voxctl"],
    [["--memory", "--port", "0", "--limits", "x=1"], 2, "--limits"],
  ] as const) {
    const refused = await run(["emulator", "start", "--detach", ...flags, "-o", "json"]);
    expect(refused.code).toBe(code);
    expect(JSON.parse(refused.stderr).error.message).toContain(reason);
    expect(JSON.parse(refused.stderr).error.message).not.toContain("{");
  }
});

test("a stop is over when the process has let its file go, whatever it was waiting for", async () => {
  const { command, child, line, data } = await served(...empty);
  await command(["emulator", "faults", "add", "delay", "--delay-ms", "80000000", "--method", "GET"]);
  const headers = { authorization: `Bearer ${line.keys.admin}` };
  const answer = fetch(`${line.base_url}/ping`, { headers });
  const struck = async () =>
    JSON.parse((await command(["emulator", "faults", "list", "-o", "json"])).stdout)[0].struck;
  await expect.poll(struck, { timeout: 10_000 }).toBe(1);
  const ended = once(child, "exit");
  expect((await command(["emulator", "stop"])).code).toBe(0);
  expect(statSync(join(data, "offline.db-wal"), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  expect((await answer).status).toBe(200);
  expect(await ended).toEqual([0, null]);
});

test("an installation that is replaced under a running server leaves it whole", async () => {
  const folder = temporaryFolder();
  const root = fileURLToPath(new URL("../..", import.meta.url));
  for (const part of ["bin", "dist", "package.json"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const voxctl = installed({}, join(folder, "bin/voxctl.js"));
  const flags = ["--memory", "--port", "0", "-o", "json", "--debug"];
  const child = voxctl.start(["emulator", "start", ...flags]);
  const line = JSON.parse(await firstLine(child));
  for await (const said of child.stderr.iterator({ destroyOnReturn: false }))
    if (String(said).includes("are loaded")) break;
  renameSync(join(folder, "dist"), join(folder, "gone"));

  const ask = async (path: string, key: string, body?: object) => {
    const answer = await fetch(line.url + path, {
      method: body ? "POST" : "GET",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return [path, answer.status, answer.status < 400 ? "" : await answer.text()];
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

test("[public.events.2] whether webhooks may lie at private addresses is a flag, and follows from the address otherwise", async () => {
  const hook = await webhookServer();
  hook.answer = (response) => response.end("Frau Sommer");
  const error = async (...flags: string[]) => {
    const { line } = await servedHere("--memory", ...flags);
    const ask = async (method: string, url: string, key: string, body?: object) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const answer = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      return JSON.parse(await answer.text()).data;
    };
    const { control_url, control_token } = line;
    const [assistant] = await ask("GET", `${control_url}/assistants`, control_token);
    await ask("PATCH", `${line.base_url}/assistants/${assistant.id}`, line.keys.admin, {
      pre_call_webhook: { enabled: true, url: hook.url },
    });
    const call = { assistant_id: assistant.id, from: "+4915112345678" };
    const made = await ask("POST", `${control_url}/incoming-calls`, control_token, call);
    return made.webhook.error;
  };
  expect(await error()).toBeNull();
  expect(await error("--host", "0.0.0.0", "--allow-private-webhooks")).toBeNull();
  expect(hook.received).toHaveLength(2);
  for (const flags of [["--no-allow-private-webhooks"], ["--host", "0.0.0.0"]])
    expect(await error(...flags)).toContain("allow it with --allow-private-webhooks");
  expect(hook.received).toHaveLength(2);
});

test("a person is told where the documents and the tools are, at the start and later", async () => {
  const { command, serve } = installed();
  const { printed } = await serve(["emulator", "start", "--memory", "--port", "0", ...empty, "-o", "table"]);
  const url = /^Public API +(\S+)$/m.exec(printed)?.[1];
  expect(printed).toMatch(new RegExp(`^MCP +${url?.replace("/api/v1", "/mcp")}$`, "m"));
  expect(printed).toMatch(new RegExp(`^Documentation +${url}/docs$`, "m"));
  expect(printed).toMatch(new RegExp(`^OpenAPI +${url}/openapi.json$`, "m"));
  const status = JSON.parse((await command(["emulator", "status", "-o", "json"])).stdout);
  for (const address of [status.docs_url, status.openapi_url])
    expect((await fetch(address)).status).toBe(200);
  expect(status.mcp_url).toBe(url?.replace("/api/v1", "/mcp"));
});

test("a world in memory starts where nothing can be written, and says what does not work then", async () => {
  const { serve, command } = installed({ VOXCTL_DATA_DIR: "/dev/null/nowhere" });
  const { printed, end } = await serve([
    ...["emulator", "start", "--memory", "--port", "0", ...empty, "-o", "json"],
  ]);
  const { base_url, keys } = JSON.parse(printed);
  const headers = { authorization: `Bearer ${keys.admin}` };
  expect((await fetch(`${base_url}/ping`, { headers })).status).toBe(200);
  const ended = await end();
  expect(ended?.code).toBe(0);
  expect(ended?.stderr).toContain("won't find this one");
  const refused = await command(["emulator", "start", "--db", "/dev/null/world.db", "--port", "0"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("/dev/null");
  expect(refused.stderr).not.toContain("defect");
});
