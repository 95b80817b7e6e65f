import { describe, expect, it } from "vitest";
import { openTestEmulator } from "../helpers/test-emulator.js";

const page = "http://localhost:5173";

async function listen(cors?: readonly string[]) {
  const emulator = await openTestEmulator("in process");
  const server = await emulator.instance.listen({ port: 0, ...(cors === undefined ? {} : { cors }) });
  const request = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const preflight = (path: string, origin = page) =>
    request("OPTIONS", path, {
      origin,
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "authorization,content-type",
    });
  return { emulator, request, preflight, [Symbol.asyncDispose]: () => emulator[Symbol.asyncDispose]() };
}

describe("requests from web pages of other origins", () => {
  it("[D-method-head] preflight requests from an allowed origin need no key", async () => {
    await using served = await listen([`${page}/`, "https://app.example"]);
    for (const path of [
      "/api/v1/contacts",
      "/api/distributor/v2/organizations",
      "/mcp",
      "/api/v1/openapi.json",
    ]) {
      const { status, headers } = await served.preflight(path);
      expect([path, status, headers.get("access-control-allow-origin")]).toEqual([path, 204, page]);
      expect(headers.get("access-control-allow-methods")).toBe("PATCH");
      expect(headers.get("access-control-allow-headers")).toBe("authorization,content-type");
    }
    const statuses = [
      await served.preflight("/api/v1/nothing"),
      await served.preflight("/api/v1/contacts", "http://other.example"),
    ].map(({ status, headers }) => [status, headers.get("access-control-allow-origin")]);
    expect(statuses).toEqual([
      [404, page],
      [404, null],
    ]);
  });

  it("an allowed origin can read responses of the APIs and MCP, even errors", async () => {
    await using served = await listen([page]);
    const authorization = `Bearer ${served.emulator.keys.admin}`;
    const responses = [
      await served.request("GET", "/api/v1/ping", { origin: page, authorization }),
      await served.request("GET", "/api/v1/ping", { origin: page }),
      await served.request(
        "POST",
        "/mcp",
        {
          origin: page,
          authorization,
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
        },
        JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      ),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 401, 200]);
    for (const { headers } of responses) {
      expect(headers.get("access-control-allow-origin")).toBe(page);
      expect(headers.get("access-control-expose-headers")).toBe("*");
    }
  });

  it("the control interface refuses other origins, even one that the APIs accept", async () => {
    await using served = await listen([page]);
    const control = { authorization: `Bearer ${served.emulator.instance.startLine.control_token}` };
    const preflight = await served.preflight("/_emulator/status");
    expect(preflight.status).not.toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
    const response = await served.request("GET", "/_emulator/status", { origin: page, ...control });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });

  it("MCP refuses origins that are not allowed", async () => {
    for (const cors of [undefined, ["https://app.example"]]) {
      await using served = await listen(cors);
      const authorization = `Bearer ${served.emulator.keys.admin}`;
      const response = await served.request("POST", "/mcp", { origin: page, authorization }, "{}");
      expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([403, null]);
      expect((await served.preflight("/api/v1/contacts")).status).toBe(404);
    }
  });

  it("the option for allowed origins refuses a wildcard and a URL with a path", async () => {
    await using emulator = await openTestEmulator("in process");
    for (const origin of ["*", "http://*.example", "null", "localhost:5173", "http://localhost/app"])
      await expect(emulator.instance.listen({ port: 0, cors: [origin] })).rejects.toThrow("list of origins");
  });
});
