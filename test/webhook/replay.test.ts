import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { post, shell, startListening } from "./receiving.js";

async function createReceiver(respond: () => string = () => "{}") {
  const got: string[] = [];
  const server = createServer((socket: Socket) => {
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      const [head = "", body] = text.split(/\r\n\r\n(.*)/s);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body === undefined || body.length < length) return;
      got.push(text);
      const json = respond();
      socket.end(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\nconnection: close\r\n\r\n${json}`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function withoutConnection(message: string) {
  const [head = "", body] = message.split(/\r\n\r\n(.*)/s);
  const lines = head.split("\r\n").filter((line) => !/^(?:host|content-length|connection):/i.test(line));
  return [...lines, body];
}

async function recorded(
  bodies: readonly string[],
  flags: readonly string[] = [],
  headers: readonly string[] = [],
) {
  const cli = shell({ env: { HOOK: "s3cret-value" } });
  const receiver = await startListening(cli, [
    "--record",
    "requests",
    "--answer",
    '{"name":"Anna","at":1}',
    ...flags,
  ]);
  for (const body of bodies) await post(`${receiver.url}/hook?a=%20&a`, body, headers);
  expect((await receiver.stop()).code).toBe(0);
  return cli;
}

describe("webhook replay", () => {
  test("`webhook replay` sends path, headers and body byte for byte as captured", async () => {
    // Generate any character; the library's own generator takes a second to start.
    const unit = fc
      .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
      .map((code) => String.fromCodePoint(code));
    const bodies = fc.sample(fc.oneof(fc.json(), fc.string({ unit })), { numRuns: 12, seed: 3 });
    const headers = [
      "Content-Type",
      "application/json",
      "X-ONE",
      "1 , 2",
      "x-one",
      "ü".normalize("NFC") === "ü" ? "3" : "",
      "X-empty",
      "",
    ];
    const { run } = await recorded(bodies, [], headers);
    const target = await createReceiver();
    const { code, json } = await run("webhook", "replay", "requests", "--to", target.url, "-o", "json");
    expect(code).toBe(0);
    expect(json).toHaveLength(bodies.length);
    const expected = bodies.map((body) => [
      "POST /hook?a=%20&a HTTP/1.1",
      "Content-Type: application/json",
      "X-ONE: 1 , 2",
      "x-one: 3",
      "X-empty: ",
      Buffer.from(body).toString("latin1"),
    ]);
    expect(target.got.map(withoutConnection)).toEqual(expected);
  });

  test("`webhook replay` adds omitted credentials at their original position", async () => {
    const flags = ["--auth", "bearer", "--secret", "env:HOOK"];
    const { run } = await recorded(["{}"], flags, [
      "A",
      "1",
      "Authorization",
      "Bearer s3cret-value",
      "B",
      "2",
    ]);
    const target = await createReceiver();
    await run("webhook", "replay", "requests", "--to", target.url);
    await run("webhook", "replay", "requests", "--to", target.url, ...flags);
    expect(target.got.map(withoutConnection).map((lines) => lines.slice(1, -1))).toEqual([
      ["A: 1", "B: 2"],
      ["A: 1", "Authorization: Bearer s3cret-value", "B: 2"],
    ]);
  });

  test("`webhook replay --compare` exits with code 11 if responses differ from the captured ones", async () => {
    const { run } = await recorded(["{}"]);
    const compare = async (responseText: string, ...flags: string[]) => {
      const target = await createReceiver(() => responseText);
      return run("webhook", "replay", "requests", "--to", target.url, "--compare", "-o", "json", ...flags);
    };
    expect((await compare('{ "at": 1, "name": "Anna" }')).code).toBe(0);
    expect((await compare('{"name":"Anna","at":2}', "--ignore", "at")).code).toBe(0);
    const differing = await compare('{"name":"Berta","at":1}');
    expect(differing.code).toBe(11);
    expect(differing.json).toMatchObject([{ difference: 'name: "Anna", now "Berta"' }]);
  });

  test("`webhook replay --set` changes fields of JSON bodies", async () => {
    const { run } = await recorded(['{"from":"+4915112345678","n":{"a":[1,2]}}']);
    const target = await createReceiver();
    const set = ["--set", "body.from=+4930123456", "--set", "body.n.a.1=true"];
    expect((await run("webhook", "replay", "requests", "--to", target.url, ...set)).code).toBe(0);
    expect(withoutConnection(target.got[0] ?? "").at(-1)).toBe('{"from":"+4930123456","n":{"a":[1,true]}}');
  });

  test("`webhook replay --set` refuses a missing list entry before the first request", async () => {
    const { run } = await recorded(['{"n":[[1],[2]]}', '{"n":[[1]]}']);
    const target = await createReceiver();
    const replay = ["webhook", "replay", "requests", "--to", target.url, "--set"];
    for (const path of ["body.n.1.0", "body.n.0.x", "body.n.0.length"]) {
      const { code, stderr } = await run(...replay, `${path}=9`);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${path} does not exist: the list in`)]);
    }
    expect(target.got).toEqual([]);
  });

  test("`webhook replay --compare` compares all digits of a number", async () => {
    const cli = shell();
    const flags = ["--record", "requests", "--answer", '{"id":12345678901234567890}'];
    const receiver = await startListening(cli, flags);
    await post(receiver.url, "{}");
    await receiver.stop();
    const { run } = cli;
    const compare = async (id: string) => {
      const target = await createReceiver(() => `{ "id": ${id} }`);
      return run("webhook", "replay", "requests", "--to", target.url, "--compare", "-o", "json");
    };
    expect((await compare("12345678901234567890")).code).toBe(0);
    const { code, json } = await compare("12345678901234567891");
    expect([code, json[0].difference]).toEqual([11, "id: 12345678901234567890, now 12345678901234567891"]);
  });

  test("`webhook replay --set` keeps all digits of other numbers in the body", async () => {
    const { run } = await recorded(['{"id":12345678901234567890,"from":"a"}']);
    const target = await createReceiver();
    const set = ["--set", "body.from=b", "--set", "body.to=98765432109876543210"];
    expect((await run("webhook", "replay", "requests", "--to", target.url, ...set)).code).toBe(0);
    expect(withoutConnection(target.got[0] ?? "").at(-1)).toBe(
      '{"id":12345678901234567890,"from":"b","to":98765432109876543210}',
    );
  });

  test("`webhook replay --compare` masks a secret in a response", async () => {
    const { run } = await recorded(["{}"]);
    const { url } = await createReceiver(() => '{"name":"s3cret-value","at":1}');
    const flags = ["--auth", "bearer", "--secret", "env:HOOK", "--compare", "-o", "json"];
    const { code, stdout } = await run("webhook", "replay", "requests", "--to", url, ...flags);
    expect([code, stdout]).toEqual([11, expect.stringContaining('name: \\"Anna\\", now')]);
    expect(stdout).not.toContain("s3cret-value");
  });

  test("`webhook replay` refuses --ignore without --compare", async () => {
    const { run } = await recorded(["{}"]);
    const { code, stderr } = await run(
      "webhook",
      "replay",
      "requests",
      "--to",
      "http://127.0.0.1:1",
      "--ignore",
      "at",
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining("--ignore requires --compare")]);
  });

  test("`webhook replay` requires a confirmation to send to other machines", async () => {
    const { run } = await recorded(["{}"]);
    expect((await run("webhook", "replay", "requests")).code).toBe(2);
    const refused = await run("webhook", "replay", "requests", "--to", "https://hooks.example.com");
    expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining("--yes")]);
  });

  test("`webhook replay` exits with code 9 if no receiver is running", async () => {
    const { run, home } = await recorded(["{}"]);
    expect((await run("webhook", "replay", "requests", "--to", "http://127.0.0.1:1")).code).toBe(9);
    writeFileSync(join(home, "requests", "0002-broken.json"), '{"version":1,"at":"x"}');
    const broken = await run("webhook", "replay", "requests", "--to", "http://127.0.0.1:1");
    expect([broken.code, broken.stderr]).toEqual([
      2,
      expect.stringContaining("0002-broken.json is not a capture"),
    ]);
    expect((await run("webhook", "replay", "nothing", "--to", "http://127.0.0.1:1")).code).toBe(2);
  });
});

