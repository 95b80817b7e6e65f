import { describe, expect, it } from "vitest";
import { readLog } from "../helpers/log.js";
import { createContact } from "../helpers/records.js";
import { openTestEmulator, testOnTransports } from "../helpers/test-emulator.js";

testOnTransports("the request log", (open) => {
  it("[emulator.log] the log contains requests and responses, newest first", async () => {
    await using emulator = await open();
    const contact = await createContact(emulator, { first_name: "Ada" });
    await emulator.advance(2.5);
    await emulator.ask("GET", `/contacts/${contact.id}?colour=blue`);
    await emulator.ask("POST", "/groups", { body: { type: "contacts" } });
    await emulator.ask("GET", "/nowhere", { key: null });
    const log = await emulator.control("GET", "/requests?limit=4");
    const keys = await emulator.control("GET", "/keys");
    const key_id = keys.find((key) => key.name === "admin")?.id;
    expect(log).toMatchObject([
      {
        method: "GET",
        path: "/api/v1/nowhere",
        status: 404,
        code: "not_found",
        rule: "D-order",
        key_id: null,
      },
      { method: "POST", path: "/api/v1/groups", status: 400, code: "validation_failed", key_id },
      {
        method: "GET",
        path: `/api/v1/contacts/${contact.id}?colour=blue`,
        status: 200,
        code: null,
        rule: null,
      },
      { method: "POST", path: "/api/v1/contacts", status: 201, at: "2026-03-02T09:00:00.000Z" },
    ]);
    expect(log[1]?.at).toBe("2026-03-02T09:00:02.500Z");
    expect(JSON.parse(log[3]?.request_body ?? "")).toMatchObject({ first_name: "Ada" });
    expect(JSON.parse(log[3]?.response_body ?? "").data).toEqual(contact);
    expect(JSON.parse(log[1]?.response_body ?? "").error.code).toBe("validation_failed");
    for (const entry of log) {
      expect(entry.duration_ms).toBeGreaterThanOrEqual(0);
      expect(Object.keys(entry).sort()).toEqual(
        [
          "id",
          "at",
          "method",
          "path",
          "status",
          "code",
          "rule",
          "duration_ms",
          "key_id",
          "request_body",
          "response_body",
          "request_headers",
          "response_headers",
          "faults",
        ].sort(),
      );
    }
  });

  it("[emulator.log] the log can be filtered by status and path, and read starting at an ID", async () => {
    await using emulator = await open();
    await emulator.ask("GET", "/ping");
    await emulator.ask("GET", "/contacts?limit=1");
    await emulator.ask("GET", "/contacts?limit=0");
    const seen = async (query: string) =>
      (await emulator.control("GET", `/requests?${query}`)).map((entry: { path: string }) =>
        entry.path.slice(7),
      );
    expect(await seen("status=200")).toEqual(["/contacts?limit=1", "/ping"]);
    expect(await seen("path=/api/v1/contacts")).toEqual(["/contacts?limit=0", "/contacts?limit=1"]);
    expect(await seen("path=/api/v1/contact_")).toEqual([]);
    expect(await seen("path=/api/v1/c%25")).toEqual([]);
    expect(await seen("limit=1")).toEqual(["/contacts?limit=0"]);
    const [last] = await emulator.control("GET", "/requests?limit=1");
    await emulator.ask("GET", "/groups");
    expect(await seen(`after=${last.id}`)).toEqual(["/groups"]);
  });

  it("[emulator.log] the log contains no secrets in headers or in bodies of any form", async () => {
    await using emulator = await open();
    const secrets = [..."ABCDEFGHIJK"].map((letter) => `s3cr3t-${letter}`);
    const [a, b, c, d, e, f, g, h, i, j, k] = secrets;
    const bodies = [
      `{"secret":"${a}","nested":{"password":"${b}","list":[{"Secret":"${c}"}]}}`,
      `{"headers":{"X-Api-Key":"${d}"}}`,
      `{"s\\u0065cret":"${e}"}`,
      `{"secret": "${f}"`,
      `{secret: '${g}'}`,
      `{"headers":"X-Api-Key: ${h}"}`,
      `{"url":"https://me:${i}@example.org/","name":"kept"}`,
      `{"url":"https://example.org/?a=b&%61pi_key=${k}#c"}`,
    ];
    for (const raw of bodies) await emulator.ask("POST", "/groups", { raw });
    await emulator.ask("GET", `/groups?limit=5&api_key=${j}`);
    const log = await emulator.control("GET", "/requests");
    expect(log).toHaveLength(bodies.length + 1);
    expect(log[0].path).toBe("/api/v1/groups?limit=5&api_key=***");
    expect(log[1]?.request_body).toBe('{"url":"https://example.org/?a=b&%61pi_key=***#c"}');
    expect(log[2]?.request_body).toBe('{"url":"https://***@example.org/","name":"kept"}');
    const text = JSON.stringify(log);
    for (const secret of [...secrets, emulator.keys.admin]) expect(text).not.toContain(secret);
    // The log keeps a text that contains the word "Keys" but no secret.
    await emulator.ask("POST", "/groups", { body: { type: "contacts", name: "Keys and tokens" } });
    expect((await emulator.control("GET", "/requests"))[0].request_body).toContain("Keys and tokens");
  });

  it("[emulator.log] the log masks fields whose names end in a word such as token", async () => {
    await using emulator = await open();
    const fields = {
      clientSecret: "s3cr3t-1",
      "x-api-key": "s3cr3t-2",
      refresh_token: "s3cr3t-3",
      PASSWORD: 4444,
    };
    await emulator.ask("POST", "/groups", { body: { deep: [fields], has_secret: true, keyboard: "kept" } });
    const names = ["%61pi_key", "api%5Fkey", "X-Client-Secret", "access+token", "%ffkey"];
    await emulator.ask("GET", `/groups?${names.map((name) => `${name}=s3cr3t-5`).join("&")}&keys=kept`);
    const [queried, posted] = await emulator.control("GET", "/requests");
    expect(queried.path).toBe(`/api/v1/groups?${names.map((name) => `${name}=***`).join("&")}&keys=kept`);
    expect(JSON.parse(posted?.request_body ?? "")).toEqual({
      deep: [{ clientSecret: "***", "x-api-key": "***", refresh_token: "***", PASSWORD: "***" }],
      has_secret: true,
      keyboard: "kept",
    });
    // The secrets in this query and in this URL are so long that the log truncates them.
    await emulator.ask("GET", `/groups?api_key=${"s3cr3t".repeat(1_000)}`);
    const url = `https://me:${"s3cr3t".repeat(4_000)}@example.org/`;
    await emulator.ask("POST", "/groups", { body: { name: "kept", url } });
    const text = JSON.stringify(await emulator.control("GET", "/requests?limit=2"));
    expect(text).not.toContain("s3cr3t");
    expect(text).toContain("kept");
  });

  it("[emulator.log] the log truncates long bodies and long paths", async () => {
    await using emulator = await open();
    await emulator.ask("POST", "/groups", { body: { type: "contacts", name: "x".repeat(100_000) } });
    const [entry] = await emulator.control("GET", "/requests");
    expect(entry.request_body?.length).toBeLessThan(20_000);
    expect(entry.request_body).toMatch(/characters\)$/);
    await emulator.ask("GET", `/groups?type=${"x".repeat(10_000)}`);
    const [long] = await emulator.control("GET", "/requests");
    expect(long.path).toMatch(/^\/api\/v1\/groups\?type=x{4000,}… \(\d+ characters\)$/);
    expect(long.path.length).toBeLessThan(4_200);
  });

  it("[emulator.log] control requests are not limited, logged or affected by faults", async () => {
    await using emulator = await open({ limits: { read: 1, write: 1 } });
    await emulator.control("POST", "/faults", { kind: "error_before" });
    await emulator.control("POST", "/faults", { kind: "limiter_down" });
    for (let count = 0; count < 5; count += 1) {
      const reply = await emulator.askHost("GET", "/_emulator/status", {
        key: emulator.instance.startLine.control_token,
      });
      expect(reply.status).toBe(200);
      expect(reply.headers.get("x-ratelimit-limit")).toBeNull();
    }
    expect(await emulator.control("GET", "/requests")).toEqual([]);
  });
});

