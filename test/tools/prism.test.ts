import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/contract/contract.js";
import { type Emulator, openEmulator } from "../../src/emulator/index.js";
import { missingPrism, type Prism, startPrism } from "./prism.js";

const missing = missingPrism();
const published = Object.entries(operations).filter(([, operation]) => operation.api === "public");
const unknownId = "0123456789abcdef01234567";

interface Sent {
  path?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: unknown;
  headers?: Record<string, string>;
  key?: string;
}

interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  body: any;
}

/**
 * Prism runs between an HTTP client and the emulator. Prism reads the schemas itself, and refuses undocumented
 * requests and responses.
 */
describe.skipIf(missing !== undefined)("Prism between client and emulator", () => {
  const folder = mkdtempSync(join(tmpdir(), "prism-"));
  let emulator: Emulator;
  let upstream: string;
  let prism: Prism;
  // biome-ignore lint/suspicious/noExplicitAny: the document is looked into as a stranger would
  let document: any;
  /** Responses that Prism accepted, such as `contacts.create 201`. */
  const seen = new Set<string>();

  beforeAll(async () => {
    emulator = await openEmulator({ seed: "demo", clock: "virtual", startTime: "2026-03-02T09:00:00.000Z" });
    const server = await emulator.listen({ port: 0 });
    upstream = `${server.url}/api/v1`;
    const text = await (await fetch(`${upstream}/openapi.json`)).text();
    document = JSON.parse(text);
    const path = join(folder, "openapi.json");
    // An additional path, whose description differs from the emulator's response.
    const strict = {
      description: "",
      headers: { "X-More": { required: true, schema: { type: "string" } } },
      content: { "application/json": { schema: { type: "object", required: ["more"] } } },
    };
    writeFileSync(
      path,
      JSON.stringify({
        ...document,
        paths: { ...document.paths, "/strict": { get: { responses: { 404: strict } } } },
      }),
    );
    prism = await startPrism(path, upstream);
  });
  afterAll(async () => {
    await prism?.stop();
    await emulator?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // biome-ignore lint/suspicious/noExplicitAny: as above
  const control = (method: string, path: string, body?: unknown): Promise<any> =>
    emulator.control(method, path, body);

  // biome-ignore lint/suspicious/noExplicitAny: as above
  function describedAs(name: string): any {
    const { path, method } = operations[name] ?? { path: "", method: "" };
    return document.paths[path][method.toLowerCase()];
  }

  /** Returns the request in the document's examples. None of its IDs exists. */
  function example(name: string): Sent & { path: Record<string, string> } {
    const { parameters = [], requestBody } = describedAs(name);
    const path: Record<string, string> = {};
    const query: Record<string, string> = {};
    for (const parameter of parameters) {
      if (parameter.in === "path") path[parameter.name] = unknownId;
      else if (parameter.required) query[parameter.name] = parameter.example;
    }
    const body = requestBody?.content["application/json"].examples.example.value;
    if (body === undefined) return { path, query };
    return {
      path,
      query,
      body: JSON.parse(JSON.stringify(body).replace(/"[a-f0-9]{24}"/g, `"${unknownId}"`)),
    };
  }

  /** Sends a request through Prism. Throws an error if Prism refuses the request or the response. */
  async function send(name: string, sent: Sent = {}): Promise<Reply> {
    const { path, method } = operations[name] ?? { path: "", method: "" };
    const filled = path.replace(/\{(\w+)\}/g, (_, parameter) => sent.path?.[parameter] ?? "");
    const search = new URLSearchParams();
    for (const [field, value] of Object.entries(sent.query ?? {})) search.set(field, String(value));
    const reply = await fetch(`${prism.url}${filled}${search.size > 0 ? `?${search}` : ""}`, {
      method,
      headers: {
        authorization: `Bearer ${sent.key ?? emulator.startLine.keys.admin}`,
        ...(sent.body === undefined ? {} : { "content-type": "application/json" }),
        ...sent.headers,
      },
      ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
    });
    const text = await reply.text();
    const type = reply.headers.get("content-type") ?? "";
    if (type.includes("problem+json") || reply.headers.has("sl-violations")) {
      throw new Error(`${name}: ${text} ${reply.headers.get("sl-violations") ?? ""}`);
    }
    seen.add(`${name} ${reply.status}`);
    return {
      status: reply.status,
      headers: reply.headers,
      body: type.includes("json") ? JSON.parse(text) : text,
    };
  }

  async function expectStatus(status: number, name: string, sent?: Sent): Promise<Reply["body"]> {
    const reply = await send(name, sent);
    expect([name, reply.status, reply.body.error]).toEqual([name, status, reply.body.error]);
    return reply.body.data ?? reply.body;
  }

  const first = async (name: string, query: Sent["query"] = {}) =>
    (await expectStatus(200, name, { query }))[0];

  /** Returns a body from the document's examples, with IDs of existing resources. */
  async function bodyOf(name: string, groupType?: string): Promise<Record<string, unknown>> {
    const body: Record<string, unknown> = { ...Object(example(name).body) };
    const replace = async (field: string, find: () => Promise<{ id: string }>, wrap = false) => {
      if (field in body) body[field] = wrap ? [(await find()).id] : (await find()).id;
    };
    await replace("group_id", () => first("groups.list", { type: groupType ?? "contacts" }));
    await replace("voice_id", () => first("voices.list"));
    await replace("prompt_id", findAnsweringPrompt);
    await replace("knowledge_group_ids", () => first("groups.list", { type: "knowledges" }), true);
    await replace("assistant_id", () => first("assistants.list"));
    return body;
  }

  const findAnsweringPrompt = async () =>
    (await expectStatus(200, "prompts.list")).find(({ kind }: { kind: string }) => kind === "answering");

  it("Prism refuses a request that the OpenAPI document does not allow", async () => {
    await expect(send("contacts.create", { body: { first_name: "Anna" } })).rejects.toThrow(/group_id/);
    await expect(send("contacts.list", { query: { limit: 0 } })).rejects.toThrow(/limit/);
    await expect(send("contacts.get", { path: { contact_id: "no-id" } })).rejects.toThrow(/contact_id/);
  });

  it("Prism refuses a response that the OpenAPI document does not allow", async () => {
    const response = await fetch(`${prism.url}/strict`, {
      headers: { authorization: `Bearer ${emulator.startLine.keys.admin}` },
    });
    expect(await response.json()).toMatchObject({
      validation: [
        { location: ["response", "body"], code: "required" },
        { location: ["response", "header"], code: "required" },
      ],
    });
  });

  describe("successful requests through Prism", () => {
    it.each([
      ["contacts", "contact_id", "contacts"],
      ["groups", "group_id", undefined],
      ["knowledge", "knowledge_item_id", "knowledges"],
      ["prompts", "prompt_id", undefined],
      ["assistants", "assistant_id", undefined],
      ["forwardings", "forwarding_id", "forwardings"],
      ["glossary", "glossary_id", "glossaries"],
      ["pronunciation", "pronunciation_id", "pronunciations"],
      ["calendars", "calendar_id", undefined],
      ["tools", "tool_id", undefined],
    ] as const)(
      "through Prism, %s can be created, read, listed, updated and deleted",
      async (resource, parameter, group) => {
        const body = await bodyOf(`${resource}.create`, group);
        const created = await expectStatus(201, `${resource}.create`, {
          body: "name" in body && resource !== "tools" ? { ...body, name: `${body["name"]} neu` } : body,
        });
        const path = { [parameter]: created.id };
        await expectStatus(200, `${resource}.get`, { path });
        await control("PATCH", "/clock", { advance_seconds: 10 });
        const update = await bodyOf(`${resource}.update`, group);
        await expectStatus(200, `${resource}.update`, { path, body: update });
        await control("PATCH", "/clock", { advance_seconds: 10 });
        let query: Record<string, string | number> = { limit: 2 };
        for (;;) {
          const { status, body: page } = await send(`${resource}.list`, { query });
          expect(status).toBe(200);
          if (!page.meta.has_more) break;
          query = { ...query, limit: 50, cursor: page.meta.next_cursor };
        }
        await expectStatus(200, `${resource}.delete`, { path });
      },
    );

    it("through Prism, /ping responds, and voices can be listed", async () => {
      await expectStatus(200, "ping");
      await expectStatus(200, "voices.list");
    });

    it("through Prism, a call can be created, read in every state and listed with every filter", async () => {
      const body = await bodyOf("calls.create");
      const call = await expectStatus(201, "calls.create", { body });
      const path = { call_id: call.call_id };
      for (const seconds of [0, 3, 5, 90, 10]) {
        await control("PATCH", "/clock", { advance_seconds: seconds });
        await expectStatus(200, "calls.get", { path });
      }
      const { assistant_id, assistant_phone, created_at } = call;
      await expectStatus(200, "calls.list", {
        query: {
          assistant_id,
          assistant_phone,
          created_from: created_at,
          created_to: "2026-12-01T00:00:00Z",
        },
      });
    });

    it.each(["flac", "wav", "mpeg"])(
      "through Prism, a recording in %s can be downloaded whole and in parts, and erased",
      async (format) => {
        const { id: assistant_id } = await first("assistants.list");
        const call = await control("POST", "/calls", {
          assistant_id,
          recording: format,
          duration_seconds: 2,
        });
        const path = { call_id: call.id };
        const whole = await send("calls.recording.get", { path });
        expect([whole.status, whole.headers.get("content-type")]).toEqual([200, `audio/${format}`]);
        const part = await send("calls.recording.get", { path, headers: { range: "bytes=0-99" } });
        expect(part.status).toBe(206);
        const etag = { "if-range": whole.headers.get("etag") ?? "", range: "bytes=100-" };
        expect((await send("calls.recording.get", { path, headers: etag })).status).toBe(206);
        await expectStatus(416, "calls.recording.get", { path, headers: { range: "bytes=99999999-" } });
        await expectStatus(200, "calls.recording.delete", { path });
        await expectStatus(200, "calls.recording.delete", { path });
        await expectStatus(404, "calls.recording.get", { path });
      },
    );

    it("through Prism, statistics can be read for one assistant and for all", async () => {
      const { weeks, assistants } = await expectStatus(200, "statistics.summary");
      for (const assistant_id of ["all", assistants[0].id]) {
        await expectStatus(200, "statistics.usage", { query: { ...weeks[0], assistant_id } });
      }
    });
  });

  describe("errors through Prism", () => {
    it("through Prism, every paged list returns 400 for an invalid cursor", async () => {
      for (const [name] of published.filter(([name]) => /\.list$/.test(name) && name !== "voices.list")) {
        await expectStatus(400, name, { query: { cursor: "made-up" } });
      }
    });

    it("through Prism, every operation returns 401 for an unknown key", async () => {
      for (const [name] of published) await expectStatus(401, name, { ...example(name), key: "no-such-key" });
    });

    it("every operation returns 402 to an organization without features", async () => {
      const organization = await control("POST", "/organizations", { features: [] });
      const { key } = await control("POST", "/keys", { kind: "public", organization_id: organization.id });
      for (const [name] of published) await expectStatus(402, name, { ...example(name), key });
    });

    it("every operation that needs a permission returns 403 to a key without permissions", async () => {
      const { key } = await control("POST", "/keys", { kind: "public", permissions: [] });
      for (const [name, operation] of published) {
        await expectStatus(operation.permission ? 403 : 200, name, { ...example(name), key });
      }
    });

    it("every operation that documents 404 returns 404 for a missing resource", async () => {
      const queries: Record<string, Sent["query"]> = {
        "calls.list": { assistant_id: unknownId },
        "statistics.usage": { week: 9, year: 2026, assistant_id: unknownId },
      };
      for (const [name] of published.filter(([, { errors }]) => errors.includes(404))) {
        const sent = example(name);
        await expectStatus(404, name, { ...sent, query: queries[name] ?? sent.query ?? {} });
      }
    });

    it("every operation returns 429 if the key's rate limit is exhausted", async () => {
      const limits = { read: 0, write: 0, outbound_trigger: 0 };
      const { key } = await control("POST", "/keys", { kind: "public", limits });
      for (const [name] of published) {
        const { status, headers } = await send(name, { ...example(name), key });
        expect([name, status, headers.has("retry-after")]).toEqual([name, 429, true]);
      }
    });

    it("every operation returns 429 if the limiter is unreachable", async () => {
      await control("POST", "/faults", { kind: "limiter_down" });
      for (const [name] of published) {
        const { status, headers } = await send(name, example(name));
        expect([name, status, headers.has("x-ratelimit-limit")]).toEqual([name, 429, false]);
      }
      await control("DELETE", "/faults");
    });

    it("creating a call during the cooldown returns 429", async () => {
      const body = await bodyOf("calls.create");
      await control("PATCH", "/clock", { advance_seconds: 60 });
      await expectStatus(201, "calls.create", { body });
      const { status, headers } = await send("calls.create", { body });
      expect([status, headers.has("retry-after"), headers.has("x-ratelimit-limit")]).toEqual([
        429,
        false,
        true,
      ]);
    });

    it("every operation returns 500 if the service fails", async () => {
      await control("POST", "/faults", { kind: "error_before" });
      for (const [name] of published) await expectStatus(500, name, example(name));
      await control("DELETE", "/faults");
    });

    const conflicts: Record<string, () => Promise<Sent>> = {
      "groups.create": async () => {
        const { type, name } = await first("groups.list");
        return { body: { type, name } };
      },
      "groups.update": async () => {
        const [one, other] = await expectStatus(200, "groups.list", { query: { type: "knowledges" } });
        return { path: { group_id: one.id }, body: { name: other.name } };
      },
      "groups.delete": async () => {
        const { knowledge_group_ids } = await findAssistantWith("knowledge_group_ids");
        return { path: { group_id: knowledge_group_ids[0] } };
      },
      "prompts.delete": async () => {
        const { prompt_id } = await findAssistantWith("prompt_id");
        return { path: { prompt_id } };
      },
      "assistants.create": async () => {
        const body = await bodyOf("assistants.create");
        await control("PATCH", `/organizations/${emulator.startLine.organization_id}`, { number_pool: 0 });
        return { body };
      },
      "assistants.update": async () => {
        const { id } = await first("assistants.list");
        await control("PATCH", `/assistants/${id}`, { enterprise: true });
        return { path: { assistant_id: id }, body: { pre_call_webhook: null } };
      },
      "calendars.create": async () => {
        const { name } = await first("calendars.list");
        return { body: { ...(await bodyOf("calendars.create")), name } };
      },
      "calendars.update": async () => {
        const [one, other] = await expectStatus(200, "calendars.list");
        return { path: { calendar_id: one.id }, body: { name: other.name } };
      },
      "calendars.delete": async () => {
        const { calendar_ids } = await findAssistantWith("calendar_ids");
        return { path: { calendar_id: calendar_ids[0] } };
      },
      "tools.create": async () => {
        const { name } = await first("tools.list");
        return { body: { ...(await bodyOf("tools.create")), name } };
      },
      "tools.update": async () => {
        const [one, other] = await expectStatus(200, "tools.list");
        return { path: { tool_id: one.id }, body: { name: other.name } };
      },
      "tools.delete": async () => {
        const { tool_ids } = await findAssistantWith("tool_ids");
        return { path: { tool_id: tool_ids[0] } };
      },
      "calls.create": async () => {
        const body = await bodyOf("calls.create");
        await control("PATCH", `/assistants/${body["assistant_id"]}`, { blocked_numbers: [body["to"]] });
        await control("PATCH", "/clock", { advance_seconds: 60 });
        return { body };
      },
      "calls.recording.delete": async () => {
        await control("PATCH", "/clock", { advance_seconds: 600 });
        const body = { ...(await bodyOf("calls.create")), to: "+4915112340815" };
        const { call_id } = await expectStatus(201, "calls.create", { body });
        return { path: { call_id } };
      },
    };

    async function findAssistantWith(field: string) {
      const assistants: Record<string, unknown>[] = await expectStatus(200, "assistants.list");
      const matching = assistants.find((assistant) =>
        [assistant[field]].flat().some((id) => typeof id === "string"),
      );
      // biome-ignore lint/suspicious/noExplicitAny: as above
      return matching as any;
    }

    it.each(published.filter(([, { errors }]) => errors.includes(409)).map(([name]) => name))(
      "a conflict in %s returns 409",
      async (name) => {
        await expectStatus(409, name, await conflicts[name]?.());
      },
    );
  });

  it("the tests receive every documented response, except 400s that Prism prevents", () => {
    const unseen = published.flatMap(([name]) =>
      Object.keys(describedAs(name).responses)
        .map((status) => `${name} ${status}`)
        .filter((exchange) => !seen.has(exchange)),
    );
    // Prism itself refuses most invalid requests, so most 400s of the emulator are not seen.
    expect(unseen.filter((exchange) => !exchange.endsWith(" 400"))).toEqual([]);
  });
});
