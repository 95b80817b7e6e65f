import { expect, it } from "vitest";
import {
  createAssistant,
  createCustomer,
  createMsp,
  createOrganizationKey,
  distributorV1,
  distributorV2,
} from "../../helpers/distributor.js";
import { unknownId } from "../../helpers/records.js";
import { type TestEmulator, testOnTransports } from "../../helpers/test-emulator.js";

async function createCalls(emulator: TestEmulator) {
  const msp = await createMsp(emulator, "acme", ["s1", "s2"]);
  const shop = await createCustomer(emulator, msp.id, "shop", "s1");
  const idle = await createCustomer(emulator, msp.id, "idle", "s2");
  const call = async (organizationId: string) => {
    const assistant = await createAssistant(emulator, await createOrganizationKey(emulator, organizationId));
    return (created_at: string, duration_seconds: number, status = "completed") =>
      emulator.control("POST", "/calls", {
        assistant_id: assistant.id,
        created_at,
        duration_seconds,
        status,
      });
  };
  const callShop = await call(shop.id);
  await callShop("2026-02-10T08:00:00Z", 30);
  await callShop("2026-02-10T23:59:59Z", 100);
  await callShop("2026-02-11T00:00:00Z", 60);
  await callShop("2026-02-11T09:00:00Z", 0, "no_answer");
  await callShop("2026-01-31T12:00:00Z", 600);
  await callShop("2026-03-01T00:00:00Z", 700);
  const callMsp = await call(msp.id);
  await callMsp("2026-02-10T10:00:00Z", 61);
  return { msp, shop, idle };
}

