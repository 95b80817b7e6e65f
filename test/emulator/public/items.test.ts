import { expect, it } from "vitest";
import { type TestEmulator, testOnTransports } from "../../helpers/test-emulator.js";

const itemTypes = [
  {
    path: "/knowledge-items",
    type: "knowledges",
    fields: { name: "Hours", text: "Nine to five" },
    change: { name: "Opening hours" },
    groupRule: "public.group.own-type",
    immutable: false,
  },
  {
    path: "/forwardings",
    type: "forwardings",
    fields: { destination_type: "phone", phone_number: "+493023125101" },
    change: { timeout: 45 },
    groupRule: "public.operations.8a",
    immutable: true,
  },
  {
    path: "/glossary",
    type: "glossaries",
    fields: { term: "PZR" },
    change: { definition: "cleaning" },
    groupRule: "public.operations.10",
    immutable: true,
  },
  {
    path: "/pronunciation",
    type: "pronunciations",
    fields: { token: "PZR", spell_out: true },
    change: { replacement: "cleaning" },
    groupRule: "public.operations.10",
    immutable: true,
  },
] as const;

async function anotherOrganization(emulator: TestEmulator): Promise<string> {
  const organization = await emulator.control("POST", "/organizations", { name: "Neighbors" });
  const { key } = await emulator.control("POST", "/keys", {
    kind: "public",
    organization_id: organization.id,
  });
  return key;
}

