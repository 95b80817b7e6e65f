import { createServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, createServer as createTcpServer } from "node:net";
import { describe, expect, it } from "vitest";
import { ClientError } from "../../src/client/errors.js";
import { findProxy } from "../../src/client/proxy.js";
import { catchConnectionError, get, listen, openTransport, post, serve } from "./network.js";
import { authority, serveTls } from "./tls.js";

describe("the proxy of a URL", () => {
  const service = new URL("https://api.voice.example/api/v1");
  const nameOf = (env: Record<string, string>, url = service) => findProxy(url, env)?.name;

  it.each([
    [{ HTTPS_PROXY: "http://p:3128" }, "the proxy http://p:3128 (HTTPS_PROXY)"],
    [{ https_proxy: "http://p:3128", HTTPS_PROXY: "http://q" }, "the proxy http://p:3128 (https_proxy)"],
    [{ ALL_PROXY: "socks5://p:1080" }, "the proxy socks5://p:1080 (ALL_PROXY)"],
    [{ ALL_PROXY: "http://p", HTTPS_PROXY: "http://q" }, "the proxy http://q (HTTPS_PROXY)"],
    [{ HTTPS_PROXY: "p:3128" }, "the proxy http://p:3128 (HTTPS_PROXY)"],
    [{ HTTPS_PROXY: "", ALL_PROXY: "http://q" }, undefined],
    [{ HTTP_PROXY: "http://p:3128" }, undefined],
  ])("[T18] the environment %j selects %s", (env, name) => {
    expect(nameOf(env)).toBe(name);
  });

  it.each([
    ["voice.example", true],
    [".voice.example", true],
    ["*.voice.example", true],
    ["api.voice.example:443", true],
    ["api.voice.example:8443", false],
    ["other.example, api.voice.example", true],
    ["pi.voice.example", false],
    ["*", true],
  ])("NO_PROXY=%s lets requests to the service bypass the proxy: %s", (list, excepted) => {
    expect(nameOf({ HTTPS_PROXY: "http://p", NO_PROXY: list }) === undefined).toBe(excepted);
  });

  it.each([
    ["10.0.0.0/8", "https://10.1.2.3/", true],
    ["10.0.0.0/8", "https://11.1.2.3/", false],
    ["10.0.0.0/99", "https://10.1.2.3/", false],
    ["fd00::/8", "https://[fd00::1]/", true],
    ["::1", "https://[::1]/", true],
    ["[::1]:443", "https://[::1]/", true],
  ])("a network in NO_PROXY=%s lets requests to %s bypass the proxy: %s", (list, url, excepted) => {
    expect(nameOf({ HTTPS_PROXY: "http://p", NO_PROXY: list }, new URL(url)) === undefined).toBe(excepted);
  });

  it("the name of a proxy never contains its password, even in an error", () => {
    expect(nameOf({ HTTPS_PROXY: "http://me:hush@p:3128" })).toBe("the proxy http://p:3128 (HTTPS_PROXY)");
    const wrong = () => findProxy(service, { HTTPS_PROXY: "ftp://me:hush@p:3128" });
    expect(wrong).toThrow(ClientError);
    expect(wrong).toThrow(/^HTTPS_PROXY is not a valid proxy URL(?!.*hush)/);
  });
});

interface ProxyOptions {
  /** The proxy's response to CONNECT instead of a tunnel. */
  refuses?: string;
}

async function proxy({ refuses }: ProxyOptions = {}) {
  const seen: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (refuses === undefined) response.end("from the proxy");
    else response.writeHead(Number(refuses.slice(0, 3))).end();
  });
  server.on("connect", (request, socket, head) => {
    seen.push(`CONNECT ${request.url}`);
    authorizations.push(request.headers["proxy-authorization"]);
    if (refuses !== undefined) {
      socket.end(`HTTP/1.1 ${refuses}\r\nContent-Length: 4\r\n\r\nnope`);
      return;
    }
    const [host = "", port] = (request.url ?? "").split(":");
    const target = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    for (const end of [target, socket]) end.on("error", () => target.destroy());
  });
  return { port: await listen(server), seen, authorizations };
}

