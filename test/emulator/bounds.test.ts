import { expect, it } from "vitest";
import { createToolCall, sendMessage } from "../helpers/mcp.js";
import { createContact, unknownId } from "../helpers/records.js";
import {
  openTestEmulator,
  type Reply,
  type TestEmulator,
  testOnTransports,
} from "../helpers/test-emulator.js";

const entries = (count: number, value: unknown = "v") =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));
const many = (count: number, value: unknown) => Array.from({ length: count }, () => value);
const refusalOf = (reply: Reply) => [reply.status, reply.headers.get("x-emulator-rule")];
const tool = (name: string, more: object = {}) => ({ name, url: "https://example.org", ...more });

testOnTransports("a body of many values", (open) => {
  it("[D-values refuses] a body with too many values is refused, regardless of the field", async () => {
    await using emulator = await open();
    const created = (await emulator.ask("POST", "/tools", { body: tool("small") })).body.data;
    const interval = { from: "08:00", to: "09:00" };
    const day = { kind: "opening", weekly: { monday: many(25_000, interval) } };
    const bodies: [method: string, path: string, body: object][] = [
      ["POST", "/tools", tool("t", { headers: entries(60_000) })],
      ["PATCH", `/tools/${created.id}`, { headers: entries(60_000) }],
      ["POST", "/tools", tool("t", { parameters: entries(20_000) })],
      ["POST", "/tools", tool("t", { parameters: { deep: many(200, entries(100)) } })],
      ["POST", "/calendars", { name: "c", schedules: [day] }],
      ["POST", "/calendars", { name: "c", schedules: many(40_000, {}) }],
      ["POST", "/assistants", { tool_ids: many(20_000, unknownId) }],
      ["POST", "/assistants", { pre_call_webhook: { enabled: false, headers: entries(40_000) } }],
      ["POST", "/contacts", { phone_numbers: many(40_000, "+491701234567") }],
      ["POST", "/contacts", entries(50_000)],
      ["POST", "/outbound/call", entries(50_000)],
    ];
    for (const [method, path, body] of bodies) {
      const reply = await emulator.askHost(method, `/api/v1${path}`, { body });
      expect([path, reply.status]).toEqual([path, 400]);
      expect(reply.headers.get("x-emulator-rule")).toMatch(/^(D-values|legacy\..*)$/);
    }
  });

  it("[D-values] a custom object with 5,000 values is stored and listed", async () => {
    await using emulator = await open();
    // The body itself and its three fields also count as values.
    const parameters = entries(4_996, 1);
    const kept = await emulator.ask("POST", "/tools", { body: tool("wide", { parameters }) });
    expect(kept.status).toBe(201);
    expect((await emulator.ask("GET", "/tools")).body.data[0]?.parameters).toEqual(parameters);
    const refused = await emulator.ask("POST", "/tools", {
      body: tool("wider", { parameters: { ...parameters, more: 1 } }),
    });
    expect(refusalOf(refused)).toEqual([400, "D-values"]);
  });

  it("[D-body refuses] a number that a double can't represent is refused with its path", async () => {
    await using emulator = await open();
    const send = (number: string) =>
      emulator.ask("POST", "/tools", {
        raw: `{"name":"t","url":"https://example.org","parameters":{"anyOf":[{"maximum":${number}}]}}`,
      });
    for (const number of ["9223372036854775807", "0.12345678901234567890", "1e400"]) {
      const refused = await send(number);
      expect(refusalOf(refused)).toEqual([400, "D-body"]);
      expect(refused.body.error.details).toEqual([
        { path: ["parameters", "anyOf", 0, "maximum"], message: "has too many digits for the emulator" },
      ]);
    }
    expect((await send("9007199254740991")).body.data.parameters).toEqual({
      anyOf: [{ maximum: 9007199254740991 }],
    });
  });

  it("[D-webhook refuses] a webhook may have at most 100 headers", async () => {
    await using emulator = await open();
    const create = (count: number) =>
      emulator.ask("POST", "/tools", { body: tool(`t${count}`, { headers: entries(count) }) });
    expect((await create(100)).status).toBe(201);
    expect(refusalOf(await create(101))).toEqual([400, "D-webhook"]);
  });

  it("[D-contact refuses] [D-forwarding refuses] an email and a SIP URI have a maximum length", async () => {
    await using emulator = await open();
    const emails = [`${"a".repeat(320)}@example.org`];
    const contact = { group_id: await emulator.groupId("contacts"), first_name: "A", emails };
    expect(refusalOf(await emulator.ask("POST", "/contacts", { body: contact }))).toEqual([400, "D-contact"]);
    const forwarding = {
      group_id: await emulator.groupId("forwardings"),
      destination_type: "sip",
      sip_uri: `sip:${"a".repeat(2_048)}`,
    };
    expect(refusalOf(await emulator.ask("POST", "/forwardings", { body: forwarding }))).toEqual([
      400,
      "D-forwarding",
    ]);
  });
});

async function readPages(emulator: TestEmulator, path: "/prompts" | "/glossary") {
  const pages: number[] = [];
  const names: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const search: string = cursor === undefined ? "?limit=200" : `?limit=200&cursor=${cursor}`;
    const { data, meta } = (await emulator.askHost("GET", `/api/v1${path}${search}`)).body;
    pages.push(data.length);
    for (const row of data) names.push(row.name ?? row.term);
    expect(meta.has_more).toBe(meta.next_cursor !== null);
    cursor = meta.next_cursor;
  }
  return { pages, names };
}

