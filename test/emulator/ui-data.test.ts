import { describe, expect, it } from "vitest";
import { createContact } from "../helpers/records.js";
import { openTestEmulator, testOnTransports } from "../helpers/test-emulator.js";

testOnTransports("the log in the web UI", (open) => {
  it("[emulator.log] header values that can be secret are masked in the log", async () => {
    await using emulator = await open();
    await emulator.ask("GET", "/groups?limit=1", {
      headers: {
        "x-tenant": "a private value",
        cookie: "a=b",
        "user-agent": "crm/1",
        "idempotency-key": "k",
      },
    });
    const [brief] = await emulator.control("GET", "/requests?limit=1&brief=true");
    expect(Object.keys(brief)).not.toContain("request_body");
    expect(Object.keys(brief)).not.toContain("request_headers");
    const shown = await emulator.control("GET", `/requests/${brief.id}`);
    expect(shown.request_headers).toMatchObject({
      authorization: "Bearer ***",
      "x-tenant": "***",
      cookie: "***",
      "user-agent": "crm/1",
      "idempotency-key": "k",
    });
    expect(shown.response_headers).toMatchObject({ "X-RateLimit-Limit": "1000" });
    expect(JSON.stringify(shown)).not.toMatch(/a private value|a=b/);
    expect(JSON.stringify(shown)).not.toContain(emulator.keys.admin);
    await expect(emulator.control("GET", "/requests/999")).rejects.toMatchObject({ status: 404 });
    await expect(emulator.control("GET", "/requests/x")).rejects.toMatchObject({ status: 404 });
  });

  it("[emulator.faults] the log shows only the faults that applied to a request", async () => {
    await using emulator = await open();
    const fault = await emulator.control("POST", "/faults", { kind: "garbage", operation: "ping", times: 1 });
    await emulator.ask("GET", "/ping").catch(() => {});
    await emulator.ask("GET", "/ping");
    const rows = await emulator.control("GET", "/requests?limit=2&brief=true");
    expect(rows.map((row) => row.faults)).toEqual([[], [{ id: fault.id, kind: "garbage" }]]);
  });

  it("a search of the log finds text, including % and _, in URLs, bodies and API rules", async () => {
    await using emulator = await open();
    await createContact(emulator, { first_name: "100%_Ada" });
    await createContact(emulator, { first_name: "Bert" });
    await emulator.ask("GET", "/nowhere?q=Ada");
    const searchRequests = async (query: string) =>
      (await emulator.control("GET", `/requests?${query}`)).map((row: { method: string }) => row.method);
    expect(await searchRequests("search=ada")).toEqual(["GET", "POST"]);
    expect(await searchRequests("search=100%25_")).toEqual(["POST"]);
    expect(await searchRequests("search=%25bert")).toEqual([]);
    expect(await searchRequests("search=D-order")).toEqual(["GET"]);
    expect(await searchRequests("errors=true")).toEqual(["GET"]);
    const all = await emulator.control("GET", "/requests?limit=10");
    const older = await emulator.control("GET", `/requests?limit=10&before=${all[0].id}`);
    expect(older).toEqual(all.slice(1));
  });

  it("refusals in the log are grouped by operation and API rule, latest first", async () => {
    await using emulator = await open();
    await emulator.ask("POST", "/contacts", { body: { first_name: "Ada", colour: "blue" } });
    await emulator.ask("GET", "/contacts/000000000000000000000001");
    await emulator.ask("GET", "/nowhere?a=1");
    await emulator.ask("GET", "/contacts/000000000000000000000002");
    await emulator.control("POST", "/faults", { kind: "error_before", operation: "contacts.get", times: 1 });
    await emulator.ask("GET", "/contacts/000000000000000000000003");
    await emulator.ask("GET", "/ping");
    const groups: Record<string, unknown>[] = await emulator.control("GET", "/request-errors");
    expect(groups.map(({ operation, status, count, faults }) => [operation, status, count, faults])).toEqual([
      ["contacts.get", 500, 1, ["error_before"]],
      ["contacts.get", 404, 2, []],
      [null, 404, 1, []],
      ["contacts.create", 400, 1, []],
    ]);
    expect(groups[1]).toMatchObject({
      method: "GET",
      path: "/api/v1/contacts/000000000000000000000002",
      first_id: 2,
      last_id: 4,
    });
  });

  it("the request log can omit the web UI's own requests", async () => {
    await using emulator = await open();
    await emulator.ask("GET", "/ping", { headers: { "x-emulator-ui": "1" } });
    await emulator.ask("GET", "/groups?limit=1");
    expect(await emulator.control("GET", "/requests?page=false")).toHaveLength(1);
    expect(await emulator.control("GET", "/requests")).toHaveLength(2);
  });
});

