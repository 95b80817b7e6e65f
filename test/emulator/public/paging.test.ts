import fc from "fast-check";
import { expect, it } from "vitest";
import { createContact, createGroup, createOtherOrganization } from "../../helpers/records.js";
import { type Reply, type TestEmulator, testOnTransports } from "../../helpers/test-emulator.js";

async function walk(emulator: TestEmulator, path: string, limits: readonly number[]): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  for (let page = 0; ; page += 1) {
    const limit = limits[page % limits.length];
    const mark = path.includes("?") ? "&" : "?";
    const { status, body }: Reply = await emulator.ask(
      "GET",
      `${path}${mark}limit=${limit}${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    if (status !== 200) throw new Error(JSON.stringify(body));
    expect(body.data.length).toBeLessThanOrEqual(limit ?? 0);
    ids.push(...body.data.map((row: { id: string }) => row.id));
    expect(body.meta.has_more).toBe(body.meta.next_cursor !== null);
    if (!body.meta.has_more) return ids;
    cursor = body.meta.next_cursor;
  }
}

async function createContacts(emulator: TestEmulator, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await createContact(emulator)).id);
  return ids;
}

testOnTransports("paging", (open) => {
  it("[public.general.9a] [D-limit] next_cursor leads to every row once, in order of creation", async () => {
    await using emulator = await open();
    const ids = await createContacts(emulator, 23);
    for (const limits of [[1], [2], [23], [22], [24], [200], [7, 3, 11]]) {
      expect(await walk(emulator, "/contacts", limits)).toEqual(ids);
    }
    expect(await walk(emulator, "/groups?type=contacts", [1])).toHaveLength(1);
  });

  it("[D-limit] a page has 50 rows by default, and up to 200 on request", async () => {
    await using emulator = await open({ limits: { write: 10_000 } });
    await createContacts(emulator, 201);
    const size = async (query: string) => (await emulator.ask("GET", `/contacts${query}`)).body.data.length;
    expect(await size("")).toBe(50);
    expect(await size("?limit=200")).toBe(200);
    expect(await size("?limit=1")).toBe(1);
  });

  it.each(["0", "201", "-1", "1.5", "x", "", "%2050", "1e1", "0x10", "Infinity", "9007199254740993", "５"])(
    "[D-limit refuses] a page limit of %s returns 400",
    async (limit) => {
      await using emulator = await open();
      const refused = await emulator.ask("GET", `/contacts?limit=${limit}`);
      expect([refused.status, refused.body.error?.details[0]?.path]).toEqual([400, ["limit"]]);
      expect(refused.headers.get("x-emulator-rule")).toBe("D-limit");
    },
  );

  it("[D-limit] on the last page, has_more is false even if the page is full", async () => {
    await using emulator = await open();
    await createContacts(emulator, 4);
    const first = (await emulator.ask("GET", "/contacts?limit=2")).body;
    expect(first.meta.has_more).toBe(true);
    const last = (await emulator.ask("GET", `/contacts?limit=2&cursor=${first.meta.next_cursor}`)).body;
    expect([last.data.length, last.meta]).toEqual([2, { has_more: false, next_cursor: null }]);
  });

  it("[D-cursor] the page limit can change between pages", async () => {
    await using emulator = await open();
    const ids = await createContacts(emulator, 5);
    const { meta } = (await emulator.ask("GET", "/contacts?limit=1")).body;
    expect(meta.next_cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    const nextPage = (await emulator.ask("GET", `/contacts?limit=100&cursor=${meta.next_cursor}`)).body;
    expect(nextPage.data.map((row: { id: string }) => row.id)).toEqual(ids.slice(1));
  });

  it("[public.general.9b holds refuses] [D-cursor] an altered or invented cursor is refused", async () => {
    await using emulator = await open();
    await createContacts(emulator, 3);
    const cursor: string = (await emulator.ask("GET", "/contacts?limit=1")).body.meta.next_cursor;
    const forged: string[] = [
      "",
      "x",
      "AAAA",
      `${cursor}A`,
      `${cursor}=`,
      ` ${cursor}`,
      cursor.slice(1),
      cursor.slice(0, -1),
    ];
    for (let index = 0; index < cursor.length; index += 1) {
      const replacement = cursor[index] === "A" ? "B" : "A";
      forged.push(cursor.slice(0, index) + replacement + cursor.slice(index + 1));
    }
    forged.push(Buffer.from('["0123456789abcdef01234567"]').toString("base64url"));
    for (const value of forged) {
      const refused = await emulator.ask("GET", `/contacts?limit=1&cursor=${encodeURIComponent(value)}`);
      expect([value, refused.status]).toEqual([value, 400]);
      expect(refused.body.error.details).toEqual([{ path: ["cursor"], message: expect.any(String) }]);
      expect(refused.headers.get("x-emulator-rule")).toBe("public.general.9b");
    }
    expect((await emulator.ask("GET", `/contacts?cursor=${cursor}`)).status).toBe(200);
  });

  it("[D-cursor] a cursor is valid only for its operation, filters, organization and database", async () => {
    await using emulator = await open();
    const group = await createGroup(emulator, "contacts", "Second");
    await createContact(emulator, { group_id: group.id });
    await createContact(emulator, { group_id: group.id });
    await createContacts(emulator, 2);
    const cursorOf = async (path: string) => (await emulator.ask("GET", path)).body.meta.next_cursor;
    const status = async (path: string, cursor: string, key = emulator.keys.admin) =>
      (await emulator.ask("GET", `${path}${path.includes("?") ? "&" : "?"}cursor=${cursor}`, { key })).status;
    const plain = await cursorOf("/contacts?limit=1");
    const filtered = await cursorOf(`/contacts?limit=1&group_id=${group.id}`);
    const groups = await cursorOf("/groups?limit=1");
    expect(await status("/contacts", plain)).toBe(200);
    expect(await status(`/contacts?group_id=${group.id}`, filtered)).toBe(200);
    expect(await status("/contacts", filtered)).toBe(400);
    expect(await status(`/contacts?group_id=${group.id}`, plain)).toBe(400);
    expect(await status(`/contacts?group_id=${await emulator.groupId("contacts")}`, filtered)).toBe(400);
    expect(await status("/contacts", groups)).toBe(400);
    expect(await status("/groups", plain)).toBe(400);
    expect(await status("/groups?type=contacts", groups)).toBe(400);
    const { key } = await createOtherOrganization(emulator);
    expect(await status("/contacts", plain, key)).toBe(400);
    // Another key of the organization can continue the list.
    expect(await status("/contacts", plain, emulator.keys.viewer)).toBe(200);
    await using otherEmulator = await open({ randomSeed: 2 });
    expect((await otherEmulator.ask("GET", `/contacts?cursor=${plain}`)).status).toBe(400);
  });

  it("[D-cursor] a cursor remains valid after its row is deleted", async () => {
    await using emulator = await open();
    const ids = await createContacts(emulator, 4);
    const { meta } = (await emulator.ask("GET", "/contacts?limit=2")).body;
    await emulator.ask("DELETE", `/contacts/${ids[1]}`);
    const { data } = (await emulator.ask("GET", `/contacts?cursor=${meta.next_cursor}`)).body;
    expect(data.map((row: { id: string }) => row.id)).toEqual(ids.slice(2));
  });
});

testOnTransports("paging while rows are created and deleted", (open) => {
  it("[D-limit property] [public.general.9a property] a row that is not deleted is returned once", async () => {
    await using emulator = await open({ limits: { write: 1_000_000, read: 1_000_000 } });
    const group_id = await emulator.groupId("contacts");
    const create = async () =>
      (await emulator.ask("POST", "/contacts", { body: { group_id, first_name: "A" } })).body.data
        .id as string;
    const change = fc.record({
      creates: fc.integer({ min: 0, max: 3 }),
      deletes: fc.array(fc.nat(), { maxLength: 3 }),
      limit: fc.integer({ min: 1, max: 5 }),
    });
    const property = fc.asyncProperty(
      fc.integer({ min: 0, max: 12 }),
      fc.array(change, { minLength: 1, maxLength: 6 }),
      async (initial, changes) => {
        const present = new Set<string>();
        for (let count = 0; count < initial; count += 1) present.add(await create());
        const allAlong = new Set(present);
        const seen: string[] = [];
        let cursor: string | null = null;
        for (let page = 0; ; page += 1) {
          const { creates, deletes, limit } = changes[page] ?? { creates: 0, deletes: [], limit: 3 };
          const { body }: Reply = await emulator.ask(
            "GET",
            `/contacts?limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`,
          );
          seen.push(...body.data.map((row: { id: string }) => row.id));
          if (!body.meta.has_more) break;
          cursor = body.meta.next_cursor;
          for (const index of deletes) {
            const id = [...present][index % Math.max(1, present.size)];
            if (id === undefined) continue;
            await emulator.ask("DELETE", `/contacts/${id}`);
            present.delete(id);
            allAlong.delete(id);
          }
          for (let count = 0; count < creates; count += 1) present.add(await create());
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect([...seen].sort()).toEqual(seen);
        for (const id of allAlong) expect(seen).toContain(id);
        for (const id of present) await emulator.ask("DELETE", `/contacts/${id}`);
      },
    );
    await fc.assert(property, { seed: 20260302, numRuns: process.env["PROOF"] ? 200 : 8 });
  });
});