testOnTransports("a page of long rows", (open) => {
  it("[D-page] a page of long rows ends early, and no row is lost or repeated", async () => {
    await using emulator = await open();
    const text = "x".repeat(100_000);
    const group_id = await emulator.groupId("glossaries");
    const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
    for (const name of names) {
      await emulator.ask("POST", "/prompts", { body: { name, kind: "answering", text } });
      await emulator.ask("POST", "/glossary", { body: { group_id, term: name, definition: text } });
    }
    for (const path of ["/prompts", "/glossary"] as const) {
      const read = await readPages(emulator, path);
      expect(read.names).toEqual(names);
      expect(Math.max(...read.pages)).toBeLessThan(15);
      expect(read.pages.length).toBeLessThan(12);
    }
  });

  it("[D-page] a page of short rows has as many rows as its limit allows", async () => {
    await using emulator = await open();
    for (let index = 0; index < 5; index += 1) await createContact(emulator, { first_name: `A${index}` });
    const { data, meta } = (await emulator.ask("GET", "/contacts?limit=5")).body;
    expect([data.length, meta.has_more]).toEqual([5, false]);
  });
});

testOnTransports("MCP", (open) => {
  it("[D-mcp refuses] an MCP request may contain at most 50 messages", async () => {
    await using emulator = await open();
    const batch = (count: number) => Array.from({ length: count }, (_, id) => createToolCall("ping", {}, id));
    expect((await sendMessage(emulator, batch(50))).body).toHaveLength(50);
    expect(refusalOf(await sendMessage(emulator, batch(51)))).toEqual([400, "D-mcp"]);
  });

  it("[D-mcp] after long responses, the remaining calls of an MCP batch fail", async () => {
    await using emulator = await open();
    const text = "x".repeat(100_000);
    for (let index = 0; index < 10; index += 1)
      await emulator.ask("POST", "/prompts", { body: { name: `n${index}`, kind: "answering", text } });
    const batch = [1, 2, 3, 4].map((id) => createToolCall("prompts_list", {}, id));
    const { body } = await sendMessage(emulator, batch);
    const isError = (id: number) => body.find((message: { id: number }) => message.id === id).result.isError;
    expect([isError(1), isError(4)]).toEqual([undefined, true]);
  });

  it("[D-values refuses] an MCP message with more than 5,000 values is refused", async () => {
    await using emulator = await open();
    const reply = await sendMessage(
      emulator,
      createToolCall("tools_create", { parameters: entries(20_000) }),
    );
    expect(refusalOf(reply)).toEqual([400, "D-values"]);
  });

  it("the MCP server checks the key before it parses the body", async () => {
    await using emulator = await open();
    for (const raw of ["{", "[".repeat(5_000), JSON.stringify(entries(20_000))]) {
      const reply = await sendMessage(emulator, undefined, { raw, key: null });
      expect(refusalOf(reply)).toEqual([401, "public.auth.4"]);
    }
  });

  it("the MCP server responds with -32602 to an unknown cursor", async () => {
    await using emulator = await open();
    for (const cursor of ["abc", ""]) {
      const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { cursor } };
      expect((await sendMessage(emulator, list)).body).toMatchObject({ id: 1, error: { code: -32_602 } });
    }
  });
});

it("a request does not wait for an MCP batch to end", async () => {
  await using emulator = await openTestEmulator("in process");
  const finished: string[] = [];
  const batch = Array.from({ length: 20 }, (_, id) => createToolCall("ping", {}, id));
  // The first message loads modules, which would delay the batch.
  await sendMessage(emulator, batch[0]);
  await Promise.all([
    sendMessage(emulator, batch).then(() => finished.push("batch")),
    emulator.ask("GET", "/ping").then(() => finished.push("ping")),
  ]);
  expect(finished).toEqual(["ping", "batch"]);
});

it("[emulator.control] a page of table rows ends after 512 KiB", async () => {
  await using emulator = await openTestEmulator("in process");
  const text = "x".repeat(100_000);
  const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
  for (const name of names)
    await emulator.ask("POST", "/prompts", { body: { name, kind: "answering", text } });
  const rows: object[] = [];
  let pages = 0;
  for (; pages === 0 || rows.length < names.length; pages += 1) {
    const page = await emulator.control("GET", `/tables/prompts?limit=1000&offset=${rows.length}`);
    expect(page.length).toBeGreaterThan(0);
    rows.push(...page);
  }
  expect(pages).toBeGreaterThan(3);
  expect(rows).toHaveLength(names.length);
});

it("a request does not wait for a search of the log to end", async () => {
  await using emulator = await openTestEmulator("in process", { limits: { read: 10_000 } });
  for (let count = 0; count < 1_100; count += 1) await emulator.ask("GET", "/ping");
  await emulator.ask("GET", "/voices?limit=7");
  const finished: string[] = [];
  const [found] = await Promise.all([
    emulator.control("GET", "/requests?search=limit%3D7").finally(() => finished.push("search")),
    emulator.ask("GET", "/ping").then(() => finished.push("ping")),
  ]);
  expect(finished).toEqual(["ping", "search"]);
  expect(found.map(({ path }: { path: string }) => path)).toEqual(["/api/v1/voices?limit=7"]);
});
