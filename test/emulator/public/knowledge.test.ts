import { expect, it } from "vitest";
import { startTime } from "../../helpers/templates.js";
import { type TestEmulator, testOnTransports } from "../../helpers/test-emulator.js";

async function createItem(emulator: TestEmulator, fields: object = {}) {
  const group_id = await emulator.groupId("knowledges");
  const body = { group_id, name: "Hours", text: "Nine to five", ...fields };
  return (await emulator.ask("POST", "/knowledge-items", { body })).body.data;
}

async function stateOf(emulator: TestEmulator, id: string): Promise<string> {
  return (await emulator.ask("GET", `/knowledge-items/${id}`)).body.data.sync_status.state;
}

const later = (seconds: number) => new Date(Date.parse(startTime) + seconds * 1000).toISOString();

testOnTransports("knowledge items", (open) => {
  it("[public.knowledge.text] only a GET of a single item returns its text", async () => {
    await using emulator = await open();
    const text = "Ä long text. ".repeat(5_000);
    const created = await createItem(emulator, { text });
    expect(created).not.toHaveProperty("text");
    const changed = await emulator.ask("PATCH", `/knowledge-items/${created.id}`, { body: { name: "New" } });
    expect(changed.body.data).not.toHaveProperty("text");
    const { body: list } = await emulator.ask("GET", "/knowledge-items");
    expect(list.data).toHaveLength(1);
    expect(list.data[0]).not.toHaveProperty("text");
    expect((await emulator.ask("GET", `/knowledge-items/${created.id}`)).body.data.text).toBe(text);
  });

  it("[public.knowledge.text] a PATCH of the text replaces the whole text", async () => {
    await using emulator = await open();
    const { id } = await createItem(emulator);
    await emulator.ask("PATCH", `/knowledge-items/${id}`, { body: { text: "" } });
    expect((await emulator.ask("GET", `/knowledge-items/${id}`)).body.data.text).toBe("");
  });

  it("[D-times] a PATCH of only the text changes updated_at", async () => {
    await using emulator = await open();
    const { id } = await createItem(emulator);
    await emulator.advance(5);
    const changed = await emulator.ask("PATCH", `/knowledge-items/${id}`, { body: { text: "Ten to four" } });
    expect(changed.body.data).toMatchObject({ created_at: startTime, updated_at: later(5) });
  });

  it("[D-knowledge] [public.knowledge.sync] an item is active by default", async () => {
    await using emulator = await open();
    expect((await createItem(emulator)).active).toBe(true);
    expect((await createItem(emulator, { active: false })).active).toBe(false);
  });

  it("[D-text refuses] the name and the text have a maximum length", async () => {
    await using emulator = await open();
    const group_id = await emulator.groupId("knowledges");
    for (const bad of [{ name: " " }, { name: "n".repeat(201) }, { text: "t".repeat(100_001) }]) {
      const body = { group_id, name: "Hours", text: "", ...bad };
      const refused = await emulator.ask("POST", "/knowledge-items", { body });
      expect(refused.status).toBe(400);
      expect(refused.body.error.details[0].path).toEqual(Object.keys(bad));
      expect(refused.headers.get("x-emulator-rule")).toBe("D-text");
    }
  });

  // plain-words: allow title-long
  it("[public.states.create] [public.states.indexing] [public.knowledge.sync] [public.operations.2] an item becomes pending, syncing after 1 s and synced after 3 s", async () => {
    await using emulator = await open();
    const created = await createItem(emulator);
    expect(created.sync_status).toEqual({ state: "pending", updated_at: startTime, error: null });
    await emulator.advance(0.999);
    expect(await stateOf(emulator, created.id)).toBe("pending");
    await emulator.advance(0.001);
    expect(await stateOf(emulator, created.id)).toBe("syncing");
    await emulator.advance(1.999);
    expect(await stateOf(emulator, created.id)).toBe("syncing");
    await emulator.advance(60);
    const { body } = await emulator.ask("GET", "/knowledge-items");
    expect(body.data[0].sync_status).toEqual({ state: "synced", updated_at: later(3), error: null });
  });

  it("[public.states.patch] [public.operations.2] every PATCH starts indexing again", async () => {
    await using emulator = await open();
    const { id } = await createItem(emulator);
    const group = await emulator.ask("POST", "/groups", { body: { type: "knowledges", name: "Second" } });
    for (const body of [{ name: "New" }, { active: false }, { group_id: group.body.data.id }, {}]) {
      await emulator.advance(5);
      expect(await stateOf(emulator, id)).toBe("synced");
      const patched = await emulator.ask("PATCH", `/knowledge-items/${id}`, { body });
      expect(patched.body.data).toMatchObject(body);
      expect(patched.body.data.sync_status.state).toBe("pending");
    }
  });

  it("[D-body] an empty PATCH only starts indexing", async () => {
    await using emulator = await open();
    const created = await createItem(emulator);
    await emulator.advance(5);
    const patched = await emulator.ask("PATCH", `/knowledge-items/${created.id}`, { body: {} });
    const { sync_status, ...otherFields } = patched.body.data;
    expect({ ...otherFields, sync_status: created.sync_status }).toEqual(created);
    expect(sync_status.updated_at).toBe(later(5));
  });

  it("[public.states.patch] a refused PATCH keeps the indexing state", async () => {
    await using emulator = await open();
    const { id } = await createItem(emulator);
    await emulator.advance(5);
    const contacts = await emulator.groupId("contacts");
    expect((await emulator.ask("PATCH", `/knowledge-items/${id}`, { body: { name: "" } })).status).toBe(400);
    expect(
      (await emulator.ask("PATCH", `/knowledge-items/${id}`, { body: { group_id: contacts } })).status,
    ).toBe(404);
    expect(await stateOf(emulator, id)).toBe("synced");
  });

  it("[D-knowledge] a PATCH during indexing starts indexing again", async () => {
    await using emulator = await open();
    const { id } = await createItem(emulator);
    await emulator.advance(2.5);
    expect(await stateOf(emulator, id)).toBe("syncing");
    await emulator.ask("PATCH", `/knowledge-items/${id}`, { body: { text: "Ten to six" } });
    await emulator.advance(0.9);
    expect(await stateOf(emulator, id)).toBe("pending");
    await emulator.advance(2);
    expect(await stateOf(emulator, id)).toBe("syncing");
    await emulator.advance(0.1);
    expect(await stateOf(emulator, id)).toBe("synced");
  });

  // plain-words: allow title-long
  it("[public.states.failed] [public.states.indexing] [public.knowledge.sync] a failed item stays failed until a PATCH", async () => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: "index_failure", times: 1 });
    const { id } = await createItem(emulator);
    await emulator.advance(2);
    expect(await stateOf(emulator, id)).toBe("syncing");
    await emulator.advance(1);
    const failed = await emulator.ask("GET", `/knowledge-items/${id}`);
    expect(failed.body.data.sync_status).toEqual({
      state: "failed",
      updated_at: later(3),
      error: expect.stringMatching(/./),
    });
    await emulator.advance(86_400);
    expect(await stateOf(emulator, id)).toBe("failed");
    await emulator.ask("PATCH", `/knowledge-items/${id}`, { body: {} });
    await emulator.advance(3);
    expect(await stateOf(emulator, id)).toBe("synced");
  });

  it("[public.states.queue] if the queue fails, the item stays pending until a PATCH", async () => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: "index_queue_down", times: 1 });
    const { id } = await createItem(emulator);
    await emulator.advance(86_400);
    expect(await stateOf(emulator, id)).toBe("pending");
    await emulator.ask("PATCH", `/knowledge-items/${id}`, { body: { active: true } });
    await emulator.advance(3);
    expect(await stateOf(emulator, id)).toBe("synced");
  });

  it("an indexing fault applies only to requests that start indexing", async () => {
    await using emulator = await open();
    const { id } = await createItem(emulator);
    await emulator.control("POST", "/faults", { kind: "index_failure", times: 1 });
    await emulator.ask("GET", `/knowledge-items/${id}`);
    await emulator.ask("PATCH", `/knowledge-items/${id}`, { body: { name: "" } });
    await emulator.ask("PATCH", `/knowledge-items/${"0".repeat(24)}`, { body: {} });
    const [fault] = await emulator.control("GET", "/faults");
    expect(fault.struck).toBe(0);
  });

  it("[public.general.10] one jump of the clock has the same result as many steps", async () => {
    await using emulator = await open();
    const item = await createItem(emulator);
    await emulator.advance(1);
    const two = await createItem(emulator);
    for (let step = 0; step < 10; step += 1) await emulator.advance(0.25);
    expect([await stateOf(emulator, item.id), await stateOf(emulator, two.id)]).toEqual([
      "synced",
      "syncing",
    ]);
  });

  it("[public.auth.6 holds refuses] operations return 402 without the `knowledge` feature", async () => {
    await using emulator = await open();
    const { id } = await createItem(emulator);
    const [organization] = [emulator.instance.startLine.organization_id];
    await emulator.control("PATCH", `/organizations/${organization}`, { features: ["public_api"] });
    for (const [method, path] of [
      ["GET", "/knowledge-items"],
      ["POST", "/knowledge-items"],
      ["GET", `/knowledge-items/${id}`],
      ["PATCH", `/knowledge-items/${id}`],
      ["DELETE", `/knowledge-items/${id}`],
    ] as const) {
      const refused = await emulator.ask(
        method,
        path,
        method === "GET" || method === "DELETE" ? {} : { body: {} },
      );
      expect([refused.status, refused.body.error.code]).toEqual([402, "subscription_required"]);
    }
    expect((await emulator.ask("GET", "/glossary")).status).toBe(200);
  });
});
