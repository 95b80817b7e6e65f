import { describe, expect, it } from "vitest";
import { createInstalledCli, readFirstLine } from "../helpers/installed-cli.js";
import { callTool, connectOverHttp, createToolCall, readToolData, sendMessage } from "../helpers/mcp.js";
import { createContact, createOtherOrganization, unknownId } from "../helpers/records.js";
import {
  openTestEmulator,
  type Reply,
  type TestEmulator,
  testOnTransports,
} from "../helpers/test-emulator.js";

const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const ping = createToolCall("ping");
const resultOf = (reply: Reply) => reply.body.result;
const errorOf = (reply: Reply) => [reply.status, reply.body.error.code, reply.headers.get("x-emulator-rule")];

async function createKey(emulator: TestEmulator, fields: object) {
  return emulator.control("POST", "/keys", fields);
}

describe("the MCP SDK's client, over HTTP", () => {
  it.each([undefined, "2026-07-28"] as const)(
    "[D-mcp] the MCP SDK's client lists and calls tools over HTTP (revision %s)",
    async (revision) => {
      await using emulator = await openTestEmulator("over HTTP");
      const client = await connectOverHttp(emulator, emulator.keys.admin, revision);
      expect(client.getServerVersion()?.name).toBe("voxctl");
      const { tools } = await client.listTools();
      expect(tools).toHaveLength(58);
      expect(tools.find(({ name }) => name === "contacts_delete")?.annotations).toMatchObject({
        readOnlyHint: false,
        destructiveHint: true,
      });

      const group_id = await emulator.groupId("contacts");
      const created = await client.callTool({
        name: "contacts_create",
        arguments: { group_id, first_name: "Ada", phone_numbers: ["+4930123456"] },
      });
      expect(created.isError).toBeUndefined();
      const contact = (await emulator.ask("GET", "/contacts")).body.data[0];
      expect(created.structuredContent).toEqual({ data: contact });

      const contact_id = contact.id;
      await client.callTool({ name: "contacts_update", arguments: { contact_id, last_name: "Byron" } });
      const listed = await client.callTool({ name: "contacts_list", arguments: { group_id, limit: 1 } });
      expect(listed.structuredContent).toMatchObject({
        data: [{ id: contact_id, first_name: "Ada", last_name: "Byron" }],
        meta: { has_more: false, next_cursor: null },
      });
      const deleted = await client.callTool({ name: "contacts_delete", arguments: { contact_id } });
      expect(deleted.structuredContent).toEqual({ data: {} });
      const gone = await client.callTool({ name: "contacts_get", arguments: { contact_id } });
      expect(gone.isError).toBe(true);
      expect(gone.structuredContent).toMatchObject({ error: { code: "not_found" } });
    },
  );

  it("the MCP SDK's client works with the built command's server at the printed URL", async () => {
    const server = createInstalledCli().start([
      "emulator",
      "start",
      "--db",
      ":memory:",
      "--port",
      "0",
      "-o",
      "json",
    ]);
    const { url, mcp_url, keys } = JSON.parse(await readFirstLine(server));
    expect(mcp_url).toBe(`${url}/mcp`);
    const client = await connectOverHttp({ url }, keys.viewer);
    expect((await client.listTools()).tools).toHaveLength(58);
    const { structuredContent } = await client.callTool({ name: "assistants_list", arguments: {} });
    expect(structuredContent).toMatchObject({ meta: { has_more: false } });
  });

  it("[public.errors.5 refuses] an MCP client sees the HTTP status of a refused key", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    await expect(connectOverHttp(emulator, "no-key-of-this-world")).rejects.toThrow(/401|[Uu]nauthorized/);
  });
});

