import { describe, expect, it } from "vitest";
import { createAssistant, triggerCall } from "../helpers/calls.js";
import {
  createCustomer,
  createMsp,
  createOrganizationKey,
  createAssistant as createOwnAssistant,
  distributorV1,
  distributorV2,
  legacy,
  upsertLicenses,
} from "../helpers/distributor.js";
import { callTool } from "../helpers/mcp.js";
import { createContact, unknownId } from "../helpers/records.js";
import {
  type OpenTestEmulator,
  openTestEmulator,
  type Reply,
  type TestEmulator,
} from "../helpers/test-emulator.js";

const open: OpenTestEmulator = (options) => openTestEmulator("in process", options);

function toOutcome(reply: Reply): [number, string | null] {
  return [reply.status, reply.headers.get("x-emulator-rule")];
}

/** Returns the JSON of an object with this number of levels: the object itself and nested lists. */
function nested(start: string, levels: number): string {
  return `{${start}${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
}

// Each test covers a passage of the documents that has two readings. A decision (`D-…`) selects one of them.
describe("ambiguous readings of the documents", () => {
  it("[D-deleted-assistant] a deleted assistant's calls can be listed by its ID or number", async () => {
    await using emulator = await open();
    const busy = await createAssistant(emulator);
    const idle = await createAssistant(emulator);
    const call = await triggerCall(emulator, { assistant_id: busy.id, to: "+4930123456" });
    for (const { id } of [busy, idle])
      expect((await emulator.ask("DELETE", `/assistants/${id}`)).status).toBe(200);
    const list = (query: string) => emulator.ask("GET", `/calls?${query}`);
    const number = encodeURIComponent(busy.phone_number);
    for (const query of [`assistant_id=${busy.id}`, `assistant_phone=${number}`])
      expect((await list(query)).body.data.map(({ id }: { id: string }) => id)).toEqual([call]);
    for (const query of [
      `assistant_id=${idle.id}`,
      `assistant_phone=${encodeURIComponent(idle.phone_number)}`,
      `assistant_id=${unknownId}`,
    ])
      expect((await list(query)).status).toBe(404);
    // The assistant is found even if the other filters match no calls.
    expect((await list(`assistant_id=${busy.id}&created_to=2020-01-01T00:00:00Z`)).body.data).toEqual([]);
  });

  it("[D-deleted-assistant] a list by number includes calls of the number's former assistants", async () => {
    await using emulator = await open();
    const first = await createAssistant(emulator);
    const before = await triggerCall(emulator, { assistant_id: first.id, to: "+4930123456" });
    await emulator.advance(600);
    await emulator.ask("DELETE", `/assistants/${first.id}`);
    const second = await createAssistant(emulator);
    expect(second.phone_number).toBe(first.phone_number);
    const after = await triggerCall(emulator, { assistant_id: second.id, to: "+4930123456" });
    const listed = await emulator.ask(
      "GET",
      `/calls?assistant_phone=${encodeURIComponent(first.phone_number)}`,
    );
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([after, before]);
  });

  it("[D-v1-shared] a v2 MSP is a v1 partner with customers", async () => {
    await using emulator = await open();
    const [v1, v2] = [distributorV1(emulator), distributorV2(emulator)];
    const msp = await createMsp(emulator, "acme", ["s1"]);
    await createCustomer(emulator, msp.id, "shop", "s1");
    expect((await v1("GET", "/partners/acme")).body.data).toMatchObject({ organizationId: msp.id });
    expect((await v1("GET", "/customers/shop")).body.data).toMatchObject({ externalPartnerId: "acme" });
    await v1("PATCH", "/partners/acme", { body: { name: "Acme AG" } });
    const renamed = await v2("GET", "/organizations?externalOrganizationId=acme");
    expect(renamed.body.data[0].name).toBe("Acme AG");
    // A partner created by v2 is deleted with its organization.
    await v2("DELETE", `/organizations/${(await v1("GET", "/customers/shop")).body.data.organizationId}`);
    await v2("DELETE", `/organizations/${msp.id}`);
    expect((await v1("GET", "/partners/acme")).status).toBe(404);
  });

  it("[D-v1-shared] a v1 partner is inactive while its MSP is deleted", async () => {
    await using emulator = await open();
    const [v1, v2] = [distributorV1(emulator), distributorV2(emulator)];
    const made = (await v1("POST", "/partners", { body: { externalPartnerId: "acme", name: "Acme" } })).body
      .data;
    await v2("DELETE", `/organizations/${made.organizationId}`);
    const left = (await v1("GET", "/partners/acme")).body.data;
    expect(left).toMatchObject({ name: "Acme", organizationId: null });
    expect(left.status).not.toBe("active");
    const customer = { externalCustomerId: "shop", name: "Shop" };
    const refused = await v1("POST", "/partners/acme/customers", { body: customer });
    expect([refused.status, refused.body.errorCode]).toEqual([404, "PARTNER_NOT_FOUND"]);
    const msp = await createMsp(emulator, "acme");
    const again = (await v1("GET", "/partners/acme")).body.data;
    expect(again).toMatchObject({ organizationId: msp.id, status: "active", name: "acme" });
    expect((await v1("POST", "/partners/acme/customers", { body: customer })).status).toBe(201);
  });

  it("[D-v1-shared] a blocked MSP is a blocked v1 partner that still accepts customers", async () => {
    await using emulator = await open();
    const v1 = distributorV1(emulator);
    const msp = await createMsp(emulator, "acme");
    const assistant = await createOwnAssistant(emulator, await createOrganizationKey(emulator, msp.id));
    await emulator.control("POST", "/calls", {
      assistant_id: assistant.id,
      created_at: "2026-02-10T10:00:00Z",
    });
    await upsertLicenses(emulator, msp.id, [{ externalLicenseId: "acme-0", status: "disabled" }]);
    expect((await v1("GET", "/partners/acme")).body.data.status).toBe("blocked");
    const customer = { externalCustomerId: "shop", name: "Shop" };
    expect((await v1("POST", "/partners/acme/customers", { body: customer })).status).toBe(201);
    const usage = await v1("GET", "/usage?from=2026-02-01&to=2026-02-28");
    expect(usage.body.data).toMatchObject([
      { externalPartnerId: "acme", externalCustomerId: null, calls: 1 },
    ]);
  });

  it("[D-billing-self] a billing summary lists the organization before its customers", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const msp = await createMsp(emulator, "acme", ["s1", "s2"]);
    const zoo = await createCustomer(emulator, msp.id, "zoo", "s1");
    await createCustomer(emulator, msp.id, "bakery", "s2");
    const summary = async (id: string) => (await v2("GET", `/organizations/${id}/billing-summary`)).body.data;
    const names = ({ organizations }: { organizations: { externalOrganizationId: string }[] }) =>
      organizations.map(({ externalOrganizationId }) => externalOrganizationId);
    expect(names(await summary(msp.id))).toEqual(["acme", "zoo", "bakery"]);
    expect((await summary(msp.id)).licenses).toHaveLength(3);
    expect(names(await summary(zoo.id))).toEqual(["zoo"]);
    expect((await summary(zoo.id)).licenses).toEqual([]);
  });

  it.each([
    ["last_name", "/contacts", { first_name: "Ada" }, "contacts"],
    ["definition", "/glossary", { term: "PZR" }, "glossaries"],
    ["description", "/tools", { name: "look_up", url: "https://example.org" }, undefined],
  ])(
    "[D-empty-text] %s is empty by default and can be cleared, but can't be null",
    async (field, path, fields, type) => {
      await using emulator = await open();
      const body = { ...fields, ...(type && { group_id: await emulator.groupId(type) }) };
      const { data } = (await emulator.ask("POST", path, { body })).body;
      expect(data[field]).toBe("");
      const patch = async (value: unknown) =>
        emulator.ask("PATCH", `${path}/${data.id}`, { body: { [field]: value } });
      expect((await patch("Lovelace")).body.data[field]).toBe("Lovelace");
      const refused = await patch(null);
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, [field]]);
      expect((await patch(" \n ")).body.data[field]).toBe("");
      await patch("Lovelace");
      expect((await patch("")).body.data[field]).toBe("");
      expect((await emulator.ask("GET", `${path}/${data.id}`)).body.data[field]).toBe("");
    },
  );

  it("[D-rating-off] while rating is off, any PATCH except an empty one removes the rating", async () => {
    await using emulator = await open();
    const organization = `/organizations/${emulator.instance.startLine.organization_id}`;
    await emulator.control("PATCH", organization, { features: ["public_api", "prompt_rating"] });
    const created = await emulator.ask("POST", "/prompts", {
      body: { name: "A", kind: "answering", text: "B" },
    });
    const { id } = created.body.data;
    await emulator.advance(5);
    await emulator.control("PATCH", organization, { features: ["public_api"] });
    const patch = async (body: object) => (await emulator.ask("PATCH", `/prompts/${id}`, { body })).body.data;
    expect((await patch({})).rating?.state).toBe("rated");
    expect((await patch({ name: "A" })).rating).toBeNull();
    await emulator.control("PATCH", organization, { features: ["public_api", "prompt_rating"] });
    expect((await emulator.ask("GET", `/prompts/${id}`)).body.data.rating).toBeNull();
  });

  it("[D-usage-order] usage is ordered by day and organization in both distributor APIs", async () => {
    await using emulator = await open();
    const msp = await createMsp(emulator, "acme", ["s1"]);
    const shop = await createCustomer(emulator, msp.id, "shop", "s1");
    for (const { id } of [shop, msp]) {
      const assistant = await createOwnAssistant(emulator, await createOrganizationKey(emulator, id));
      for (const day of ["12", "10"])
        await emulator.control("POST", "/calls", {
          assistant_id: assistant.id,
          created_at: `2026-02-${day}T10:00:00Z`,
        });
    }
    const order = [
      ["2026-02-10", msp.id],
      ["2026-02-10", shop.id],
      ["2026-02-12", msp.id],
      ["2026-02-12", shop.id],
    ];
    for (const ask of [distributorV1(emulator), distributorV2(emulator)]) {
      const { data } = (await ask("GET", "/usage?from=2026-02-01&to=2026-02-28")).body;
      const seen = data.map((record: Record<string, string>) => [record["date"], record["organizationId"]]);
      expect(seen).toEqual(order);
    }
  });

  it("[D-number-form] a number in a query can have only zeros after its decimal point", async () => {
    await using emulator = await open();
    for (const first_name of ["A", "B", "C"]) await createContact(emulator, { first_name });
    const list = (query: string) => emulator.ask("GET", `/contacts?${query}`);
    for (const query of ["limit=2", "limit=2.0", "limit=02.00", "limit=200&limit=2"])
      expect([query, (await list(query)).body.data?.length]).toEqual([query, 2]);
    for (const text of ["%2B2", "-2", "2e0", "0x2", "2.", ".2", "2.5", "%202", "2%20", "2%0A", "٢", ""])
      expect([text, (await list(`limit=${text}`)).status]).toEqual([text, 400]);
    const usage = await emulator.ask("GET", "/statistics/usage?week=1e1&year=2026&assistant_id=all");
    expect(toOutcome(usage)).toEqual([400, "public.operations.16a"]);
  });

  it("[D-number-form] one or more spaces separate Bearer from the key", async () => {
    await using emulator = await open();
    const ping = async (authorization: string) =>
      (await emulator.ask("GET", "/ping", { headers: { authorization } })).status;
    expect(await ping(`Bearer ${emulator.keys.admin}`)).toBe(200);
    expect(await ping(`Bearer    ${emulator.keys.admin}`)).toBe(200);
    expect(await ping(`Bearer${emulator.keys.admin}`)).toBe(401);
  });

  it("[D-nesting holds refuses] every API accepts at most 500 levels of nesting in a body", async () => {
    await using emulator = await open();
    const tool = (levels: number) =>
      emulator.ask("POST", "/tools", {
        raw: nested(`"name":"t","url":"https://example.org","parameters":{"deep":`, levels - 1).replace(
          /}$/,
          "}}",
        ),
      });
    expect((await tool(500)).status).toBe(201);
    const refused = await tool(501);
    expect(toOutcome(refused)).toEqual([400, "D-nesting"]);
    expect(refused.body.error.details).toEqual([{ path: [], message: expect.stringContaining("500") }]);
    expect(toOutcome(await tool(200_000))).toEqual([400, "D-nesting"]);
    const otherApis: [string, (raw: string) => Promise<Reply>][] = [
      ["v2", (raw) => distributorV2(emulator)("POST", "/organizations", { raw })],
      ["v1", (raw) => distributorV1(emulator)("POST", "/partners", { raw })],
      ["legacy", (raw) => legacy(emulator)("POST", "/outbound/call", { raw })],
    ];
    for (const [name, ask] of otherApis) {
      const deep = await ask(nested('"deep":', 501));
      expect([name, ...toOutcome(deep)]).toEqual([name, 400, "D-nesting"]);
      expect(deep.body.errorCode ?? deep.body.code).toBe("VALIDATION_ERROR");
      // With one level less, the body is refused only for its unknown field.
      expect([name, (await ask(nested('"deep":', 500))).headers.get("x-emulator-rule")]).not.toEqual([
        name,
        "D-nesting",
      ]);
    }
  });

  it("[D-cursor-first] a list with an invalid cursor returns 400, even for an unknown resource", async () => {
    await using emulator = await open();
    const days = "from=2026-02-01&to=2026-02-28";
    const [v1, v2] = [distributorV1(emulator), distributorV2(emulator)];
    const lists: [string, Promise<Reply>][] = [
      ["calls", emulator.ask("GET", `/calls?assistant_id=${unknownId}&cursor=x`)],
      ["v2 usage", v2("GET", `/usage?${days}&organizationId=${unknownId}&cursor=x`)],
      ["v1 usage", v1("GET", `/usage?${days}&externalPartnerId=nobody&cursor=x`)],
      ["v1 customers", v1("GET", "/partners/nobody/customers?cursor=x")],
    ];
    for (const [name, pending] of lists) expect([name, (await pending).status]).toEqual([name, 400]);
    // A cursor remains valid after the partner of its list was deleted, so the response is 404 instead of
    // 400.
    await createMsp(emulator, "acme", ["s1", "s2"]);
    const { organizationId } = (await v1("GET", "/partners/acme")).body.data;
    const customers = [
      await createCustomer(emulator, organizationId, "shop", "s1"),
      await createCustomer(emulator, organizationId, "bakery", "s2"),
    ];
    const page = await v1("GET", "/partners/acme/customers?limit=1");
    for (const { id } of [...customers, { id: organizationId }]) await v2("DELETE", `/organizations/${id}`);
    const next = `/partners/acme/customers?cursor=${page.body.meta.nextCursor}`;
    expect((await v1("GET", next)).status).toBe(404);
  });

  it("[D-fault-late] a call that an API rule refuses does not use up a call_failure fault", async () => {
    await using emulator = await open();
    const assistant = await createAssistant(emulator);
    const call = (fields: object = {}) =>
      legacy(emulator)("POST", "/outbound/call", {
        body: {
          assistantPhoneNumber: assistant.phone_number,
          targetPhoneNumber: "+4930123456",
          ...fields,
        },
      });
    expect((await call()).status).toBe(200);
    const fault = await emulator.control("POST", "/faults", { kind: "call_failure", times: 1 });
    const struck = async () =>
      (await emulator.control("GET", "/faults")).find(({ id }) => id === fault.id)?.struck;
    expect((await call()).body.code).toBe("RATE_LIMIT_EXCEEDED");
    expect((await call({ assistantPhoneNumber: "+4930000000" })).body.code).toBe("ASSISTANT_NOT_FOUND");
    await emulator.control("PATCH", `/assistants/${assistant.id}`, { blocked_numbers: ["+4930999999"] });
    const blocked = await call({ targetPhoneNumber: "+4930999999" });
    expect([blocked.body.code, blocked.body.message]).toEqual([
      "CALL_FAILED",
      expect.stringContaining("blocked"),
    ]);
    expect(await struck()).toBe(0);
    await emulator.advance(60);
    expect(toOutcome(await call())).toEqual([500, "legacy.failed"]);
    expect(await struck()).toBe(1);
    expect((await call()).status).toBe(200);
  });

  it.each<
    [
      string,
      string,
      (emulator: TestEmulator) => Promise<{ early: Promise<Reply>[]; due: () => Promise<Reply> }>,
    ]
  >([
    [
      "org_creation_failure",
      "v1.org-creation",
      async (emulator) => {
        const v1 = distributorV1(emulator);
        await createMsp(emulator, "acme");
        const create = (externalPartnerId: string) =>
          v1("POST", "/partners", { body: { externalPartnerId, name: "Acme" } });
        return { early: [create("acme"), create("not allowed")], due: () => create("other") };
      },
    ],
    [
      "recording_erase_failure",
      "public.operations.14f",
      async (emulator) => {
        const { id } = await createAssistant(emulator);
        const past = (recording: string | null) =>
          emulator.control("POST", "/calls", { assistant_id: id, recording, duration_seconds: 60 });
        const [kept, none] = [await past("flac"), await past(null)];
        const erase = (call: string) => emulator.ask("DELETE", `/calls/${call}/recording`);
        await emulator.advance(60);
        return { early: [erase(unknownId), erase(none.id)], due: () => erase(kept.id) };
      },
    ],
    [
      "webhook_race",
      "public.operations.7j",
      async (emulator) => {
        const pre_call_webhook = { enabled: true, url: "https://example.org" };
        const assistant = await createAssistant(emulator, { pre_call_webhook });
        const patch = (body: object) => emulator.ask("PATCH", `/assistants/${assistant.id}`, { body });
        return {
          early: [patch({ pre_call_webhook, prompt_id: unknownId }), patch({ name: "No webhook" })],
          due: () => patch({ pre_call_webhook }),
        };
      },
    ],
  ])(
    "[D-fault-late] a request that can't trigger the fault %s does not use it up",
    async (fault, rule, prepare) => {
      await using emulator = await open();
      const { early, due } = await prepare(emulator).then(async (prepared) => {
        await emulator.control("POST", "/faults", { kind: fault, times: 1 });
        return prepared;
      });
      for (const reply of await Promise.all(early))
        expect(reply.headers.get("x-emulator-rule")).not.toBe(rule);
      expect((await due()).headers.get("x-emulator-rule")).toBe(rule);
      expect((await due()).status).toBeLessThan(300);
    },
  );

  it("[D-fault-late] an indexing fault applies to the next accepted create", async () => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: "index_failure", times: 1 });
    const create = (group_id: string) =>
      emulator.ask("POST", "/knowledge-items", { body: { group_id, name: "Prices", text: "…" } });
    expect((await create(unknownId)).status).toBe(404);
    const { id } = (await create(await emulator.groupId("knowledges"))).body.data;
    await emulator.advance(5);
    const item = await emulator.ask("GET", `/knowledge-items/${id}`);
    expect(item.body.data.sync_status.state).toBe("failed");
  });

  it("[D-window-counted] a refused tool call does not start the window of a key", async () => {
    await using emulator = await open({ limits: { read: 2 } });
    const { key } = await emulator.control("POST", "/keys", { kind: "oauth" });
    for (let count = 0; count < 2; count += 1) expect((await callTool(emulator, "ping")).status).toBe(200);
    await emulator.advance(30);
    // The organization's limit is used up. The refused call doesn't count against the key's limit.
    expect((await callTool(emulator, "ping", {}, { key })).status).toBe(429);
    const windows = await emulator.control("GET", "/limits");
    const open_ = windows.filter(
      (window: { kind: string; resets_at: string | null }) =>
        window.kind === "oauth" && window.resets_at !== null,
    );
    expect(open_).toEqual([]);
    await emulator.advance(30);
    // The key's window starts with the first counted call, and lasts a minute.
    const counted = await callTool(emulator, "ping", {}, { key });
    expect(counted.status).toBe(200);
    const now = Date.parse("2026-03-02T09:01:00.000Z") / 1000;
    expect(counted.headers.get("x-ratelimit-reset")).toBe(String(now + 60));
    expect((await callTool(emulator, "ping", {}, { key })).status).toBe(200);
  });
});
