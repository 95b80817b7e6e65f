import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Emulator, openEmulator } from "../../../src/emulator/index.js";
import {
  createCustomer,
  createMsp,
  createOrganizationKey,
  distributorV2,
  readLicenseStates,
  readOrganization,
  upsertLicenses,
} from "../../helpers/distributor.js";
import { unknownId } from "../../helpers/records.js";
import { startTime } from "../../helpers/templates.js";
import { testOnTransports } from "../../helpers/test-emulator.js";

testOnTransports("distributor v2: licenses", (open) => {
  it("[v2.licenses.upsert] [v2.license.states] an upsert creates and updates licenses", async () => {
    await using emulator = await open();
    const msp = await createMsp(emulator, "acme");
    const updated = await distributorV2(emulator)("PATCH", `/organizations/${msp.id}/licenses`, {
      body: {
        licenses: [
          { externalLicenseId: "s1", product: "Seat" },
          { externalLicenseId: "s2", status: "disabled" },
          { externalLicenseId: "acme-0", product: "Base" },
        ],
      },
    });
    expect(updated.status).toBe(200);
    const owner = { ownerOrganizationId: msp.id };
    expect(updated.body).toEqual({
      status: "success",
      data: [
        {
          externalLicenseId: "acme-0",
          product: "Base",
          status: "assigned",
          ...owner,
          assignedOrganizationId: msp.id,
        },
        {
          externalLicenseId: "s1",
          product: "Seat",
          status: "available",
          ...owner,
          assignedOrganizationId: null,
        },
        {
          externalLicenseId: "s2",
          product: null,
          status: "disabled",
          ...owner,
          assignedOrganizationId: null,
        },
      ],
    });
    expect(await upsertLicenses(emulator, msp.id, [{ externalLicenseId: "s1" }])).toEqual(updated.body.data);
  });

  it("[v2.licenses.upsert holds refuses] another MSP's license makes the whole request fail", async () => {
    await using emulator = await open();
    const msp = await createMsp(emulator, "one");
    await createMsp(emulator, "two", ["two-1"]);
    const refused = await distributorV2(emulator)("PATCH", `/organizations/${msp.id}/licenses`, {
      body: {
        licenses: [
          { externalLicenseId: "new" },
          { externalLicenseId: "one-0", status: "disabled" },
          { externalLicenseId: "two-1" },
        ],
      },
    });
    expect(refused.status).toBe(409);
    expect(refused.body.errorCode).toBe("LICENSE_NOT_AVAILABLE");
    expect(await readLicenseStates(emulator, msp.id)).toEqual({ "one-0": "assigned" });
    expect(await readOrganization(emulator, msp.id)).toMatchObject({ status: "active" });
  });

  it("[v2.licenses.upsert holds refuses] [D-v2-licenses holds refuses] customers own no licenses", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const msp = await createMsp(emulator, "acme", ["s1"]);
    const customer = await createCustomer(emulator, msp.id, "shop", "s1");
    const upsert = (id: string, license: object) =>
      v2("PATCH", `/organizations/${id}/licenses`, { body: { licenses: [license] } });
    expect(await upsert(customer.id, { externalLicenseId: "x" })).toMatchObject({
      status: 400,
      body: { errorCode: "VALIDATION_ERROR" },
    });
    expect(await upsert(unknownId, { externalLicenseId: "x" })).toMatchObject({
      status: 404,
      body: { errorCode: "NOT_FOUND" },
    });
    expect(await upsert(msp.id, { externalLicenseId: "x", status: "assigned" })).toMatchObject({
      status: 400,
    });
    expect(await upsert(msp.id, { externalLicenseId: "a b" })).toMatchObject({
      status: 400,
      body: { errorCode: "VALIDATION_ERROR" },
    });
  });

  it("[v2.license.disable holds refuses] [D-v2-licenses] disabling a license blocks its holder", async () => {
    await using emulator = await open();
    const msp = await createMsp(emulator, "acme", ["s1"]);
    const customer = await createCustomer(emulator, msp.id, "shop", "s1");
    const key = await createOrganizationKey(emulator, customer.id);
    const ping = async () => (await emulator.ask("GET", "/ping", { key })).status;
    expect(await ping()).toBe(200);

    await upsertLicenses(emulator, msp.id, [{ externalLicenseId: "s1", status: "disabled" }]);
    expect(await ping()).toBe(402);
    expect(await readOrganization(emulator, customer.id)).toMatchObject({
      status: "blocked",
      blockedReason: "license_disabled",
      externalLicenseId: "s1",
    });
    expect(await readOrganization(emulator, msp.id)).toMatchObject({ status: "active" });

    await upsertLicenses(emulator, msp.id, [{ externalLicenseId: "s1", status: "available" }]);
    expect(await ping()).toBe(200);
    expect(await readLicenseStates(emulator, msp.id)).toMatchObject({ s1: "assigned" });
    expect(await readOrganization(emulator, customer.id)).toMatchObject({
      status: "active",
      blockedReason: null,
    });
  });

  it("[v2.license.states] D-v2-licenses: requesting `available` for a license in use is ignored", async () => {
    await using emulator = await open();
    const msp = await createMsp(emulator, "acme");
    await upsertLicenses(emulator, msp.id, [{ externalLicenseId: "acme-0", status: "available" }]);
    expect(await readLicenseStates(emulator, msp.id)).toEqual({ "acme-0": "assigned" });
  });

  it("[v2.license.reassign] reassigning makes the previous license available again", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const msp = await createMsp(emulator, "acme", ["s1", "s2"]);
    const customer = await createCustomer(emulator, msp.id, "shop", "s1");
    await emulator.advance(5);
    const moved = await v2("PATCH", `/organizations/${customer.id}/license`, {
      body: { externalLicenseId: "s2" },
    });
    expect(moved.status).toBe(200);
    expect(moved.body.data).toMatchObject({ id: customer.id, externalLicenseId: "s2", status: "active" });
    // A new license also changes the organization's `updatedAt` (D-v2-org).
    expect(moved.body.data).toMatchObject({ createdAt: startTime, updatedAt: "2026-03-02T09:00:05.000Z" });
    expect(await readLicenseStates(emulator, msp.id)).toMatchObject({ s1: "available", s2: "assigned" });
  });

  it("[v2.license.reassign] D-v2-reassign: a new license activates a blocked organization", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const msp = await createMsp(emulator, "acme", ["s1", "s2"]);
    const customer = await createCustomer(emulator, msp.id, "shop", "s1");
    const key = await createOrganizationKey(emulator, customer.id);
    await upsertLicenses(emulator, msp.id, [{ externalLicenseId: "s1", status: "disabled" }]);
    const moved = await v2("PATCH", `/organizations/${customer.id}/license`, {
      body: { externalLicenseId: "s2" },
    });
    expect(moved.body.data).toMatchObject({ status: "active", blockedReason: null });
    expect((await emulator.ask("GET", "/ping", { key })).status).toBe(200);
    expect(await readLicenseStates(emulator, msp.id)).toMatchObject({ s1: "disabled", s2: "assigned" });
    // A license without a holder is available once it is enabled.
    await upsertLicenses(emulator, msp.id, [{ externalLicenseId: "s1", status: "available" }]);
    expect(await readLicenseStates(emulator, msp.id)).toMatchObject({ s1: "available" });
  });

  it("[v2.license.reassign] an MSP can switch to another license that it owns", async () => {
    await using emulator = await open();
    const msp = await createMsp(emulator, "acme", ["s1"]);
    await distributorV2(emulator)("PATCH", `/organizations/${msp.id}/license`, {
      body: { externalLicenseId: "s1" },
    });
    expect(await readLicenseStates(emulator, msp.id)).toEqual({ "acme-0": "available", s1: "assigned" });
  });

  it.each([
    ["the organization's own license", "s1", 409, "LICENSE_NOT_AVAILABLE"],
    ["a license in use", "acme-0", 409, "LICENSE_NOT_AVAILABLE"],
    ["a disabled license", "off", 409, "LICENSE_NOT_AVAILABLE"],
    ["another MSP's license", "other-0", 404, "LICENSE_NOT_FOUND"],
    ["an unknown license", "none", 404, "LICENSE_NOT_FOUND"],
    ["a malformed license ID", "a b", 400, "VALIDATION_ERROR"],
  ])(
    "[v2.license.reassign refuses] [D-v2-reassign refuses] reassigning %s is refused",
    async (_, externalLicenseId, status, code) => {
      await using emulator = await open();
      const msp = await createMsp(emulator, "acme", ["s1", "off"]);
      await createMsp(emulator, "other");
      await upsertLicenses(emulator, msp.id, [{ externalLicenseId: "off", status: "disabled" }]);
      const customer = await createCustomer(emulator, msp.id, "shop", "s1");
      const refused = await distributorV2(emulator)("PATCH", `/organizations/${customer.id}/license`, {
        body: { externalLicenseId },
      });
      expect(refused.status).toBe(status);
      expect(refused.body.errorCode).toBe(code);
      expect(await readOrganization(emulator, customer.id)).toMatchObject({ externalLicenseId: "s1" });
    },
  );

  it("[v2.license.delete] a disabled license stays disabled when its blocked customer is deleted", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const msp = await createMsp(emulator, "acme", ["s1"]);
    const customer = await createCustomer(emulator, msp.id, "shop", "s1");
    await upsertLicenses(emulator, msp.id, [{ externalLicenseId: "s1", status: "disabled" }]);
    await v2("DELETE", `/organizations/${customer.id}`);
    expect(await readLicenseStates(emulator, msp.id)).toMatchObject({ s1: "disabled" });
  });
});