describe("a proxy from the environment", () => {
  it.each(["HTTP_PROXY", "http_proxy"])("a plain HTTP request uses the proxy from %s", async (name) => {
    const { port, seen } = await proxy();
    const response = await openTransport({ [name]: `http://127.0.0.1:${port}` })(
      "http://127.0.0.1:9/x?y=z",
      get,
    );
    expect(await response.text()).toBe("from the proxy");
    expect(seen).toEqual(["GET http://127.0.0.1:9/x?y=z"]);
  });

  it.each(["HTTPS_PROXY", "ALL_PROXY"])(
    "[T18] a TLS request uses the proxy from %s, with its password",
    async (name) => {
      const { port, seen, authorizations } = await proxy();
      const target = await serveTls((_, response) => response.end("from the service"));
      const transport = openTransport({ [name]: `http://me:hu%20sh@127.0.0.1:${port}` }, authority);
      for (let count = 0; count < 4; count += 1) {
        const response = await transport(`https://127.0.0.1:${target}/`, post);
        expect(await response.text()).toBe("from the service");
      }
      // A second tunnel may open while the first one finishes its response, but never a third.
      expect(seen.length).toBeLessThanOrEqual(2);
      expect(new Set(seen)).toEqual(new Set([`CONNECT 127.0.0.1:${target}`]));
      expect(new Set(authorizations)).toEqual(
        new Set([`Basic ${Buffer.from("me:hu sh").toString("base64")}`]),
      );
    },
  );

  it("a host in NO_PROXY does not use the proxy", async () => {
    const { port, seen } = await proxy();
    const target = await serve((_, response) => response.end("direct"));
    const env = { HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: "example.org,127.0.0.1" };
    expect(await (await openTransport(env)(`http://127.0.0.1:${target}/`, get)).text()).toBe("direct");
    expect(seen).toEqual([]);
  });

  it("a plain HTTP request is not sent to a proxy on another machine", async () => {
    const target = await serve((_, response) => response.end("direct"));
    const env = { HTTP_PROXY: "http://proxy.invalid:3128" };
    expect(await (await openTransport(env)(`http://127.0.0.1:${target}/`, get)).text()).toBe("direct");
  });

  it.each([
    ["407 Proxy Authentication Required", /responded with 407: a user name and password are required$/, true],
    ["403 Forbidden", /responded with 403: the connection was refused$/, true],
    ["502 Bad Gateway", /responded with 502: the service could not be reached$/, false],
  ])("[T18] the error names a proxy that responds with %s", async (refuses, message, permanent) => {
    const { port } = await proxy({ refuses });
    const transport = openTransport({ HTTPS_PROXY: `http://127.0.0.1:${port}` });
    const error = await catchConnectionError(transport("https://api.voice.example/", post));
    expect(error.message).toMatch(message);
    expect(error.message).toContain(`the proxy http://127.0.0.1:${port} (HTTPS_PROXY)`);
    expect(error).toMatchObject({ maybeSent: false, permanent });
  });

  it("[T18] a proxy that responds to plain HTTP with 407 is named in the error", async () => {
    const { port } = await proxy({ refuses: "407 Proxy Authentication Required" });
    const error = await catchConnectionError(
      openTransport({ HTTP_PROXY: `http://127.0.0.1:${port}` })("http://127.0.0.1:9/", get),
    );
    expect(error).toMatchObject({ maybeSent: false, permanent: true });
    expect(error.message).toContain(`the proxy http://127.0.0.1:${port} (HTTP_PROXY) responded with 407`);
  });

  it.each(["http", "socks5"])(
    "[T18] the error names a proxy with the scheme %s that can't be reached",
    async (scheme) => {
      const server = createTcpServer();
      const port = await listen(server);
      await new Promise<void>((resolve) => server.close(() => resolve()));
      const transport = openTransport({ HTTPS_PROXY: `${scheme}://127.0.0.1:${port}` });
      expect(await catchConnectionError(transport("https://api.voice.example/", post))).toMatchObject({
        message: `the proxy ${scheme}://127.0.0.1:${port} (HTTPS_PROXY) can't be reached: the connection was refused`,
        code: "ECONNREFUSED",
        maybeSent: false,
      });
    },
  );

  it("[T18] if the proxy for http: URLs can't be reached, the error names the proxy", async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    const transport = openTransport({ HTTP_PROXY: `http://127.0.0.1:${port}` });
    expect(await catchConnectionError(transport("http://127.0.0.1:9/", post))).toMatchObject({
      message: `the proxy http://127.0.0.1:${port} (HTTP_PROXY) can't be reached: the connection was refused`,
      hint: expect.stringContaining("NO_PROXY"),
      code: "ECONNREFUSED",
      maybeSent: false,
    });
  });

  it("[T18] a proxy that does not respond before the timeout is named in the error", async () => {
    const port = await listen(createTcpServer());
    const transport = openTransport({ HTTPS_PROXY: `http://127.0.0.1:${port}` });
    const signal = AbortSignal.timeout(30);
    expect(
      await catchConnectionError(transport("https://api.voice.example/", { ...post, signal })),
    ).toMatchObject({
      via: `the proxy http://127.0.0.1:${port} (HTTPS_PROXY)`,
      maybeSent: false,
    });
  });
});

