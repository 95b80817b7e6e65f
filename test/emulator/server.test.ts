import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.js";
import { listen } from "../../src/emulator/server/server.js";
import { openTestEmulator, type TestEmulator } from "../helpers/test-emulator.js";

/** Whether to use the server's own timeouts, such as 10 s for headers. */
const whole = process.env["PROOF"] !== undefined;

/** `received` resolves with all received data when the connection is closed. */
function dial(emulator: TestEmulator): {
  socket: Socket;
  received: Promise<string>;
  sawBytes: Promise<void>;
} {
  const { port } = new URL(emulator.url);
  const socket = connect({ host: "127.0.0.1", port: Number(port), allowHalfOpen: true });
  let text = "";
  let saw: () => void = () => undefined;
  const sawBytes = new Promise<void>((resolve) => {
    saw = resolve;
  });
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    text += chunk;
    saw();
  });
  const received = new Promise<string>((resolve) => {
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(text));
  });
  return { socket, received, sawBytes };
}

/** Sends bytes and closes the client's side of the connection. Returns all received bytes. */
async function exchange(emulator: TestEmulator, bytes: string | Buffer): Promise<string> {
  const { socket, received } = dial(emulator);
  socket.end(bytes);
  return received;
}

function head(emulator: TestEmulator, line: string, ...more: string[]): string {
  const { host } = new URL(emulator.url);
  return [
    `${line} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${emulator.keys.admin}`,
    ...more,
    "",
    "",
  ].join("\r\n");
}

async function stillServes(emulator: TestEmulator): Promise<void> {
  expect((await emulator.ask("GET", "/ping")).status).toBe(200);
}

const close = "Connection: close";

it.each<[string, (emulator: TestEmulator) => string, number]>([
  ["bytes that are not HTTP", () => "hello there\r\n\r\n", 400],
  ["a header without a colon", (emulator) => head(emulator, "GET /api/v1/ping", "nonsense"), 400],
  ["a NUL in a header", (emulator) => head(emulator, "GET /api/v1/ping", "X-A: a\u0000b"), 400],
  [
    "two Content-Lengths",
    (emulator) => head(emulator, "POST /api/v1/groups", "Content-Length: 2", "Content-Length: 3"),
    400,
  ],
  ["headers of 40 kB", (emulator) => head(emulator, "GET /api/v1/ping", `X-A: ${"a".repeat(40_000)}`), 431],
  ["an invalid method", (emulator) => head(emulator, "FETCH /api/v1/ping", close), 400],
  [
    "no Host",
    (emulator) => `GET /api/v1/ping HTTP/1.1\r\nAuthorization: Bearer ${emulator.keys.admin}\r\n\r\n`,
    403,
  ],
  [
    "HTTP/1.0 without a Host",
    (emulator) => `GET /api/v1/ping HTTP/1.0\r\nAuthorization: Bearer ${emulator.keys.admin}\r\n\r\n`,
    403,
  ],
  [
    "an empty Host",
    (emulator) =>
      `GET /api/v1/ping HTTP/1.1\r\nHost:\r\nAuthorization: Bearer ${emulator.keys.admin}\r\n${close}\r\n\r\n`,
    403,
  ],
  [
    "an invalid chunk length",
    (emulator) =>
      `${head(emulator, "POST /api/v1/groups", "Content-Type: application/json", "Transfer-Encoding: chunked")}zz\r\n{}\r\n`,
    400,
  ],
  ["non-ASCII bytes in the path", (emulator) => head(emulator, "GET /api/v1/contacts/\u00e4", close), 400],
  ["a malformed escape in the path", (emulator) => head(emulator, "GET /api/v1/contacts/%zz", close), 400],
  ["dots in the path", (emulator) => head(emulator, "GET /api/v1/./../v1/nowhere", close), 404],
  ["an asterisk", (emulator) => head(emulator, "OPTIONS *", close), 404],
])(
  "[emulator.explain] the response to a request with %s has a status and names an API rule",
  async (_name, request, status) => {
    await using emulator = await openTestEmulator("over HTTP");
    const text = await exchange(emulator, Buffer.from(request(emulator), "latin1"));
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text).toMatch(/\r\nX-Emulator-Rule: /i);
    const body = JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4));
    expect(body.error).toEqual({
      code: expect.any(String),
      message: expect.any(String),
      details: expect.any(Array),
    });
    await stillServes(emulator);
  },
);

