import { expect, it } from "vitest";
import { createContact, createGroup, createOtherOrganization, unknownId } from "../../helpers/records.js";
import { testOnTransports } from "../../helpers/test-emulator.js";

const types = ["contacts", "knowledges", "forwardings", "glossaries", "pronunciations"];

testOnTransports("groups", (open) => {
  it.each(types)("[public.group.types] a group may have type %s", async (type) => {
    await using emulator = await open();
    const created = await emulator.ask("POST", "/groups", { body: { type, name: "Second" } });
    expect([created.status, created.body.data]).toMatchObject([201, { type, name: "Second" }]);
    expect((await emulator.ask("GET", `/groups/${created.body.data.id}`)).body).toEqual(created.body);
  });

  it("[public.group.types refuses] a group with an unknown type or without a type is refused", async () => {
    await using emulator = await open();
    for (const type of ["contact", "Contacts", "calendars", "", null, undefined]) {
      const refused = await emulator.ask("POST", "/groups", { body: { type, name: "N" } });
      expect(refused.status).toBe(400);
      expect(refused.body.error.details.map((entry: { path: unknown }) => entry.path)).toEqual([["type"]]);
    }
    expect(
      (await emulator.ask("POST", "/groups", { body: { type: "contacts" } })).body.error.details,
    ).toEqual([{ path: ["name"], message: "is required" }]);
  });

  it("[D-org] an organization starts with one group of each type, named Default", async () => {
    await using emulator = await open();
    const otherOrganization = await createOtherOrganization(emulator);
    for (const key of [emulator.keys.admin, otherOrganization.key]) {
      const { data } = (await emulator.ask("GET", "/groups", { key })).body;
      expect(data.map((group: { type: string; name: string }) => [group.type, group.name])).toEqual(
        types.map((type) => [type, "Default"]),
      );
    }
  });

  it("[D-group holds refuses] a create or PATCH can't reuse the name of a group of the same type", async () => {
    await using emulator = await open();
    const customers = await createGroup(emulator, "contacts", "Customers");
    const again = await emulator.ask("POST", "/groups", { body: { type: "contacts", name: " Customers " } });
    expect([again.status, again.body.error.code]).toEqual([409, "conflict"]);
    expect(again.headers.get("x-emulator-rule")).toBe("D-group");
    const renamed = await emulator.ask("PATCH", `/groups/${customers.id}`, { body: { name: "Default" } });
    expect([renamed.status, renamed.headers.get("x-emulator-rule")]).toEqual([409, "D-group"]);
    // A group can keep its own name. Groups of other types or organizations can have the same name.
    expect(
      (await emulator.ask("PATCH", `/groups/${customers.id}`, { body: { name: "Customers" } })).status,
    ).toBe(200);
    await createGroup(emulator, "glossaries", "Customers");
    const { key } = await createOtherOrganization(emulator);
    const duplicate = await emulator.ask("POST", "/groups", {
      key,
      body: { type: "contacts", name: "Customers" },
    });
    expect(duplicate.status).toBe(201);
    expect(
      (await emulator.ask("POST", "/groups", { body: { type: "contacts", name: "customers" } })).status,
    ).toBe(201);
  });

  it("[D-group] a PATCH with a group's type is refused, even if the type is unchanged", async () => {
    await using emulator = await open();
    const id = await emulator.groupId("contacts");
    for (const type of ["glossaries", "contacts"]) {
      const refused = await emulator.ask("PATCH", `/groups/${id}`, { body: { type } });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, ["type"]]);
    }
  });

  it("[public.operations.1a] deleting a group deletes its contacts, and no others", async () => {
    await using emulator = await open();
    const group = await createGroup(emulator, "contacts", "Doomed");
    const members = [
      await createContact(emulator, { group_id: group.id }),
      await createContact(emulator, { group_id: group.id }),
    ];
    const spared = await createContact(emulator);
    expect((await emulator.ask("DELETE", `/groups/${group.id}`)).body).toEqual({ data: {} });
    for (const { id } of members) expect((await emulator.ask("GET", `/contacts/${id}`)).status).toBe(404);
    expect((await emulator.ask("GET", "/contacts")).body.data).toEqual([spared]);
    expect((await emulator.ask("GET", `/groups/${group.id}`)).status).toBe(404);
  });

  it("[public.operations.1c holds refuses] the last group of a type can't be deleted", async () => {
    await using emulator = await open();
    const { key } = await createOtherOrganization(emulator);
    for (const type of types) {
      const id = await emulator.groupId(type);
      const refused = await emulator.ask("DELETE", `/groups/${id}`);
      expect([refused.status, refused.body.error.code]).toEqual([409, "conflict"]);
      expect(refused.headers.get("x-emulator-rule")).toBe("public.operations.1c");
      // Groups of other organizations or other types don't count.
      await emulator.ask("POST", "/groups", { key, body: { type, name: "More" } });
      expect((await emulator.ask("DELETE", `/groups/${id}`)).status).toBe(409);
      await createGroup(emulator, type, "Second");
      expect((await emulator.ask("DELETE", `/groups/${id}`)).status).toBe(200);
    }
  });

  it("[public.errors.4 holds refuses] a request for another organization's group returns 404", async () => {
    await using emulator = await open();
    const id = await emulator.groupId("contacts");
    const { key } = await createOtherOrganization(emulator);
    const missing = await emulator.ask("GET", `/groups/${unknownId}`, { key });
    for (const [method, body] of [
      ["GET", undefined],
      ["PATCH", { name: "Mine" }],
      ["DELETE", undefined],
    ] as const) {
      const reply = await emulator.ask(method, `/groups/${id}`, { key, ...(body && { body }) });
      expect(reply.status).toBe(404);
      expect(reply.body.error.message.replace(id, unknownId)).toBe(missing.body.error.message);
    }
    expect((await emulator.ask("GET", `/groups/${id}`)).body.data.name).toBe("Default");
  });
});