describe("a long request log", () => {
  it("[emulator.log] a long log drops its oldest bodies, but keeps all requests", async () => {
    await using testEmulator = await openTestEmulator("in process", {
      limits: { read: 1_000_000, write: 1_000_000 },
    });
    const { instance: emulator, keys } = testEmulator;
    const request = {
      method: "POST",
      headers: { authorization: `Bearer ${keys.admin}`, "content-type": "application/json" },
      body: JSON.stringify({ type: "contacts", name: "x".repeat(900_000) }),
    };
    for (let count = 0; count < 8; count += 1)
      await emulator.transport(`${emulator.startLine.base_url}/groups`, request);
    const log = await testEmulator.control("GET", "/requests");
    expect(log.map(({ status }) => status)).toEqual(Array(8).fill(400));
    const bodies = log.map(({ request_body }) => request_body);
    expect(bodies[0]).toMatch(/^\{"type":"contacts","name":"x+… \(\d+ characters\)$/);
    expect(bodies.at(-1)).toBe("(not stored: too many waiting requests)");
  });

  it("[emulator.log] a long log drops long bodies before older short bodies", async () => {
    await using testEmulator = await openTestEmulator("in process", {
      limits: { read: 1_000_000, write: 1_000_000 },
    });
    const { instance: emulator, keys } = testEmulator;
    const headers = { authorization: `Bearer ${keys.admin}`, "content-type": "application/json" };
    const ask = (method: string, path: string, body?: unknown) =>
      emulator.transport(`${emulator.startLine.base_url}${path}`, {
        ...{ method, headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const prompt = { kind: "answering", text: "x".repeat(1_500) };
    for (let count = 0; count < 80; count += 1)
      await ask("POST", "/prompts", { ...prompt, name: `Text ${count}` });
    for (let count = 0; count < 10; count += 1) await ask("GET", "/prompts?limit=100");
    const log = await testEmulator.control("GET", "/requests?limit=100");
    const sizes = log.map(({ response_body }) => String(response_body).length);
    const lost = log.map(({ response_body }) => response_body === "(not stored: too many waiting requests)");
    expect(lost.slice(0, 10)).toEqual([...Array(3).fill(false), ...Array(7).fill(true)]);
    expect(lost.slice(10)).toEqual(Array(80).fill(false));
    expect(Math.max(...sizes.slice(10))).toBeLessThan(4_096);
  });

  it("[emulator.log] a long log keeps its latest bodies unchanged, in any alphabet", async () => {
    await using testEmulator = await openTestEmulator("in process", {
      limits: { read: 1_000_000, write: 1_000_000 },
    });
    const { instance: emulator, keys } = testEmulator;
    const headers = { authorization: `Bearer ${keys.admin}`, "content-type": "application/json" };
    const bodyOf = (count: number) =>
      JSON.stringify({
        type: "contacts",
        name: `${["Weiß", "Łódź", "東京", "👩‍👩‍👧", "plain"][count % 5]} ${count} ${"x".repeat(count % 7 === 0 ? 1_700 : 1_900)}`,
      });
    const bodies = Array.from({ length: 2_400 }, (_, count) => bodyOf(count));
    for (const body of bodies)
      await emulator.transport(`${emulator.startLine.base_url}/groups`, { method: "POST", headers, body });
    const kept: unknown[] = [];
    for (let before = ""; ; ) {
      const page = await testEmulator.control("GET", `/requests?limit=1000${before}`);
      if (page.length === 0) break;
      for (const { request_body } of page) kept.unshift(request_body);
      before = `&before=${page.at(-1)?.id}`;
    }
    const lost = kept.filter((body) => body === "(not stored: too many waiting requests)").length;
    expect(kept).toHaveLength(bodies.length);
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan(1_200);
    expect(kept.findIndex((body, index) => index >= lost && body !== bodies[index])).toBe(-1);
  });

  it("[emulator.log] a page of the log ends after 512 KiB and continues on the next page", async () => {
    await using emulator = await openTestEmulator("in process", { limits: { write: 1_000 } });
    const name = "n".repeat(15_000);
    for (let count = 0; count < 60; count += 1)
      await emulator.ask("POST", "/groups", { body: { type: "contacts", name } });
    const first = await emulator.control("GET", "/requests?limit=1000");
    expect(JSON.stringify(first).length).toBeLessThan(600 * 1024);
    expect(first.length).toBeLessThan(60);
    const next = await emulator.control("GET", `/requests?limit=1000&before=${first.at(-1)?.id}`);
    expect(next[0]?.id).toBe((first.at(-1)?.id ?? 0) - 1);
    await expect(emulator.control("GET", "/requests?limit=1001")).rejects.toThrow();
  });

  it("[emulator.log] the log keeps the last 10,000 requests", async () => {
    await using testEmulator = await openTestEmulator("in process", { limits: { read: 1_000_000 } });
    const { instance: emulator, keys } = testEmulator;
    // The transport creates no Request and Response objects, so it is faster than fetch.
    const request = { method: "GET", headers: { authorization: `Bearer ${keys.admin}` } };
    const ping = `${emulator.startLine.base_url}/ping`;
    for (let count = 0; count < 10_700; count += 1) await emulator.transport(ping, request);
    const { counts } = await testEmulator.control("GET", "/status");
    expect(counts.requests).toBeGreaterThanOrEqual(10_000);
    expect(counts.requests).toBeLessThan(10_700);
    const log = await readLog(emulator);
    expect((log[0]?.id ?? 0) - (log.at(-1)?.id ?? 0)).toBe(9_999);
  });
});