describe("calls in the web UI", () => {
  it("the web UI lists calls by time in pages, for one organization, assistant or number", async () => {
    await using emulator = await openTestEmulator("in process", { seed: "demo" });
    const [first] = await emulator.control("GET", "/organizations?counts=true");
    expect(first.counts?.["calls"]).toBeGreaterThan(50);
    const at = (rows: { [field: string]: unknown }[]) => rows.map((row) => row["created_at"]);
    const page = await emulator.control("GET", `/calls?limit=20&organization_id=${first.id}`);
    expect(at(page)).toEqual(at(page).toSorted().reverse());
    const next = await emulator.control("GET", `/calls?limit=20&before=${page[19]?.id}`);
    expect(at([...page, ...next])).toEqual(
      at([...page, ...next])
        .toSorted()
        .reverse(),
    );
    expect(new Set([...page, ...next].map(({ id }) => id)).size).toBe(40);
    const [call] = page;
    expect(call.assistant_name).toEqual(expect.any(String));
    for (const row of await emulator.control("GET", `/calls?assistant_id=${call.assistant_id}`))
      expect(row.assistant_id).toBe(call.assistant_id);
    const number = encodeURIComponent(String(call["from"]));
    for (const row of await emulator.control("GET", `/calls?number=${number}`))
      expect([row.from, row.to]).toContain(call.from);
    const counts: { calls: number }[] = await emulator.control(
      "GET",
      `/call-counts?organization_id=${first.id}&days=60`,
    );
    expect(counts.reduce((sum, { calls }) => sum + calls, 0)).toBe(first.counts?.["calls"]);
  });

  it("an incoming call in the web UI includes the webhook request and the prompt", async () => {
    await using emulator = await openTestEmulator("in process", { seed: "demo" });
    const [{ id: assistant_id }] = await emulator.control("GET", "/assistants");
    const made = await emulator.control("POST", "/incoming-calls", { assistant_id, from: "+4915112345678" });
    const shown = await emulator.control("GET", `/calls/${made.call.id}`);
    expect(shown).toMatchObject({ webhook: made.webhook, prompt: made.prompt, call: made.call });
    const listed = await emulator.control("GET", "/incoming-calls");
    expect(listed).toHaveLength(made.webhook === null ? 0 : 1);
    await expect(emulator.control("GET", `/calls/${assistant_id}`)).rejects.toMatchObject({ status: 404 });
  });

  it("a call shows the times of its past and planned stages", async () => {
    await using emulator = await openTestEmulator("in process", { seed: "demo" });
    const [{ id: assistant_id }] = await emulator.control("GET", "/assistants");
    const made = await emulator.control("POST", "/incoming-calls", { assistant_id, from: "+4915112345678" });
    const { call, course } = await emulator.control("GET", `/calls/${made.call.id}`);
    const created = Date.parse(String(call["created_at"]));
    const after = (time: unknown) => (Date.parse(String(time)) - created) / 1_000;
    expect(course?.outcome).toBe("completed");
    expect([course?.rings_at, course?.answered_at, course?.ended_at, course?.recorded_at].map(after)).toEqual(
      [0, 5, 95, 100],
    );
    expect(course?.erased_at).toBeNull();
  });

  it("the web UI lists scheduled events, soonest first", async () => {
    await using emulator = await openTestEmulator("in process", { seed: "demo" });
    const [{ id: assistant_id }] = await emulator.control("GET", "/assistants");
    await emulator.control("POST", "/incoming-calls", { assistant_id, from: "+4915112345678" });
    const due: { at: string; event: string }[] = await emulator.control("GET", "/clock/due");
    expect(due.map(({ at }) => at)).toEqual(due.map(({ at }) => at).toSorted());
    expect(due.map(({ event }) => event)).toContain("call_answered");
    // Without `until`, the list omits keys that expire in the distant future.
    await emulator.control("POST", "/incoming-calls", { assistant_id, from: "+4915112345679" });
    const expires_at = new Date(Date.parse(due[0]?.at ?? "") + 30 * 86_400_000).toISOString();
    await emulator.control("POST", "/keys", { kind: "public", expires_at });
    const countDue = async (query: string) =>
      Object.fromEntries(
        (await emulator.control("GET", `/clock/due?${query}`)).map((row) => [row.event, row.count]),
      );
    expect(await countDue("")).not.toHaveProperty("key_expires");
    expect(await countDue(`until=${expires_at}`)).toMatchObject({ call_answered: 2, key_expires: 1 });
    expect(await countDue(`until=${due[0]?.at}`)).toEqual({ [due[0]?.event ?? ""]: 2 });
    const moved = await emulator.control("PATCH", "/clock", { next: true });
    expect(moved.now).toBe(due[0]?.at);
  });
});

