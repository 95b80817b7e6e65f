import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createContact } from "../helpers/records.js";
import { openTestEmulator, type TestEmulator, testOnTransports } from "../helpers/test-emulator.js";

interface RawReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const StartLine = z.object({ keys: z.looseObject({ admin: z.string() }) });

/** The response to a reset has the same form as a start line. */
const keysOf = (line: object) => StartLine.parse(line).keys;

/** Sends a request with any headers, including `Host` and `Origin`, which fetch would not send. */
function rawRequest(
  emulator: TestEmulator,
  path: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<RawReply> {
  const { port } = new URL(emulator.url);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: "127.0.0.1", port, path, method, headers, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    request.on("error", reject);
    request.end();
  });
}

testOnTransports("the control interface", (open) => {
  it("[emulator.control refuses] the control interface requires its token", async () => {
    await using emulator = await open();
    const { control_token } = emulator.instance.startLine;
    for (const [method, path] of [
      ["GET", "/_emulator/status"],
      ["POST", "/_emulator/reset"],
      ["GET", "/_emulator/nowhere"],
    ] as const) {
      for (const key of [null, "wrong", `${control_token}x`, control_token.slice(1), emulator.keys.admin]) {
        const reply = await emulator.askHost(method, path, { key });
        expect([path, reply.status, reply.body.error.code]).toEqual([path, 401, "unauthorized"]);
        expect(reply.headers.get("www-authenticate")).toBe("Bearer");
        expect(reply.headers.get("x-emulator-rule")).toBe("emulator.control");
      }
    }
    expect((await emulator.askHost("GET", "/_emulator/status", { key: control_token })).status).toBe(200);
    expect((await emulator.ask("GET", "/ping", { key: control_token })).status).toBe(401);
  });

  it("[emulator.control] a request to stop gets a response before the server stops", async () => {
    await using emulator = await open();
    let ended = 0;
    await expect(emulator.instance.control("POST", "/stop")).rejects.toMatchObject({ status: 409 });
    const server = await emulator.instance.listen({ port: 0, onStop: () => void ended++ });
    const key = emulator.instance.startLine.control_token;
    const response = await emulator.askHost("POST", "/_emulator/stop", { key });
    expect([response.status, response.body.data, ended]).toEqual([200, { stopping: true }, 1]);
    await server.close();
    await expect(emulator.instance.control("POST", "/stop")).rejects.toMatchObject({ status: 409 });
  });

  it("[emulator.control] unknown operations return 404, and malformed bodies 400", async () => {
    await using emulator = await open();
    const key = emulator.instance.startLine.control_token;
    for (const [method, path, status, raw] of [
      ["GET", "/_emulator/nowhere", 404, undefined],
      ["PUT", "/_emulator/clock", 404, undefined],
      ["GET", "/_emulator/", 404, undefined],
      ["DELETE", "/_emulator/keys/none", 404, undefined],
      ["DELETE", "/_emulator/keys/%E0%A4%A", 404, undefined],
      ["PATCH", "/_emulator/clock", 400, "{"],
      ["PATCH", "/_emulator/clock", 400, "[]"],
      ["PATCH", "/_emulator/clock", 400, '{"colour":"blue"}'],
      ["POST", "/_emulator/keys", 400, "{}"],
      ["GET", "/_emulator/requests?limit=0", 400, undefined],
    ] as const) {
      const reply = await emulator.askHost(method, path, { key, ...(raw !== undefined && { raw }) });
      expect([method, path, reply.status]).toEqual([method, path, status]);
      expect(reply.body.error).toEqual({
        code: status === 404 ? "not_found" : "validation_failed",
        message: expect.any(String),
        details: expect.any(Array),
      });
      expect(reply.headers.has("x-emulator-rule")).toBe(true);
    }
  });

  it("the control interface returns the values of only the initial keys", async () => {
    await using emulator = await open();
    for (const [name, key] of Object.entries(emulator.keys))
      expect(await emulator.control("GET", `/keys/${name}`)).toMatchObject({ name, status: "active", key });
    const made = await emulator.control("POST", "/keys", { kind: "public", name: "Nightly" });
    expect(await emulator.control("GET", `/keys/${made.id}`)).toEqual({ ...made, key: null });
    const reset = await emulator.control("POST", "/reset", {});
    expect((await emulator.control("GET", "/keys/admin")).key).toBe(keysOf(reset).admin);
    await expect(emulator.control("GET", "/keys/none")).rejects.toMatchObject({ status: 404 });
  });

  it("keys are created with type, role, expiry and limits", async () => {
    await using emulator = await open();
    const made = await emulator.control("POST", "/keys", {
      kind: "public",
      role: "viewer",
      name: "Nightly",
      expires_at: "2026-04-01T00:00:00Z",
      limits: { read: 5 },
    });
    expect(made).toMatchObject({
      kind: "public",
      role: "viewer",
      name: "Nightly",
      status: "active",
      creator: "control",
      expires_at: "2026-04-01T00:00:00.000Z",
      prefix: made.key.slice(0, 8),
      limits: { read: 5 },
    });
    const list = await emulator.control("GET", "/keys");
    expect(list).toHaveLength(8);
    const listed = list.find((key: { id: string }) => key.id === made.id);
    expect(listed).toEqual(Object.fromEntries(Object.entries(made).filter(([name]) => name !== "key")));
    const text = JSON.stringify(list);
    for (const value of [made.key, ...Object.values(emulator.keys)]) expect(text).not.toContain(value);
    await emulator.control("DELETE", `/keys/${made.id}`);
    expect(await emulator.control("GET", "/keys")).toHaveLength(7);
    for (const wrong of [
      { kind: "public", role: "boss" },
      { kind: "public", limits: { colour: 5 } },
      { kind: "public", limits: { read: -1 } },
      { kind: "public", permissions: ["everything"] },
      { kind: "public", distributor_id: "x" },
      { kind: "distributor", organization_id: "x" },
      { kind: "distributor", role: "viewer" },
      { kind: "public", versions: ["v1"] },
      { kind: "public", expires_at: "tomorrow" },
    ]) {
      await expect(emulator.control("POST", "/keys", wrong)).rejects.toMatchObject({ status: 400 });
    }
    for (const _ of ["once", "twice"]) await emulator.control("POST", "/keys", { kind: "public" });
    await expect(emulator.control("DELETE", "/keys/key")).rejects.toMatchObject({
      status: 409,
      body: { error: { message: "several keys are named key; use a key's ID" } },
    });
    const nobody = { kind: "public", organization_id: "0123456789abcdef01234567" };
    await expect(emulator.control("POST", "/keys", nobody)).rejects.toMatchObject({ status: 404 });
  });

  it("a reset keeps the clock and the control token", async () => {
    await using emulator = await open();
    await createContact(emulator);
    await emulator.advance(500);
    await emulator.control("POST", "/faults", { kind: "error_before" });
    const before = emulator.instance.startLine;
    const line = await emulator.control("POST", "/reset", {});
    expect(line.control_token).toBe(before.control_token);
    expect(line.keys).toEqual(before.keys);
    const contacts = await emulator.ask("GET", "/contacts", { key: keysOf(line).admin });
    expect([contacts.status, contacts.body.data]).toEqual([200, []]);
    expect(contacts.headers.get("x-ratelimit-remaining")).toBe("999");
    expect(await emulator.control("GET", "/clock")).toEqual({
      mode: "virtual",
      now: "2026-03-02T09:08:20.000Z",
    });
    expect(await emulator.control("GET", "/faults")).toEqual([]);
    expect(emulator.instance.startLine.keys).toEqual(keysOf(line));
    const again = await emulator.control("POST", "/reset", { seed: "demo", new_keys: true });
    expect(keysOf(again).admin).not.toBe(keysOf(line).admin);
    expect((await emulator.ask("GET", "/contacts", { key: before.keys.admin })).status).toBe(401);
    expect(
      (await emulator.ask("GET", "/contacts", { key: keysOf(again).admin })).body.data.length,
    ).toBeGreaterThan(0);
  });

  it("the status shows the file, the clock and the number of rows per table", async () => {
    await using emulator = await open();
    await createContact(emulator);
    await emulator.advance(90);
    const status = await emulator.control("GET", "/status");
    expect(status).toMatchObject({
      db: ":memory:",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      uptime_seconds: expect.any(Number),
      clock: { mode: "virtual", now: "2026-03-02T09:01:30.000Z" },
      counts: { contacts: 1, groups: 5, organizations: 1, keys: 7, distributors: 1 },
    });
  });

  it("a refused control request has no effect", async () => {
    await using emulator = await open();
    const { organization_id } = emulator.instance.startLine;
    await emulator.control("PATCH", `/organizations/${organization_id}`, { status: "blocked" });
    const unknown = "/organizations/0123456789abcdef01234567";
    await expect(emulator.control("PATCH", unknown, { status: "active" })).rejects.toMatchObject({
      status: 404,
    });
    expect((await emulator.ask("GET", "/ping")).status).toBe(402);
  });
});

