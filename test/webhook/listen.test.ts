import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import type { TestIo } from "../helpers/cli.js";
import { attachedOf, post, sendRaw, shell, startListening } from "./receiving.js";

const call = JSON.stringify({
  call_id: "65f1a0b2c3d4e5f601234568",
  from: "+4915112345678",
  to: "+4930123456",
});
const lines = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

describe("webhook listen", () => {
  test("`webhook listen` responds with {}, and exits with code 0 on Ctrl-C", async () => {
    const receiver = await startListening(shell(), []);
    expect(await post(receiver.url, call)).toEqual({ status: 200, body: "{}" });
    const { code, stdout, stderr } = await receiver.stop();
    expect(code).toBe(0);
    expect(lines(stdout)).toMatchObject([
      {
        number: 1,
        request: { method: "POST", path: "/", body: expect.stringContaining("65f1a0b2c3d4e5f601234568") },
        answer: { status: 200 },
        from: "default",
      },
    ]);
    expect(stderr).toContain("1 request");
    // Only captures contain complete phone numbers.
    expect(stdout).not.toContain("+4915112345678");
  });

  test("`webhook listen` receives a call from `emulator incoming-call` when attached", async () => {
    const line = shell();
    const receiver = await startListening(line, ["--attach", "Empfang", "--yes", "--max=1", "-o", "table"]);
    await attachedOf(receiver.stderr);
    const flags = ["--assistant", "Empfang", "--from", "+4915112345678", "-o", "json"];
    const call = await line.run("emulator", "incoming-call", ...flags);
    expect(call.json.webhook).toMatchObject({ error: null });
    const { code, stdout } = await receiver.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^\d\d:\d\d:\d\d {2}POST \/ {2}from \+49…678 {2}auth not checked {2}→ 200 {2}2 bytes/,
    );
  });

  test("`webhook listen` accepts inline JSON for --answer", async () => {
    const receiver = await startListening(shell(), ["--answer", '{"name":"Anna"}', "--max=1"]);
    expect(await post(receiver.url, call)).toEqual({ status: 200, body: '{"name":"Anna"}' });
    expect((await receiver.ended).code).toBe(0);
    const invalid = await shell().run("webhook", "listen", "--port", "0", "--answer", "{name");
    expect([invalid.code, invalid.stderr]).toEqual([2, expect.stringContaining("invalid --answer")]);
  });

  test.each([
    ["bearer", ["--auth", "bearer"], "Bearer s3cret-value", "Bearer s3cret-valuf"],
    ["bearer in another case", ["--auth", "bearer"], "bEARER s3cret-value", "Bearer"],
    [
      "basic",
      ["--auth", "basic", "--username", "praxis"],
      `Basic ${btoa("praxis:s3cret-value")}`,
      `Basic ${btoa("praxis:")}`,
    ],
    [
      "another scheme",
      ["--auth", "basic", "--username", "praxis"],
      `Basic ${btoa("praxis:s3cret-value")}`,
      "Bearer s3cret-value",
    ],
  ])("the check of %s returns 401 for wrong, missing and repeated values", async (_, flags, right, wrong) => {
    const env = { HOOK: "s3cret-value" };
    const receiver = await startListening(shell({ env }), [...flags, "--secret", "env:HOOK"]);
    const statusWith = async (...headers: string[]) => (await post(receiver.url, call, headers)).status;
    expect(await statusWith("Authorization", right)).toBe(200);
    expect(await statusWith("Authorization", wrong)).toBe(401);
    expect(await statusWith()).toBe(401);
    expect(await statusWith("Authorization", right, "Authorization", right)).toBe(401);
    const { stdout } = await receiver.stop();
    expect(stdout).not.toContain("s3cret-value");
    expect(stdout).not.toContain(btoa("praxis:s3cret-value"));
  });

  test("`webhook listen` checks the API key, and the headers of --expect-header", async () => {
    const env = { HOOK: "s3cret-value" };
    const flags = [
      "--auth",
      "api_key",
      "--header-name",
      "X-Hook",
      "--secret",
      "env:HOOK",
      "--expect-header",
      "X-Site=Berlin",
    ];
    const receiver = await startListening(shell({ env }), flags);
    const statusWith = async (...headers: string[]) => (await post(receiver.url, call, headers)).status;
    expect(await statusWith("x-hook", "s3cret-value", "x-site", "Berlin")).toBe(200);
    expect(await statusWith("x-hook", "s3cret-value", "x-site", "Wien")).toBe(400);
    expect(await statusWith("x-hook", "other", "x-site", "Berlin")).toBe(401);
    const { stdout } = await receiver.stop();
    expect(stdout).not.toContain("s3cret-value");
  });

  test("--exit-on-failure exits with code 11 at the first failed check", async () => {
    const env = { HOOK: "s3cret-value" };
    const flags = ["--auth", "bearer", "--secret", "env:HOOK", "--exit-on-failure"];
    const receiver = await startListening(shell({ env }), flags);
    expect((await post(receiver.url, call)).status).toBe(401);
    const { code, stderr } = await receiver.ended;
    expect(code).toBe(11);
    expect(stderr).toContain("1 request, 1 failed a check");
  });

  test("`webhook listen` responds to pending requests immediately when it stops", async () => {
    let arrived = 0;
    let allArrived = () => {};
    const all = new Promise<void>((resolve) => {
      allArrived = resolve;
    });
    const silent = createServer(() => {
      arrived += 1;
      if (arrived === 3) allArrived();
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void silent.close().closeAllConnections());
    const target = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const receiver = await startListening(shell(), ["--forward", target]);
    const pending = Promise.all(["1", "2", "3"].map((body) => post(receiver.url, body)));
    await all;
    const { code, stderr } = await receiver.stop();
    expect((await pending).map(({ status }) => status)).toEqual([502, 502, 502]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("3 requests")]);
  });

  test("`webhook listen` refuses a secret on the command line and doesn't print it", async () => {
    const { code, stderr } = await shell().run(
      "webhook",
      "listen",
      "--port",
      "0",
      "--auth",
      "bearer",
      "--secret",
      "hunter2hunter2",
    );
    expect(code).toBe(2);
    expect(stderr).toContain("env:VARIABLE");
    expect(stderr).not.toContain("hunter2");
  });

  test("`webhook listen` uses the first matching response rule", async () => {
    const cli = shell();
    writeFileSync(
      join(cli.home, "rules.yaml"),
      `version: 1
rules:
  - when: { body.from: "+4915112345678", header.X-Site: /^ber/i }
    answer: { json: { caller: "{{body.from}}", count: "{{body.count}}", text: "Anruf {{seq}} an {{body.to}}", none: "{{body.nobody}}" } }
  - when: { query.v: "2" }
    answer: { status: 404, text: "{{path}}" }
default: { status: 202, json: { name: null } }
`,
    );
    const receiver = await startListening(cli, ["--rules", "rules.yaml"]);
    const body = JSON.stringify({ from: "+4915112345678", to: "+4930123456", count: 2 });
    const first = await post(receiver.url, body, ["X-Site", "Berlin"]);
    expect(JSON.parse(first.body)).toEqual({
      caller: "+4915112345678",
      count: 2,
      text: "Anruf 1 an +4930123456",
      none: null,
    });
    expect(await post(`${receiver.url}/hook?v=2`, body)).toEqual({ status: 404, body: "/hook" });
    expect(await post(receiver.url, "no json")).toEqual({ status: 202, body: '{"name":null}' });
    const documents = lines((await receiver.stop()).stdout);
    expect(documents.map(({ from }) => from)).toEqual(["rule 1", "rule 2", "default"]);
    expect(documents[0].warnings).toEqual(["{{body.nobody}} has no value in this request"]);
  });

  test("a response rule whose pattern is too slow causes a 500 and a warning", async () => {
    const cli = shell();
    writeFileSync(
      join(cli.home, "rules.yaml"),
      "version: 1\nrules: [{ when: { body.name: /(a+)+$/ }, answer: { status: 204 } }]\n",
    );
    const receiver = await startListening(cli, ["--rules", "rules.yaml"]);
    const { status } = await post(receiver.url, JSON.stringify({ name: `${"a".repeat(40)}!` }));
    expect(status).toBe(500);
    const [document] = lines((await receiver.stop()).stdout);
    expect(document.warnings).toContain("rules: /(a+)+$/ needs more than 1 s");
  });

  test("`webhook listen` reports every error in a rules file with its line before it listens", async () => {
    const { run, home } = shell();
    writeFileSync(
      join(home, "rules.yaml"),
      `version: 1\nrules:\n  - when: { form: x }\n    answer: { statsu: 200 }\n`,
    );
    const { code, stderr } = await run("webhook", "listen", "--port", "0", "--rules", "rules.yaml");
    expect(code).toBe(2);
    expect(stderr).toContain("must be path, method, body.…, header.… or query.… (line 3)");
    expect(stderr).toContain("did you mean status? (line 4)");
  });

  test("`webhook listen` refuses a header value that HTTP can't transmit", async () => {
    const { run, home } = shell();
    const rules = "version: 1\ndefault: { headers: { X-City: Zürich, X-Name: Łódź } }\n";
    writeFileSync(join(home, "rules.yaml"), rules);
    const { code, stderr } = await run("webhook", "listen", "--port", "0", "--rules", "rules.yaml");
    expect([code, stderr]).toEqual([2, expect.stringContaining("headers.X-Name")]);
    expect(stderr).not.toContain("X-City");
  });

  test("`webhook listen` reloads changed response rules unless they are invalid", async () => {
    const cli = shell();
    const file = join(cli.home, "rules.yaml");
    const rules = (name: string) => `version: 1\ndefault: { json: { name: ${name} } }\n`;
    const write = (text: string) => {
      writeFileSync(file, text);
      // The receiver doesn't read a recent file, because it may be incomplete.
      utimesSync(file, new Date(0), new Date(0));
    };
    write(rules("Anna"));
    const receiver = await startListening(cli, ["--rules", "rules.yaml"]);
    const name = async () => JSON.parse((await post(receiver.url, call)).body).name;
    expect(await name()).toBe("Anna");
    write(rules("Berta"));
    expect(await name()).toBe("Berta");
    write("version: 1\ndefault: { jsn: {} }\n");
    expect(await name()).toBe("Berta");
    writeFileSync(file, rules("Carla"));
    const soon = new Date(Date.now() + 60_000);
    utimesSync(file, soon, soon);
    expect(await name()).toBe("Berta");
    const { stderr } = await receiver.stop();
    expect(stderr).toContain("keeping the previous rules");
  });

  test.each([
    ["status=503", 503],
    ["garbage", 200],
  ])("`webhook listen --fail` causes the fault %s", async (fault, status) => {
    const receiver = await startListening(shell(), ["--fail", `${fault}:2`]);
    expect((await post(receiver.url, call)).body).toBe("{}");
    const second = await post(receiver.url, call);
    expect(second.status).toBe(status);
    expect(second.body).not.toBe("{}");
    await receiver.stop();
  });

  test("`webhook listen --fail drop` drops the connection", async () => {
    const receiver = await startListening(shell(), ["--fail", "drop"]);
    await expect(post(receiver.url, call)).rejects.toThrow(/hang up|reset/);
    expect(lines((await receiver.stop()).stdout)).toMatchObject([{ answer: null, from: "fail: drop" }]);
  });

  test("`webhook listen` forwards a request and returns the response unchanged", async () => {
    const got: { path: string | undefined; headers: string[]; body: string }[] = [];
    const target = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      got.push({
        path: request.url,
        headers: request.rawHeaders,
        body: Buffer.concat(chunks).toString("latin1"),
      });
      response.writeHead(207, { "X-Answer": "Grüße".normalize("NFD").replace(/[^a-zA-Z]/g, "") });
      response.end("weitergereicht");
    });
    await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void target.close());
    const { port } = target.address() as AddressInfo;
    const receiver = await startListening(shell(), ["--forward", `http://127.0.0.1:${port}/base`]);
    const body = '{ "from" :\t"ä"}';
    expect(await post(`${receiver.url}/hook?a=1&a=2`, body, ["X-ONE", "1", "x-one", "2"])).toEqual({
      status: 207,
      body: "weitergereicht",
    });
    await receiver.stop();
    expect(got[0]?.path).toBe("/base/hook?a=1&a=2");
    expect(got[0]?.body).toBe(Buffer.from(body).toString("latin1"));
    expect(got[0]?.headers.join("|")).toContain("X-ONE|1|x-one|2");
  });

  test("`webhook listen` reports an unreachable target of --forward", async () => {
    const receiver = await startListening(shell(), ["--forward", "http://127.0.0.1:1/"]);
    expect((await post(receiver.url, call)).status).toBe(502);
    expect(lines((await receiver.stop()).stdout)[0].warnings[0]).toContain("127.0.0.1:1 did not respond");
  });

  test("`webhook listen` warns about responses that would harm real calls", async () => {
    const cli = shell();
    writeFileSync(join(cli.home, "long.txt"), `@preCallData ${"x".repeat(40_000)}`);
    const receiver = await startListening(cli, ["--answer", "long.txt", "--status", "301"]);
    await post(receiver.url, call);
    const [document] = lines((await receiver.stop()).stdout);
    expect(document.warnings.join("\n")).toMatch(
      /39 KiB[\s\S]*301: redirects[\s\S]*placeholder @preCallData/,
    );
  });

  test("`webhook listen` saves captures without secrets in private files", async () => {
    const cli = shell({ env: { HOOK: "s3cret-value" } });
    const receiver = await startListening(cli, [
      "--auth",
      "bearer",
      "--secret",
      "env:HOOK",
      "--record",
      "requests",
    ]);
    const body = JSON.stringify({ call_id: "65f1a0b2c3d4e5f601234568", note: "s3cret-value" });
    await post(`${receiver.url}/?token=s3cret-value`, body, [
      "Authorization",
      "Bearer s3cret-value",
      "Cookie",
      "a=1",
    ]);
    await post(receiver.url, '{"call_id":"../../evil"}', ["Authorization", "Bearer s3cret-value"]);
    await receiver.stop();
    const folder = join(cli.home, "requests");
    expect(readdirSync(folder).sort()).toEqual(["0001-65f1a0b2c3d4e5f601234568.json", "0002-request.json"]);
    const file = join(folder, "0001-65f1a0b2c3d4e5f601234568.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain("s3cret-value");
    expect(text).not.toContain(Buffer.from("s3cret-value").toString("base64").slice(1, 14));
    expect(JSON.parse(text)).toMatchObject({
      version: 1,
      request: {
        body_masked: true,
        headers: expect.arrayContaining([
          ["Authorization", { $masked: "authorization" }],
          ["Cookie", { $masked: "cookie" }],
        ]),
      },
    });
  });

  test("`webhook listen` masks a secret with umlauts in bodies and headers of captures", async () => {
    const cli = shell({ env: { HOOK: "geheim-äöü-wort" } });
    const flags = ["--auth", "api_key", "--secret", "env:HOOK", "--record", "requests"];
    const receiver = await startListening(cli, flags);
    await post(receiver.url, '{"note":"über geheim-äöü-wort"}', ["X-Other", "a geheim-äöü-wort"]);
    const { stdout } = await receiver.stop();
    const [file = ""] = readdirSync(join(cli.home, "requests"));
    const text = readFileSync(join(cli.home, "requests", file), "utf8");
    const { request } = JSON.parse(text);
    expect(request).toMatchObject({ body_masked: true, body_text: '{"note":"über ***"}' });
    expect(Buffer.from(request.body_base64, "base64").toString()).toBe('{"note":"über ***"}');
    expect(request.headers).toContainEqual(["X-Other", "a ***"]);
    for (const shown of [text, stdout]) expect(shown).not.toContain("geheim");
  });

  test("two `webhook listen --record` processes with one directory overwrite no captures", async () => {
    const cli = shell();
    const [one, two] = [
      await startListening(cli, ["--record", "requests"]),
      await startListening(cli, ["--record", "requests"]),
    ];
    for (const { url } of [one, two, two, one]) await post(url, "{}");
    await Promise.all([one.stop(), two.stop()]);
    expect(readdirSync(join(cli.home, "requests"))).toHaveLength(4);
  });

  test("`webhook listen` masks phone numbers in printed headers of responses", async () => {
    const cli = shell();
    const rules = "version: 1\nrules: []\ndefault: { json: {}, headers: { X-Caller: '+4915112345678' } }\n";
    writeFileSync(join(cli.home, "rules.yaml"), rules);
    const receiver = await startListening(cli, ["--rules", "rules.yaml"]);
    await post(receiver.url, "{}");
    const [{ answer }] = lines((await receiver.stop()).stdout);
    expect(answer.headers).toContainEqual(["X-Caller", "+49…678"]);
  });

  test("`webhook listen` masks secrets from a URL's query", async () => {
    const cli = shell();
    const receiver = await startListening(cli, ["--record", "requests"]);
    await post(`${receiver.url}/hook?token=SECRETSIX&%61pi_key=SECRETSEVEN&site=Berlin`, "{}");
    const { stdout } = await receiver.stop();
    const [file = ""] = readdirSync(join(cli.home, "requests"));
    for (const text of [stdout, readFileSync(join(cli.home, "requests", file), "utf8")]) {
      expect(text).toContain("site=Berlin");
      expect(text).not.toMatch(/SECRETSIX|SECRETSEVEN/);
    }
  });

  test("`webhook listen` refuses an unwritable directory before the first request", async () => {
    const { run, home } = shell();
    writeFileSync(join(home, "file"), "");
    for (const parent of ["file", "/proc/voxctl"]) {
      const { code, stderr } = await run("webhook", "listen", "--port", "0", "--record", parent);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`--record: ${parent}`)]);
    }
  });

  test("`webhook listen` responds even if captures can't be saved", async () => {
    const cli = shell();
    const receiver = await startListening(cli, ["--record", "requests", "--max", "2"]);
    rmSync(join(cli.home, "requests"), { recursive: true });
    writeFileSync(join(cli.home, "requests"), "");
    expect(await post(receiver.url, call)).toEqual({ status: 200, body: "{}" });
    expect((await post(receiver.url, call)).status).toBe(200);
    const { code, stderr } = await receiver.ended;
    expect(code).toBe(0);
    expect(stderr.match(/can't save captures/g)).toHaveLength(1);
    expect(stderr).toContain("2 requests, 2 not saved");
  });

  test("`webhook listen` still responds, and then stops, if its output can't be written", async () => {
    let fail = () => {};
    const before = (io: TestIo) => {
      io.stdout._write = (_chunk, _encoding, done) => {
        fail = () => done(Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" }));
      };
    };
    const receiver = await startListening(shell(), [], { before });
    expect(await post(receiver.url, call)).toEqual({ status: 200, body: "{}" });
    fail();
    const { code, stderr } = await receiver.ended;
    expect([code, stderr]).toEqual([9, expect.stringContaining("no space left")]);
  });

  test("`webhook listen --once` stops after a refused body over 1 MiB", async () => {
    const receiver = await startListening(shell(), ["--once", "--exit-on-failure"]);
    expect((await post(receiver.url, "x".repeat(1_048_577))).status).toBe(413);
    const { code, stderr } = await receiver.ended;
    expect(code).toBe(11);
    expect(stderr).toContain("1 request, 1 failed a check");
  });

  test("`webhook listen` returns 413 for a body over 1 MiB and reports the request", async () => {
    const receiver = await startListening(shell(), []);
    expect(await post(receiver.url, "x".repeat((1 << 20) + 1)).catch(() => ({ status: 413 }))).toMatchObject({
      status: 413,
    });
    expect((await receiver.stop()).stderr).toMatch(/refused a body over 1 MiB[\s\S]*1 request, 1 failed/);
  });

  test("`webhook listen` refuses a port in use and an unprotected public address", async () => {
    const receiver = await startListening(shell(), []);
    const { port } = new URL(receiver.url);
    const taken = await shell().run("webhook", "listen", "--port", port);
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining("use --port 0")]);
    await receiver.stop();
    const open = await shell().run("webhook", "listen", "--host", "0.0.0.0", "--port", "0");
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining("--auth")]);
  });

  test("`webhook listen` keeps running after it receives arbitrary bytes", async () => {
    const receiver = await startListening(shell(), []);
    const hostile = fc.sample(fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.string({ maxLength: 80 })), {
      numRuns: process.env["PROOF"] === undefined ? 15 : 4_000,
      seed: 7,
    });
    for (const bytes of hostile) await sendRaw(receiver.url, Buffer.from(bytes));
    for (const body of ["", "null", "[]", '"x"', '{"call_id":{}}', "\u0000"]) await post(receiver.url, body);
    expect((await post(receiver.url, call)).status).toBe(200);
    expect((await receiver.stop()).code).toBe(0);
  });
});
