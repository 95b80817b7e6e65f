import { expect, it } from "vitest";
import {
  createCustomer,
  createMsp,
  createOrganizationKey,
  distributorV1,
  distributorV2,
  upsertLicenses,
} from "../../helpers/distributor.js";
import { startTime } from "../../helpers/templates.js";
import { type TestEmulator, testOnTransports } from "../../helpers/test-emulator.js";

async function createPartner(emulator: TestEmulator, externalPartnerId: string) {
  const created = await distributorV1(emulator)("POST", "/partners", {
    body: { externalPartnerId, name: externalPartnerId },
  });
  expect(created.status).toBe(201);
  return created.body.data;
}

const addCustomer = (emulator: TestEmulator, partner: string, externalCustomerId: string, plan?: string) =>
  distributorV1(emulator)("POST", `/partners/${partner}/customers`, {
    body: { externalCustomerId, name: externalCustomerId, plan },
  });

testOnTransports("distributor v1", (open) => {
  it("[v1.parallel] D-v1-partner: a partner is created with its internal MSP", async () => {
    await using emulator = await open();
    const partner = await createPartner(emulator, "acme");
    expect(partner).toEqual({
      externalPartnerId: "acme",
      name: "acme",
      status: "active",
      organizationId: expect.stringMatching(/^[a-f0-9]{24}$/),
      createdAt: startTime,
    });
    const [msp] = (await distributorV2(emulator)("GET", "/organizations/tree")).body.data;
    expect(msp).toMatchObject({
      id: partner.organizationId,
      type: "msp",
      externalOrganizationId: "acme",
      externalLicenseId: null,
      customers: [],
    });
  });

  it("[v1.parallel] [D-v1-link] [D-v1-customer] a v2 organization has a v1 counterpart", async () => {
    await using emulator = await open();
    const v1 = distributorV1(emulator);
    const msp = await createMsp(emulator, "acme", ["s1"]);
    const shop = await createCustomer(emulator, msp.id, "shop", "s1");
    expect((await v1("GET", "/partners/acme")).body.data).toMatchObject({
      status: "active",
      organizationId: msp.id,
    });
    expect((await v1("GET", "/customers/shop")).body.data).toEqual({
      externalCustomerId: "shop",
      externalPartnerId: "acme",
      organizationId: shop.id,
      name: "shop",
      plan: null,
      status: "active",
      createdAt: startTime,
    });
    const added = await addCustomer(emulator, "acme", "bakery", "starter");
    expect([added.status, added.body.data.plan]).toEqual([201, "starter"]);
    const [tree] = (await distributorV2(emulator)("GET", "/organizations/tree")).body.data;
    expect(tree.customers.map((customer: { id: string }) => customer.id)).toEqual([
      shop.id,
      added.body.data.organizationId,
    ]);
    // The Public API accepts keys of a customer that v1 created (D-link).
    const key = await createOrganizationKey(emulator, added.body.data.organizationId);
    expect((await emulator.ask("GET", "/ping", { key })).status).toBe(200);
    await upsertLicenses(emulator, msp.id, [{ externalLicenseId: "s1", status: "disabled" }]);
    expect((await v1("GET", "/customers/shop")).body.data.status).toBe("blocked");
  });

  it("[v1.parallel] partners and customers are listed in pages", async () => {
    await using emulator = await open();
    const v1 = distributorV1(emulator);
    await createPartner(emulator, "p1");
    await createMsp(emulator, "p2");
    await createPartner(emulator, "p3");
    for (const id of ["c1", "c2", "c3"]) await addCustomer(emulator, "p2", id);
    const all = async (path: string, field: string) => {
      const seen: string[] = [];
      let cursor = "";
      for (;;) {
        const page = await v1("GET", `${path}?limit=2${cursor}`);
        expect(page.body.status).toBe("success");
        seen.push(...page.body.data.map((row: Record<string, string>) => row[field]));
        if (!page.body.meta.hasMore) return seen;
        cursor = `&cursor=${encodeURIComponent(page.body.meta.nextCursor)}`;
      }
    };
    expect(await all("/partners", "externalPartnerId")).toEqual(["p1", "p2", "p3"]);
    expect(await all("/partners/p2/customers", "externalCustomerId")).toEqual(["c1", "c2", "c3"]);
    expect(await all("/partners/p1/customers", "externalCustomerId")).toEqual([]);
    const cursor = (await v1("GET", "/partners?limit=2")).body.meta.nextCursor;
    const refused = await v1("GET", `/partners/p2/customers?cursor=${encodeURIComponent(cursor)}`);
    expect(refused).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
  });

  it("[v1.partner.duplicate holds refuses] [D-v1-link] an ID in use in either API is refused", async () => {
    await using emulator = await open();
    const msp = await createMsp(emulator, "acme", ["s1"]);
    await createCustomer(emulator, msp.id, "shop", "s1");
    await createPartner(emulator, "second");
    for (const externalPartnerId of ["acme", "shop", "second"]) {
      const refused = await distributorV1(emulator)("POST", "/partners", {
        body: { externalPartnerId, name: "X" },
      });
      expect(refused).toMatchObject({ status: 409, body: { errorCode: "DUPLICATE_EXTERNAL_PARTNER_ID" } });
    }
  });

  it("[v1.customer.duplicate holds refuses] a customer ID that a partner already uses is refused", async () => {
    await using emulator = await open();
    await createPartner(emulator, "one");
    await createPartner(emulator, "two");
    await addCustomer(emulator, "one", "shop");
    for (const id of ["shop", "two"]) {
      const refused = await addCustomer(emulator, "two", id);
      expect(refused).toMatchObject({ status: 409, body: { errorCode: "DUPLICATE_EXTERNAL_CUSTOMER_ID" } });
    }
  });

  it("[v1.partner.not-found holds refuses] every path returns PARTNER_NOT_FOUND for unknown IDs", async () => {
    await using emulator = await open();
    const v1 = distributorV1(emulator);
    const replies = [
      await v1("GET", "/partners/none"),
      await v1("PATCH", "/partners/none", { body: { name: "X" } }),
      await v1("DELETE", "/partners/none"),
      await v1("GET", "/partners/none/customers"),
      await addCustomer(emulator, "none", "shop"),
      await v1("GET", "/partners/none/billing"),
    ];
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 404, body: { errorCode: "PARTNER_NOT_FOUND" } });
    }
    await createPartner(emulator, "acme");
    expect((await v1("GET", "/partners/acme")).status).toBe(200);
  });

  it("[v1.partner.delete holds refuses] [D-v1-partner] no partner with organizations is deleted", async () => {
    await using emulator = await open();
    const v1 = distributorV1(emulator);
    const v2 = distributorV2(emulator);
    const partner = await createPartner(emulator, "acme");
    await addCustomer(emulator, "acme", "shop");
    const remove = () => v1("DELETE", "/partners/acme");
    expect(await remove()).toMatchObject({ status: 409, body: { errorCode: "PARTNER_HAS_ORGANIZATIONS" } });
    expect((await v1("DELETE", "/customers/shop")).body).toEqual({ status: "success", data: {} });
    expect(await remove()).toMatchObject({ status: 409, body: { errorCode: "PARTNER_HAS_ORGANIZATIONS" } });
    expect((await v2("DELETE", `/organizations/${partner.organizationId}`)).status).toBe(200);

    // The partner still exists, but is not active (D-v1-partner).
    expect((await v1("GET", "/partners/acme")).body.data).toMatchObject({
      status: "inactive",
      organizationId: null,
    });
    expect(await addCustomer(emulator, "acme", "shop")).toMatchObject({
      status: 404,
      body: { errorCode: "PARTNER_NOT_FOUND" },
    });
    expect((await remove()).status).toBe(200);
    expect((await v1("GET", "/partners/acme")).status).toBe(404);
    await createPartner(emulator, "acme");
  });

  it("[v1.org-creation holds refuses] no partner is created if its organization can't be created", async () => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: "org_creation_failure", times: 1 });
    const failed = await distributorV1(emulator)("POST", "/partners", {
      body: { externalPartnerId: "acme", name: "Acme" },
    });
    expect(failed).toMatchObject({ status: 500, body: { errorCode: "ORG_CREATION_FAILED" } });
    expect((await distributorV1(emulator)("GET", "/partners")).body.data).toEqual([]);
    expect((await emulator.control("GET", "/faults"))[0]).toMatchObject({ struck: 1 });
    await createPartner(emulator, "acme");
  });

  it("[v1.plan holds refuses] [D-v1-plan holds refuses] unknown plans return INVALID_PLAN", async () => {
    await using emulator = await open();
    const v1 = distributorV1(emulator);
    await createPartner(emulator, "acme");
    expect(await addCustomer(emulator, "acme", "shop", "gold")).toMatchObject({
      status: 400,
      body: { errorCode: "INVALID_PLAN" },
    });
    await addCustomer(emulator, "acme", "shop", "starter");
    const change = (body: object) => v1("PUT", "/customers/shop/plan", { body });
    expect(await change({ plan: "gold" })).toMatchObject({
      status: 400,
      body: { errorCode: "INVALID_PLAN" },
    });
    expect(await change({})).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
    expect((await change({ plan: "enterprise" })).body.data).toMatchObject({ plan: "enterprise" });
    expect((await v1("GET", "/customers/shop")).body.data.plan).toBe("enterprise");
    expect(await v1("PUT", "/customers/none/plan", { body: { plan: "starter" } })).toMatchObject({
      status: 404,
      body: { errorCode: "NOT_FOUND" },
    });
  });

  it("[v1.errors.id refuses] [D-v1-id] a malformed ID in a path returns INVALID_ID", async () => {
    await using emulator = await open();
    const v1 = distributorV1(emulator);
    for (const path of ["/partners/a%20b", "/customers/a%2Fb", `/partners/${"x".repeat(129)}/billing`]) {
      expect(await v1("GET", path)).toMatchObject({ status: 400, body: { errorCode: "INVALID_ID" } });
    }
    expect((await v1("GET", `/partners/${"x".repeat(128)}`)).status).toBe(404);
  });

  // plain-words: allow title-long
  it("[v1.errors.validation holds refuses] [v1.errors.flat] [D-v1-customer refuses] [D-v1-partner refuses] invalid bodies and parameters return VALIDATION_ERROR in the flat form", async () => {
    await using emulator = await open();
    const v1 = distributorV1(emulator);
    const replies = [
      await v1("POST", "/partners", { body: { name: "X" } }),
      await v1("POST", "/partners", { body: { externalPartnerId: "a b", name: "X" } }),
      await v1("POST", "/partners", { body: { externalPartnerId: "a", name: "X", extra: 1 } }),
      await v1("POST", "/partners", { raw: "{" }),
      await v1("POST", "/partners/a/customers", { body: { name: "X" } }),
      await v1("GET", "/partners?limit=0"),
    ];
    for (const reply of replies) {
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual({
        status: "error",
        errorCode: "VALIDATION_ERROR",
        message: expect.any(String),
      });
    }
    expect((await v1("POST", "/partners", { body: { externalPartnerId: "a", name: "X" } })).status).toBe(201);
    expect((await v1("GET", "/partners?limit=1")).status).toBe(200);
  });

  it("[v1.errors.not-found holds refuses] another distributor's organizations are hidden", async () => {
    await using emulator = await open();
    await createPartner(emulator, "acme");
    await addCustomer(emulator, "acme", "shop");
    const otherDistributor = await emulator.control("POST", "/distributors", { name: "Other" });
    const { key } = await emulator.control("POST", "/keys", {
      kind: "distributor",
      distributor_id: otherDistributor.id,
    });
    const v1 = distributorV1(emulator);
    expect((await v1("GET", "/partners", { key })).body.data).toEqual([]);
    expect(await v1("GET", "/partners/acme", { key })).toMatchObject({
      status: 404,
      body: { errorCode: "PARTNER_NOT_FOUND" },
    });
    expect(await v1("GET", "/customers/shop", { key })).toMatchObject({
      status: 404,
      body: { errorCode: "NOT_FOUND" },
    });
    expect((await v1("DELETE", "/customers/shop", { key })).status).toBe(404);
    expect((await v1("GET", "/customers/shop")).status).toBe(200);
  });

  it("D-v1-paths: a renamed partner has its new name in v1 and v2", async () => {
    await using emulator = await open();
    await createPartner(emulator, "acme");
    const renamed = await distributorV1(emulator)("PATCH", "/partners/acme", { body: { name: "Acme AG" } });
    expect(renamed.body.data).toMatchObject({ externalPartnerId: "acme", name: "Acme AG" });
    const [msp] = (await distributorV2(emulator)("GET", "/organizations/tree")).body.data;
    expect(msp.name).toBe("Acme AG");
  });
});