it("the server accepts a request whose target is an absolute URL", async () => {
  await using emulator = await openTestEmulator("over HTTP");
  const text = await exchange(emulator, head(emulator, `GET ${emulator.url}/api/v1/ping?a=1`, close));
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
});

it("HEAD on a path without GET returns 404 with headers and no body", async () => {
  await using emulator = await openTestEmulator("over HTTP");
  const text = await exchange(emulator, head(emulator, "HEAD /api/v1/outbound/call", close));
  expect(text).toMatch(/^HTTP\/1\.1 404 /);
  expect(text).toMatch(/\r\n\r\n$/);
});

it("[D-body refuses] the server refuses an oversized body without reading all of it", async () => {
  await using emulator = await openTestEmulator("over HTTP");
  const length = 50 * 1024 * 1024;
  for (const framing of [`Content-Length: ${length}`, "Transfer-Encoding: chunked"]) {
    const { socket, received } = dial(emulator);
    socket.write(head(emulator, "POST /api/v1/groups", "Content-Type: application/json", framing));
    const piece = Buffer.alloc(64 * 1024, 0x20);
    let sent = 0;
    let open = true;
    socket.on("close", () => {
      open = false;
    });
    while (open && sent < length) {
      const chunk = framing.startsWith("T")
        ? Buffer.concat([Buffer.from("10000\r\n"), piece, Buffer.from("\r\n")])
        : piece;
      if (!socket.write(chunk)) {
        await new Promise<void>((resolve) => {
          socket.once("drain", resolve);
          socket.once("close", resolve);
        });
      }
      sent += piece.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const text = await received;
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain("1 MiB");
    await stillServes(emulator);
  }
});

it("[D-body] a body can arrive in many small pieces", async () => {
  await using emulator = await openTestEmulator("over HTTP");
  const body = `{"type":"contacts","name":"${"x".repeat(100)}"}`;
  const { socket, received, sawBytes } = dial(emulator);
  socket.setNoDelay(true);
  socket.write(
    head(
      emulator,
      "POST /api/v1/groups",
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      close,
    ),
  );
  for (const character of body) {
    socket.write(character);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await sawBytes;
  expect(await received).toMatch(/^HTTP\/1\.1 201 /);
});

it("a connection that stops in the middle of a request does not delay other clients", async () => {
  await using emulator = await openTestEmulator("over HTTP");
  const whole = head(
    emulator,
    "POST /api/v1/groups",
    "Content-Type: application/json",
    "Content-Length: 100",
  );
  const silent = Array.from({ length: 20 }, () => dial(emulator));
  for (const [index, { socket }] of silent.entries()) {
    socket.write(whole.slice(0, Math.floor((whole.length * index) / 20)));
  }
  const halfBody = dial(emulator);
  halfBody.socket.write(`${whole}{"type":`);
  await stillServes(emulator);
  for (const { socket } of silent.slice(0, 10)) socket.destroy();
  for (const { socket } of silent.slice(10)) socket.resetAndDestroy();
  halfBody.socket.destroy();
  await stillServes(emulator);
  expect((await emulator.ask("GET", "/groups?type=contacts")).body.data).toHaveLength(1);
});

it("a client that half-closes its connection gets its response, even a delayed one", async () => {
  const now = Date.parse("2026-03-02T09:00:00Z");
  const sleep = async () => {
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  await using emulator = await openTestEmulator("over HTTP", {
    clock: "real",
    systemClock: { now: () => now, sleep },
  });
  for (const fault of ["none", "delay"]) {
    if (fault === "delay") await emulator.control("POST", "/faults", { kind: fault, delay_ms: 5 });
    const text = await exchange(emulator, head(emulator, "GET /api/v1/ping"));
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  }
});

it("pipelined requests get their responses in order", async () => {
  await using emulator = await openTestEmulator("over HTTP");
  const text = await exchange(
    emulator,
    head(emulator, "GET /api/v1/ping") +
      head(emulator, "GET /api/v1/nowhere") +
      head(emulator, "GET /api/v1/groups", close),
  );
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(["200", "404", "200"]);
});

it("the server responds to a request before it refuses the invalid bytes that follow", async () => {
  await using emulator = await openTestEmulator("over HTTP");
  const body = '{"type":"contacts","name":"Kept"}';
  const create = (...more: string[]) =>
    head(
      emulator,
      "POST /api/v1/groups",
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      ...more,
    ) + body;
  const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]);
  expect(statuses(await exchange(emulator, `${create()}stray bytes\r\n\r\n`))).toEqual(["201", "400"]);
  // The first request succeeded, so the name is in use.
  expect(statuses(await exchange(emulator, `${create()}${create()}\u0000\r\n`))).toEqual([
    "409",
    "409",
    "400",
  ]);
  // After a request with `Connection: close`, no further bytes get a response.
  expect(statuses(await exchange(emulator, `${create(close)}stray`))).toEqual(["409"]);
  expect((await emulator.ask("GET", "/groups?type=contacts")).body.data).toHaveLength(2);
});

it("a pipelined request waits for the delayed response to the previous request", async () => {
  const gate: { open: () => void } = { open: () => undefined };
  const waits = new Promise<void>((resolve) => {
    gate.open = resolve;
  });
  await using emulator = await openTestEmulator("over HTTP", {
    clock: "real",
    systemClock: { now: () => Date.parse("2026-03-02T09:00:00Z"), sleep: () => waits },
  });
  await emulator.control("POST", "/faults", { kind: "delay", delay_ms: 5, times: 1 });
  const { socket, received } = dial(emulator);
  socket.write(`${head(emulator, "GET /api/v1/ping")}stray\r\n\r\n`);
  // The server has read the first request before it responds on another connection.
  await stillServes(emulator);
  gate.open();
  const text = await received;
  expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 400 /);
});

