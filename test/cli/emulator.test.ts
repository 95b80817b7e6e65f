import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock, withSleep } from "../../src/base/clock.js";
import { registerEmulator } from "../../src/features/emulate/registry.js";
import { commandLine, type TestIo } from "../helpers/cli.js";
import { copyOfflineDatabase, openSeededEmulator } from "../helpers/templates.js";
import { startWebhookServer } from "../helpers/webhook-server.js";

async function offline() {
  const person = commandLine();
  await copyOfflineDatabase(person.data);
  const emulator = (...argv: string[]) => person.run("emulator", ...argv);
  return { ...person, emulator };
}

async function serveMemory(data: string) {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const server = await emulator.listen({ port: 0 });
  const line = { ...emulator.startLine, url: server.url, control_url: `${server.url}/_emulator` };
  const unregister = await registerEmulator({ data }, line);
  onTestFinished(async () => {
    unregister();
    await emulator.close();
  });
  return { emulator, server, line };
}

describe("the memory of a process", () => {
  test("`emulator start` limits the memory of its process, unlike an offline command", async () => {
    const { run, runWith } = commandLine();
    const works: string[] = [];
    const before = (io: TestIo) => {
      io.boundMemory = async (work) => {
        works.push(work);
        io.signal("SIGTERM");
      };
    };
    const clock = withSleep(systemClock(), async () => {});
    const served = await runWith(
      { before, overrides: { clock } },
      ...["emulator", "start", "--db", ":memory:", "--port", "0", "-o", "json"],
    );
    expect([served.code, served.json.url]).toEqual([0, expect.stringContaining("http://127.0.0.1:")]);
    await runWith({ before }, "contacts", "list", "--profile", "offline");
    expect(works).toEqual(["server"]);
    expect((await run("emulator", "status")).json.running).toBe(false);
  });
});

test("a bulk run limits the memory of its process", async () => {
  const { runWith } = commandLine();
  const works: string[] = [];
  const before = (io: TestIo) => {
    io.boundMemory = async (work) => void works.push(work);
  };
  const { json } = await runWith(
    { before, stdin: "Vorname;Nachname\nAnna;Weiß\n" },
    ...[
      "contacts",
      "import",
      "-",
      "--group",
      "Kunden",
      "--create-group",
      "--profile",
      "offline",
      "-o",
      "json",
    ],
  );
  expect([json.created, works]).toEqual([1, ["run"]]);
});