testOnTransports("changes in an emulator", (open) => {
  it("a client that waits for changes receives the new counts as soon as they change", async () => {
    await using emulator = await open();
    const first = await emulator.control("GET", "/changes");
    expect(first).toMatchObject({ mode: "virtual", calls_under_way: 0, faults: 0, unseen_requests: 0 });
    const waited = emulator.control(
      "GET",
      `/changes?after=${first.revision}&wait_seconds=30&seen_request=${first.last_request}`,
    );
    await emulator.ask("GET", "/nowhere");
    const next = await waited;
    expect(next.revision).toBeGreaterThan(first.revision);
    expect(next).toMatchObject({ unseen_requests: 1, unseen_errors: 1 });
    // A request with an older revision gets a response at once.
    await emulator.control("GET", `/changes?after=${first.revision}&wait_seconds=30`);
    const faulty = emulator.control("GET", `/changes?after=${next.revision}&wait_seconds=30`);
    await emulator.control("POST", "/faults", { kind: "garbage", operation: "ping" });
    expect(await faulty).toMatchObject({ faults: 1 });
  });

  it("the web UI's own requests do not count as unseen", async () => {
    await using emulator = await open();
    await emulator.ask("GET", "/ping", { headers: { "x-emulator-ui": "1" } });
    await emulator.ask("GET", "/ping");
    expect(await emulator.control("GET", "/changes?seen_request=0")).toMatchObject({
      last_request: 2,
      unseen_requests: 1,
      unseen_errors: 0,
    });
  });
});

describe("searching resources in the web UI", () => {
  it("the search finds resources of all types by name, part of the name, number or ID", async () => {
    await using emulator = await openTestEmulator("in process", { seed: "demo" });
    const resourceTypes = [
      "assistants",
      "contacts",
      "groups",
      "knowledge",
      "prompts",
      "forwardings",
      "glossary",
    ];
    for (const resourceType of [...resourceTypes, "pronunciation", "calendars", "tools"]) {
      const rows = await emulator.control("GET", `/resources/${resourceType}?limit=3`);
      expect([resourceType, rows.length > 0]).toEqual([resourceType, true]);
      const matches = await emulator.control(
        "GET",
        `/resources/${resourceType}?search=${encodeURIComponent(rows[0].name)}`,
      );
      expect(matches.map(({ id }: { id: string }) => id)).toContain(rows[0].id);
      expect(await emulator.control("GET", `/resources/${resourceType}?search=${rows[0].id}`)).toHaveLength(
        1,
      );
      const older = await emulator.control("GET", `/resources/${resourceType}?limit=3&before=${rows[0].id}`);
      expect(older.slice(0, 2)).toEqual(rows.slice(1));
      // No resource refers to items of these types by ID, so `/names` omits such items.
      if (["contacts", "forwardings", "glossary", "pronunciation"].includes(resourceType)) continue;
      const names = await emulator.control("GET", `/names?ids=${rows[0].id},nothing`);
      expect(names).toEqual([{ id: rows[0].id, resource: resourceType, name: rows[0].name }]);
    }
    // The search finds only visible values, not hidden fields or field names.
    expect(await emulator.control("GET", "/resources/contacts?search=first_name")).toEqual([]);
    await createContact(emulator, { first_name: 'Anna "Änne"', last_name: "\\o/" });
    for (const search of ['"änne"'.replace("ä", "Ä"), "\\o", 'a "'])
      expect(
        await emulator.control("GET", `/resources/contacts?search=${encodeURIComponent(search)}`),
      ).toHaveLength(1);
    await expect(emulator.control("GET", "/resources/keys")).rejects.toMatchObject({ status: 404 });
  });
});