testOnTransports("distributor usage and billing", (open) => {
  it("[v2.usage] D-v2-usage: usage by organization and day bills each call for at least 60 s", async () => {
    await using emulator = await open();
    const { msp, shop } = await createCalls(emulator);
    const usage = await distributorV2(emulator)("GET", "/usage?from=2026-02-01&to=2026-02-28");
    expect(usage.status).toBe(200);
    const ofMsp = { organizationId: msp.id, externalOrganizationId: "acme" };
    const ofShop = { organizationId: shop.id, externalOrganizationId: "shop" };
    expect(usage.body).toEqual({
      status: "success",
      data: [
        { ...ofMsp, date: "2026-02-10", calls: 1, durationSeconds: 61, billableSeconds: 61 },
        { ...ofShop, date: "2026-02-10", calls: 2, durationSeconds: 130, billableSeconds: 160 },
        { ...ofShop, date: "2026-02-11", calls: 1, durationSeconds: 60, billableSeconds: 60 },
      ],
      meta: { hasMore: false, nextCursor: null },
    });
  });

  it("[v2.usage] usage includes the first and last day of the range", async () => {
    await using emulator = await open();
    const { shop, msp } = await createCalls(emulator);
    const v2 = distributorV2(emulator);
    const days = async (query: string) =>
      (await v2("GET", `/usage?${query}`)).body.data.map(({ date }: { date: string }) => date);
    expect(await days(`from=2026-02-11&to=2026-02-11`)).toEqual(["2026-02-11"]);
    expect(await days(`from=2026-01-31&to=2026-02-10&organizationId=${shop.id}`)).toEqual([
      "2026-01-31",
      "2026-02-10",
    ]);
    const seen = [];
    let cursor = "";
    for (;;) {
      const page = await v2("GET", `/usage?from=2026-01-01&to=2026-02-28&limit=1${cursor}`);
      seen.push(
        ...page.body.data.map((row: { date: string; organizationId: string }) => [
          row.date,
          row.organizationId,
        ]),
      );
      if (!page.body.meta.hasMore) break;
      cursor = `&cursor=${encodeURIComponent(page.body.meta.nextCursor)}`;
    }
    expect(seen).toEqual([
      ["2026-01-31", shop.id],
      ["2026-02-10", msp.id],
      ["2026-02-10", shop.id],
      ["2026-02-11", shop.id],
    ]);
  });

  it("[v2.usage] a call counts only after it has ended", async () => {
    await using emulator = await open();
    const msp = await createMsp(emulator, "acme");
    const key = await createOrganizationKey(emulator, msp.id);
    const assistant = await createAssistant(emulator, key);
    await emulator.ask("POST", "/calls", { key, body: { assistant_id: assistant.id, to: "+4930123456" } });
    const usage = async () =>
      (await distributorV2(emulator)("GET", "/usage?from=2026-03-02&to=2026-03-02")).body.data;
    await emulator.advance(96);
    expect(await usage()).toEqual([]);
    await emulator.advance(1);
    expect(await usage()).toMatchObject([{ calls: 1, durationSeconds: 90, billableSeconds: 90 }]);
  });

  it.each([
    ["from=2026-02-02&to=2026-02-01", "INVALID_DATE_RANGE"],
    ["from=2026-02-30&to=2026-03-01", "INVALID_DATE_RANGE"],
    ["from=yesterday&to=2026-03-01", "INVALID_DATE_RANGE"],
    ["to=2026-03-01", "INVALID_DATE_RANGE"],
    ["from=2026-01-01&to=2026-04-03", "DATE_RANGE_TOO_LARGE"],
  ])(
    "[v1.errors.range refuses] [v2.usage refuses] [D-v2-usage refuses] range %s is refused: %s",
    async (query, code) => {
      await using emulator = await open();
      for (const ask of [distributorV1(emulator), distributorV2(emulator)]) {
        const refused = await ask("GET", `/usage?${query}`);
        expect(refused).toMatchObject({ status: 400, body: { errorCode: code } });
      }
    },
  );

  it("[v1.errors.range] usage accepts a range of 92 days", async () => {
    await using emulator = await open();
    const query = "/usage?from=2026-01-01&to=2026-04-02";
    expect((await distributorV2(emulator)("GET", query)).status).toBe(200);
    expect((await distributorV1(emulator)("GET", query)).status).toBe(200);
  });

  it("[v1.errors.id] [v1.errors.not-found refuses] errors for malformed and unknown IDs differ", async () => {
    await using emulator = await open();
    const usage = (id: string) =>
      distributorV2(emulator)("GET", `/usage?from=2026-02-01&to=2026-02-01&organizationId=${id}`);
    expect(await usage("acme")).toMatchObject({ status: 400, body: { errorCode: "INVALID_ID" } });
    expect(await usage(unknownId)).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
  });

  // plain-words: allow title-long
  it("[v2.billing] D-v2-billing: an MSP's billing includes its customers", async () => {
    await using emulator = await open();
    const { msp, shop, idle } = await createCalls(emulator);
    const usage = await distributorV2(emulator)(
      "GET",
      `/organizations/${msp.id}/billing-summary?month=2026-02`,
    );
    expect(usage.status).toBe(200);
    expect(usage.body.data).toEqual({
      organizationId: msp.id,
      month: "2026-02",
      licenses: [
        { externalLicenseId: "acme-0", product: null, status: "assigned" },
        { externalLicenseId: "s1", product: null, status: "assigned" },
        { externalLicenseId: "s2", product: null, status: "assigned" },
      ],
      totals: { calls: 4, durationSeconds: 251, billableSeconds: 281 },
      organizations: [
        {
          organizationId: msp.id,
          externalOrganizationId: "acme",
          calls: 1,
          durationSeconds: 61,
          billableSeconds: 61,
        },
        {
          organizationId: shop.id,
          externalOrganizationId: "shop",
          calls: 3,
          durationSeconds: 190,
          billableSeconds: 220,
        },
        {
          organizationId: idle.id,
          externalOrganizationId: "idle",
          calls: 0,
          durationSeconds: 0,
          billableSeconds: 0,
        },
      ],
    });
  });

  it("[v2.billing] a customer's billing covers only that customer", async () => {
    await using emulator = await open();
    const { shop } = await createCalls(emulator);
    const v2 = distributorV2(emulator);
    const now = await v2("GET", `/organizations/${shop.id}/billing-summary`);
    expect(now.body.data).toMatchObject({ month: "2026-03", licenses: [], totals: { calls: 1 } });
    const january = await v2("GET", `/organizations/${shop.id}/billing-summary?month=2026-01`);
    expect(january.body.data.organizations).toHaveLength(1);
    expect(january.body.data.totals).toEqual({ calls: 1, durationSeconds: 600, billableSeconds: 600 });
  });

  it("[v2.billing refuses] [D-v2-billing refuses] an invalid month or organization is refused", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const msp = await createMsp(emulator, "acme");
    const refusals = [
      [`/organizations/${msp.id}/billing-summary?month=2026-13`, 400, "VALIDATION_ERROR"],
      ["/organizations/acme/billing-summary", 400, "INVALID_ID"],
      [`/organizations/${unknownId}/billing-summary`, 404, "NOT_FOUND"],
    ] as const;
    for (const [path, status, errorCode] of refusals) {
      expect(await v2("GET", path)).toMatchObject({ status, body: { errorCode } });
    }
  });

  it("[v1.parallel] D-v1-usage: v1 shows the same calls by partner and customer", async () => {
    await using emulator = await open();
    const { msp, shop } = await createCalls(emulator);
    const otherMsp = await createMsp(emulator, "other");
    const otherAssistant = await createAssistant(
      emulator,
      await createOrganizationKey(emulator, otherMsp.id),
    );
    await emulator.control("POST", "/calls", {
      assistant_id: otherAssistant.id,
      created_at: "2026-02-12T00:00:00Z",
      duration_seconds: 60,
    });
    const v1 = distributorV1(emulator);
    const ofAcme = await v1("GET", "/usage?from=2026-02-01&to=2026-02-28&externalPartnerId=acme");
    expect(ofAcme.body.data).toEqual([
      {
        externalPartnerId: "acme",
        externalCustomerId: null,
        organizationId: msp.id,
        date: "2026-02-10",
        calls: 1,
        durationSeconds: 61,
        billableSeconds: 61,
      },
      {
        externalPartnerId: "acme",
        externalCustomerId: "shop",
        organizationId: shop.id,
        date: "2026-02-10",
        calls: 2,
        durationSeconds: 130,
        billableSeconds: 160,
      },
      {
        externalPartnerId: "acme",
        externalCustomerId: "shop",
        organizationId: shop.id,
        date: "2026-02-11",
        calls: 1,
        durationSeconds: 60,
        billableSeconds: 60,
      },
    ]);
    expect((await v1("GET", "/usage?from=2026-02-01&to=2026-02-28")).body.data).toHaveLength(4);
    const unknown = await v1("GET", "/usage?from=2026-02-01&to=2026-02-28&externalPartnerId=none");
    expect(unknown).toMatchObject({ status: 404, body: { errorCode: "PARTNER_NOT_FOUND" } });
    const malformed = await v1("GET", "/usage?from=2026-02-01&to=2026-02-28&externalPartnerId=a%20b");
    expect(malformed).toMatchObject({ status: 400, body: { errorCode: "INVALID_ID" } });
  });

  it("[v1.plan holds refuses] billing returns PLAN_NOT_FOUND for a customer without a plan", async () => {
    await using emulator = await open();
    const { shop } = await createCalls(emulator);
    const v1 = distributorV1(emulator);
    const none = await v1("GET", "/partners/acme/billing?month=2026-02");
    expect(none).toMatchObject({ status: 404, body: { errorCode: "PLAN_NOT_FOUND" } });
    await v1("PUT", "/customers/shop/plan", { body: { plan: "business" } });
    const billing = await v1("GET", "/partners/acme/billing?month=2026-02");
    const totals = { calls: 3, durationSeconds: 190, billableSeconds: 220 };
    expect(billing.body.data).toEqual({
      externalPartnerId: "acme",
      month: "2026-02",
      totals,
      customers: [{ externalCustomerId: "shop", plan: "business", ...totals }],
    });
    expect(shop.externalOrganizationId).toBe("shop");
  });
});