describe("webhook shape", () => {
  test("`webhook shape` infers a schema without values from captured bodies", async () => {
    const { run } = await recorded([
      '{"call_id":"65f1a0b2c3d4e5f601234568","from":"+4915112345678","n":1,"tags":["a"],"more":{"x":null}}',
      '{"call_id":"65f1a0b2c3d4e5f601234569","from":null,"n":1.5,"tags":[]}',
      "no json",
    ]);
    const { code, stdout, stderr, json } = await run("webhook", "shape", "requests", "-o", "json");
    expect(code).toBe(0);
    expect(stderr).toContain("skipped 1 capture");
    expect(json).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      description: "Inferred from 2 captured requests",
      type: "object",
      properties: {
        call_id: { type: "string", pattern: "^[a-f0-9]{24}$" },
        from: { type: ["null", "string"], pattern: "^\\+[1-9]\\d{6,14}$" },
        n: { type: "number" },
        tags: { type: "array", items: { type: "string" } },
        more: { type: "object", properties: { x: { type: "null" } }, required: ["x"] },
      },
      required: ["call_id", "from", "n", "tags"],
    });
    expect(stdout).not.toContain("4915112345678");
  });
});

describe("webhook send", () => {
  test("`webhook send` sends the same request as an incoming call in the emulator", async () => {
    const target = await createReceiver(() => '{"name":"Anna"}');
    const { run } = shell({ env: { HOOK: "s3cret-value" } });
    const flags = ["--auth", "bearer", "--secret", "env:HOOK", "--from", "+4930123456"];
    const { code, json } = await run("webhook", "send", `${target.url}/hook`, ...flags, "-o", "json");
    expect([code, json]).toMatchObject([0, { status: 200, body: '{"name":"Anna"}' }]);
    expect(target.got[0]).toMatch(/^POST \/hook HTTP/);
    expect(target.got[0]).toContain("Authorization: Bearer s3cret-value");
    expect(JSON.parse(target.got[0]?.split("\r\n\r\n")[1] ?? "")).toEqual({
      call_id: expect.stringMatching(/^[a-f0-9]{24}$/),
      assistant_id: expect.any(String),
      from: "+4930123456",
      to: null,
    });
  });

  test("`webhook send` waits for as long as --timeout allows, even for weeks", async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void silent.close());
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const { run } = shell();
    const { code, stderr } = await run("webhook", "send", url, "--timeout", "20ms");
    expect([code, stderr]).toEqual([9, expect.stringContaining("no response within 0.02 s")]);
    const target = await createReceiver();
    for (const weeks of ["5w", "10w"])
      expect((await run("webhook", "send", target.url, "--timeout", weeks)).code).toBe(0);
  });

  test("`webhook send` exits with code 11 if the response takes longer than 5 s", async () => {
    let now = 0;
    const overrides = { clock: { now: () => now, sleep: async () => {} } };
    const target = await createReceiver(() => {
      now += 6_000;
      return "{}";
    });
    const { code, stderr } = await shell({ overrides }).run("webhook", "send", target.url, "--timeout", "9s");
    expect([code, stderr]).toEqual([11, expect.stringContaining("the response took longer than 5 s")]);
  });

  test("`webhook send` exits with code 9 if no server runs", async () => {
    const { run } = shell();
    expect((await run("webhook", "send", "http://127.0.0.1:1")).code).toBe(9);
    const receiver = await startListening(shell(), ["--status", "500"]);
    expect((await run("webhook", "send", receiver.url)).code).toBe(11);
    await receiver.stop();
    expect((await run("webhook", "send")).code).toBe(2);
    expect((await run("webhook", "send", "ftp://x")).code).toBe(2);
  });
});