for (const { path, type, fields, change, groupRule, immutable } of itemTypes) {
  testOnTransports(path, (open) => {
    // plain-words: allow title-long
    it("[public.endpoints.crud] [public.endpoints.delete] [public.operations.9] an item can be created, changed, read and deleted", async () => {
      await using emulator = await open();
      const group_id = await emulator.groupId(type);
      const created = await emulator.ask("POST", path, { body: { group_id, ...fields } });
      expect(created.status).toBe(201);
      const { text: _, ...readable } = { text: undefined, ...fields };
      expect(created.body.data).toMatchObject({ group_id, ...readable });
      const { id } = created.body.data;
      const changed = await emulator.ask("PATCH", `${path}/${id}`, { body: change });
      expect(changed.status).toBe(200);
      expect(changed.body.data).toMatchObject({ group_id, ...readable, ...change });
      const read = await emulator.ask("GET", `${path}/${id}`);
      expect(read.status).toBe(200);
      expect(read.body.data).toMatchObject({ ...changed.body.data, ...change });
      const deleted = await emulator.ask("DELETE", `${path}/${id}`);
      expect([deleted.status, deleted.body]).toEqual([200, { data: {} }]);
      for (const method of ["GET", "DELETE"]) {
        expect((await emulator.ask(method, `${path}/${id}`)).status).toBe(404);
      }
      expect((await emulator.ask("PATCH", `${path}/${id}`, { body: change })).status).toBe(404);
    });

    it(`[public.group.own-type refuses] [${groupRule} refuses] a wrong or unknown group returns 404`, async () => {
      await using emulator = await open();
      for (const group_id of [await emulator.groupId("contacts"), "0".repeat(24)]) {
        const refused = await emulator.ask("POST", path, { body: { group_id, ...fields } });
        expect(refused.status).toBe(404);
        expect(refused.headers.get("x-emulator-rule")).toBe(groupRule);
      }
      expect((await emulator.ask("GET", path)).body.data).toEqual([]);
    });

    it(`[public.errors.4 holds refuses] [${groupRule}] other organizations' items are not found`, async () => {
      await using emulator = await open();
      const key = await anotherOrganization(emulator);
      const group_id = await emulator.groupId(type);
      const mine = await emulator.ask("POST", path, { body: { group_id, ...fields } });
      expect((await emulator.ask("POST", path, { key, body: { group_id, ...fields } })).status).toBe(404);
      expect((await emulator.ask("GET", path, { key })).body.data).toEqual([]);
      for (const method of ["GET", "DELETE"]) {
        expect((await emulator.ask(method, `${path}/${mine.body.data.id}`, { key })).status).toBe(404);
      }
      expect((await emulator.ask("GET", `${path}/${mine.body.data.id}`)).status).toBe(200);
    });

    it("[public.operations.1a] deleting a group deletes its items, and no others", async () => {
      await using emulator = await open();
      const stays = await emulator.groupId(type);
      const group = await emulator.ask("POST", "/groups", { body: { type, name: "Goes" } });
      const deletedGroup = group.body.data.id;
      const kept = await emulator.ask("POST", path, { body: { group_id: stays, ...fields } });
      const lost = await emulator.ask("POST", path, { body: { group_id: deletedGroup, ...fields } });
      expect((await emulator.ask("DELETE", `/groups/${deletedGroup}`)).status).toBe(200);
      expect((await emulator.ask("GET", `${path}/${lost.body.data.id}`)).status).toBe(404);
      const left = await emulator.ask("GET", path);
      expect(left.body.data.map((item: { id: string }) => item.id)).toEqual([kept.body.data.id]);
    });

    it("[public.endpoints.filters] [public.general.9a] a list is filtered by group, oldest first", async () => {
      await using emulator = await open();
      const first = await emulator.groupId(type);
      const group = await emulator.ask("POST", "/groups", { body: { type, name: "Second" } });
      const second = group.body.data.id;
      const ids: string[] = [];
      for (const group_id of [first, second, first, second, first]) {
        const { body } = await emulator.ask("POST", path, { body: { group_id, ...fields } });
        if (group_id === first) ids.push(body.data.id);
      }
      const page = await emulator.ask("GET", `${path}?group_id=${first}&limit=2`);
      expect(page.body.meta.has_more).toBe(true);
      const remaining = await emulator.ask(
        "GET",
        `${path}?group_id=${first}&limit=2&cursor=${encodeURIComponent(page.body.meta.next_cursor)}`,
      );
      expect(remaining.body.meta).toEqual({ has_more: false, next_cursor: null });
      const seen = [...page.body.data, ...remaining.body.data].map((item: { id: string }) => item.id);
      expect(seen).toEqual(ids);
    });

    it("[D-head] a list that is filtered by an unknown group is empty", async () => {
      await using emulator = await open();
      const response = await emulator.ask("GET", `${path}?group_id=${"0".repeat(24)}`);
      expect([response.status, response.body.data]).toEqual([200, []]);
    });

    it("[D-strict refuses] each unknown or read-only field is refused with a details entry", async () => {
      await using emulator = await open();
      const group_id = await emulator.groupId(type);
      const refused = await emulator.ask("POST", path, {
        body: { group_id, ...fields, id: "0".repeat(24), colour: "red" },
      });
      expect(refused.status).toBe(400);
      expect(refused.headers.get("x-emulator-rule")).toBe("D-strict");
      expect(refused.body.error.details.map((detail: { path: string[] }) => detail.path)).toEqual([
        ["id"],
        ["colour"],
      ]);
    });

    it("[public.general.7 refuses] a request with a malformed ID in its path returns 400", async () => {
      await using emulator = await open();
      const refused = await emulator.ask("GET", `${path}/NOT-AN-ID`);
      expect(refused.status).toBe(400);
      expect(refused.headers.get("x-emulator-rule")).toBe("public.general.7");
    });

    it("[public.auth.5 holds refuses] a viewer can read items, but not write or delete them", async () => {
      await using emulator = await open();
      const group_id = await emulator.groupId(type);
      const key = emulator.keys.viewer;
      const { body } = await emulator.ask("POST", path, { body: { group_id, ...fields } });
      expect((await emulator.ask("GET", path, { key })).status).toBe(200);
      expect((await emulator.ask("POST", path, { key, body: { group_id, ...fields } })).status).toBe(403);
      expect((await emulator.ask("PATCH", `${path}/${body.data.id}`, { key, body: {} })).status).toBe(403);
      expect((await emulator.ask("DELETE", `${path}/${body.data.id}`, { key })).status).toBe(403);
    });

    if (immutable) {
      // plain-words: allow title-long
      it("[public.items.group-immutable holds refuses] [public.operations.9 holds refuses] a PATCH can't change the group", async () => {
        await using emulator = await open();
        const group_id = await emulator.groupId(type);
        const group = await emulator.ask("POST", "/groups", { body: { type, name: "Second" } });
        const created = await emulator.ask("POST", path, { body: { group_id, ...fields } });
        const at = `${path}/${created.body.data.id}`;
        const refused = await emulator.ask("PATCH", at, {
          body: { ...change, group_id: group.body.data.id },
        });
        expect(refused.status).toBe(400);
        expect(refused.headers.get("x-emulator-rule")).toBe("public.items.group-immutable");
        expect(refused.body.error.details[0].path).toEqual(["group_id"]);
        expect((await emulator.ask("GET", at)).body).toEqual(created.body);
        const kept = await emulator.ask("PATCH", at, { body: change });
        expect(kept).toMatchObject({ status: 200, body: { data: { ...change, group_id } } });
      });

      it("[D-body] an empty PATCH changes no field", async () => {
        await using emulator = await open();
        const group_id = await emulator.groupId(type);
        const created = await emulator.ask("POST", path, { body: { group_id, ...fields } });
        await emulator.advance(10);
        const after = await emulator.ask("PATCH", `${path}/${created.body.data.id}`, { body: {} });
        expect(after.status).toBe(200);
        expect(after.body).toEqual(created.body);
      });
    }
  });
}
