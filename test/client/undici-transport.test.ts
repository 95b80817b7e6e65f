import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ConnectionError } from "../../src/base/transport.js";
import { createUndiciTransport } from "../../src/client/undici-transport.js";

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  );
  return (server.address() as AddressInfo).port;
}

function open(env: Record<string, string> = {}) {
  const { transport, close } = createUndiciTransport({ env });
  cleanups.push(close);
  return transport;
}

const serve = (handler: RequestListener) => listen(createServer(handler));
const get = { method: "GET", headers: { accept: "application/json" } };
const post = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };

async function lost(work: Promise<unknown>): Promise<ConnectionError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ConnectionError) return error;
  throw new Error(`no lost connection: ${String(error)}`);
}

describe("the network transport", () => {
  it("carries method, headers and body there and status, headers and body back", async () => {
    const port = await serve((request, answer) => {
      let body = "";
      request.on("data", (piece) => (body += piece));
      request.on("end", () => {
        answer.writeHead(201, {
          "X-Seen": [`${request.method} ${request.url}`, body],
          "Set-Cookie": ["a=1", "b=2"],
        });
        answer.end("grüß dich");
      });
    });
    const response = await open()(`http://127.0.0.1:${port}/a?b=c`, post);
    expect(response.status).toBe(201);
    expect(response.headers).toMatchObject({ "x-seen": "POST /a?b=c, {}", "set-cookie": "a=1, b=2" });
    expect(await response.text()).toBe("grüß dich");
  });

  it("keeps its connections for later requests", async () => {
    const ports = new Set<number | undefined>();
    const port = await serve((request, answer) => {
      ports.add(request.socket.remotePort);
      answer.end("{}");
    });
    const transport = open();
    for (let index = 0; index < 3; index += 1)
      await (await transport(`http://127.0.0.1:${port}/`, get)).text();
    // A second is opened while the first ends its answer; no third.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it("hands redirects on instead of following them", async () => {
    const paths: (string | undefined)[] = [];
    const port = await serve((request, answer) => {
      paths.push(request.url);
      answer.writeHead(302, { location: "/elsewhere" }).end();
    });
    const response = await open()(`http://127.0.0.1:${port}/`, get);
    expect(response.status).toBe(302);
    expect(paths).toEqual(["/"]);
  });

  it("knows that a refused connection sent nothing", async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    const error = await lost(open()(`http://127.0.0.1:${port}/`, post));
    expect(error).toMatchObject({ maybeSent: false, code: "ECONNREFUSED", message: "nothing listens there" });
  });

  it("knows that a request to an unknown host was not sent", async () => {
    const error = await lost(open()("http://no-such-host.invalid/", post));
    expect(error.maybeSent).toBe(false);
  });

  it("knows that nothing was sent when TLS fails", async () => {
    // No certificate at all: the handshake ends before a request can be written.
    const server = createHttpsServer({});
    const port = await listen(server);
    const error = await lost(open()(`https://127.0.0.1:${port}/`, post));
    expect(error.maybeSent).toBe(false);
  });

  it("knows that a request may have arrived when the connection was cut before the answer", async () => {
    const port = await serve((request) => request.socket.destroy());
    expect(await lost(open()(`http://127.0.0.1:${port}/`, post))).toMatchObject({ maybeSent: true });
  });

  it("fails while the body is read when it is cut", async () => {
    const port = await serve((_, answer) => {
      answer.writeHead(201, { "content-length": "100" });
      answer.write('{"data":');
      setImmediate(() => answer.destroy());
    });
    const transport = open();
    const response = await transport(`http://127.0.0.1:${port}/`, post);
    expect(response.status).toBe(201);
    expect(await lost(response.text())).toMatchObject({ maybeSent: true });
    const second = await transport(`http://127.0.0.1:${port}/`, post);
    const pieces = async () => {
      for await (const piece of second.body) expect(piece.length).toBeGreaterThan(0);
    };
    expect((await lost(pieces())).maybeSent).toBe(true);
  });

  it("says of a request that its signal ended whether it was under way", async () => {
    const arrived = new AbortController();
    const port = await serve(() => arrived.abort());
    const transport = open();
    const ended = await lost(transport(`http://127.0.0.1:${port}/`, { ...post, signal: arrived.signal }));
    expect(ended.maybeSent).toBe(true);
    const before = await lost(
      transport(`http://127.0.0.1:${port}/`, { ...post, signal: AbortSignal.abort() }),
    );
    expect(before.maybeSent).toBe(false);
  });
});

describe("a proxy", () => {
  async function proxy() {
    const seen: string[] = [];
    const server = createServer((request, answer) => {
      seen.push(`${request.method} ${request.url}`);
      answer.end("from the proxy");
    });
    server.on("connect", (request, socket, head) => {
      seen.push(`CONNECT ${request.url}`);
      const [host = "", port] = (request.url ?? "").split(":");
      const target = connect(Number(port), host, () => {
        socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        target.write(head);
        target.pipe(socket).pipe(target);
      });
      for (const end of [target, socket]) end.on("error", () => target.destroy());
    });
    return { port: await listen(server), seen };
  }

  it.each(["HTTP_PROXY", "http_proxy"])("named by %s carries plain requests", async (name) => {
    const { port, seen } = await proxy();
    const response = await open({ [name]: `http://127.0.0.1:${port}` })("http://127.0.0.1:9/x", get);
    expect(await response.text()).toBe("from the proxy");
    expect(seen).toEqual(["GET http://127.0.0.1:9/x"]);
  });

  it("named by HTTPS_PROXY tunnels TLS", async () => {
    const { port, seen } = await proxy();
    const target = await listen(createHttpsServer({}));
    const error = await lost(
      open({ HTTPS_PROXY: `http://127.0.0.1:${port}` })(`https://127.0.0.1:${target}/`, post),
    );
    expect(seen).toEqual([`CONNECT 127.0.0.1:${target}`]);
    expect(error.maybeSent).toBe(false);
  });

  it("is left aside for hosts in NO_PROXY", async () => {
    const { port, seen } = await proxy();
    const target = await serve((_, answer) => answer.end("direct"));
    const env = { HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: "example.org,127.0.0.1" };
    expect(await (await open(env)(`http://127.0.0.1:${target}/`, get)).text()).toBe("direct");
    expect(seen).toEqual([]);
  });

  it("elsewhere never carries plain http, which would show the key on the way", async () => {
    const target = await serve((_, answer) => answer.end("direct"));
    const env = { HTTP_PROXY: "http://proxy.invalid:3128" };
    expect(await (await open(env)(`http://127.0.0.1:${target}/`, get)).text()).toBe("direct");
  });
});
