import { expect, it } from "vitest";
import { onBothTransports } from "../../helpers/world.js";

onBothTransports("contacts", (open) => {
  it("[public.contact.fields] [public.endpoints.crud] a contact is created with 201 and read back with all it was given", async () => {
    await using world = await open();
    const group_id = await world.groupId("contacts");
    const fields = {
      group_id,
      first_name: "Änne",
      last_name: "Groß",
      phone_numbers: ["+4930123456"],
      emails: ["a@b.example"],
    };
    const created = await world.ask("POST", "/contacts", { body: fields });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject(fields);
    const read = await world.ask("GET", `/contacts/${created.body.data.id}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(created.body);
  });

  it("[public.contact.fields] a contact without first_name is refused, and the details name the field", async () => {
    await using world = await open();
    const group_id = await world.groupId("contacts");
    const refused = await world.ask("POST", "/contacts", { body: { group_id } });
    expect(refused.status).toBe(400);
    expect(refused.body.error.code).toBe("validation_failed");
    expect(refused.body.error.details).toEqual([{ path: ["first_name"], message: "is required" }]);
    expect(refused.headers.get("x-emulator-rule")).toBe("public.contact.fields");
  });

  it("[public.contact.group] a group of another type is as good as none", async () => {
    await using world = await open();
    const group_id = await world.groupId("knowledges");
    const refused = await world.ask("POST", "/contacts", { body: { group_id, first_name: "A" } });
    expect(refused.status).toBe(404);
    expect(refused.headers.get("x-emulator-rule")).toBe("public.contact.group");
  });
});
