import { expect, it } from "vitest";
import { createContact, createGroup, createStranger, unknownId } from "../../helpers/records.js";
import { onTransports } from "../../helpers/world.js";

const types = ["contacts", "knowledges", "forwardings", "glossaries", "pronunciations"];

onTransports("groups", (open) => {
  it.each(types)("[public.group.types] a group may be of type %s", async (type) => {
    await using world = await open();
    const created = await world.ask("POST", "/groups", { body: { type, name: "Second" } });
    expect([created.status, created.body.data]).toMatchObject([201, { type, name: "Second" }]);
    expect((await world.ask("GET", `/groups/${created.body.data.id}`)).body).toEqual(created.body);
  });

  it("[public.group.types refuses] a group of another type, or without one, is refused", async () => {
    await using world = await open();
    for (const type of ["contact", "Contacts", "calendars", "", null, undefined]) {
      const refused = await world.ask("POST", "/groups", { body: { type, name: "N" } });
      expect(refused.status).toBe(400);
      expect(refused.body.error.details.map((entry: { path: unknown }) => entry.path)).toEqual([["type"]]);
    }
    expect((await world.ask("POST", "/groups", { body: { type: "contacts" } })).body.error.details).toEqual([
      { path: ["name"], message: "is required" },
    ]);
  });

  it("[D-org] an organization starts with one group of each type, named Default", async () => {
    await using world = await open();
    const stranger = await createStranger(world);
    for (const key of [world.keys.admin, stranger.key]) {
      const { data } = (await world.ask("GET", "/groups", { key })).body;
      expect(data.map((group: { type: string; name: string }) => [group.type, group.name])).toEqual(
        types.map((type) => [type, "Default"]),
      );
    }
  });

  it("[D-group holds refuses] a name is unique per organization and type, on create and on PATCH", async () => {
    await using world = await open();
    const customers = await createGroup(world, "contacts", "Customers");
    const again = await world.ask("POST", "/groups", { body: { type: "contacts", name: " Customers " } });
    expect([again.status, again.body.error.code]).toEqual([409, "conflict"]);
    expect(again.headers.get("x-emulator-rule")).toBe("D-group");
    const renamed = await world.ask("PATCH", `/groups/${customers.id}`, { body: { name: "Default" } });
    expect([renamed.status, renamed.headers.get("x-emulator-rule")]).toEqual([409, "D-group"]);
    // Its own name is free for it, another type's and another organization's for all.
    expect(
      (await world.ask("PATCH", `/groups/${customers.id}`, { body: { name: "Customers" } })).status,
    ).toBe(200);
    await createGroup(world, "glossaries", "Customers");
    const { key } = await createStranger(world);
    const other = await world.ask("POST", "/groups", { key, body: { type: "contacts", name: "Customers" } });
    expect(other.status).toBe(201);
    expect(
      (await world.ask("POST", "/groups", { body: { type: "contacts", name: "customers" } })).status,
    ).toBe(201);
  });

  it("[D-group] the type can't be changed, not even to what it is", async () => {
    await using world = await open();
    const id = await world.groupId("contacts");
    for (const type of ["glossaries", "contacts"]) {
      const refused = await world.ask("PATCH", `/groups/${id}`, { body: { type } });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, ["type"]]);
    }
  });

  it("[public.operations.1a] a deleted group takes its contacts with it, and no others", async () => {
    await using world = await open();
    const group = await createGroup(world, "contacts", "Doomed");
    const doomed = [
      await createContact(world, { group_id: group.id }),
      await createContact(world, { group_id: group.id }),
    ];
    const spared = await createContact(world);
    expect((await world.ask("DELETE", `/groups/${group.id}`)).body).toEqual({ data: {} });
    for (const { id } of doomed) expect((await world.ask("GET", `/contacts/${id}`)).status).toBe(404);
    expect((await world.ask("GET", "/contacts")).body.data).toEqual([spared]);
    expect((await world.ask("GET", `/groups/${group.id}`)).status).toBe(404);
  });

  it("[public.operations.1c holds refuses] the organization's last group of a type stays", async () => {
    await using world = await open();
    const { key } = await createStranger(world);
    for (const type of types) {
      const id = await world.groupId(type);
      const refused = await world.ask("DELETE", `/groups/${id}`);
      expect([refused.status, refused.body.error.code]).toEqual([409, "conflict"]);
      expect(refused.headers.get("x-emulator-rule")).toBe("public.operations.1c");
      // Another organization's groups don't count, nor do those of other types.
      await world.ask("POST", "/groups", { key, body: { type, name: "More" } });
      expect((await world.ask("DELETE", `/groups/${id}`)).status).toBe(409);
      await createGroup(world, type, "Second");
      expect((await world.ask("DELETE", `/groups/${id}`)).status).toBe(200);
    }
  });

  it("[public.errors.4 holds refuses] a group of another organization is as good as none", async () => {
    await using world = await open();
    const id = await world.groupId("contacts");
    const { key } = await createStranger(world);
    const missing = await world.ask("GET", `/groups/${unknownId}`, { key });
    for (const [method, body] of [
      ["GET", undefined],
      ["PATCH", { name: "Mine" }],
      ["DELETE", undefined],
    ] as const) {
      const reply = await world.ask(method, `/groups/${id}`, { key, ...(body && { body }) });
      expect(reply.status).toBe(404);
      expect(reply.body.error.message.replace(id, unknownId)).toBe(missing.body.error.message);
    }
    expect((await world.ask("GET", `/groups/${id}`)).body.data.name).toBe("Default");
  });
});
