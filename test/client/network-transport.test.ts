import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { describe, expect, it } from "vitest";
import { ConnectionError } from "../../src/base/transport.js";
import { createNetworkTransport } from "../../src/client/network-transport.js";
import { catchConnectionError, get, listen, openTransport, post, serve, serveSockets } from "./network.js";

describe("the network transport", () => {
  it("the transport sends method, headers and body, and returns status, headers and body", async () => {
    const port = await serve((request, response) => {
      let body = "";
      request.on("data", (piece) => (body += piece));
      request.on("end", () => {
        response.writeHead(201, {
          "X-Seen": [`${request.method} ${request.url}`, body],
          "Set-Cookie": ["a=1", "b=2"],
        });
        response.end("grüß dich");
      });
    });
    const response = await openTransport()(`http://127.0.0.1:${port}/a?b=c`, post);
    expect(response.status).toBe(201);
    expect(response.headers).toMatchObject({ "x-seen": "POST /a?b=c, {}", "set-cookie": "a=1, b=2" });
    expect(await response.text()).toBe("grüß dich");
  });

  it("the transport keeps its connections for later requests", async () => {
    const ports = new Set<number | undefined>();
    const port = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end("{}");
    });
    const transport = openTransport();
    for (let index = 0; index < 3; index += 1)
      await (await transport(`http://127.0.0.1:${port}/`, get)).text();
    // A second connection may open while the first one finishes its response, but never a third.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it("the transport returns redirects instead of following them", async () => {
    const paths: (string | undefined)[] = [];
    const port = await serve((request, response) => {
      paths.push(request.url);
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    const response = await openTransport()(`http://127.0.0.1:${port}/`, get);
    expect(response.status).toBe(302);
    expect(paths).toEqual(["/"]);
  });

  it("a request that is canceled while it connects is reported as not sent", async () => {
    const paths: (string | undefined)[] = [];
    const port = await serve((request, response) => {
      paths.push(request.url);
      response.end("{}");
    });
    const transport = openTransport();
    const withdrawn = transport(`http://127.0.0.1:${port}/withdrawn`, { ...post, mayStart: () => false });
    expect(await catchConnectionError(withdrawn)).toMatchObject({ maybeSent: false });
    await (await transport(`http://127.0.0.1:${port}/sent`, { ...post, mayStart: () => true })).text();
    expect(paths).toEqual(["/sent"]);
  });

  it("a request whose connection is refused is reported as not sent", async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    const error = await catchConnectionError(openTransport()(`http://127.0.0.1:${port}/`, post));
    expect(error).toMatchObject({
      maybeSent: false,
      code: "ECONNREFUSED",
      message: "the connection was refused",
    });
  });

  it("a request to an unknown host is reported as not sent", async () => {
    const error = await catchConnectionError(openTransport()("http://no-such-host.invalid/", post));
    expect(error.maybeSent).toBe(false);
  });

  it("a request whose TLS handshake fails is reported as not sent", async () => {
    // Without a certificate, the handshake ends before a request can be written.
    const server = createHttpsServer({});
    const port = await listen(server);
    const error = await catchConnectionError(openTransport()(`https://127.0.0.1:${port}/`, post));
    expect(error.maybeSent).toBe(false);
  });

  it("a request may have arrived if the connection closes before the response", async () => {
    const port = await serve((request) => request.socket.destroy());
    expect(await catchConnectionError(openTransport()(`http://127.0.0.1:${port}/`, post))).toMatchObject({
      maybeSent: true,
    });
  });

  it("reading the body fails if the response is truncated", async () => {
    const port = await serve((_, response) => {
      response.writeHead(201, { "content-length": "100" });
      response.write('{"data":');
      setImmediate(() => response.destroy());
    });
    const transport = openTransport();
    const response = await transport(`http://127.0.0.1:${port}/`, post);
    expect(response.status).toBe(201);
    expect(await catchConnectionError(response.text())).toMatchObject({ maybeSent: true });
    const second = await transport(`http://127.0.0.1:${port}/`, post);
    const pieces = async () => {
      for await (const piece of second.body) expect(piece.length).toBeGreaterThan(0);
    };
    expect((await catchConnectionError(pieces())).maybeSent).toBe(true);
  });

  it("the error of an aborted request shows whether the request was in flight", async () => {
    const arrived = new AbortController();
    const port = await serve(() => arrived.abort());
    const transport = openTransport();
    const ended = await catchConnectionError(
      transport(`http://127.0.0.1:${port}/`, { ...post, signal: arrived.signal }),
    );
    expect(ended.maybeSent).toBe(true);
    const before = await catchConnectionError(
      transport(`http://127.0.0.1:${port}/`, { ...post, signal: AbortSignal.abort() }),
    );
    expect(before.maybeSent).toBe(false);
  });

  it.each([
    ["100 Continue", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["102 Processing", "HTTP/1.1 102 Processing\r\n\r\n"],
    ["103 Early Hints", "HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n"],
    ["three interim responses", "HTTP/1.1 102 Processing\r\n\r\n".repeat(3)],
  ])("[T16] the transport skips %s before the response, even on a reused connection", async (_, interim) => {
    const port = await serveSockets((socket) => {
      socket.write(interim);
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    });
    const transport = openTransport();
    for (let count = 0; count < 3; count += 1) {
      const response = await transport(`http://127.0.0.1:${port}/`, post);
      expect([response.status, await response.text()]).toEqual([200, "{}"]);
    }
  });

  it("[T16] the transport skips 1xx responses of all types, wherever they are split", async () => {
    const whole = `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\nHTTP/1.1 100 `;
    for (let at = 1; at < whole.length; at += 7) {
      const port = await serveSockets((socket) => {
        socket.setNoDelay(true);
        socket.write(whole.slice(0, at));
        setImmediate(() => socket.write(whole.slice(at)));
      });
      const response = await openTransport()(`http://127.0.0.1:${port}/`, post);
      expect([at, response.status, await response.text()]).toEqual([at, 200, "HTTP/1.1 100 "]);
    }
  });

  it("[T16] an abort signal ends a request during endless 1xx responses", async () => {
    const port = await serveSockets((socket) => {
      const more = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 5);
      socket.on("close", () => clearInterval(more));
    });
    const signal = AbortSignal.timeout(50);
    const error = await catchConnectionError(
      openTransport()(`http://127.0.0.1:${port}/`, { ...post, signal }),
    );
    expect(error.maybeSent).toBe(true);
  });

  it("closing the transport aborts all its requests", async () => {
    const silent = await listen(createTcpServer());
    const endless = await serve((_, response) => void response.writeHead(200).write("["));
    const { transport, close } = createNetworkTransport();
    const waiting = catchConnectionError(transport(`http://127.0.0.1:${silent}/`, get));
    const reading = catchConnectionError((await transport(`http://127.0.0.1:${endless}/`, get)).text());
    await close();
    expect(await waiting).toBeInstanceOf(ConnectionError);
    expect(await reading).toBeInstanceOf(ConnectionError);
  });
});
