import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo, scriptPrompts } from "../helpers/cli.js";
import { publicApi } from "../helpers/public-api.js";
import { reshapeResponses } from "../helpers/reshape-responses.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function distributor() {
  const emulator = await openSeededEmulator({ clock: "virtual", startTime: "2026-03-02T09:00:00Z" });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  const run = (...argv: string[]) => shell.run("--profile", "offline", ...argv);
  const create = async (...argv: string[]) => {
    const created = await run("orgs", "create", ...argv);
    if (created.code !== 0) throw new Error(created.stderr);
    return created.json;
  };
  const msp = await create("--type", "msp", "--name", "Acme", "--external-id", "acme", "--license", "base");
  await run("licenses", "upsert", "acme", "s1", "s2", "s3", "--product", "Seat");
  const customer = (name: string, license: string) =>
    create(
      "--type",
      "customer",
      "--name",
      name,
      "--parent",
      "acme",
      "--external-id",
      name,
      "--license",
      license,
    );
  const shop = await customer("shop", "s1");
  const bakery = await customer("bakery", "s2");
  const requests = async () =>
    (await emulator.control("GET", "/requests?limit=200")) as { method: string; path: string }[];
  return { ...shell, emulator, run, msp, shop, bakery, requests };
}

async function callOf(
  emulator: Awaited<ReturnType<typeof openSeededEmulator>>,
  organizationId: string,
  seconds: number,
) {
  const { key } = (await emulator.control("POST", "/keys", {
    kind: "public",
    organization_id: organizationId,
  })) as { key: string };
  const ask = publicApi(emulator, key);
  const [voice] = (await ask("GET", "/voices")).body.data;
  const { data: assistant } = (
    await ask("POST", "/assistants", {
      name: "Desk",
      language: "de",
      voice_id: voice.id,
      company_name: "C",
      company_industry: "I",
      introduction: "Hallo.",
    })
  ).body;
  await emulator.control("POST", "/calls", {
    assistant_id: assistant.id,
    created_at: "2026-02-10T10:00:00Z",
    duration_seconds: seconds,
  });
  return assistant;
}

