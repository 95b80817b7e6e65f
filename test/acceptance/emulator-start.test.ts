import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  createInstalledCli,
  emptySeed,
  startServer,
  startServerInProcess,
} from "../helpers/installed-cli.js";
import { startWebhookServer } from "../helpers/webhook-server.js";

test("`emulator start` prints its addresses and keys", async () => {
  const { child, line, data } = await startServer(...emptySeed);
  expect(Object.keys(line)).toEqual(
    "url base_url distributor_v1_url distributor_v2_url legacy_url mcp_url control_url control_token organization_id keys db pid".split(
      " ",
    ),
  );
  const response = await fetch(`${line.base_url}/ping`, {
    headers: { authorization: `Bearer ${line.keys.viewer}` },
  });
  expect(response.status).toBe(200);
  expect(line.pid).toBe(child.pid);
  for (const file of ["offline.db", "offline.db.key", "offline.db.server.json", "offline.db.lock"]) {
    expect(statSync(join(data, file)).mode & 0o777, file).toBe(0o600);
  }
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(existsSync(join(data, "offline.db.server.json"))).toBe(false);

  const second = await startServerInProcess(...emptySeed);
  expect(existsSync(join(second.data, "offline.db.server.json"))).toBe(true);
  expect((await second.end("SIGINT"))?.code).toBe(0);
  expect(existsSync(join(second.data, "offline.db.server.json"))).toBe(false);
});