describe("a database that two emulators share", () => {
  // plain-words: allow title-long
  it("[v2.license.disable holds refuses concurrency] [v2.create.customer holds refuses concurrency] disabling a license immediately blocks its holder's keys in both APIs", async () => {
    const folder = mkdtempSync(join(tmpdir(), "voxctl-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const options = { db: join(folder, "world.db"), clock: "virtual", startTime } as const;
    await using first = await openEmulator(options);
    await using second = await openEmulator(options);
    const key = first.startLine.keys.distributor_v2;
    const ask = async (emulator: Emulator, method: string, path: string, body?: object, bearer = key) => {
      const response = await emulator.fetch(
        new Request(`http://emulator.localhost/api${path}`, {
          method,
          headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
          ...(body ? { body: JSON.stringify(body) } : {}),
        }),
      );
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
      return { status: response.status, body: (await response.json()) as any };
    };
    const msp = (
      await ask(first, "POST", "/distributor/v2/organizations", {
        type: "msp",
        name: "Acme",
        externalOrganizationId: "acme",
        license: { externalLicenseId: "base" },
      })
    ).body.data;
    const upsert = (emulator: Emulator, status?: string) =>
      ask(emulator, "PATCH", `/distributor/v2/organizations/${msp.id}/licenses`, {
        licenses: [{ externalLicenseId: "seat", status }],
      });
    await upsert(first);
    const create = (emulator: Emulator, externalOrganizationId: string) =>
      ask(emulator, "POST", "/distributor/v2/organizations", {
        type: "customer",
        name: "Racer",
        parentOrganizationId: msp.id,
        externalOrganizationId,
        externalLicenseId: "seat",
      });
    const race = await Promise.all([create(first, "a"), create(second, "b")]);
    expect(race.map(({ status }) => status).sort()).toEqual([201, 409]);
    const winner = race.find(({ status }) => status === 201)?.body.data;
    const created = await first.control("POST", "/keys", { kind: "public", organization_id: winner.id });
    const opened = (created as { key: string }).key;
    const pings = async () => [
      (await ask(first, "GET", "/v1/ping", undefined, opened)).status,
      (await ask(second, "GET", "/v1/ping", undefined, opened)).status,
    ];
    expect(await pings()).toEqual([200, 200]);
    await upsert(second, "disabled");
    expect(await pings()).toEqual([402, 402]);
    await upsert(first, "available");
    expect(await pings()).toEqual([200, 200]);
    await ask(second, "DELETE", `/distributor/v2/organizations/${winner.id}`);
    expect(await pings()).toEqual([401, 401]);
  });
});