/** Implements only the parts of RFC 1928 and 1929 that the tests need. */
async function socksProxy(wants?: { user: string; password: string }) {
  const targets: string[] = [];
  const port = await listen(
    createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", (greeting) => {
        const method = wants ? 2 : 0;
        if (!greeting.subarray(2).includes(method)) {
          socket.end(Buffer.from([5, 255]));
          return;
        }
        socket.write(Buffer.from([5, method]));
        if (wants) socket.once("data", (login) => authenticate(login));
        else socket.once("data", relay);
      });
      const authenticate = (login: Buffer) => {
        const length = login[1] ?? 0;
        const [user, password] = [login.subarray(2, 2 + length), login.subarray(3 + length)].map(String);
        const good = user === wants?.user && password === wants?.password;
        socket.write(Buffer.from([1, good ? 0 : 1]));
        if (good) socket.once("data", relay);
      };
      const relay = (request: Buffer) => {
        const length = request[4] ?? 0;
        const host = request.subarray(5, 5 + length).toString();
        const targetPort = request.readUInt16BE(5 + length);
        targets.push(`${host}:${targetPort}`);
        const target = connect(targetPort, "127.0.0.1", () => {
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          target.pipe(socket).pipe(target);
        });
        target.on("error", () => socket.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])));
      };
    }),
  );
  return { port, targets };
}

describe("a SOCKS proxy", () => {
  it.each([
    ["socks5://", undefined],
    ["socks5h://me:hush@", { user: "me", password: "hush" }],
  ])("[T18] a TLS request uses the SOCKS proxy %s…, which resolves the host name", async (scheme, wants) => {
    const { port, targets } = await socksProxy(wants);
    const target = await serveTls((_, response) => response.end("from the service"));
    const transport = openTransport({ ALL_PROXY: `${scheme}127.0.0.1:${port}` }, authority);
    const response = await transport(`https://localhost:${target}/`, post);
    expect(await response.text()).toBe("from the service");
    expect(targets).toEqual([`localhost:${target}`]);
  });

  it.each([
    ["socks5://", { user: "me", password: "hush" }, /a user name and password are required$/],
    [
      "socks5://me:wrong@",
      { user: "me", password: "hush" },
      /the user name and password in the proxy's URL were rejected/,
    ],
    ["socks5://", undefined, /the host refused the connection$/],
  ])(
    "[T18] a SOCKS proxy that refuses the connection is named in the error: %s, %j",
    async (scheme, wants, message) => {
      const { port } = await socksProxy(wants);
      const dead = createHttpsServer({});
      const target = await listen(dead);
      await new Promise<void>((resolve) => dead.close(() => resolve()));
      const transport = openTransport({ ALL_PROXY: `${scheme}127.0.0.1:${port}` });
      const error = await catchConnectionError(transport(`https://localhost:${target}/`, post));
      expect(error.message).toMatch(message);
      expect(error.message).toContain("the proxy socks5://127.0.0.1");
      expect(error.maybeSent).toBe(false);
    },
  );

  it("[T18] an invalid SOCKS proxy is reported", async () => {
    const port = await serve((_, response) => response.end());
    const error = await catchConnectionError(
      openTransport({ ALL_PROXY: `socks5://127.0.0.1:${port}` })("https://localhost:9/", get),
    );
    expect(error.message).toContain("the server is not a SOCKS5 proxy");
  });
});
