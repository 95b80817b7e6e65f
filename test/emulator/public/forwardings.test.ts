import { expect, it } from "vitest";
import { type Reply, type TestEmulator, testOnTransports } from "../../helpers/test-emulator.js";

async function create(emulator: TestEmulator, fields: object): Promise<Reply> {
  const group_id = await emulator.groupId("forwardings");
  return emulator.ask("POST", "/forwardings", { body: { group_id, ...fields } });
}

function expectRefused(reply: Reply, field: string): void {
  expect(reply.status).toBe(400);
  expect(reply.body.error.details[0].path).toEqual([field]);
  expect(reply.headers.get("x-emulator-rule")).toBe("public.operations.8b");
}

testOnTransports("forwardings", (open) => {
  it("[D-forwarding] an omitted field gets its default", async () => {
    await using emulator = await open();
    const { body } = await create(emulator, { destination_type: "phone" });
    expect(body.data).toMatchObject({
      name: null,
      type: "standard",
      destination_type: "phone",
      phone_number: null,
      sip_uri: null,
      sip_refer_target: null,
      timeout: 30,
    });
  });

  it("[public.forwarding.types holds refuses] the destination type is phone, sip or sip_refer", async () => {
    await using emulator = await open();
    expect((await create(emulator, { destination_type: "phone" })).status).toBe(201);
    expect((await create(emulator, { destination_type: "sip", sip_uri: "sip:a@b.example" })).status).toBe(
      201,
    );
    const refer = { destination_type: "sip_refer", sip_refer_target: "sip:a@b.example" };
    expect((await create(emulator, refer)).status).toBe(201);
    for (const bad of [{ destination_type: "fax" }, {}]) {
      const refused = await create(emulator, bad);
      expect(refused.status).toBe(400);
      expect(refused.body.error.details[0].path).toEqual(["destination_type"]);
    }
    const fax = await create(emulator, { destination_type: "fax" });
    expect(fax.headers.get("x-emulator-rule")).toBe("public.forwarding.types");
  });

  it("[public.operations.8b refuses] sip requires sip_uri, sip_refer requires sip_refer_target", async () => {
    await using emulator = await open();
    expectRefused(await create(emulator, { destination_type: "sip" }), "sip_uri");
    expectRefused(await create(emulator, { destination_type: "sip", sip_uri: "" }), "sip_uri");
    expectRefused(
      await create(emulator, { destination_type: "sip", sip_refer_target: "sip:a@b" }),
      "sip_uri",
    );
    expectRefused(await create(emulator, { destination_type: "sip_refer" }), "sip_refer_target");
    expectRefused(
      await create(emulator, { destination_type: "sip_refer", sip_uri: "sip:a@b" }),
      "sip_refer_target",
    );
  });

  it("[public.operations.8c] the destination type phone accepts an omitted or empty number", async () => {
    await using emulator = await open();
    expect((await create(emulator, { destination_type: "phone" })).status).toBe(201);
    const empty = await create(emulator, { destination_type: "phone", phone_number: "" });
    expect([empty.status, empty.body.data.phone_number]).toEqual([201, ""]);
    const sip = await create(emulator, { destination_type: "sip", sip_uri: "sip:a@b.example" });
    const at = `/forwardings/${sip.body.data.id}`;
    const changed = await emulator.ask("PATCH", at, { body: { destination_type: "phone" } });
    expect([changed.status, changed.body.data.phone_number]).toEqual([200, null]);
    expect((await emulator.ask("PATCH", at, { body: { phone_number: "" } })).status).toBe(200);
  });

  it("[public.general.8 refuses] a forwarding with an invalid number is refused", async () => {
    await using emulator = await open();
    for (const phone_number of ["030 123456", "+12345", "+123456789012345678901"]) {
      const refused = await create(emulator, { destination_type: "phone", phone_number });
      expect(refused.status).toBe(400);
      expect(refused.headers.get("x-emulator-rule")).toBe("public.general.8");
    }
  });

  it("[D-forwarding] [public.operations.8b holds refuses] a PATCH must keep a forwarding valid", async () => {
    await using emulator = await open();
    const { body } = await create(emulator, { destination_type: "phone", phone_number: "+493023125101" });
    const at = `/forwardings/${body.data.id}`;
    expectRefused(await emulator.ask("PATCH", at, { body: { destination_type: "sip" } }), "sip_uri");
    // A PATCH can change the type to `sip` once a target is stored. Later PATCHes can't remove the target.
    expect((await emulator.ask("PATCH", at, { body: { sip_uri: "sip:a@b.example" } })).status).toBe(200);
    const sip = await emulator.ask("PATCH", at, { body: { destination_type: "sip" } });
    expect(sip.body.data).toMatchObject({ destination_type: "sip", sip_uri: "sip:a@b.example" });
    expectRefused(await emulator.ask("PATCH", at, { body: { sip_uri: null } }), "sip_uri");
    expectRefused(await emulator.ask("PATCH", at, { body: { sip_uri: "", timeout: 99 } }), "sip_uri");
    expect((await emulator.ask("GET", at)).body).toEqual(sip.body);
    const both = { destination_type: "sip_refer", sip_refer_target: "sip:c@d.example", sip_uri: null };
    expect((await emulator.ask("PATCH", at, { body: both })).body.data).toMatchObject(both);
  });

  it("[D-forwarding holds refuses] a forwarding's timeout is 1 to 300 s", async () => {
    await using emulator = await open();
    for (const timeout of [1, 300]) {
      const { body } = await create(emulator, {
        destination_type: "phone",
        timeout,
        type: "Weekend, please",
      });
      expect(body.data).toMatchObject({ timeout, type: "Weekend, please" });
    }
    for (const timeout of [0, 301, "30"]) {
      const refused = await create(emulator, { destination_type: "phone", timeout });
      expect(refused.status).toBe(400);
      expect(refused.headers.get("x-emulator-rule")).toBe("D-forwarding");
    }
  });
});