describe("orgs", () => {
  test("[v2.create.msp] [v2.create.customer] `orgs create` creates an MSP and its customer", async () => {
    const { msp, shop } = await distributor();
    expect(msp).toMatchObject({
      type: "msp",
      name: "Acme",
      externalOrganizationId: "acme",
      externalLicenseId: "base",
    });
    expect(shop).toMatchObject({
      type: "customer",
      parentOrganizationId: msp.id,
      externalOrganizationId: "shop",
      externalLicenseId: "s1",
    });
  });

  test("`orgs create` asks for missing values on a terminal, and lists their flags in a script", async () => {
    const { run, runWith, emulator, msp } = await distributor();
    const refused = await run("orgs", "create", "--type", "customer", "--name", "X");
    expect(refused.code).toBe(2);
    for (const flag of ["--external-id", "--parent", "--license"]) expect(refused.stderr).toContain(flag);
    const overrides = {
      ...connectedTo(emulator),
      prompts: scriptPrompts("customer", "Florist", "florist", "acme", true),
    };
    const created = await runWith({ overrides }, "--profile", "offline", "orgs", "create", "--license", "s3");
    expect(created.json).toMatchObject({
      parentOrganizationId: msp.id,
      externalLicenseId: "s3",
      name: "Florist",
    });
  });

  test("[v2.duplicate holds refuses] `orgs create` refuses an existing ID or an unknown MSP", async () => {
    const { run } = await distributor();
    const taken = await run(
      "orgs",
      "create",
      "--type",
      "msp",
      "--name",
      "A",
      "--external-id",
      "acme",
      "--license",
      "x",
    );
    expect(taken.code).toBe(6);
    expect(taken.stderr).toContain("DUPLICATE_EXTERNAL_ORGANIZATION_ID");
    const orphan = await run(
      "orgs",
      "create",
      "--type",
      "customer",
      "--name",
      "A",
      "--external-id",
      "a",
      "--license",
      "x",
      "--parent",
      "shop",
    );
    expect(orphan.code).toBe(4);
    expect(orphan.stderr).toContain("--parent");
  });

  test("[v2.list] `orgs list` filters by type, parent or external ID", async () => {
    const { run, shop, bakery, msp } = await distributor();
    const ids = async (...argv: string[]) =>
      (await run("orgs", "list", ...argv)).json.map(({ id }: { id: string }) => id);
    expect(await ids()).toEqual([msp.id, shop.id, bakery.id]);
    expect(await ids("--type", "msp")).toEqual([msp.id]);
    expect(await ids("--parent", "acme")).toEqual([shop.id, bakery.id]);
    expect(await ids("--external-id", "bakery")).toEqual([bakery.id]);
    expect((await run("orgs", "get", "shop")).json).toEqual(shop);
    expect((await run("orgs", "get", shop.id)).json).toEqual(shop);
    expect((await run("orgs", "get", "sho")).code).toBe(4);
  });

  test("[v2.tree] [v2.license.disable] `orgs list --tree` marks blocked organizations", async () => {
    const { run, msp } = await distributor();
    await run("licenses", "disable", "acme", "s2", "--yes");
    const drawn = await run("orgs", "list", "--tree", "-o", "table");
    const former = await run("orgs", "tree");
    expect([former.code, former.stderr]).toEqual([2, expect.stringContaining("voxctl orgs list --tree")]);
    const lines = drawn.stdout.split("\n");
    expect(lines[1]).toMatch(/^acme +Acme +base +active/);
    expect(lines[2]).toMatch(/^├─ shop +shop +s1 +active/);
    expect(lines[3]).toMatch(/^└─ bakery +bakery +s2 +✗ blocked \(license_disabled\)/);
    const nested = (await run("orgs", "list", "--tree")).json;
    expect(nested).toHaveLength(1);
    expect(nested[0]).toMatchObject({
      id: msp.id,
      customers: [{ externalOrganizationId: "shop" }, { status: "blocked" }],
    });
    const rows = (await run("orgs", "list", "--tree", "-o", "csv")).stdout.trim().split("\n");
    expect(rows).toHaveLength(4);
  });

  test("[v2.delete.msp holds refuses] `orgs delete` exits with code 6 if an MSP has customers", async () => {
    const { run, shop } = await distributor();
    expect((await run("orgs", "delete", "shop")).code).toBe(12);
    expect((await run("orgs", "delete", "acme", "--yes")).code).toBe(6);
    expect((await run("orgs", "delete", "shop", "--yes")).json).toEqual({ id: shop.id, deleted: true });
    expect((await run("orgs", "get", "shop")).code).toBe(4);
    expect((await run("licenses", "list", "acme")).json[1]).toMatchObject({
      externalLicenseId: "s1",
      status: "available",
    });
  });

  test("`orgs create` merges --license and --product into the body from --data", async () => {
    const { run, msp } = await distributor();
    const preview = async (data: object, ...flags: string[]) => {
      const ran = await run("orgs", "create", "--data", JSON.stringify(data), ...flags, "--dry-run");
      return ran.code === 0 ? ran.json[0].body : [ran.code, ran.stderr];
    };
    const common = { name: "X", externalOrganizationId: "x" };
    const customer = { ...common, type: "customer", parentOrganizationId: "acme" };
    expect(await preview(customer, "--license", "s3")).toEqual({
      ...{ ...customer, parentOrganizationId: msp.id },
      externalLicenseId: "s3",
    });
    expect(await preview(customer, "--product", "Seat")).toEqual([2, expect.stringContaining("--product")]);
    const partner = { ...common, type: "msp" };
    const license = { externalLicenseId: "l9" };
    expect(await preview({ ...partner, license }, "--product", "Gold")).toEqual({
      ...partner,
      license: { ...license, product: "Gold" },
    });
    expect(await preview(partner, "--product", "Gold")).toEqual([2, expect.stringContaining("--license")]);
  });

  test("`orgs create --dry-run` prints the request without sending it", async () => {
    const { run, msp, requests } = await distributor();
    const before = (await requests()).filter(({ method }) => method !== "GET").length;
    const shown = await run(
      "orgs",
      "create",
      "--type",
      "customer",
      "--name",
      "X",
      "--external-id",
      "x",
      "--license",
      "s3",
      "--parent",
      "acme",
      "--dry-run",
    );
    expect(shown.json).toEqual([
      {
        method: "POST",
        path: "/organizations",
        body: {
          type: "customer",
          name: "X",
          externalOrganizationId: "x",
          parentOrganizationId: msp.id,
          externalLicenseId: "s3",
        },
      },
    ]);
    expect((await run("orgs", "delete", "shop", "--dry-run")).code).toBe(0);
    expect((await run("licenses", "disable", "acme", "s1", "--dry-run")).code).toBe(0);
    expect((await run("licenses", "reassign", "shop", "s3", "--dry-run")).code).toBe(0);
    expect((await requests()).filter(({ method }) => method !== "GET")).toHaveLength(before);
  });
});