test("commands with `--profile offline` use a running server", async () => {
  const { command, line } = await startServerInProcess(...emptySeed);
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

test("an offline command advances the server's virtual clock instead of waiting", async () => {
  const { command, line } = await startServerInProcess(
    "--clock",
    "virtual",
    "--limits",
    "write=2",
    ...emptySeed,
  );
  const now = async () =>
    Date.parse(JSON.parse((await command(["emulator", "clock", "-o", "json"])).stdout).now);
  const before = await now();
  const rows = Array.from({ length: 5 }, (_, index) => `Name ${index},+49301000000${index}`).join("\n");
  const imported = await command(
    ["contacts", "import", "-", "--group", "New", "--create-group", "--profile", "offline", "-o", "json"],
    `first_name,phone\n${rows}\n`,
  );
  expect(imported.code).toBe(0);
  expect(JSON.parse(imported.stdout)).toMatchObject({ created: 5, rate_limited: 0 });
  // At a limit of two per minute, six writes take at least two minutes.
  expect((await now()) - before).toBeGreaterThanOrEqual(120_000);
  expect(line.url).toContain("127.0.0.1");
});

test("`emulator start` refuses a database or port in use and names it", async () => {
  const { command, line } = await startServerInProcess(...emptySeed);
  const second = await command(["emulator", "start", "--port", "0"]);
  expect(second).toMatchObject({ code: 12, stdout: "" });
  expect(second.stderr).toContain("is in use by the emulator at");
  const port = new URL(line.url).port;
  const refused = await command(["emulator", "start", "--db", ":memory:", "--port", port]);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain(`port ${port}`);
});

test("`emulator stop` ends the server through a request, not a signal", async () => {
  const { serve, command } = createInstalledCli();
  const { end } = await serve([
    "emulator",
    "start",
    "--db",
    ":memory:",
    "--port",
    "0",
    ...emptySeed,
    "-o",
    "json",
  ]);
  // The server runs in this process, so a signal would end the tests.
  expect(await command(["emulator", "stop"])).toMatchObject({ code: 0 });
  expect(await end()).toMatchObject({ code: 0, stderr: expect.stringContaining("Stopping the emulator…") });
});

test("`emulator start` refuses conflicting or invalid options and names them", async () => {
  const { command } = createInstalledCli();
  const cases: [string[], string][] = [
    [["--port", "x"], "--port"],
    [["--limits", "reads=5"], "--limits"],
    [["--db", "nowhere/x.db"], "invalid --db: directory"],
    [
      ["--limits", "write=0", "--port", "x"],
      "--limits write=0: every request in this bucket will be rejected",
    ],
    [["--clock", "yesterday"], "--clock"],
    [["--clock", "1969-07-20T20:17:40Z"], "--clock"],
    [["--clock", "2101-01-01T00:00:00Z"], "--clock"],
    [["--seed", "full"], "--seed"],
    [["--db", ":memory:", "--host", ""], "--host"],
    [["--db", ":memory:", "--port", "0", "--host", "203.0.113.7"], "203.0.113.7"],
    [["--db", ":memory:", "--port", "0", "--host", "nowhere.invalid"], "nowhere.invalid"],
  ];
  for (const [flags, named] of cases) {
    const refused = await command(["emulator", "start", ...flags]);
    expect(refused, flags.join(" ")).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(named);
  }
});

test("`emulator start` names the flags that it ignores because the database already has data", async () => {
  const { serve } = createInstalledCli();
  const start = ["emulator", "start", "--db", "f.db", "--port", "0", "-o", "json"];
  const first = await serve([...start, ...emptySeed, "--random-seed", "3"]);
  expect((await first.end())?.stderr).not.toContain("ignored");
  const time = "2030-01-01T00:00:00Z";
  const again = await serve([...start, "--seed", "demo", "--random-seed", "9", "--clock", time]);
  expect((await again.end())?.stderr).toMatch(
    /^--seed, --random-seed, --clock 2030-01-01T00:00:00Z ignored: \S+f\.db already has data;/,
  );
  const plain = await serve([...start, "--clock", "virtual"]);
  expect((await plain.end())?.stderr).not.toContain("ignored");
});

test("[public.events.2] --host and --allow-private-webhooks control webhooks to private IPs", async () => {
  const hook = await startWebhookServer();
  hook.answer = (response) => response.end("Frau Sommer");
  const error = async (...flags: string[]) => {
    const { line } = await startServerInProcess("--db", ":memory:", ...flags);
    const ask = async (method: string, url: string, key: string, body?: object) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const response = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      return JSON.parse(await response.text()).data;
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
    expect(await error(...flags)).toContain("to allow it, use --allow-private-webhooks");
  expect(hook.received).toHaveLength(2);
});

test("`emulator start` and `status` print the URLs of MCP, OpenAPI and the documentation", async () => {
  const { command, serve } = createInstalledCli();
  const { printed } = await serve([
    "emulator",
    "start",
    "--db",
    ":memory:",
    "--port",
    "0",
    ...emptySeed,
    "-o",
    "table",
  ]);
  const url = /^Public API +(\S+)$/m.exec(printed)?.[1];
  expect(printed).toMatch(new RegExp(`^MCP +${url?.replace("/api/v1", "/mcp")}$`, "m"));
  expect(printed).toMatch(new RegExp(`^Documentation +${url}/docs$`, "m"));
  expect(printed).toMatch(new RegExp(`^OpenAPI +${url}/openapi.json$`, "m"));
  const status = JSON.parse((await command(["emulator", "status", "-o", "json"])).stdout);
  for (const address of [status.docs_url, status.openapi_url])
    expect((await fetch(address)).status).toBe(200);
  expect(status.mcp_url).toBe(url?.replace("/api/v1", "/mcp"));
});

test("an in-memory emulator starts without a writable data directory, with a warning", async () => {
  const { serve, command } = createInstalledCli({ VOXCTL_DATA_DIR: "/dev/null/nowhere" });
  const { printed, end } = await serve([
    ...["emulator", "start", "--db", ":memory:", "--port", "0", ...emptySeed, "-o", "json"],
  ]);
  const { base_url, keys } = JSON.parse(printed);
  const headers = { authorization: `Bearer ${keys.admin}` };
  expect((await fetch(`${base_url}/ping`, { headers })).status).toBe(200);
  const ended = await end();
  expect(ended?.code).toBe(0);
  expect(ended?.stderr).toContain("can't find this server");
  const refused = await command(["emulator", "start", "--db", "/dev/null/world.db", "--port", "0"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("/dev/null");
  expect(refused.stderr).not.toContain("bug in voxctl");
});
