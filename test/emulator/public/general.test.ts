import { expect, it } from "vitest";
import { createContact, unknownId } from "../../helpers/records.js";
import { startTime } from "../../helpers/templates.js";
import { testOnBothTransports } from "../../helpers/test-emulator.js";

testOnBothTransports("general format", (open) => {
  it("[public.endpoints.ping] [public.general.2] GET /ping returns `ok` and the emulator's time", async () => {
    await using emulator = await open();
    const { status, body } = await emulator.ask("GET", "/ping");
    expect(status).toBe(200);
    expect(body).toEqual({ data: { ok: true, now: startTime } });
  });

  it("[public.endpoints.ping] GET /ping never responds with 403, even without permissions", async () => {
    await using emulator = await open();
    const { key } = await emulator.control("POST", "/keys", { kind: "public", permissions: [] });
    expect((await emulator.ask("GET", "/ping", { key })).status).toBe(200);
    expect((await emulator.ask("GET", "/groups", { key })).status).toBe(403);
  });

  it("[public.endpoints.crud] creates respond with 201, and other requests with 200", async () => {
    await using emulator = await open();
    const group_id = await emulator.groupId("contacts");
    const statuses: number[] = [];
    const note = async (...request: Parameters<typeof emulator.ask>) => {
      const reply = await emulator.ask(...request);
      statuses.push(reply.status);
      return reply.body.data;
    };
    const group = await note("POST", "/groups", { body: { type: "contacts", name: "Customers" } });
    await note("GET", "/groups");
    await note("GET", `/groups/${group.id}`);
    await note("PATCH", `/groups/${group.id}`, { body: { name: "Clients" } });
    await note("DELETE", `/groups/${group.id}`);
    const contact = await note("POST", "/contacts", { body: { group_id, first_name: "Ada" } });
    await note("GET", "/contacts");
    await note("GET", `/contacts/${contact.id}`);
    await note("PATCH", `/contacts/${contact.id}`, { body: { first_name: "Eda" } });
    await note("DELETE", `/contacts/${contact.id}`);
    expect(statuses).toEqual([201, 200, 200, 200, 200, 201, 200, 200, 200, 200]);
  });

  it("[public.endpoints.delete] [D-empty] a DELETE responds with success and no resource", async () => {
    await using emulator = await open();
    const { id } = await createContact(emulator);
    const deleted = await emulator.ask("DELETE", `/contacts/${id}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({ data: {} });
    expect((await emulator.ask("GET", `/contacts/${id}`)).status).toBe(404);
    expect((await emulator.ask("DELETE", `/contacts/${id}`)).status).toBe(404);
  });

  it("[public.general.3] a list has data and meta, even if it is empty", async () => {
    await using emulator = await open();
    expect((await emulator.ask("GET", "/contacts")).body).toEqual({
      data: [],
      meta: { has_more: false, next_cursor: null },
    });
    await createContact(emulator);
    await createContact(emulator);
    const { body } = await emulator.ask("GET", "/contacts?limit=1");
    expect(Object.keys(body)).toEqual(["data", "meta"]);
    expect(body.data).toHaveLength(1);
    expect(body.meta).toEqual({ has_more: true, next_cursor: expect.any(String) });
  });

  it("[public.general.4] [D-error] every error has code, message and details", async () => {
    await using emulator = await open();
    const group_id = await emulator.groupId("contacts");
    const replies = [
      await emulator.ask("GET", "/nowhere"),
      await emulator.ask("GET", "/ping", { key: null }),
      await emulator.ask("GET", `/contacts/${unknownId}`),
      await emulator.ask("DELETE", `/groups/${group_id}`),
      await emulator.ask("POST", "/groups", {
        key: emulator.keys.viewer,
        body: { type: "contacts", name: "N" },
      }),
    ];
    expect(replies.map(({ body }) => body.error.code)).toEqual([
      "not_found",
      "unauthorized",
      "not_found",
      "conflict",
      "forbidden",
    ]);
    for (const { body } of replies) {
      expect(body).toEqual({ error: { code: expect.any(String), message: expect.any(String), details: [] } });
      expect(body.error.message).not.toBe("");
    }
    const invalid = await emulator.ask("POST", "/groups", { body: {} });
    expect(Object.keys(invalid.body.error)).toEqual(["code", "message", "details"]);
    expect(invalid.body.error.details.length).toBeGreaterThan(0);
  });

  it("[public.errors.1 holds refuses] the path in an error entry is an array", async () => {
    await using emulator = await open();
    const group_id = await emulator.groupId("contacts");
    const { status, body } = await emulator.ask("POST", "/contacts", {
      body: { group_id, first_name: 5, phone_numbers: ["+4930123456", "030", 7], emails: "a@b.example" },
    });
    expect(status).toBe(400);
    expect(body.error.code).toBe("validation_failed");
    expect(body.error.details.map((entry: { path: unknown }) => entry.path)).toEqual([
      ["first_name"],
      ["phone_numbers", 1],
      ["phone_numbers", 2],
      ["emails"],
    ]);
    for (const { message } of body.error.details) expect(message).toMatch(/\w/);
    const missing = await emulator.ask("POST", "/glossary", { body: {} });
    expect(missing.body.error.details.map((entry: { path: unknown }) => entry.path)).toEqual([
      ["group_id"],
      ["term"],
    ]);
  });

  it("[public.general.5a] every field of a response is in snake_case", async () => {
    await using emulator = await open();
    await createContact(emulator);
    for (const path of ["/ping", "/contacts", "/groups"]) {
      const { body } = await emulator.ask("GET", path);
      expect(fieldNames(body).filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
    }
  });

  it("[public.general.6] [D-times] only a change updates updated_at", async () => {
    await using emulator = await open();
    const contact = await createContact(emulator);
    expect([contact.created_at, contact.updated_at]).toEqual([startTime, startTime]);
    await emulator.advance(90);
    const unchanged = await emulator.ask("PATCH", `/contacts/${contact.id}`, { body: {} });
    expect(unchanged.body.data).toEqual(contact);
    const { body } = await emulator.ask("PATCH", `/contacts/${contact.id}`, { body: { last_name: "L" } });
    expect(body.data.created_at).toBe(startTime);
    expect(body.data.updated_at).toBe("2026-03-02T09:01:30.000Z");
  });

  it.each([
    "123",
    "0123456789ABCDEF01234567",
    "0123456789abcdef0123456",
    "0123456789abcdef012345678",
    "g123456789abcdef01234567",
    "%00123456789abcdef0123456",
    "0123456789abcdef01234567%0A",
    "%E0%A4%A",
    "__proto__",
    "constructor",
  ])("[public.general.7 refuses] [D-path-id] a request with the malformed ID %s returns 400", async (id) => {
    await using emulator = await open();
    const methods = [
      ["GET", undefined],
      ["DELETE", undefined],
      ["PATCH", {}],
    ] as const;
    for (const [method, body] of methods) {
      for (const [path, name] of [
        ["contacts", "contact_id"],
        ["groups", "group_id"],
      ]) {
        const reply = await emulator.ask(method, `/${path}/${id}`, body && { body });
        expect(reply.status).toBe(400);
        expect(reply.body.error.details).toEqual([{ path: [name], message: expect.any(String) }]);
        expect(reply.headers.get("x-emulator-rule")).toBe("public.general.7");
      }
    }
  });

  it("[public.general.7] IDs are 24 lowercase hex digits, and may be percent-encoded", async () => {
    await using emulator = await open();
    const { id } = await createContact(emulator);
    expect(id).toMatch(/^[a-f0-9]{24}$/);
    const encoded = `%3${id[0]}${id.slice(1)}`;
    expect(
      (await emulator.ask("GET", `/contacts/${/\d/.test(id.charAt(0)) ? encoded : id}`)).body.data.id,
    ).toBe(id);
  });

  it("[public.general.8 holds refuses] phone numbers have + and 6 to 20 digits", async () => {
    await using emulator = await open();
    const good = ["+123456", `+${"1".repeat(20)}`, "+4915112345678"];
    expect((await createContact(emulator, { phone_numbers: good })).phone_numbers).toEqual(good);
    const group_id = await emulator.groupId("contacts");
    for (const number of [
      "+12345",
      `+${"1".repeat(21)}`,
      "4915112345678",
      "+49 151",
      "",
      "+49151x",
      "+123456\n",
      "+１２３４５６",
    ]) {
      const reply = await emulator.ask("POST", "/contacts", {
        body: { group_id, first_name: "A", phone_numbers: [number] },
      });
      expect([number, reply.status]).toEqual([number, 400]);
      expect(reply.body.error.details[0].path).toEqual(["phone_numbers", 0]);
      expect(reply.headers.get("x-emulator-rule")).toBe("public.general.8");
    }
  });

  it("[public.general.10] no operation accepts a callback URL", async () => {
    await using emulator = await open();
    for (const path of ["/webhooks", "/subscriptions", "/events"]) {
      expect((await emulator.ask("POST", path, { body: { url: "https://a.example" } })).status).toBe(404);
    }
  });

  it("[public.endpoints.filters] [D-head] contacts are filtered by group, and groups by type", async () => {
    await using emulator = await open();
    const otherGroup = (await emulator.ask("POST", "/groups", { body: { type: "contacts", name: "Other" } }))
      .body.data;
    const inside = await createContact(emulator, { group_id: otherGroup.id });
    await createContact(emulator);
    const ids = async (path: string) =>
      (await emulator.ask("GET", path)).body.data.map((row: { id: string }) => row.id);
    expect(await ids(`/contacts?group_id=${otherGroup.id}`)).toEqual([inside.id]);
    expect(await ids("/contacts")).toHaveLength(2);
    expect(await ids(`/contacts?group_id=${unknownId}`)).toEqual([]);
    expect(await ids("/groups?type=contacts")).toHaveLength(2);
    expect(await ids("/groups?type=glossaries")).toHaveLength(1);
    const refused = await emulator.ask("GET", "/contacts?group_id=none");
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, ["group_id"]]);
    const unknownType = await emulator.ask("GET", "/groups?type=customers");
    expect([unknownType.status, unknownType.body.error.details[0].path]).toEqual([400, ["type"]]);
    expect(unknownType.headers.get("x-emulator-rule")).toBe("public.group.types");
  });

  it("[D-method refuses] a known path with an unknown method returns 404", async () => {
    await using emulator = await open();
    for (const [method, path] of [
      ["PUT", "/contacts"],
      ["DELETE", "/contacts"],
      ["POST", "/ping"],
      ["POST", `/groups/${unknownId}`],
      ["OPTIONS", "/groups"],
    ] as const) {
      const reply = await emulator.ask(method, path);
      expect([path, reply.status]).toEqual([path, 404]);
      expect(reply.body.error.code).toBe("not_found");
      expect(reply.headers.get("x-emulator-rule")).toBe("D-method");
      expect(reply.headers.get("x-ratelimit-limit")).toBeNull();
    }
  });

  it("[D-order refuses] paths that only resemble known paths return 404", async () => {
    await using emulator = await open();
    for (const path of [
      "/api/v1/contacts/",
      "/api/v1//contacts",
      "/api/v1/Contacts",
      "/api/v2/contacts",
      "/contacts",
    ]) {
      expect([path, (await emulator.askHost("GET", path)).status]).toEqual([path, 404]);
    }
  });

  it("[D-strict holds refuses] each unknown or read-only field is refused with a details entry", async () => {
    await using emulator = await open();
    const group_id = await emulator.groupId("contacts");
    const raw = `{"group_id":"${group_id}","first_name":"A","id":"${unknownId}","created_at":"${startTime}","nope":1,"__proto__":{"a":1},"constructor":2}`;
    const { status, body, headers } = await emulator.ask("POST", "/contacts", { raw });
    expect(status).toBe(400);
    expect(body.error.details.map((entry: { path: string[] }) => entry.path.join("."))).toEqual([
      "id",
      "created_at",
      "nope",
      "__proto__",
      "constructor",
    ]);
    expect(headers.get("x-emulator-rule")).toBe("D-strict");
    const contact = await createContact(emulator);
    const sentBack = await emulator.ask("PATCH", `/contacts/${contact.id}`, { body: contact });
    expect(sentBack.body.error.details.map((entry: { path: string[] }) => entry.path.join("."))).toEqual([
      "id",
      "created_at",
      "updated_at",
    ]);
  });

  it("[D-strict] unknown query parameters are ignored", async () => {
    await using emulator = await open();
    expect((await emulator.ask("GET", "/contacts?colour=blue&constructor=1&__proto__=2")).status).toBe(200);
  });

  it("[D-text holds refuses] a name is trimmed and has 1 to 200 code points", async () => {
    await using emulator = await open();
    expect((await createContact(emulator, { first_name: "  Ada \t" })).first_name).toBe("Ada");
    const emoji = "🦷".repeat(200);
    expect((await createContact(emulator, { first_name: emoji, last_name: emoji })).first_name).toBe(emoji);
    const group_id = await emulator.groupId("contacts");
    for (const first_name of ["", "   ", "🦷".repeat(201), "a".repeat(201), null, 7]) {
      const reply = await emulator.ask("POST", "/contacts", { body: { group_id, first_name } });
      expect(reply.status).toBe(400);
      expect(reply.body.error.details.map((entry: { path: unknown }) => entry.path)).toEqual([
        ["first_name"],
      ]);
      expect(reply.headers.get("x-emulator-rule")).toBe("D-text");
    }
    const long = await emulator.ask("POST", "/groups", {
      body: { type: "contacts", name: "🦷".repeat(201) },
    });
    expect(long.status).toBe(400);
  });

  it("[D-text] text with quotes, line breaks or non-Latin characters is returned unchanged", async () => {
    await using emulator = await open();
    for (const first_name of [
      'O\'Brien "x"; DROP TABLE contacts;--',
      "日本\n語",
      "e\u0301",
      "\ufeffx",
      "x\u2028y",
    ]) {
      const created = await createContact(emulator, { first_name });
      const read = await emulator.ask("GET", `/contacts/${created.id}`);
      expect(read.body.data.first_name).toBe(first_name.trim());
      expect(created.first_name).toBe(first_name.trim());
    }
  });

  it("[D-text refuses] text with a NUL or half of a surrogate pair is refused", async () => {
    await using emulator = await open();
    const group_id = await emulator.groupId("contacts");
    for (const text of ["A\\u0000B", "\\ud83e", "\\uddb7\\ud83e"]) {
      for (const field of ["first_name", "last_name"]) {
        const raw = `{"group_id":"${group_id}","first_name":"A","${field}":"${text}"}`;
        const reply = await emulator.ask("POST", "/contacts", { raw });
        expect(reply.status).toBe(400);
        expect(reply.body.error.details[0].path).toEqual([field]);
      }
    }
  });
});

function fieldNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldNames);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => [name, ...fieldNames(field)]);
}