it("a request with an invalid chunk is refused without any change", async () => {
  await using emulator = await openTestEmulator("over HTTP");
  const start = head(
    emulator,
    "POST /api/v1/groups",
    "Content-Type: application/json",
    "Transfer-Encoding: chunked",
  );
  const text = await exchange(emulator, `${start}21\r\n{"type":"contacts","name":"Broken"}\r\nzz\r\n`);
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect((await emulator.ask("GET", "/groups?type=contacts")).body.data).toHaveLength(1);
});

it.each(["the same", "another"])("a second Host header (%s) causes a 400", async (which) => {
  await using emulator = await openTestEmulator("over HTTP");
  const { host } = new URL(emulator.url);
  const second = which === "another" ? "evil.example" : host;
  for (const name of ["Host", "hOsT"]) {
    const text = await exchange(emulator, head(emulator, "GET /api/v1/ping", `${name}: ${second}`));
    expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*more than one Host header/);
  }
  await stillServes(emulator);
});

it("a connection with incomplete headers gets a response and is closed after a timeout", async () => {
  await using emulator = await openTestEmulator("in process");
  const brief = { headers: 40, request: 80, check: 20 };
  const server = await listen(
    () => ({ status: 200, headers: {}, body: "" }),
    { port: 0 },
    whole ? {} : { timeouts: brief },
  );
  const slow = dial({ ...emulator, url: server.url });
  const started = performance.now();
  // Occasional bytes don't extend the timeout.
  const drip = setInterval(() => slow.socket.write("X-A: b\r\n"), 10);
  slow.socket.write("GET /api/v1/ping HTTP/1.1\r\n");
  expect(await slow.received).toMatch(/^HTTP\/1\.1 408 /);
  expect(performance.now() - started).toBeLessThan(whole ? 12_000 : 2_000);
  clearInterval(drip);
  await server.close();
});

it("a client that disconnects before its response does not affect the server", async () => {
  await using emulator = await openTestEmulator("over HTTP");
  await emulator.control("POST", "/faults", { kind: "delay", delay_ms: 10, times: 1 });
  const body = '{"type":"contacts","name":"Kept"}';
  const { socket } = dial(emulator);
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  socket.write(
    head(
      emulator,
      "POST /api/v1/groups",
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    ) + body,
    () => socket.resetAndDestroy(),
  );
  await stillServes(emulator);
});

it("a server under load closes quickly, and responds to every executed request", async () => {
  await using emulator = await openTestEmulator("in process", { limits: { write: 1_000_000 } });
  const server = await emulator.instance.listen({ port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const headers = { authorization: `Bearer ${emulator.keys.admin}`, "content-type": "application/json" };
  let count = 0;
  const create = () =>
    new Promise<number | undefined>((resolve) => {
      count += 1;
      const sent = request(`${server.url}/api/v1/groups`, { agent, headers, method: "POST" }, (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode));
        response.on("aborted", () => resolve(undefined));
      });
      sent.on("error", () => resolve(undefined));
      sent.end(JSON.stringify({ type: "contacts", name: `Nr. ${count}` }));
    });
  let acknowledged = 0;
  const writing = Array.from({ length: 8 }, async () => {
    while ((await create()) === 201) acknowledged += 1;
  });
  await expect.poll(() => acknowledged).toBeGreaterThan(50);
  // After a timeout of 2 s, the server would cut its connections.
  const started = performance.now();
  await server.close();
  expect(performance.now() - started).toBeLessThan(1_900);
  await Promise.all(writing);
  agent.destroy();
  const { counts } = await emulator.control("GET", "/status");
  expect(counts.groups).toBe(acknowledged + 5);
});