describe("licenses", () => {
  // plain-words: allow title-long
  test("[v2.licenses.upsert] [v2.license.reassign holds refuses] the `licenses` commands accept external IDs", async () => {
    const { run, shop } = await distributor();
    const states = async () =>
      Object.fromEntries(
        (await run("licenses", "list", "acme")).json.map(
          (license: { externalLicenseId: string; status: string }) => [
            license.externalLicenseId,
            license.status,
          ],
        ),
      );
    expect(await states()).toEqual({ base: "assigned", s1: "assigned", s2: "assigned", s3: "available" });
    await run("licenses", "disable", "acme", "s1", "--yes");
    expect((await run("orgs", "get", "shop")).json).toMatchObject({ status: "blocked" });
    await run("licenses", "enable", "acme", "s1");
    expect((await run("orgs", "get", "shop")).json).toMatchObject({ status: "active" });
    const moved = await run("licenses", "reassign", "shop", "s3");
    expect(moved.json).toMatchObject({ id: shop.id, externalLicenseId: "s3" });
    expect(await states()).toEqual({ base: "assigned", s1: "available", s2: "assigned", s3: "assigned" });
    expect((await run("licenses", "reassign", "shop", "s2")).code).toBe(6);
  });

  test("the error for a refused license reassignment suggests a command", async () => {
    const { run } = await distributor();
    const held = await run("licenses", "reassign", "shop", "s2");
    expect([held.code, held.stderr]).toEqual([
      6,
      "error: license s2 is assigned to bakery (bakery)\nhint: first assign a different license to bakery (bakery), or choose an available license: `voxctl licenses list acme`\n",
    ]);
    await run("licenses", "disable", "acme", "s2", "--yes");
    expect((await run("licenses", "reassign", "shop", "s2")).stderr).toBe(
      "error: license s2 is disabled, and blocks bakery (bakery)\nhint: first assign a different license to bakery (bakery), or choose an available license: `voxctl licenses list acme`\n",
    );
    await run("orgs", "create", ..."--type msp --name Other --external-id other --license o1".split(" "));
    const foreign = await run("licenses", "reassign", "shop", "o1");
    expect(foreign.stderr).toContain("error: license o1 belongs to another MSP, other\n");
    const swapped = await run("licenses", "reassign", "s3", "shop");
    expect([swapped.code, swapped.stderr]).toEqual([
      2,
      'error: "s3" is not an organization, but "shop" is\nhint: swap the arguments: `voxctl licenses reassign shop s3`\n',
    ]);
    const child = await run("licenses", "list", "shop");
    expect([child.code, child.stderr]).toEqual([
      4,
      "error: <msp>: shop is a customer, not an MSP\nhint: use the customer's MSP, acme\n",
    ]);
    await run("licenses", "disable", "acme", "s3", "--yes");
    const disabled = await run("licenses", "reassign", "shop", "s3");
    expect(disabled.stderr).toBe(
      "error: license s3 is disabled\nhint: enable the license: `voxctl licenses enable acme s3`\n",
    );
    const missing = await run("licenses", "reassign", "shop", "s9");
    expect([missing.code, missing.stderr]).toEqual([
      4,
      expect.stringContaining("`voxctl licenses list acme`"),
    ]);
    const children = await run("orgs", "delete", "acme", "--yes");
    expect(children.stderr).toContain("`voxctl orgs delete acme --cascade`");
    const customer = ["--type", "customer", "--name", "C", "--parent", "acme", "--external-id", "c"];
    const created = await run("orgs", "create", ...customer, "--license", "s9");
    expect(created.stderr).toContain("`voxctl licenses list acme`");
  });

  test("only `licenses upsert` reports how many licenses an MSP has", async () => {
    const { run } = await distributor();
    expect((await run("licenses", "upsert", "acme", "s4")).stderr).toContain("acme now has 5 licenses");
    expect((await run("licenses", "disable", "acme", "s4")).stderr).not.toContain("licenses");
  });

  test("`licenses upsert` reports no license count if the response omits unchanged licenses", async () => {
    const { runWith, emulator } = await distributor();
    const overrides = reshapeResponses(emulator, ({ method }, { body }) =>
      method === "PATCH"
        ? {
            body: {
              data: body.data.filter((row: { externalLicenseId: string }) => row.externalLicenseId === "s4"),
            },
          }
        : undefined,
    );
    const ran = await runWith({ overrides }, "--profile", "offline", "licenses", "upsert", "acme", "s4");
    expect([ran.code, ran.json.length, ran.stderr]).toEqual([0, 1, ""]);
  });

  test("`licenses disable` shows only the license that it disabled", async () => {
    const { run } = await distributor();
    const { json } = await run("licenses", "disable", "acme", "s3");
    expect(json).toEqual([
      expect.objectContaining({ externalLicenseId: "s3", status: "disabled", assignedOrganizationId: null }),
    ]);
  });

  test("`orgs create` suggests another license or external ID if one is in use", async () => {
    const { run } = await distributor();
    const create = (...argv: string[]) =>
      run("orgs", "create", "--type", "customer", "--name", "C", "--parent", "acme", ...argv);
    const license = await create("--external-id", "c", "--license", "s1");
    expect([license.code, license.stderr]).toEqual([
      6,
      expect.stringContaining(
        "hint: use a different license; to list an MSP's licenses, run `voxctl licenses list acme`",
      ),
    ]);
    const externalId = await create("--external-id", "shop", "--license", "s3");
    expect(externalId.stderr).toContain("hint: use a different external ID\n");
  });

  test("`licenses disable` refuses a license that does not exist", async () => {
    const { run } = await distributor();
    const refused = await run("licenses", "disable", "acme", "s4");
    expect(refused.code).toBe(4);
    expect((await run("licenses", "list", "acme")).json).toHaveLength(4);
  });
});

