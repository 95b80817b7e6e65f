import { expect, it } from "vitest";
import { createContact, unknownId } from "../helpers/records.js";
import { testOnTransports } from "../helpers/test-emulator.js";

testOnTransports("HEAD", (open) => {
  it("[D-method-head] in every API, HEAD returns the response to GET without the body", async () => {
    await using emulator = await open();
    const contact = await createContact(emulator);
    const distributor = emulator.keys.distributor_v2;
    const paths: [path: string, key?: string | null][] = [
      ["/api/v1/ping"],
      ["/api/v1/contacts?limit=1"],
      [`/api/v1/contacts/${contact.id}`],
      ["/api/v1/docs", null],
      ["/api/v1/openapi.json", null],
      ["/api/v1/openapi.yaml", null],
      ["/api/distributor/v1/health", null],
      ["/api/distributor/v2/organizations/tree", distributor],
      [`/api/v1/contacts/${unknownId}`],
      ["/api/v1/contacts/x"],
      ["/api/v1/contacts?limit=x"],
      ["/api/v1/contacts", null],
      ["/api/v1/nothing"],
    ];
    for (const [path, key] of paths) {
      const options = key === undefined ? {} : { key };
      const got = await emulator.askHost("GET", path, options);
      const head = await emulator.askHost("HEAD", path, options);
      // The connection's headers differ, because the HTTP client closes the connection after a HEAD request.
      const volatile = ["date", "x-ratelimit-remaining", "connection", "keep-alive"];
      const headers = (of: Headers) => [...of].filter(([name]) => !volatile.includes(name));
      expect([path, head.status, headers(head.headers)]).toEqual([path, got.status, headers(got.headers)]);
      expect(head.bytes).toHaveLength(0);
    }
  });

  it("[D-method-head] HEAD counts as a read", async () => {
    await using emulator = await open({ limits: { read: 2 } });
    const remaining = async () =>
      (await emulator.ask("HEAD", "/contacts")).headers.get("x-ratelimit-remaining");
    expect([await remaining(), await remaining()]).toEqual(["1", "0"]);
    expect((await emulator.ask("GET", "/contacts")).status).toBe(429);
    expect((await emulator.ask("HEAD", "/contacts")).status).toBe(429);
  });

  it("[D-method refuses] HEAD on a path without GET returns 404", async () => {
    await using emulator = await open();
    const reply = await emulator.askHost("HEAD", "/api/v1/outbound/call");
    expect([reply.status, reply.headers.get("x-emulator-rule")]).toEqual([404, "D-method"]);
  });

  it("HEAD is logged without a body", async () => {
    await using emulator = await open();
    await emulator.ask("HEAD", "/contacts");
    const [entry] = await emulator.control("GET", "/requests");
    expect(entry).toMatchObject({
      method: "HEAD",
      path: "/api/v1/contacts",
      status: 200,
      response_body: null,
    });
  });
});

testOnTransports("the authentication scheme before a key", (open) => {
  it("the Public API and MCP accept the word Bearer regardless of case", async () => {
    await using emulator = await open();
    for (const word of ["bearer", "BEARER", "bEaReR"]) {
      const headers = { authorization: `${word} ${emulator.keys.admin}` };
      expect((await emulator.ask("GET", "/ping", { headers })).status).toBe(200);
      const raw = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
      const mcp = await emulator.askHost("POST", "/mcp", {
        raw,
        headers: { ...headers, accept: "application/json, text/event-stream" },
      });
      expect(mcp.status).toBe(200);
    }
  });

  it("the other APIs accept the word Bearer only in its documented spelling", async () => {
    await using emulator = await open();
    const headers = { authorization: `bearer ${emulator.keys.distributor_v2}` };
    expect(
      (await emulator.askHost("GET", "/api/distributor/v2/organizations/tree", { headers })).status,
    ).toBe(401);
    expect((await emulator.askHost("POST", "/api/v1/outbound/call", { headers, body: {} })).status).toBe(401);
  });
});
