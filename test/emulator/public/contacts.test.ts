import { expect, it } from "vitest";
import { createContact, createGroup, createOtherOrganization, unknownId } from "../../helpers/records.js";
import { testOnTransports } from "../../helpers/test-emulator.js";

testOnTransports("contacts", (open) => {
  it("[public.contact.fields] [public.endpoints.crud] creating a contact returns all sent fields", async () => {
    await using emulator = await open();
    const group_id = await emulator.groupId("contacts");
    const fields = {
      group_id,
      first_name: "Änne",
      last_name: "Groß",
      phone_numbers: ["+4930123456"],
      emails: ["a@b.example"],
    };
    const created = await emulator.ask("POST", "/contacts", { body: fields });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject(fields);
    const read = await emulator.ask("GET", `/contacts/${created.body.data.id}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(created.body);
  });

  it("[public.contact.fields refuses] a contact without first_name or group_id is refused", async () => {
    await using emulator = await open();
    const group_id = await emulator.groupId("contacts");
    const refused = await emulator.ask("POST", "/contacts", { body: { group_id } });
    expect(refused.status).toBe(400);
    expect(refused.body.error.code).toBe("validation_failed");
    expect(refused.body.error.details).toEqual([{ path: ["first_name"], message: "is required" }]);
    expect(refused.headers.get("x-emulator-rule")).toBe("public.contact.fields");
    const nowhere = await emulator.ask("POST", "/contacts", { body: { first_name: "A" } });
    expect(nowhere.body.error.details).toEqual([{ path: ["group_id"], message: "is required" }]);
  });

  it("[public.contact.fields] omitted fields of a contact are empty", async () => {
    await using emulator = await open();
    const contact = await createContact(emulator);
    expect(contact).toMatchObject({ last_name: "", phone_numbers: [], emails: [] });
    expect(Object.keys(contact).sort()).toEqual([
      "created_at",
      "emails",
      "first_name",
      "group_id",
      "id",
      "last_name",
      "phone_numbers",
      "updated_at",
    ]);
  });

  it("[public.contact.fields] a PATCH changes only the fields that it contains", async () => {
    await using emulator = await open();
    const contact = await createContact(emulator, {
      last_name: "L",
      phone_numbers: ["+4930123456"],
      emails: ["a@b.example"],
    });
    const changes: object[] = [
      { first_name: "Eda" },
      { last_name: "" },
      { phone_numbers: [] },
      { emails: ["c@d.example", "e@f.example"] },
    ];
    let expected = contact;
    for (const change of changes) {
      expected = { ...expected, ...change };
      const { status, body } = await emulator.ask("PATCH", `/contacts/${contact.id}`, { body: change });
      expect([status, body.data]).toEqual([200, expected]);
      expect((await emulator.ask("GET", `/contacts/${contact.id}`)).body.data).toEqual(expected);
    }
    for (const change of [
      { first_name: "" },
      { first_name: null },
      { phone_numbers: null },
      { emails: ["none"] },
    ]) {
      expect((await emulator.ask("PATCH", `/contacts/${contact.id}`, { body: change })).status).toBe(400);
    }
    expect((await emulator.ask("GET", `/contacts/${contact.id}`)).body.data).toEqual(expected);
  });

  it("[D-contact holds refuses] a contact may have up to ten numbers and emails", async () => {
    await using emulator = await open();
    const numbers = Array.from({ length: 11 }, (_, index) => `+49301234${index + 10}`);
    const addresses = numbers.map((number) => `a${number.slice(1)}@b.example`);
    const full = await createContact(emulator, {
      phone_numbers: numbers.slice(0, 10),
      emails: addresses.slice(0, 10),
    });
    const twin = await createContact(emulator, {
      phone_numbers: numbers.slice(0, 10),
      emails: addresses.slice(0, 10),
    });
    expect(twin).toEqual({ ...full, id: twin.id });
    expect(twin.id).not.toBe(full.id);
    const group_id = await emulator.groupId("contacts");
    for (const [field, list] of [
      ["phone_numbers", numbers],
      ["emails", addresses],
    ] as const) {
      const refused = await emulator.ask("POST", "/contacts", {
        body: { group_id, first_name: "A", [field]: list },
      });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, [field]]);
      expect(refused.headers.get("x-emulator-rule")).toBe("D-contact");
    }
  });

  it("[public.contact.group holds refuses] [public.group.own-type] invalid groups return 404", async () => {
    await using emulator = await open();
    const contact = await createContact(emulator);
    const { key } = await createOtherOrganization(emulator);
    const otherGroupId = (await emulator.ask("GET", "/groups?type=contacts", { key })).body.data[0].id;
    for (const group_id of [await emulator.groupId("knowledges"), otherGroupId, unknownId]) {
      for (const [method, path] of [
        ["POST", "/contacts"],
        ["PATCH", `/contacts/${contact.id}`],
      ] as const) {
        const refused = await emulator.ask(method, path, { body: { group_id, first_name: "A" } });
        expect([refused.status, refused.body.error.code]).toEqual([404, "not_found"]);
        expect(refused.headers.get("x-emulator-rule")).toBe("public.contact.group");
      }
    }
    expect((await emulator.ask("GET", "/contacts")).body.data).toEqual([contact]);
  });

  it("[public.contact.group] a contact can move to another group of its type", async () => {
    await using emulator = await open();
    const contact = await createContact(emulator);
    const otherGroup = await createGroup(emulator, "contacts", "Other");
    const moved = await emulator.ask("PATCH", `/contacts/${contact.id}`, {
      body: { group_id: otherGroup.id },
    });
    expect([moved.status, moved.body.data.group_id]).toEqual([200, otherGroup.id]);
    expect((await emulator.ask("GET", `/contacts?group_id=${contact.group_id}`)).body.data).toEqual([]);
  });

  it("[public.errors.4 holds refuses] a request for another organization's contact returns 404", async () => {
    await using emulator = await open();
    const contact = await createContact(emulator);
    const { key } = await createOtherOrganization(emulator);
    for (const [method, body] of [
      ["GET", undefined],
      ["PATCH", { first_name: "B" }],
      ["DELETE", undefined],
    ] as const) {
      const reply = await emulator.ask(method, `/contacts/${contact.id}`, { key, ...(body && { body }) });
      expect([reply.status, reply.body.error.code]).toEqual([404, "not_found"]);
      expect(reply.headers.get("x-emulator-rule")).toBe("public.errors.4");
    }
    expect((await emulator.ask("GET", "/contacts", { key })).body.data).toEqual([]);
    expect((await emulator.ask("GET", `/contacts/${contact.id}`)).body.data).toEqual(contact);
  });
});