describe("`emulator explain` and coverage of API rules", () => {
  test("`explain` prints the text of an API rule, or suggestions for a mistyped ID", async () => {
    const { run, runWith } = commandLine();
    const json = await run("emulator", "explain", "public.operations.12f");
    expect(json.json).toEqual({
      id: "public.operations.12f",
      kind: "specified",
      text: expect.stringContaining("outbound_target_blocked"),
      refuses: true,
    });
    const text = await runWith({ terminal: 100 }, "emulator", "explain", "D-strict", "public.errors.4");
    expect(text.stdout).toMatch(
      /^D-strict \(assumed .*\)\nSending unknown .*\n\npublic\.errors\.4 \(specified/,
    );
    const wrong = await run("emulator", "explain", "D-srict");
    expect(wrong).toMatchObject({ code: 4, stdout: "" });
    expect(wrong.stderr).toContain("D-strict");
  });

  test("`emulator explain` lists all API rules, or those whose ID starts with the argument", async () => {
    const { run } = commandLine();
    const ids = async (...start: string[]) =>
      (await run("emulator", "explain", ...start)).json.map(({ id }: { id: string }) => id);
    expect((await ids()).length).toBeGreaterThan(230);
    expect(await ids("public.err")).toContain("public.errors.4");
    expect((await run("emulator", "explain", "public.err", "nothing")).code).toBe(4);
    expect(await ids("public.operations.11", "public.operations.11b", "public.operations.11c")).toEqual([
      "public.operations.11",
      "public.operations.11b",
      "public.operations.11c",
    ]);
  });

  test("[emulator.explain] for an error, --debug shows the ID and text of the API rule", async () => {
    const { run } = await offline();
    const unknown = "0123456789abcdef01234567";
    const failed = await run("contacts", "get", unknown, "--profile", "offline", "--debug");
    expect(failed.code).toBe(4);
    expect(failed.stderr).toMatch(
      /rule public\.errors\.4: Requesting another organization.s resource returns 404/,
    );
    const quiet = await run("contacts", "get", unknown, "--profile", "offline");
    expect(quiet.stderr).not.toContain("public.errors.4");
  });

  test("`control coverage.list` shows which API rules the requests have covered", async () => {
    const { run, emulator } = await offline();
    await run("contacts", "get", "0123456789abcdef01234567", "--profile", "offline");
    const { json } = await emulator("control", "coverage.list");
    const states = new Map(json.map((row: { rule: string; state: string }) => [row.rule, row.state]));
    expect(states.get("public.errors.4")).toBe("met");
    expect(states.get("public.operations.12f")).toBe("unmet");
  });
});

describe("emulator commands", () => {
  test("`snapshots restore` restores a saved state", async () => {
    const { run, runWith, emulator } = await offline();
    expect((await emulator("snapshots", "create", "vorher")).json.name).toBe("vorher");
    const created = await run(
      ...["groups", "create", "--type", "contacts", "--name", "Later", "--profile", "offline"],
    );
    expect(created.code).toBe(0);
    const refused = await emulator("snapshots", "restore", "vorher");
    expect(refused).toMatchObject({ code: 12, stdout: "" });
    expect((await emulator("snapshots", "restore", "vorher", "--yes")).code).toBe(0);
    expect((await run("groups", "get", "Later", "--profile", "offline")).code).toBe(4);
    expect((await emulator("snapshots", "create")).json.name).toBe("snapshot-2");
    expect((await emulator("snapshots", "create", "vorher")).code).toBe(6);
    expect((await emulator("control", "snapshots.list")).json).toHaveLength(2);
    const deleted = await emulator("control", "snapshots.delete", "vorher");
    expect(deleted.json).toEqual({ name: "vorher", deleted: true });
    expect((await emulator("control", "snapshots.delete", "vorher")).code).toBe(4);
    const table = await runWith({ terminal: 80 }, "emulator", "control", "snapshots.list");
    expect(table.stdout).toContain("snapshot-2");
  });

  test("`clock next` advances to the next event and prints the skipped time", async () => {
    const { run, emulator } = await offline();
    await emulator("clock", "--mode", "virtual");
    await emulator("reset", "--seed", "empty", "--yes");
    const group = ["--group", "Default"];
    await run("knowledge", "create", ...group, "--name", "K", "--text", "T", "--profile", "offline");
    const before = Date.parse((await emulator("clock")).json.now);
    const moved = await emulator("clock", "next");
    expect(Date.parse(moved.json.now) - before).toBe(1_000);
    expect(moved.json.events).toEqual(["indexing_starts"]);
    expect(moved.stderr).toContain("1 s later: a knowledge item's indexing starts");
  });

  test.each([
    ["faults add drop_after --probability 2", "--probability: must be at most 1"],
    ["faults add drop_after --times 0", "--times: must be at least 1"],
    ["faults add drop_after --operation nope", "--operation: unknown operation"],
    ["faults add drop_after --expires 9999999d", "--expires: must be at most 36,600 days"],
    ["faults add delay --delay 2d", "--delay: must be at most 1 day"],
    ["faults add delay", "--delay: is required for a delay"],
    ["faults add drop_after --delay 5s", "--delay: is allowed only for a delay"],
    ["faults add nope", 'kind "nope": must be one of error_before, '],
    ["logs --status abc", "--status: must be a number"],
    ["clock 2020-01-01", 'change "2020-01-01": must not be before the clock\'s time'],
    ["clock --mode foo", 'invalid --mode "foo": expected one of real, virtual'],
    ["clock +90y", 'invalid change "90y": expected a duration'],
    ["clock +99999d", 'change "+99999d": must not be later than 2100-01-01'],
    ["clock 90s", 'invalid change "90s": expected +90s'],
    ["snapshots create ..", 'name "..": must not be'],
    ["start --allow-host emulator.test:1", 'invalid --allow-host "emulator.test:1": expected a host name'],
    ["keys create --kind distributor --role viewer", "--role: is not allowed"],
    ["keys create --name k --expires soon", "--expires: must be a time like"],
    ['control assistants.update Empfang --data {"blocked_numbers":["110"]}', "blocked_numbers"],
    ["control tables.rows groups --query limit=99999", "limit must be at most 1000"],
    ["control tables.row groups", 'unknown operation "tables.row"'],
    ["control requests.get", "missing argument: <id>"],
    ["control clock.get 1", "too many arguments"],
  ])("`emulator %s` is refused with the reason: %s", async (line, message) => {
    const { emulator } = await offline();
    const refused = await emulator(...line.split(" "), "-o", "table");
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(`error: ${message}`);
  });

  test("`clock` lists due events with counts, without advancing the clock", async () => {
    const { emulator } = await offline();
    expect((await emulator("clock")).json.due).toEqual([]);
    for (const from of ["+4915112345678", "+4915112345679"])
      await emulator("incoming-call", "--assistant", "Terminservice", "--from", from);
    expect((await emulator("clock")).json.due).toContainEqual({
      at: expect.any(String),
      event: "call_answered",
      text: "a call is answered",
      count: 2,
    });
  });

  test("`logs ID` shows one complete request", async () => {
    const { run, emulator } = await offline();
    for (const path of ["/contacts/65f1a0b2c3d4e5f601234568", "/contacts/65f1a0b2c3d4e5f601234569"])
      await run("api", "GET", path);
    await run("ping");
    const errors = await emulator("control", "requests.errors");
    expect(errors.json).toMatchObject([{ operation: "contacts.get", status: 404, count: 2 }]);
    const whole = await emulator("logs", String(errors.json[0].last_id));
    expect(whole.json).toMatchObject({ path: "/api/v1/contacts/65f1a0b2c3d4e5f601234569", status: 404 });
    expect(whole.json.request_headers.authorization).toBe("Bearer ***");
    expect((await emulator("logs", "99999")).code).toBe(4);
    expect((await emulator("logs", "1", "--status", "error")).code).toBe(2);
    const matches = await emulator("logs", "--status", "error", "--search", "/api/v1/");
    expect(matches.json).toHaveLength(2);
    expect((await emulator("control", "incomingCalls.list")).json).toEqual([]);
    const call = await emulator("incoming-call", "--assistant", "Terminservice", "--from", "+4915112345678");
    const shown = await emulator("control", "calls.get", call.json.call.id);
    expect(shown.json).toMatchObject({ assistant_name: "Terminservice", webhook: null });
    expect(shown.json.prompt).toContain("Termin");
  });

  test("`control` deletes a fault by ID", async () => {
    const { emulator } = await offline();
    const { id } = (await emulator("faults", "add", "error_before")).json;
    await emulator("faults", "add", "garbage");
    expect((await emulator("control", "faults.delete", id)).json).toEqual({ id, deleted: true });
    expect((await emulator("control", "faults.clear")).json).toEqual({ deleted: true, faults: 1 });
    expect((await emulator("control", "faults.clear")).json).toEqual({ deleted: true, faults: 0 });
  });

  test.each([
    ["1h30m", 5_400],
    ["1d12h", 129_600],
    ["1w", 604_800],
    ["1m30.5s", 90.5],
    ["1s250ms", 1.25],
    ["2m", 120],
    ["500ms", 0.5],
    ["90", 90],
    ["1.5", 1.5],
  ])("`emulator clock` advances the clock by %s", async (duration, seconds) => {
    const { emulator } = await offline();
    const now = async () => Date.parse((await emulator("clock")).json.now);
    await emulator("clock", "--mode", "virtual");
    const before = await now();
    await emulator("clock", `+${duration}`);
    expect((await now()) - before).toBe(seconds * 1_000);
  });

  test.each([
    ["2098-12-24", "2098-12-24T00:00:00.000Z"],
    ["2098-12-24 18:30", "2098-12-24T18:30:00.000Z"],
    ["2098-12-24T18:30:00+01:00", "2098-12-24T17:30:00.000Z"],
  ])("`emulator clock` moves the clock to %s", async (time, expected) => {
    const { emulator } = await offline();
    await emulator("clock", "--mode", "virtual");
    expect((await emulator("clock", time)).json.now).toBe(expected);
  });

  test.each([
    [12_000, "3 h 20 min ahead of"],
    [-216_000, "2.5 days behind"],
  ])(
    "`clock` and `status` show that the emulator's clock differs from real time by %s s",
    async (ahead_seconds, text) => {
      const { emulator, runWith } = await offline();
      const { now } = (await emulator("clock", "--mode", "virtual")).json;
      const real = Date.parse(now) - ahead_seconds * 1_000;
      const overrides = { clock: { now: () => real, sleep: async () => {} } };
      const note = `The emulator's clock is ${text} real time.\n`;
      const shown = await runWith({ overrides }, "emulator", "clock");
      expect([shown.json.ahead_seconds, shown.stderr]).toEqual([
        ahead_seconds,
        expect.stringContaining(note),
      ]);
      const status = await runWith({ overrides }, "emulator", "status");
      expect(status.json.clock).toEqual({ mode: "virtual", now, ahead_seconds });
      expect(status.stderr).toContain(note);
    },
  );

  test.each(["30m1h", "h", "1h 30m", "", ".", "1..5", "1h30"])(
    "`emulator clock` refuses %j as a duration",
    async (text) => {
      const { emulator } = await offline();
      expect((await emulator("clock", `+${text}`)).code).toBe(2);
    },
  );

  test("`faults add` refuses a fault that ends immediately", async () => {
    const { emulator, runWith } = await offline();
    await emulator("clock", "--mode", "virtual");
    await emulator("clock", "2090-01-01T00:00:00Z");
    const refused = await emulator("faults", "add", "error_before", "--expires", "0s", "-o", "table");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("--expires: must be at least one millisecond");
    await emulator("faults", "add", "error_before", "--expires", "10m");
    const table = await runWith({ terminal: 160 }, "emulator", "control", "faults.list");
    expect(table.stdout).toMatch(/EXPIRES/);
    expect(table.stdout).toContain("2090-01-01T00:10:00.000Z");
  });

  test("`faults add` refuses a path without an API prefix", async () => {
    const { emulator } = await offline();
    const bare = await emulator("faults", "add", "error_before", "--path", "/calls/*");
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining("--path /api/v1/calls/*")]);
    for (const path of ["/api/v1/calls/*", "/**", "**/calls", "/api/distributor/v2/**"])
      expect((await emulator("faults", "add", "error_before", "--path", path)).code, path).toBe(0);
  });

  test("a key's limits can be set, changed and removed", async () => {
    const { emulator } = await offline();
    const made = (
      await emulator("keys", "create", "--name", "Slow", "--limit", "write=3", "--limit", "read=9")
    ).json;
    expect(made.limits).toEqual({ write: 3, read: 9 });
    const update = (...flags: string[]) => emulator("keys", "update", made.id, ...flags);
    expect((await update("--limit", "write=5", "--expires", "2031-01-01T00:00:00Z")).json).toMatchObject({
      limits: { write: 5 },
      expires_at: "2031-01-01T00:00:00.000Z",
    });
    expect((await update("--limit", "none", "--expires", "never")).json).toMatchObject({
      limits: null,
      expires_at: null,
    });
    for (const status of ["revoked", "active"])
      expect((await update("--status", status)).json.status).toBe(status);
    expect((await update()).code).toBe(2);
    expect((await update("--limit", "colour=5")).code).toBe(2);
    expect((await emulator("keys", "update", "none", "--limit", "none")).code).toBe(4);
  });

  test("`emulator control` creates, changes and lists organizations and distributors by name", async () => {
    const { emulator } = await offline();
    const control = (call: string, ...more: string[]) => emulator("control", call, ...more);
    const data = '{"name":"Second","features":["public_api"]}';
    const made = (await control("organizations.create", "--data", data)).json;
    expect(made).toMatchObject({ name: "Second", features: ["public_api"], status: "active" });
    const change = '{"status":"blocked","number_pool":0,"features":[]}';
    const changed = (await control("organizations.update", "Second", "--data", change)).json;
    expect(changed).toMatchObject({ id: made.id, status: "blocked", features: [], number_pool: 0 });
    const names = (await control("organizations.list")).json.map(({ name }: { name: string }) => name);
    expect(names).toContain("Second");
    const reseller = await control("distributors.create", "--data", '{"name":"Reseller"}');
    expect(reseller.json.name).toBe("Reseller");
    expect((await control("distributors.list")).json).toHaveLength(2);
  });

  test("`emulator control` finds assistants by name, number or ID, in paths and bodies", async () => {
    const { emulator } = await offline();
    const [first] = (await emulator("control", "assistants.list")).json;
    const update = (assistant: string, data: string) =>
      emulator("control", "assistants.update", assistant, "--data", data);
    const block = '{"enterprise":true,"blocked_numbers":["+4930123456"]}';
    for (const named of [first.name, first.phone_number, first.id])
      expect((await update(named, block)).json).toMatchObject({ id: first.id, enterprise: true });
    const unknown = await update("Nobody", block);
    expect([unknown.code, unknown.stderr]).toEqual([4, expect.stringContaining("control assistants.list")]);

    const call = { assistant_id: first.name, duration_seconds: 7, recording: "wav" };
    const created = await emulator("control", "calls.create", "--data", JSON.stringify(call));
    expect(created.json).toMatchObject({
      assistant_id: first.id,
      duration_seconds: 7,
      recording: { available: true, content_type: "audio/wav" },
    });
  });

  test("`emulator control` creates and changes voices", async () => {
    const { emulator } = await offline();
    const old = '{"name":"Old","generation":"v1","selectable":false}';
    const voice = (await emulator("control", "voices.create", "--data", old)).json;
    expect(voice).toMatchObject({ name: "Old", generation: "v1", selectable: false });
    const update = ["control", "voices.update", voice.id, "--data", '{"selectable":true}'];
    expect((await emulator(...update)).json.selectable).toBe(true);
  });

  test("[public.events.2] `incoming-call` shows the webhook exchange without secrets", async () => {
    const hook = await startWebhookServer();
    hook.answer = (response) => response.end("Stammkunde");
    const { run, runWith, emulator } = await offline();
    const [assistant] = (await emulator("control", "assistants.list")).json;
    const flags = ["--url", hook.url, "--auth", "bearer", "--secret", "-", "--profile", "offline"];
    const set = await runWith(
      { stdin: "s3cret-token" },
      "assistants",
      "webhook",
      "set",
      assistant.id,
      ...flags,
    );
    expect(set.code, set.stderr).toBe(0);
    const incoming = () =>
      emulator("incoming-call", "--assistant", assistant.name, "--from", "+4915112345678");
    const received = await incoming();
    expect(received.json).toMatchObject({
      call: { direction: "inbound", from: "+4915112345678" },
      webhook: { response: { status: 200, body: "Stammkunde" }, error: null },
    });
    expect(hook.received[0]?.headers.authorization).toBe("Bearer s3cret-token");
    expect(received.stdout + received.stderr).not.toContain("s3cret-token");
    hook.close();
    const failed = await incoming();
    expect(failed.code).toBe(0);
    expect(failed.stderr).toContain("ECONNREFUSED");
    expect((await run("emulator", "incoming-call", "--from", "+49151123456")).code).toBe(2);
  });
});