testOnTransports("MCP", (open) => {
  it("[D-mcp refuses] MCP needs no session, responds with JSON and accepts only POST", async () => {
    await using emulator = await open();
    const reply = await sendMessage(emulator, list);
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(reply.headers.get("mcp-session-id")).toBeNull();
    expect(resultOf(reply).tools).toHaveLength(58);
    const notice = await sendMessage(emulator, { jsonrpc: "2.0", method: "notifications/initialized" });
    expect([notice.status, notice.bytes.length]).toEqual([202, 0]);
    for (const method of ["GET", "DELETE"]) {
      const refused = await emulator.askHost(method, "/mcp", { headers: { accept: "text/event-stream" } });
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
    }
    const headers = { authorization: `Bearer ${emulator.keys.admin}` };
    const trace = await emulator.instance.transport(`${emulator.url}/mcp`, { method: "TRACE", headers });
    expect(trace.status).toBe(405);
  });

  it("[D-mcp refuses] MCP refuses an invalid message", async () => {
    await using emulator = await open();
    for (const [raw, status] of [
      ["{", 400],
      ["", 400],
      ["[]", 400],
      ['"text"', 400],
      [Uint8Array.of(0x7b, 0xff, 0x7d), 400],
      [`{"jsonrpc":"2.0","id":1,"method":"${"x".repeat(1_048_577)}"}`, 413],
    ] as const) {
      const reply = await sendMessage(emulator, undefined, { raw });
      expect([String(raw).slice(0, 20), reply.status]).toEqual([String(raw).slice(0, 20), status]);
      expect(reply.headers.get("x-emulator-rule")).toBe("D-mcp");
    }
    expect((await callTool(emulator, "ping")).status).toBe(200);
  });

  it("[D-mcp] a tool handles arguments in the same way as its operation", async () => {
    await using emulator = await open();
    for (const first_name of ["Ada", "Bea", "Cia"]) await createContact(emulator, { first_name });
    const first = resultOf(await callTool(emulator, "contacts_list", { limit: 2 })).structuredContent;
    expect(first.data).toHaveLength(2);
    expect(first.meta.has_more).toBe(true);
    const cursor = first.meta.next_cursor;
    const second = resultOf(
      await callTool(emulator, "contacts_list", { limit: 2, cursor }),
    ).structuredContent;
    expect(second.data).toHaveLength(1);
    const usage = { week: 10, year: 2026, assistant_id: "all" };
    expect((await readToolData(emulator, "statistics_usage", usage)).weekly.total_calls).toBe(0);
  });

  it("[public.errors.5] a tool's error is a result with isError and the body of the HTTP error", async () => {
    await using emulator = await open();
    const viewer = emulator.keys.viewer;
    for (const [name, given, request, key] of [
      ["contacts_get", { contact_id: "x" }, ["GET", "/contacts/x"], undefined],
      ["contacts_get", { contact_id: unknownId }, ["GET", `/contacts/${unknownId}`], undefined],
      ["contacts_list", { limit: 201 }, ["GET", "/contacts?limit=201"], undefined],
      ["contacts_list", { cursor: "made up" }, ["GET", "/contacts?cursor=made+up"], undefined],
      ["groups_create", { type: "contacts" }, ["POST", "/groups"], undefined],
      ["groups_create", { type: "contacts", name: "Default" }, ["POST", "/groups"], undefined],
      ["groups_create", { type: "contacts", name: "N", more: 1 }, ["POST", "/groups"], undefined],
      ["groups_create", { type: "contacts", name: "N" }, ["POST", "/groups"], viewer],
    ] as const) {
      const options = key === undefined ? {} : { key };
      const [method, path] = request;
      const expected = await emulator.ask(method, path, {
        ...options,
        ...(method === "POST" && { body: given }),
      });
      expect(expected.status).toBeGreaterThanOrEqual(400);
      const reply = await callTool(emulator, name, given, options);
      expect([name, reply.status]).toEqual([name, 200]);
      expect(resultOf(reply)).toEqual({
        content: [{ type: "text", text: JSON.stringify(expected.body) }],
        structuredContent: expected.body,
        isError: true,
      });
      expect(reply.headers.get("x-emulator-rule")).toBe(expected.headers.get("x-emulator-rule"));
    }
  });

  it("[D-nesting refuses] a tool's arguments may have at most 500 levels", async () => {
    await using emulator = await open();
    const create = (levels: number) =>
      sendMessage(emulator, undefined, {
        raw: JSON.stringify(
          createToolCall("tools_create", { name: "deep", url: "https://example.org", parameters: {} }),
        ).replace(
          '"parameters":{}',
          `"parameters":{"deep":${"[".repeat(levels - 2)}${"]".repeat(levels - 2)}}`,
        ),
      });
    const refused = (await create(501)).body.result;
    expect([refused.isError, refused.structuredContent.error.details[0].path]).toEqual([true, []]);
    expect((await create(500)).body.result.isError).toBeUndefined();
    const farDeeper = await create(200_000);
    expect([farDeeper.status, farDeeper.body.error.code]).toEqual([400, "validation_failed"]);
  });

  it("[public.errors.5] an error names unknown and missing arguments", async () => {
    await using emulator = await open();
    const details = async (name: string, given: object) =>
      resultOf(await callTool(emulator, name, given)).structuredContent.error.details;
    expect(await details("contacts_get", {})).toEqual([{ path: ["contact_id"], message: "is required" }]);
    expect(await details("contacts_delete", { contact_id: unknownId, force: true })).toEqual([
      { path: ["force"], message: "is not an accepted field" },
    ]);
    for (const contact_id of [7, null, {}, ["x"], ""])
      expect((await details("contacts_get", { contact_id }))[0].path).toEqual(["contact_id"]);
    for (const limit of [true, {}, "many", null])
      expect((await details("contacts_list", { limit }))[0].path).toEqual(["limit"]);
  });

  it("[D-mcp] an unknown tool is a protocol error and is not counted", async () => {
    await using emulator = await open();
    const reply = await callTool(emulator, "contacts_drop");
    expect(reply.body.error).toMatchObject({ code: -32602 });
    expect(reply.headers.get("x-ratelimit-limit")).toBeNull();
  });

  it.each([
    [undefined, "the tool's name as text"],
    [{}, "the tool's name as text"],
    [{ name: 7 }, "the tool's name as text"],
    [{ name: "ping", arguments: [] }, "arguments are optional and must be an object"],
    [{ name: "ping", arguments: "all" }, "arguments are optional and must be an object"],
  ])("the error for invalid params of a tool call is one sentence: %j", async (params, message) => {
    await using emulator = await open();
    const { body } = await sendMessage(emulator, { jsonrpc: "2.0", id: 1, method: "tools/call", params });
    expect(body.error).toEqual({ code: -32602, message: expect.stringContaining(message) });
    expect(body.error.message).not.toMatch(/[[{\n]/);
  });

  it.each(["initialize", "tools/list"])(
    "the error for invalid params of %s is one sentence",
    async (method) => {
      await using emulator = await open();
      const params = { cursor: 7, protocolVersion: 7 };
      const { body } = await sendMessage(emulator, { jsonrpc: "2.0", id: 1, method, params });
      expect(body.error).toEqual({
        code: -32602,
        message: expect.stringMatching(/^invalid params: [^[{\n]+$/),
      });
    },
  );

  it("[D-mcp] a batch of messages gets one HTTP response", async () => {
    await using emulator = await open();
    const reply = await sendMessage(emulator, [
      createToolCall("ping", {}, 1),
      createToolCall("voices_list", {}, 2),
    ]);
    expect(reply.body.map((message: { id: number }) => message.id).sort()).toEqual([1, 2]);
    expect(reply.headers.get("x-ratelimit-remaining")).toBe("998");
  });
});

testOnTransports("MCP, access", (open) => {
  it("[public.errors.5 refuses] a request without a valid key gets 401 and WWW-Authenticate", async () => {
    await using emulator = await open();
    const revoked = await createKey(emulator, { kind: "public" });
    await emulator.control("PATCH", `/keys/${revoked.id}`, { status: "revoked" });
    for (const key of [null, "unknown", emulator.keys.distributor_v2, revoked.key])
      for (const message of [list, ping, { not: "a message" }]) {
        const reply = await sendMessage(emulator, message, { key });
        expect(errorOf(reply)).toEqual([401, "unauthorized", "public.auth.4"]);
        expect(reply.headers.get("www-authenticate")).toBe("Bearer");
        expect(reply.headers.get("x-ratelimit-limit")).toBeNull();
      }
  });

  it("[D-keys refuses] [D-mcp] keys of OAuth users are accepted until they are revoked", async () => {
    await using emulator = await open();
    const { id, key } = await createKey(emulator, {
      kind: "oauth",
      expires_at: new Date(emulator.instance.clock.now() + 60_000).toISOString(),
    });
    expect((await callTool(emulator, "contacts_list", {}, { key })).status).toBe(200);
    expect((await emulator.ask("GET", "/contacts", { key })).status).toBe(401);
    await emulator.control("PATCH", `/keys/${id}`, { status: "revoked" });
    expect(errorOf(await sendMessage(emulator, list, { key }))).toEqual([403, "forbidden", "D-keys"]);
    await emulator.control("PATCH", `/keys/${id}`, { status: "active" });
    expect((await sendMessage(emulator, list, { key })).status).toBe(200);
    await emulator.advance(60);
    expect(errorOf(await sendMessage(emulator, list, { key }))).toEqual([
      401,
      "unauthorized",
      "public.auth.4",
    ]);
    await emulator.control("DELETE", `/keys/${id}`);
    expect((await sendMessage(emulator, list, { key })).status).toBe(401);
  });

  it("[D-mcp refuses] a tool call without its permission fails", async () => {
    await using emulator = await open();
    const none = await createKey(emulator, { kind: "oauth", permissions: [] });
    for (const message of [list, ping])
      expect(errorOf(await sendMessage(emulator, message, { key: none.key }))).toEqual([
        403,
        "forbidden",
        "D-mcp",
      ]);
    const { key } = await createKey(emulator, { kind: "public", permissions: ["voices:read"] });
    expect((await callTool(emulator, "voices_list", {}, { key })).body.result.isError).toBeUndefined();
    const refused = await callTool(emulator, "groups_list", {}, { key });
    expect([refused.status, resultOf(refused).isError]).toEqual([200, true]);
    expect(resultOf(refused).structuredContent.error.code).toBe("forbidden");
  });

  it("[D-mcp refuses] [D-features refuses] an organization without the `mcp` feature gets a 402", async () => {
    await using emulator = await open();
    const organization = emulator.instance.startLine.organization_id;
    const features = (...names: string[]) =>
      emulator.control("PATCH", `/organizations/${organization}`, { features: names });
    await features("public_api", "knowledge");
    for (const message of [list, ping])
      expect(errorOf(await sendMessage(emulator, message))).toEqual([402, "subscription_required", "D-mcp"]);
    await features("public_api", "mcp", "statistics");
    expect((await sendMessage(emulator, list)).status).toBe(200);
    expect((await callTool(emulator, "statistics_summary")).status).toBe(200);
    const refused = await callTool(emulator, "knowledge_items_list");
    expect(errorOf(refused)).toEqual([402, "subscription_required", "public.auth.6"]);
    expect(refused.headers.get("x-ratelimit-limit")).toBeNull();
    // Tools also require the feature `public_api`, because they are operations of the Public API.
    await features("mcp");
    expect((await callTool(emulator, "ping")).status).toBe(402);
    await emulator.control("PATCH", `/organizations/${organization}`, { status: "blocked" });
    expect(errorOf(await sendMessage(emulator, list))).toEqual([402, "subscription_required", "D-features"]);
  });

  it("a tool call can access only the key's organization", async () => {
    await using emulator = await open();
    const otherOrganization = await createOtherOrganization(emulator);
    const contact = await createContact(emulator);
    const reply = await callTool(
      emulator,
      "contacts_get",
      { contact_id: contact.id },
      { key: otherOrganization.key },
    );
    expect(resultOf(reply).structuredContent.error.code).toBe("not_found");
  });

  it("MCP refuses a request from a page of a different origin before it checks the key", async () => {
    await using emulator = await open();
    const headers = { origin: "https://evil.example" };
    for (const key of [undefined, null]) {
      const reply = await sendMessage(emulator, ping, { headers, ...(key === null && { key }) });
      expect(errorOf(reply)).toEqual([403, "forbidden", "emulator.control"]);
    }
  });
});

describe("MCP over HTTP", () => {
  it("MCP over HTTP accepts requests from the emulator's own origin", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    expect((await sendMessage(emulator, ping, { headers: { origin: emulator.url } })).status).toBe(200);
  });
});

testOnTransports("MCP, limits", (open) => {
  const remaining = (reply: Reply) => [
    reply.headers.get("x-ratelimit-limit"),
    reply.headers.get("x-ratelimit-remaining"),
  ];

  it("[public.limits.4] a key may call read tools 1000 times and write tools 200 times a minute", async () => {
    await using emulator = await open();
    for (const message of [list, { jsonrpc: "2.0", id: 1, method: "ping" }])
      expect(remaining(await sendMessage(emulator, message))).toEqual([null, null]);
    expect(remaining(await callTool(emulator, "contacts_list"))).toEqual(["1000", "999"]);
    expect(remaining(await callTool(emulator, "contacts_delete", { contact_id: "x" }))).toEqual([
      "200",
      "199",
    ]);
    // In MCP, `calls_create` counts as a write, although calls have a separate bucket in REST (D-mcp).
    expect(remaining(await callTool(emulator, "calls_create"))).toEqual(["200", "198"]);
    expect(remaining(await emulator.ask("GET", "/ping"))).toEqual(["1000", "999"]);
    expect(remaining(await emulator.ask("DELETE", "/contacts/x"))).toEqual(["200", "199"]);
  });

  it("[public.limits.4 refuses] tool calls beyond the limit get a 429 until the window ends", async () => {
    await using emulator = await open({ limits: { write: 2 } });
    const create = (name: string) => callTool(emulator, "groups_create", { type: "contacts", name });
    expect((await create("A")).status).toBe(200);
    await emulator.advance(15);
    expect((await create("B")).status).toBe(200);
    const refused = await create("C");
    expect(errorOf(refused)).toEqual([429, "rate_limit_exceeded", "public.limits.4"]);
    expect(refused.headers.get("retry-after")).toBe("45");
    expect(remaining(refused)).toEqual(["2", "0"]);
    const names = async () => (await emulator.ask("GET", "/groups?type=contacts")).body.data.length;
    expect(await names()).toBe(3);
    expect((await callTool(emulator, "groups_list")).status).toBe(200);
    await emulator.advance(45);
    expect((await create("C")).status).toBe(200);
    expect(await names()).toBe(4);
  });

  it("[public.limits.4 refuses] the keys of an organization share its limit", async () => {
    await using emulator = await open({ limits: { read: 3 } });
    const { key } = await createKey(emulator, { kind: "oauth" });
    expect((await callTool(emulator, "ping")).status).toBe(200);
    await emulator.advance(30);
    for (let count = 0; count < 2; count += 1)
      expect((await callTool(emulator, "ping", {}, { key })).status).toBe(200);
    for (const bearer of [key, key, emulator.keys.admin, emulator.keys.viewer])
      expect((await callTool(emulator, "ping", {}, { key: bearer })).status).toBe(429);
    const otherOrganization = await createOtherOrganization(emulator);
    expect((await callTool(emulator, "ping", {}, { key: otherOrganization.key })).status).toBe(200);
    // The organization's window ends, but the key's window continues, and the refused calls don't count
    // toward the key's three requests.
    await emulator.advance(30);
    const third = await callTool(emulator, "ping", {}, { key });
    expect([third.status, ...remaining(third)]).toEqual([200, "3", "0"]);
    expect((await callTool(emulator, "ping", {}, { key })).status).toBe(429);
  });

  it("[public.limits.4 refuses] a key's limit is separate from the organization's limit", async () => {
    await using emulator = await open({ limits: { read: 3 } });
    const { key } = await createKey(emulator, { kind: "oauth", limits: { read: 1 } });
    expect(remaining(await callTool(emulator, "ping", {}, { key }))).toEqual(["1", "0"]);
    for (let count = 0; count < 5; count += 1)
      expect((await callTool(emulator, "ping", {}, { key })).status).toBe(429);
    expect(remaining(await callTool(emulator, "ping"))).toEqual(["3", "1"]);
    expect(remaining(await callTool(emulator, "ping"))).toEqual(["3", "0"]);
    expect((await callTool(emulator, "ping")).status).toBe(429);
  });

  it("[public.limits.4 refuses] a refused batch does not count against the limit", async () => {
    await using emulator = await open({ limits: { read: 2 } });
    const batch = [1, 2, 3].map((id) => createToolCall("ping", {}, id));
    expect((await sendMessage(emulator, batch)).status).toBe(429);
    expect((await sendMessage(emulator, batch.slice(0, 2))).status).toBe(200);
    expect((await sendMessage(emulator, ping)).status).toBe(429);
  });

  it("[public.limits.4 refuses] concurrent tool calls don't exceed the limit", async () => {
    await using emulator = await open({ limits: { write: 10 } });
    const replies = await Promise.all(
      Array.from({ length: 25 }, (_, at) =>
        callTool(emulator, "groups_create", { type: "contacts", name: `N ${at}` }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(15);
    expect((await emulator.ask("GET", "/groups?type=contacts")).body.data).toHaveLength(11);
  });

  it("[D-mcp refuses] [public.errors.5 refuses] if the limiter fails, a 503 has no limit headers", async () => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: "limiter_down", times: 1 });
    expect((await sendMessage(emulator, list)).status).toBe(200);
    const refused = await callTool(emulator, "groups_create", { type: "contacts", name: "N" });
    expect(errorOf(refused)).toEqual([503, "rate_limit_exceeded", "D-mcp"]);
    expect(remaining(refused)).toEqual([null, null]);
    expect(remaining(await callTool(emulator, "groups_create", { type: "contacts", name: "N" }))).toEqual([
      "200",
      "199",
    ]);
  });
});

testOnTransports("MCP, faults and the log", (open) => {
  const countGroups = async (emulator: TestEmulator) =>
    (await emulator.ask("GET", "/groups")).body.data.length;
  const create = (emulator: TestEmulator) =>
    callTool(emulator, "groups_create", { type: "contacts", name: "N" });

  it.each([
    ["error_before", 5],
    ["error_after", 6],
  ])("the fault %s affects a tool in the same way as its operation", async (fault, groups) => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: fault, operation: "groups.create", times: 1 });
    const reply = await create(emulator);
    expect([reply.status, resultOf(reply).isError]).toEqual([200, true]);
    expect(resultOf(reply).structuredContent.error.code).toBe("internal_error");
    expect(await countGroups(emulator)).toBe(groups);
    expect((await emulator.control("GET", "/faults"))[0].struck).toBe(1);
  });

  it.each([
    ["drop_before", 5],
    ["drop_after", 6],
    ["truncate", 6],
  ])("the fault %s cuts the connection", async (fault, groups) => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: fault, path: "/mcp", times: 1 });
    await expect(create(emulator)).rejects.toThrow();
    expect(await countGroups(emulator)).toBe(groups);
  });

  it('the fault "garbage" returns invalid JSON, and "delay" advances the clock', async () => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: "garbage", times: 1 });
    await emulator.control("POST", "/faults", { kind: "delay", delay_ms: 2_000, times: 1 });
    const before = emulator.instance.clock.now();
    const reply = await create(emulator);
    expect([reply.status, reply.body]).toEqual([200, undefined]);
    expect(emulator.instance.clock.now() - before).toBe(2_000);
    expect(await countGroups(emulator)).toBe(6);
  });

  it("a refused tool call makes no changes", async () => {
    await using emulator = await open();
    const contact = await createContact(emulator);
    const given = { contact_id: contact.id, first_name: "Eve", group_id: unknownId };
    expect(resultOf(await callTool(emulator, "contacts_update", given)).isError).toBe(true);
    expect((await emulator.ask("GET", `/contacts/${contact.id}`)).body.data).toEqual(contact);
  });

  it("the log has one row per tool call, with its API rule and key, without secrets", async () => {
    await using emulator = await open();
    const tool = {
      name: "crm",
      url: "https://crm.example/hook",
      secret: "s3cret",
      headers: { "X-Key": "t0ken" },
    };
    await callTool(emulator, "tools_create", tool);
    await callTool(emulator, "contacts_get", { contact_id: unknownId });
    await sendMessage(emulator, ping, { key: null });
    const [refused, failed, created] = await emulator.control("GET", "/requests?limit=3");
    expect([created?.method, created?.path, created?.status, created?.rule]).toEqual([
      "POST",
      "/mcp",
      200,
      null,
    ]);
    expect(created?.key_id).toMatch(/^[a-f0-9]{24}$/);
    expect(JSON.parse(created?.request_body ?? "").params.name).toBe("tools_create");
    expect(JSON.parse(created?.response_body ?? "").result.structuredContent.data.name).toBe("crm");
    expect(JSON.stringify(created)).not.toMatch(/s3cret|t0ken/);
    expect([failed?.status, failed?.code, failed?.rule]).toEqual([200, "not_found", "public.errors.4"]);
    expect([refused.status, refused.code, refused.rule, refused.key_id]).toEqual([
      401,
      "unauthorized",
      "public.auth.4",
      null,
    ]);
  });
});