describe("usage and billing", () => {
  test("[v2.usage holds refuses] [v2.billing holds refuses] only table output has a totals row", async () => {
    const { run, emulator, shop, bakery, msp } = await distributor();
    await callOf(emulator, shop.id, 30);
    await callOf(emulator, bakery.id, 100);
    const days = ["--from", "2026-02-01", "--to", "2026-02-28"];
    const table = await run("usage", ...days, "-o", "table");
    expect(table.stdout.trim().split("\n").at(-1)).toMatch(/^TOTAL +2 +130 +160$/);
    expect((await run("usage", ...days)).json).toHaveLength(2);
    expect((await run("usage", ...days, "--organization", "shop")).json).toEqual([
      {
        organizationId: shop.id,
        externalOrganizationId: "shop",
        date: "2026-02-10",
        calls: 1,
        durationSeconds: 30,
        billableSeconds: 60,
      },
    ]);
    expect((await run("usage", "--to", "2026-02-28")).json).toHaveLength(2);
    expect((await run("usage", "--to", "2026-03-01")).json).toEqual([]);
    expect((await run("usage", "--from", "2026-03-01", "--to", "2026-02-01")).code).toBe(5);

    const billing = await run("billing", "acme", "--month", "2026-02", "-o", "table");
    expect(billing.stdout.trim().split("\n").at(-1)).toMatch(/^TOTAL +2 +130 +160$/);
    expect(billing.stderr).toContain("licenses now, including the MSP's own: 3 assigned, 1 available");
    const customer = await run("billing", "shop", "--month", "2026-02", "-o", "table");
    expect(customer.stderr).not.toContain("licenses");
    const csv = (await run("billing", "--month", "2026-02", "-o", "csv")).stdout.trim().split("\n");
    expect(csv).toHaveLength(4);
    expect(csv[2]).toBe(`2026-02,acme,${shop.id},shop,1,30,60,shop`);
    // The summary of one customer also names the MSP that pays.
    const own = (await run("billing", "SHOP", "--month", "2026-02", "-o", "csv")).stdout.trim().split("\n");
    expect(own).toEqual([csv[0], csv[2]]);
    expect((await run("billing", "acme", "--month", "2026-02")).json).toMatchObject({
      organizationId: msp.id,
      totals: { calls: 2, durationSeconds: 130, billableSeconds: 160 },
    });
    expect((await run("billing", "--month", "2026-02")).json).toHaveLength(1);
    expect((await run("billing", "acme", "--month", "February")).code).toBe(2);
    const path = `/organizations/${msp.id}/billing-summary?month=February`;
    expect((await run("api", "GET", path, "--api", "distributor-v2")).code).toBe(5);
  });
});