describe("running emulators", () => {
  test("the hint for a missing database names the database file", async () => {
    const { code, stderr } = await commandLine().run("emulator", "logs", "--db", "none.db");
    expect([code, stderr]).toEqual([4, expect.stringMatching(/`voxctl emulator start --db \S*none\.db`/)]);
  });

  test("`emulator status` finds an in-memory emulator with and without --port", async () => {
    const { run, data } = commandLine();
    const { line } = await serveMemory(data);
    const { port } = new URL(line.url);
    for (const flags of [[], ["--port", port]]) {
      const status = await run("emulator", "status", ...flags);
      expect(status.json).toMatchObject({ running: true, url: line.url, pid: process.pid, db: ":memory:" });
    }
    const directory = join(data, "emulators");
    expect(readdirSync(directory)).toEqual([`${process.pid}.server.json`]);
    expect(statSync(join(directory, `${process.pid}.server.json`)).mode & 0o777).toBe(0o600);
    expect((await run("emulator", "status", "--port", "1")).code).toBe(4);
    expect((await run("emulator", "status", "--db", "x.db", "--port", port)).code).toBe(2);
    const reset = await run("emulator", "reset", "--seed", "empty", "--yes");
    expect(reset.json.organization_id).toMatch(/^[a-f0-9]{24}$/);
    expect((await run("emulator", "logs")).json).toEqual([]);
  });

  test("an emulator that fails to start leaves no files", async () => {
    const { run, data, home } = commandLine();
    const { line } = await serveMemory(data);
    const { port } = new URL(line.url);
    expect(await run("emulator", "start", "--db", join(home, "new.db"), "--port", port)).toMatchObject({
      code: 2,
    });
    const folder = await run("emulator", "start", "--db", home, "--port", "0");
    expect(folder.code).toBe(2);
    expect(folder.stderr).toContain(`${home} can't be used: it is a directory\n`);
    expect(readdirSync(home)).toEqual(["data"]);
  });

  test("the error for a port in use names the emulator that uses the port", async () => {
    const { run, data } = commandLine();
    const { line } = await serveMemory(data);
    const ours = await run("emulator", "start", "--db", ":memory:", "--port", new URL(line.url).port);
    expect(ours).toMatchObject({ code: 2, stdout: "" });
    expect(ours.stderr).toContain(`your emulator (process ${process.pid}, database :memory:)`);

    const otherServer = createServer((_, response) => response.end("{}"));
    await new Promise<void>((resolve) => otherServer.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void otherServer.close());
    const address = otherServer.address();
    const port = typeof address === "object" && address ? String(address.port) : "";
    const refused = await run("emulator", "start", "--db", ":memory:", "--port", port);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(`port ${port}`);
    expect(refused.stderr).not.toContain("your emulator");
  });

  test("a process that reuses a stopped emulator's ID or port is not treated as an emulator", async () => {
    const { run, data } = commandLine();
    const { line } = await serveMemory(data);
    // After a crash, another process may have the port and the process ID.
    const otherProcess = { ...line, pid: 1 };
    const unregister = await registerEmulator({ data }, otherProcess);
    onTestFinished(unregister);
    const staleEntry = { ...line, pid: 2_000_000_000, control_token: "another" };
    await registerEmulator({ data }, staleEntry);
    const status = await run("emulator", "status", "--port", new URL(line.url).port);
    expect(status.json.pid).toBe(process.pid);
    expect(readdirSync(join(data, "emulators")).sort()).toEqual(
      [`1.server.json`, `${process.pid}.server.json`].sort(),
    );
    expect(readFileSync(join(data, "emulators", "1.server.json"), "utf8")).toContain('"pid":1');
  });

  test("`emulator logs --follow` prints new requests until it is interrupted", async () => {
    const { runWith, data } = commandLine();
    const { emulator, line } = await serveMemory(data);
    const ask = (path: string) =>
      emulator.fetch(
        new Request(`${line.base_url}${path}`, { headers: { authorization: `Bearer ${line.keys.admin}` } }),
      );
    await ask("/ping");
    let printed = "";
    const before = (io: TestIo) => {
      io.stdout.on("data", (chunk: Buffer) => {
        printed += chunk;
        if (printed.includes("/ping") && !printed.includes("/groups")) void ask("/groups");
        if (printed.includes("/groups")) io.signal("SIGINT");
      });
    };
    const followed = await runWith({ before }, "emulator", "logs", "--follow");
    const rows = followed.stdout
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row));
    expect(rows.map(({ path }) => path)).toEqual(["/api/v1/ping", "/api/v1/groups"]);
    expect([followed.code, followed.stderr]).toEqual([130, `Emulator: ${line.url} (in memory)\n`]);
    const table = await runWith(
      {
        terminal: 120,
        before: (io) => void io.stdout.once("data", () => io.signal("SIGINT")),
      },
      ...["emulator", "logs", "--follow", "--limit", "1"],
    );
    expect(table.stdout).toMatch(/200 {2}GET {4}\/api\/v1\/groups {2}\d/);
    expect((await runWith({}, "emulator", "logs", "--follow", "-o", "json")).code).toBe(2);
  });
});
