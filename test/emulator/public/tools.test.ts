import { expect, it } from "vitest";
import { createAssistant } from "../../helpers/assistants.js";
import { testOnTransports } from "../../helpers/test-emulator.js";

const tool = { name: "look_up", url: "https://crm.example.org/look-up" };
// This is text, because `__proto__` has a different meaning in an object literal.
const ownProto = '{"__proto__":{"a":1},"constructor":"x","Some Key":[],"$ref":"#"}';

testOnTransports("tools", (open) => {
  it("[D-tool] a tool is created, read, changed and deleted at /tools", async () => {
    await using emulator = await open();
    const created = await emulator.ask("POST", "/tools", { body: tool });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({
      ...tool,
      description: "",
      type: "webhook",
      method: "POST",
      headers: {},
      parameters: {},
      has_secret: false,
    });
    const at = `/tools/${created.body.data.id}`;
    expect((await emulator.ask("GET", at)).body).toEqual(created.body);
    expect((await emulator.ask("GET", "/tools")).body).toEqual({
      data: [created.body.data],
      meta: { has_more: false, next_cursor: null },
    });
    const changed = await emulator.ask("PATCH", at, {
      body: { method: "GET", description: "Looks someone up" },
    });
    expect(changed.body.data).toMatchObject({ ...tool, method: "GET", description: "Looks someone up" });
    expect((await emulator.ask("DELETE", at)).body).toEqual({ data: {} });
    expect((await emulator.ask("GET", at)).status).toBe(404);
  });

  it("[public.tool.webhook-only holds refuses] only the type webhook is valid, even in a PATCH", async () => {
    await using emulator = await open();
    const created = await emulator.ask("POST", "/tools", { body: { ...tool, type: "webhook" } });
    expect(created.status).toBe(201);
    for (const type of ["function", "mcp", ""]) {
      const refused = await emulator.ask("POST", "/tools", { body: { ...tool, name: "other", type } });
      expect(refused.status).toBe(400);
      expect(refused.headers.get("x-emulator-rule")).toBe("public.tool.webhook-only");
    }
    const at = `/tools/${created.body.data.id}`;
    expect((await emulator.ask("PATCH", at, { body: { type: "function" } })).status).toBe(400);
  });

  it("[public.tool.secret] a tool shows only whether it has a secret", async () => {
    await using emulator = await open();
    const secret = "s3cr3t-of-the-tool";
    const created = await emulator.ask("POST", "/tools", { body: { ...tool, secret } });
    const at = `/tools/${created.body.data.id}`;
    const kept = await emulator.ask("PATCH", at, { body: { description: "x" } });
    const responses = [created, kept, await emulator.ask("GET", at), await emulator.ask("GET", "/tools")];
    for (const { body } of responses) {
      expect(JSON.stringify(body)).not.toContain(secret);
      expect([body.data].flat()[0].has_secret).toBe(true);
      expect([body.data].flat()[0]).not.toHaveProperty("secret");
    }
    const cleared = await emulator.ask("PATCH", at, { body: { secret: null } });
    expect(cleared.body.data.has_secret).toBe(false);
    expect((await emulator.ask("PATCH", at, { body: { secret: "new" } })).body.data.has_secret).toBe(true);
    expect(JSON.stringify(await emulator.control("GET", "/requests?limit=100"))).not.toContain(secret);
  });

  it("[D-strict refuses] has_secret is read-only", async () => {
    await using emulator = await open();
    const refused = await emulator.ask("POST", "/tools", { body: { ...tool, has_secret: true } });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details[0].path).toEqual(["has_secret"]);
  });

  it("[public.general.5b] [D-strict] parameters and headers keep all keys, even __proto__", async () => {
    await using emulator = await open();
    const headers = '{"__proto__":"p","X-Some-THING":"Ä","x-some-thing":"b","constructor":"c"}';
    const created = await emulator.ask("POST", "/tools", {
      raw: `{"name":"look_up","url":"${tool.url}","parameters":${ownProto},"headers":${headers}}`,
    });
    expect(created.status).toBe(201);
    const read = await emulator.ask("GET", `/tools/${created.body.data.id}`);
    expect(JSON.stringify(read.body.data.parameters)).toBe(ownProto);
    expect(JSON.stringify(read.body.data.headers)).toBe(headers);
    const patched = await emulator.ask("PATCH", `/tools/${created.body.data.id}`, {
      raw: '{"parameters":{"nested":{"__proto__":null}}}',
    });
    expect(JSON.stringify(patched.body.data.parameters)).toBe('{"nested":{"__proto__":null}}');
    expect(JSON.stringify(patched.body.data.headers)).toBe(headers);
  });

  it("[public.general.5b refuses] parameters and headers that are not objects are refused", async () => {
    await using emulator = await open();
    for (const wrong of [{ parameters: [] }, { headers: "X-Some: thing" }])
      expect((await emulator.ask("POST", "/tools", { body: { ...tool, ...wrong } })).status).toBe(400);
  });

  it("[D-strict refuses] a top-level field __proto__ is refused as unknown", async () => {
    await using emulator = await open();
    const refused = await emulator.ask("POST", "/tools", {
      raw: `{"name":"look_up","url":"${tool.url}","__proto__":{"secret":"x"}}`,
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details[0].path).toEqual(["__proto__"]);
  });

  it.each([
    ["host", { Host: "a" }],
    ["content-length in mixed case", { "CONTENT-Length": "1" }],
    ["authorization", { authorization: "Bearer x" }],
    ["a hop-by-hop header", { Connection: "close" }],
    ["another hop-by-hop header", { "Transfer-Encoding": "chunked" }],
    ["a name with a space", { "X A": "b" }],
    ["a name with a colon", { "X:": "b" }],
    ["an empty name", { "": "b" }],
    ["a non-ASCII name", { "X-Größe": "b" }],
    ["a value with a line break", { "X-A": "b\r\nX-B: c" }],
    ["a value with a NUL", { "X-A": "\u0000" }],
    ["a value that is not a string", { "X-A": 1 }],
  ])("[D-webhook refuses] a tool is refused if its headers contain %s", async (_, headers) => {
    await using emulator = await open();
    const refused = await emulator.ask("POST", "/tools", { body: { ...tool, headers } });
    expect(refused.status).toBe(400);
    expect(refused.headers.get("x-emulator-rule")).toBe("D-webhook");
    expect(refused.body.error.details[0].path[0]).toBe("headers");
  });

  it("[D-webhook holds refuses] a tool's URL is http(s), absolute, short and without credentials", async () => {
    await using emulator = await open();
    const start = "https://a.example/";
    for (const [index, url] of ["http://a.example", start + "x".repeat(2048 - start.length)].entries()) {
      const created = await emulator.ask("POST", "/tools", { body: { name: `tool_${index}`, url } });
      expect([created.status, created.body.data.url]).toEqual([201, url]);
    }
    for (const url of [
      "/look-up",
      "ftp://a.example",
      "https:a.example",
      "https://",
      "https://u:p@a.example",
      "https://u@a.example",
      " https://a.example",
      start + "x".repeat(2049 - start.length),
      7,
    ]) {
      const refused = await emulator.ask("POST", "/tools", { body: { name: "bad", url } });
      expect([url, refused.status]).toEqual([url, 400]);
      expect(refused.headers.get("x-emulator-rule")).toBe("D-webhook");
    }
  });

  it("[D-tool holds refuses] a tool requires a url and a name in snake_case", async () => {
    await using emulator = await open();
    const empty = await emulator.ask("POST", "/tools", { body: {} });
    expect(empty.body.error.details.map((detail: { path: string[] }) => detail.path)).toEqual([
      ["name"],
      ["url"],
    ]);
    for (const name of ["LookUp", "look-up", "look up", "1st", "_look", "look__up", ""]) {
      const refused = await emulator.ask("POST", "/tools", { body: { ...tool, name } });
      expect([name, refused.status]).toEqual([name, 400]);
      expect(refused.headers.get("x-emulator-rule")).toBe("D-tool");
    }
    for (const name of ["a", "look_up_2"]) {
      expect((await emulator.ask("POST", "/tools", { body: { ...tool, name } })).status).toBe(201);
    }
  });

  it("[D-tool holds refuses] a create or PATCH can't reuse the name of a tool", async () => {
    await using emulator = await open();
    await emulator.ask("POST", "/tools", { body: tool });
    const taken = await emulator.ask("POST", "/tools", { body: tool });
    expect([taken.status, taken.body.error.code]).toEqual([409, "conflict"]);
    expect(taken.headers.get("x-emulator-rule")).toBe("D-tool");
    const secondTool = await emulator.ask("POST", "/tools", { body: { ...tool, name: "other" } });
    const at = `/tools/${secondTool.body.data.id}`;
    expect((await emulator.ask("PATCH", at, { body: { name: tool.name, method: "GET" } })).status).toBe(409);
    expect((await emulator.ask("GET", at)).body).toEqual(secondTool.body);
    expect((await emulator.ask("PATCH", at, { body: { name: "other" } })).status).toBe(200);
  });

  it("[public.auth.5 holds refuses] a viewer can read tools, but not write or delete them", async () => {
    await using emulator = await open();
    const { body } = await emulator.ask("POST", "/tools", { body: tool });
    const key = emulator.keys.viewer;
    expect((await emulator.ask("GET", "/tools", { key })).status).toBe(200);
    expect((await emulator.ask("POST", "/tools", { key, body: { ...tool, name: "b" } })).status).toBe(403);
    expect((await emulator.ask("DELETE", `/tools/${body.data.id}`, { key })).status).toBe(403);
  });

  it("[D-tool holds refuses] a tool in use by an assistant can't be deleted", async () => {
    await using emulator = await open();
    const { id } = (await emulator.ask("POST", "/tools", { body: tool })).body.data;
    const assistant = await createAssistant(emulator, { tool_ids: [id] });
    const refused = await emulator.ask("DELETE", `/tools/${id}`);
    expect([refused.status, refused.body.error.code]).toEqual([409, "conflict"]);
    expect(refused.headers.get("x-emulator-rule")).toBe("D-tool");
    await emulator.ask("PATCH", `/assistants/${assistant.id}`, { body: { tool_ids: [] } });
    expect((await emulator.ask("DELETE", `/tools/${id}`)).status).toBe(200);
  });

  it("[public.general.5b] headers are returned byte for byte, although they are encrypted", async () => {
    await using emulator = await open();
    const raw = `{"name":"t","url":"${tool.url}","headers":{"X-Täg":"1"}}`;
    expect((await emulator.ask("POST", "/tools", { raw })).status).toBe(400);
    const headers = '{"X-Token":"geheim ß","__proto__":"kept","x-empty":""}';
    const created = await emulator.ask("POST", "/tools", { raw: raw.replace('{"X-Täg":"1"}', headers) });
    expect(JSON.stringify(created.body.data.headers)).toBe(headers);
    const at = `/tools/${created.body.data.id}`;
    expect(JSON.stringify((await emulator.ask("GET", at)).body.data.headers)).toBe(headers);
    expect(JSON.stringify((await emulator.ask("GET", "/tools")).body.data[0].headers)).toBe(headers);
    await emulator.ask("PATCH", at, { body: { headers: {} } });
    expect((await emulator.ask("GET", at)).body.data.headers).toEqual({});
  });

  it("[D-text refuses] text that a database can't store unchanged is refused", async () => {
    await using emulator = await open();
    for (const bad of ['"description":"\\ud800"', '"secret":"a\\u0000b"']) {
      const refused = await emulator.ask("POST", "/tools", {
        raw: `{"name":"look_up","url":"${tool.url}",${bad}}`,
      });
      expect(refused.status).toBe(400);
    }
  });
});
