import { expect, it } from "vitest";
import {
  createCustomer,
  createMsp,
  createOrganizationKey,
  distributorV1,
  distributorV2,
  readLicenseStates,
  readOrganization,
} from "../../helpers/distributor.js";
import { unknownId } from "../../helpers/records.js";
import { startTime } from "../../helpers/templates.js";
import { testOnTransports } from "../../helpers/test-emulator.js";

testOnTransports("distributor v2: organizations", (open) => {
  it("[v2.create] [v2.create.msp] [D-v2-org] an MSP is created with its license", async () => {
    await using emulator = await open();
    const created = await distributorV2(emulator)("POST", "/organizations", {
      body: {
        type: "msp",
        name: " Acme Systems ",
        externalOrganizationId: "acme-msp",
        license: { externalLicenseId: "lic-1", product: "MSP base" },
      },
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      status: "success",
      data: {
        id: expect.stringMatching(/^[a-f0-9]{24}$/),
        type: "msp",
        name: "Acme Systems",
        parentOrganizationId: null,
        externalOrganizationId: "acme-msp",
        externalLicenseId: "lic-1",
        status: "active",
        blockedReason: null,
        createdAt: startTime,
        updatedAt: startTime,
      },
    });
    expect(await readLicenseStates(emulator, created.body.data.id)).toEqual({ "lic-1": "assigned" });
  });

  it("[v2.create refuses] [v2.create.msp refuses] [D-v2-org refuses] missing fields are refused", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const whole = {
      type: "msp",
      name: "Acme",
      externalOrganizationId: "acme",
      license: { externalLicenseId: "l" },
    };
    for (const missing of ["externalOrganizationId", "license", "name", "type"]) {
      const refused = await v2("POST", "/organizations", { body: { ...whole, [missing]: undefined } });
      expect(refused.status, missing).toBe(400);
      expect(refused.body.errorCode).toBe("VALIDATION_ERROR");
      expect(refused.body.message).toContain(missing);
    }
    for (const bad of ["a b", "a@b", "", "x".repeat(129)]) {
      const refused = await v2("POST", "/organizations", { body: { ...whole, externalOrganizationId: bad } });
      expect([bad, refused.body.errorCode]).toEqual([bad, "VALIDATION_ERROR"]);
    }
    expect((await v2("GET", "/organizations")).body.data).toEqual([]);
  });

  it("[v2.create.msp holds refuses] [D-v2-create holds refuses] a license in use is refused", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    await createMsp(emulator, "one");
    const refused = await v2("POST", "/organizations", {
      body: {
        type: "msp",
        name: "Two",
        externalOrganizationId: "two",
        license: { externalLicenseId: "one-0" },
      },
    });
    expect(refused.status).toBe(409);
    expect(refused.body.errorCode).toBe("LICENSE_NOT_AVAILABLE");
    expect((await v2("GET", "/organizations")).body.data).toHaveLength(1);
  });

  it("[v2.create] [v2.create.customer] a customer gets an available license of its MSP", async () => {
    await using emulator = await open();
    const msp = await createMsp(emulator, "acme", ["seat-1"]);
    const customer = await createCustomer(emulator, msp.id, "shop", "seat-1");
    expect(customer).toMatchObject({
      type: "customer",
      parentOrganizationId: msp.id,
      externalOrganizationId: "shop",
      externalLicenseId: "seat-1",
      status: "active",
      blockedReason: null,
    });
    expect(await readLicenseStates(emulator, msp.id)).toEqual({ "acme-0": "assigned", "seat-1": "assigned" });
  });

  it.each([
    ["is in use", { externalLicenseId: "acme-0" }, 409, "LICENSE_NOT_AVAILABLE"],
    ["is disabled", { externalLicenseId: "off" }, 409, "LICENSE_NOT_AVAILABLE"],
    ["belongs to another MSP", { externalLicenseId: "other-1" }, 404, "LICENSE_NOT_FOUND"],
    ["does not exist", { externalLicenseId: "none" }, 404, "LICENSE_NOT_FOUND"],
    ["is not specified", { externalLicenseId: undefined }, 400, "VALIDATION_ERROR"],
  ])(
    "[v2.create.customer holds refuses] creating a customer fails if its license %s",
    async (_, change, status, code) => {
      await using emulator = await open();
      const v2 = distributorV2(emulator);
      const msp = await createMsp(emulator, "acme", ["seat-1", "off"]);
      await createMsp(emulator, "other", ["other-1"]);
      await v2("PATCH", `/organizations/${msp.id}/licenses`, {
        body: { licenses: [{ externalLicenseId: "off", status: "disabled" }] },
      });
      const refused = await v2("POST", "/organizations", {
        body: {
          type: "customer",
          name: "Shop",
          parentOrganizationId: msp.id,
          externalOrganizationId: "shop",
          ...change,
        },
      });
      expect(refused.status).toBe(status);
      expect(refused.body.errorCode).toBe(code);
      expect((await v2("GET", "/organizations?type=customer")).body.data).toEqual([]);
    },
  );

  it("[v2.create.customer] D-v2-create: a create first checks that the parent is an existing MSP", async () => {
    await using emulator = await open();
    const msp = await createMsp(emulator, "acme", ["seat-1"]);
    const customer = await createCustomer(emulator, msp.id, "shop", "seat-1");
    for (const parentOrganizationId of [unknownId, customer.id]) {
      const refused = await distributorV2(emulator)("POST", "/organizations", {
        body: {
          type: "customer",
          name: "X",
          parentOrganizationId,
          externalOrganizationId: "shop",
          externalLicenseId: "none",
        },
      });
      expect(refused.status).toBe(404);
      expect(refused.body.errorCode).toBe("NOT_FOUND");
    }
  });

  it("[v2.duplicate holds refuses] an external ID in use is refused before the license check", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const msp = await createMsp(emulator, "acme");
    const bodies = [
      { type: "msp", name: "X", externalOrganizationId: "acme", license: { externalLicenseId: "acme-0" } },
      {
        type: "customer",
        name: "X",
        parentOrganizationId: msp.id,
        externalOrganizationId: "acme",
        externalLicenseId: "none",
      },
    ];
    for (const body of bodies) {
      const refused = await v2("POST", "/organizations", { body });
      expect(refused.status).toBe(409);
      expect(refused.body.errorCode).toBe("DUPLICATE_EXTERNAL_ORGANIZATION_ID");
      expect(refused.headers.get("x-emulator-rule")).toBe("v2.duplicate");
    }
  });

  it("[v2.duplicate] two distributors can use the same external ID", async () => {
    await using emulator = await open();
    const msp = await createMsp(emulator, "acme");
    const otherDistributor = await emulator.control("POST", "/distributors", { name: "Other" });
    const { key } = await emulator.control("POST", "/keys", {
      kind: "distributor",
      distributor_id: otherDistributor.id,
    });
    const v2 = distributorV2(emulator);
    expect((await v2("GET", "/organizations", { key })).body.data).toEqual([]);
    expect((await v2("DELETE", `/organizations/${msp.id}`, { key })).status).toBe(404);
    const created = await v2("POST", "/organizations", {
      key,
      body: {
        type: "msp",
        name: "Theirs",
        externalOrganizationId: "acme",
        license: { externalLicenseId: "acme-0" },
      },
    });
    expect(created.status).toBe(201);
    expect((await v2("GET", "/organizations/tree")).body.data).toHaveLength(1);
  });

  // plain-words: allow title-long
  it("[v2.create.customer holds refuses concurrency] only one of two concurrent creates with the same license succeeds", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const msp = await createMsp(emulator, "acme", ["seat-1"]);
    const replies = await Promise.all(
      ["a", "b"].map((externalOrganizationId) =>
        v2("POST", "/organizations", {
          body: {
            type: "customer",
            name: "Racer",
            parentOrganizationId: msp.id,
            externalOrganizationId,
            externalLicenseId: "seat-1",
          },
        }),
      ),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409]);
    const tree = (await v2("GET", "/organizations/tree")).body.data;
    expect(tree[0].customers).toHaveLength(1);
    expect(tree[0].customers[0].externalLicenseId).toBe("seat-1");
  });

  it("[v2.list] [D-v2-list] [D-v2-envelope] organizations are listed in pages, with every filter", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const msp = await createMsp(emulator, "acme", ["s1", "s2"]);
    const otherMsp = await createMsp(emulator, "other");
    const first = await createCustomer(emulator, msp.id, "c1", "s1");
    const second = await createCustomer(emulator, msp.id, "c2", "s2");
    await v2("PATCH", `/organizations/${msp.id}/licenses`, {
      body: { licenses: [{ externalLicenseId: "s2", status: "disabled" }] },
    });
    const ids = async (query: string) =>
      (await v2("GET", `/organizations${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids("")).toEqual([msp.id, otherMsp.id, first.id, second.id]);
    expect(await ids("?type=msp")).toEqual([msp.id, otherMsp.id]);
    expect(await ids(`?parentOrganizationId=${msp.id}`)).toEqual([first.id, second.id]);
    expect(await ids("?externalOrganizationId=other")).toEqual([otherMsp.id]);
    expect(await ids("?status=blocked")).toEqual([second.id]);
    expect(await ids(`?parentOrganizationId=${unknownId}`)).toEqual([]);

    const page = await v2("GET", "/organizations?limit=3");
    expect(page.body.meta.hasMore).toBe(true);
    const cursor = encodeURIComponent(page.body.meta.nextCursor);
    const last = await v2("GET", `/organizations?limit=3&cursor=${cursor}`);
    expect(last.body).toMatchObject({
      status: "success",
      data: [{ id: second.id }],
      meta: { hasMore: false, nextCursor: null },
    });
    // A cursor is valid only for the list and the filters that it was made for (D-cursor).
    const refused = await v2("GET", `/organizations?type=msp&cursor=${cursor}`);
    expect(refused.status).toBe(400);
    expect(refused.body.errorCode).toBe("VALIDATION_ERROR");
  });

  // plain-words: allow title-long
  it("[v2.list] [D-v2-list holds refuses] [D-v2-order holds refuses] [D-cursor refuses] an invalid query, a malformed ID and a missing range are refused", async () => {
    await using emulator = await open();
    for (const [path, code] of [
      ["/organizations?type=partner", "VALIDATION_ERROR"],
      ["/organizations?status=gone", "VALIDATION_ERROR"],
      ["/organizations?limit=0", "VALIDATION_ERROR"],
      ["/organizations?limit=201", "VALIDATION_ERROR"],
      ["/organizations?cursor=x", "VALIDATION_ERROR"],
      ["/usage", "INVALID_DATE_RANGE"],
      ["/organizations?parentOrganizationId=acme", "INVALID_ID"],
      ["/organizations?externalOrganizationId=a%20b", "INVALID_ID"],
    ] as const) {
      const refused = await distributorV2(emulator)("GET", path);
      expect([path, refused.status, refused.body.errorCode]).toEqual([path, 400, code]);
    }
  });

  it("[v2.tree] [D-v2-tree] the tree lists MSPs with their customers in order, without usage", async () => {
    await using emulator = await open();
    const msp = await createMsp(emulator, "one", ["s1", "s2"]);
    const two = await createMsp(emulator, "two");
    const second = await createCustomer(emulator, msp.id, "c2", "s2");
    const first = await createCustomer(emulator, msp.id, "c1", "s1");
    const tree = await distributorV2(emulator)("GET", "/organizations/tree");
    expect(tree.status).toBe(200);
    expect(tree.body).toEqual({
      status: "success",
      data: [
        { ...msp, customers: [second, first] },
        { ...two, customers: [] },
      ],
    });
  });

  it("[v2.license.delete] deleting a customer makes its license available", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const msp = await createMsp(emulator, "acme", ["seat-1"]);
    const customer = await createCustomer(emulator, msp.id, "shop", "seat-1");
    const deleted = await v2("DELETE", `/organizations/${customer.id}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({ status: "success", data: {} });
    expect(await readLicenseStates(emulator, msp.id)).toMatchObject({ "seat-1": "available" });
    await createCustomer(emulator, msp.id, "shop", "seat-1");
    expect((await v2("DELETE", `/organizations/${customer.id}`)).status).toBe(404);
  });

  it("[v2.delete.msp holds refuses] [D-v2-delete] an MSP can be deleted only after its customers", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const msp = await createMsp(emulator, "acme", ["seat-1"]);
    const customer = await createCustomer(emulator, msp.id, "shop", "seat-1");
    const refused = await v2("DELETE", `/organizations/${msp.id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.errorCode).toBe("ORGANIZATION_HAS_CHILDREN");
    await v2("DELETE", `/organizations/${customer.id}`);
    expect((await v2("DELETE", `/organizations/${msp.id}`)).status).toBe(200);
    expect((await v2("GET", "/organizations")).body.data).toEqual([]);
    // The license IDs of the deleted MSP are free again.
    expect((await createMsp(emulator, "acme", ["seat-1"])).externalLicenseId).toBe("acme-0");
  });

  it("[D-v2-delete] D-link: the Public API accepts a provisioned organization's keys", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const msp = await createMsp(emulator, "acme", ["seat-1"]);
    const customer = await createCustomer(emulator, msp.id, "shop", "seat-1");
    const key = await createOrganizationKey(emulator, customer.id);
    expect((await emulator.ask("GET", "/ping", { key })).status).toBe(200);
    // A new organization has one group of each type (D-org).
    expect((await emulator.ask("GET", "/groups", { key })).body.data).toHaveLength(5);
    await v2("DELETE", `/organizations/${customer.id}`);
    expect((await emulator.ask("GET", "/ping", { key })).status).toBe(401);
  });

  it("D-v2-order: malformed IDs in a path, unknown fields and unknown paths are refused", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    expect((await v2("DELETE", "/organizations/acme")).body.errorCode).toBe("INVALID_ID");
    const strict = await v2("POST", "/organizations", {
      body: {
        type: "msp",
        name: "A",
        externalOrganizationId: "a",
        license: { externalLicenseId: "l" },
        status: "blocked",
      },
    });
    expect(strict.status).toBe(400);
    expect(strict.headers.get("x-emulator-rule")).toBe("D-strict");
    const unknown = await v2("GET", "/nothing");
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({ status: "error", errorCode: "NOT_FOUND", message: expect.any(String) });
    expect(unknown.headers.get("x-ratelimit-reset")).toBeNull();
  });

  it("[v1.parallel] an operator's block persists after a license is disabled and enabled", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const msp = await createMsp(emulator, "acme", ["seat-1"]);
    const customer = await createCustomer(emulator, msp.id, "shop", "seat-1");
    await emulator.control("PATCH", `/organizations/${customer.id}`, { status: "blocked" });
    for (const status of ["disabled", "available"]) {
      await v2("PATCH", `/organizations/${msp.id}/licenses`, {
        body: { licenses: [{ externalLicenseId: "seat-1", status }] },
      });
    }
    expect(await readOrganization(emulator, customer.id)).toMatchObject({
      status: "blocked",
      blockedReason: null,
    });
    expect((await distributorV1(emulator)("GET", "/customers/shop")).body.data.status).toBe("blocked");
  });
});