describe("partners and customers", () => {
  test("[v1.parallel] [v1.plan holds refuses] `customers` and `partners` accept external IDs", async () => {
    const { run } = await distributor();
    const partner = await run("partners", "create", "--external-id", "old", "--name", "Old");
    expect(partner.json).toMatchObject({ externalPartnerId: "old", status: "active" });
    expect((await run("partners", "list")).json).toHaveLength(2);
    const customer = await run(
      "customers",
      "create",
      "--partner",
      "old",
      "--external-id",
      "optician",
      "--name",
      "Optician",
      "--plan",
      "starter",
    );
    expect(customer.json).toMatchObject({ externalCustomerId: "optician", plan: "starter" });
    expect((await run("customers", "list", "--partner", "old")).json).toEqual([customer.json]);
    expect((await run("customers", "list")).code).toBe(2);
    expect((await run("customers", "plan", "optician", "business")).json).toMatchObject({ plan: "business" });
    expect((await run("customers", "plan", "optician", "gold")).code).toBe(5);
    expect((await run("customers", "get", "shop")).json).toMatchObject({
      externalPartnerId: "acme",
      plan: null,
    });
    expect((await run("billing", "--v1", "old")).json).toMatchObject({
      customers: [{ plan: "business" }],
    });
    expect((await run("billing", "--v1", "acme")).code).toBe(4);
    expect((await run("partners", "update", "old", "--name", "New")).json).toMatchObject({ name: "New" });
    expect((await run("partners", "delete", "old", "--yes")).code).toBe(6);
    expect((await run("customers", "delete", "optician", "--yes")).json).toEqual({
      id: "optician",
      deleted: true,
    });
    expect((await run("orgs", "delete", "old", "--yes")).code).toBe(0);
    expect((await run("partners", "get", "old")).json).toMatchObject({ status: "inactive" });
    expect((await run("partners", "delete", "old", "--yes")).code).toBe(0);
    const usage = await run(
      "usage",
      "--v1",
      "--from",
      "2026-02-01",
      "--to",
      "2026-02-28",
      "--organization",
      "acme",
    );
    expect(usage.json).toEqual([]);
  });
});

describe("legacy", () => {
  test("[legacy.call] [legacy.german] [legacy.details] `legacy call` sends only valid calls", async () => {
    const { run, emulator, requests } = await distributor();
    const assistant = await callOf(emulator, emulator.startLine.organization_id, 60);
    const call = (...argv: string[]) =>
      run("legacy", "call", "--assistant", assistant.phone_number ?? "", ...argv);
    const placed = await call("--to", "+4930123456", "--details", "Ask for Ms Ahrens");
    expect(placed.json).toMatchObject({
      assistantPhoneNumber: assistant.phone_number,
      targetPhoneNumber: "+4930123456",
    });
    const sent = (await requests()).length;
    const international = await call("--to", "+43123456789");
    expect(international.code).toBe(2);
    expect(international.stderr).toContain("--to");
    expect((await call("--to", "030 123456")).code).toBe(2);
    expect((await call("--to", "+4930123456", "--details", "so ".repeat(1001))).code).toBe(2);
    expect(await requests()).toHaveLength(sent);
    const refused = await call("--to", "+4930123456", "--max-wait", "0s");
    expect(refused.code).toBe(7);
    // A call that could not be placed is reported as failed, not as unconfirmed.
    await emulator.control("POST", "/faults", { kind: "call_failure" });
    const failed = await call("--to", "+4930123456", "-o", "json");
    expect(failed.code).toBe(9);
    expect(JSON.parse(failed.stderr).error).toMatchObject({ code: "CALL_FAILED", outcome: "none" });
    const unknown = await run("legacy", "call", "--assistant", "+49301000", "--to", "+4930123456");
    expect(unknown.code).toBe(5);
    expect(unknown.stderr).toContain("ASSISTANT_NOT_FOUND");
  });
});

