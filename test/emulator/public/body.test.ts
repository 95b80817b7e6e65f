import { expect, it } from "vitest";
import { createContact } from "../../helpers/records.js";
import { testOnBothTransports } from "../../helpers/test-emulator.js";

const json = { "content-type": "application/json" };

testOnBothTransports("request bodies", (open) => {
  it.each<[string, { raw?: string | Uint8Array; headers?: Record<string, string> }]>([
    ["a request without a body", { headers: json }],
    ["an empty body", { raw: "", headers: json }],
    ["malformed JSON", { raw: '{"type": "contacts",' }],
    ["an array", { raw: "[]" }],
    ["a text", { raw: '"contacts"' }],
    ["null", { raw: "null" }],
    ["a number", { raw: "1" }],
    ["invalid UTF-8", { raw: Uint8Array.from(Buffer.from('{"type":"contacts","name":"\xff"}', "latin1")) }],
    ["text/plain", { raw: '{"type":"contacts","name":"N"}', headers: { "content-type": "text/plain" } }],
    ["no media type", { raw: '{"type":"contacts","name":"N"}', headers: { "content-type": "" } }],
    [
      "a form",
      { raw: "type=contacts&name=N", headers: { "content-type": "application/x-www-form-urlencoded" } },
    ],
    [
      "a media type with the same prefix",
      { raw: "{}", headers: { "content-type": "application/jsonlines" } },
    ],
  ])("[D-body refuses] an invalid body (%s) returns 400", async (_name, request) => {
    await using emulator = await open();
    const { id } = (await emulator.ask("GET", "/groups")).body.data[0];
    for (const [method, path] of [
      ["POST", "/groups"],
      ["PATCH", `/groups/${id}`],
    ] as const) {
      const reply = await emulator.ask(method, path, request);
      expect(reply.status).toBe(400);
      expect(reply.body.error.code).toBe("validation_failed");
      expect(reply.body.error.details).toEqual([{ path: [], message: expect.any(String) }]);
      expect(reply.headers.get("x-emulator-rule")).toBe("D-body");
    }
  });

  it("[D-body refuses] a body may have at most 1 MiB", async () => {
    await using emulator = await open();
    const bodyOf = (bytes: number) => {
      const start = '{"type":"contacts","name":"N","padding":"';
      return `${start}${"x".repeat(bytes - start.length - 2)}"}`;
    };
    const read = await emulator.ask("POST", "/groups", { raw: bodyOf(1_048_576) });
    expect([read.status, read.headers.get("x-emulator-rule")]).toEqual([400, "D-strict"]);
    for (const bytes of [1_048_577, 3_000_000]) {
      const refused = await emulator.ask("POST", "/groups", { raw: bodyOf(bytes) });
      expect([refused.status, refused.headers.get("x-emulator-rule")]).toEqual([400, "D-body"]);
      expect(refused.body.error.details).toEqual([{ path: [], message: expect.stringContaining("1 MiB") }]);
    }
    // The limit counts bytes: each of these characters has two.
    const wide = await emulator.ask("POST", "/groups", { raw: `{"name":"${"ß".repeat(524_288)}"}` });
    expect(wide.headers.get("x-emulator-rule")).toBe("D-body");
  });

  it("[D-nesting holds refuses] a custom object may have at most 500 levels", async () => {
    await using emulator = await open();
    const tool = (name: string, levels: number) =>
      emulator.ask("POST", "/tools", {
        raw: `{"name":"${name}","url":"https://example.org","parameters":{"deep":${"[".repeat(levels)}${"]".repeat(levels)}}}`,
      });
    const kept = await tool("deep", 498);
    expect(kept.status).toBe(201);
    expect(JSON.stringify(kept.body.data.parameters)).toContain("[".repeat(498));
    for (const levels of [499, 400_000]) {
      const refused = await tool("deeper", levels);
      expect([refused.status, refused.headers.get("x-emulator-rule")]).toEqual([400, "D-nesting"]);
      expect(refused.body.error.details).toEqual([{ path: [], message: expect.stringContaining("nested") }]);
    }
  });

  it("[D-body] a media type may have parameters and uppercase letters", async () => {
    await using emulator = await open();
    const created = await emulator.ask("POST", "/groups", {
      raw: '{"type":"contacts","name":"N"}',
      headers: { "content-type": "Application/JSON; charset=utf-8" },
    });
    expect(created.status).toBe(201);
  });

  it("[D-body] an empty PATCH object is valid and changes no field", async () => {
    await using emulator = await open();
    const contact = await createContact(emulator, { last_name: "L" });
    await emulator.advance(5);
    const reply = await emulator.ask("PATCH", `/contacts/${contact.id}`, { body: {} });
    expect([reply.status, reply.body.data]).toEqual([200, contact]);
  });

  it("[public.general.5a] a DELETE ignores the body of the request", async () => {
    await using emulator = await open();
    const { id } = await createContact(emulator);
    const reply = await emulator.ask("DELETE", `/contacts/${id}`, {
      raw: "not JSON",
      headers: { "content-type": "text/plain" },
    });
    expect(reply.status).toBe(200);
  });
});