describe("the control interface on the network", () => {
  it("[emulator.control refuses] the control interface refuses other origins, but the APIs don't", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    const authorization = `Bearer ${emulator.instance.startLine.control_token}`;
    const { host, port } = new URL(emulator.url);
    const status = async (origin: string, path = "/_emulator/status", key = authorization) =>
      (await rawRequest(emulator, path, { host, origin, authorization: key })).status;
    for (const origin of [
      "http://evil.example",
      `https://${host}`,
      `http://${host}.evil.example`,
      "null",
      `http://127.0.0.1:${Number(port) + 1}`,
    ]) {
      expect([origin, await status(origin)]).toEqual([origin, 403]);
    }
    expect(await status(emulator.url)).toBe(200);
    const named = await rawRequest(emulator, "/_emulator/status", {
      host: `localhost:${port}`,
      origin: `http://localhost:${port}`,
      authorization,
    });
    expect(named.status).toBe(200);
    expect(await status("http://evil.example", "/api/v1/ping", `Bearer ${emulator.keys.admin}`)).toBe(200);
  });

  it("[emulator.control refuses] every path refuses an unknown Host and names the API rule", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    const { port } = new URL(emulator.url);
    const authorization = `Bearer ${emulator.keys.admin}`;
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1.evil.example",
      `localhost.evil.example:${port}`,
      "[::1]",
    ]) {
      for (const path of ["/api/v1/ping", "/_emulator/status", "/nowhere"]) {
        const reply = await rawRequest(emulator, path, { host, authorization });
        expect([host, reply.status]).toEqual([host, 403]);
        expect(reply.headers["x-emulator-rule"]).toBe("emulator.control");
        expect(JSON.parse(reply.text).error.code).toBe("forbidden");
      }
    }
    for (const host of [`127.0.0.1:${port}`, "127.0.0.1", `localhost:${port}`, "LOCALHOST"]) {
      expect([host, (await rawRequest(emulator, "/api/v1/ping", { host, authorization })).status]).toEqual([
        host,
        200,
      ]);
    }
  });

  it("[emulator.control] a server on all addresses refuses a Host that names a different address", async () => {
    await using emulator = await openTestEmulator("in process");
    const authorization = `Bearer ${emulator.keys.admin}`;
    for (const host of ["0.0.0.0", "localhost"]) {
      const server = await emulator.instance.listen({ port: 0, host });
      const at = { ...emulator, url: server.url };
      const status = async (named: string) =>
        (await rawRequest(at, "/api/v1/ping", { host: named, authorization })).status;
      const reached = (await status("127.0.0.1")) === 200 ? "127.0.0.1" : "[::1]";
      for (const [named, expected] of [
        [reached, 200],
        ["localhost", 200],
        [host, 200],
        ["127.0.0.2", 403],
        ["evil.example", 403],
      ] as const) {
        expect([host, named, await status(named)]).toEqual([host, named, expected]);
      }
      await server.close();
    }
  });

  it("[emulator.control] an empty address means that the server listens on loopback", async () => {
    await using emulator = await openTestEmulator("in process");
    expect((await emulator.instance.listen({ port: 0, host: "" })).url).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+$/,
    );
  });

  it("[emulator.control] hosts from the option `allowHosts` are also accepted", async () => {
    await using emulator = await openTestEmulator("in process");
    const server = await emulator.instance.listen({ port: 0, allowHosts: ["Emulator.test"] });
    const authorization = `Bearer ${emulator.keys.admin}`;
    const at = { ...emulator, url: server.url };
    expect((await rawRequest(at, "/api/v1/ping", { host: "emulator.test:80", authorization })).status).toBe(
      200,
    );
    expect((await rawRequest(at, "/api/v1/ping", { host: "other.test", authorization })).status).toBe(403);
    // The server compares names only, so such a value would have no effect.
    for (const name of ["emulator.test:4010", "http://emulator.test", "*", ""])
      await expect(emulator.instance.listen({ port: 0, allowHosts: [name] })).rejects.toThrow(TypeError);
  });
});