it("when a server closes, a delayed request keeps its effect and gets its response", async () => {
  await using emulator = await openTestEmulator("in process", { clock: "real", systemClock: systemClock() });
  const server = await emulator.instance.listen({ port: 0 });
  const headers = { authorization: `Bearer ${emulator.keys.admin}`, "content-type": "application/json" };
  await emulator.control("POST", "/faults", { kind: "delay", delay_ms: 80_000_000, method: "POST" });
  const body = JSON.stringify({ type: "contacts", name: "Kept" });
  const pending = fetch(`${server.url}/api/v1/groups`, { method: "POST", headers, body });
  await expect
    .poll(async () => (await emulator.ask("GET", "/groups?type=contacts")).body.data)
    .toHaveLength(2);
  await server.close();
  expect((await pending).status).toBe(201);
});

it("when a server closes, it responds to requests in flight and refuses later requests", async () => {
  const gate: { open: () => void } = { open: () => undefined };
  const waits = new Promise<void>((resolve) => {
    gate.open = resolve;
  });
  await using slow = await openTestEmulator("in process", {
    clock: "real",
    systemClock: { now: () => Date.parse("2026-03-02T09:00:00Z"), sleep: () => waits },
  });
  const server = await slow.instance.listen({ port: 0 });
  await slow.control("POST", "/faults", { kind: "delay", delay_ms: 5, times: 1 });
  const pending = fetch(`${server.url}/api/v1/ping`, {
    headers: { authorization: `Bearer ${slow.keys.admin}` },
  });
  // The server has received the first request before it responds on another connection.
  await fetch(`${server.url}/api/v1/ping`, { headers: { authorization: `Bearer ${slow.keys.admin}` } });
  const closing = server.close();
  gate.open();
  const { status, headers } = await pending;
  // The header `Connection: close` means that this connection accepts no more requests.
  expect([status, headers.get("connection")]).toEqual([200, "close"]);
  await closing;
  await expect(fetch(`${server.url}/api/v1/ping`)).rejects.toThrow();
});

it("when a server closes, it responds immediately to clients that wait for changes", async () => {
  await using emulator = await openTestEmulator("in process", {});
  const server = await emulator.instance.listen({ port: 0 });
  const headers = { authorization: `Bearer ${emulator.instance.startLine.control_token}` };
  const data = await emulator.control("GET", "/changes");
  const waiting = fetch(`${server.url}/_emulator/changes?after=${data.revision}&wait_seconds=30`, {
    headers,
  });
  // The server has received the waiting request before it responds to this later one.
  await fetch(`${server.url}/_emulator/status`, { headers });
  const started = performance.now();
  await server.close();
  expect(performance.now() - started).toBeLessThan(1_500);
  const response = await waiting;
  expect([response.status, response.headers.get("connection")]).toEqual([200, "close"]);
  // A second server of the same emulator also notifies its waiting clients.
  const again = await emulator.instance.listen({ port: 0 });
  const next = fetch(`${again.url}/_emulator/changes?after=${data.revision}&wait_seconds=30`, {
    headers,
  });
  await emulator.ask("GET", "/ping");
  expect((await next).status).toBe(200);
  await again.close();
});

it("[emulator.snapshots] the control interface transfers a state of more than one megabyte", async () => {
  await using emulator = await openTestEmulator("in process", {});
  const server = await emulator.instance.listen({ port: 0 });
  await emulator.control("POST", "/snapshots", { name: "small" });
  const file = await emulator.control("GET", "/snapshots/small");
  // White space between the values simulates a large state.
  const body = JSON.stringify(file) + " ".repeat(3 * 1_048_576);
  const put = (token: string) =>
    fetch(`${server.url}/_emulator/snapshots/large`, {
      method: "PUT",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body,
    });
  expect((await put(emulator.instance.startLine.control_token)).status).toBe(200);
  // The server refuses an invalid token before it reads the whole body, so the client may see only a closed
  // connection.
  expect(
    await put("wrong").then(
      ({ status }) => status,
      () => 401,
    ),
  ).toBe(401);
  expect(await emulator.control("GET", "/snapshots")).toHaveLength(2);
  await server.close();
});