async function deployment(respond: (method: string, path: string) => { status?: number; body: unknown }) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const { status = 200, body } = respond(request.method ?? "", request.url ?? "");
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  return { asked: requests, url: `http://127.0.0.1:${address.port}` };
}

describe("deployments that behave differently", () => {
  const ids = [1, 2, 3].map((number) => `${"0".repeat(23)}${number}`);

  test("`orgs` commands work even if the server ignores filters", async () => {
    const { asked: requests, url } = await deployment(() => ({
      body: {
        status: "success",
        data: [
          { id: ids[0], externalOrganizationId: "acme", extra: 1 },
          { id: ids[1], externalOrganizationId: "twice" },
          { id: ids[2], externalOrganizationId: "twice" },
        ],
      },
    }));
    const shell = commandLine({
      env: { VOXCTL_DISTRIBUTOR_URL: `${url}/api/distributor/v2`, VOXCTL_DISTRIBUTOR_KEY: "k" },
    });
    expect((await shell.run("orgs", "get", "acme")).json).toEqual({
      id: ids[0],
      externalOrganizationId: "acme",
      extra: 1,
    });
    expect((await shell.run("orgs", "get", "twice")).code).toBe(2);
    expect((await shell.run("orgs", "delete", "twice", "--yes")).code).toBe(2);
    expect(requests.every((line) => line.startsWith("GET"))).toBe(true);
  });

  test.each([
    ["flat", { status: "error", errorCode: "NOT_FOUND", message: "gone" }],
    ["nested", { error: { code: "NOT_FOUND", message: "gone" } }],
    ["with code", { status: "error", code: "NOT_FOUND", message: "gone" }],
  ])("[v1.errors.flat] a command reads the code and message from an error body: %s", async (_, body) => {
    const { url } = await deployment(() => ({ status: 404, body }));
    const shell = commandLine({
      env: { VOXCTL_DISTRIBUTOR_V1_URL: `${url}/api/distributor/v1`, VOXCTL_DISTRIBUTOR_V1_KEY: "k" },
    });
    const ran = await shell.run("partners", "get", "acme", "-o", "json");
    expect(ran.code).toBe(4);
    expect(JSON.parse(ran.stderr).error).toMatchObject({ code: "NOT_FOUND", message: "gone" });
  });

  test("a profile can replace the URL path of an operation", async () => {
    const { asked: requests, url } = await deployment(() => ({ body: { status: "success", data: {} } }));
    const shell = commandLine();
    writeFileSync(join(shell.home, "key.txt"), "k");
    mkdirSync(shell.config, { recursive: true });
    writeFileSync(
      join(shell.config, "config.json"),
      JSON.stringify({
        profiles: {
          reseller: {
            kind: "remote",
            surfaces: {
              "distributor-v2": {
                url: `${url}/api/distributor/v2`,
                key: { from: "file", path: join(shell.home, "key.txt") },
              },
            },
            paths: { "orgs.delete": "/organizations/{organizationId}/terminate" },
          },
        },
      }),
    );
    const deleted = await shell.run("--profile", "reseller", "orgs", "delete", ids[0] ?? "", "--yes");
    expect(deleted.code).toBe(0);
    const shown = await shell.run("--profile", "reseller", "orgs", "delete", ids[0] ?? "", "--dry-run");
    expect(shown.json).toMatchObject([{ path: `/organizations/${ids[0]}/terminate` }]);
    expect(requests).toEqual([`DELETE /api/distributor/v2/organizations/${ids[0]}/terminate`]);
  });
});
