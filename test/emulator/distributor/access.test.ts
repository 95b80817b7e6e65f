import { expect, it } from "vitest";
import { createMsp, distributorV1, distributorV2 } from "../../helpers/distributor.js";
import { startTime } from "../../helpers/templates.js";
import { testOnTransports } from "../../helpers/test-emulator.js";

const startSeconds = Date.parse(startTime) / 1000;

testOnTransports("distributor keys and limits", (open) => {
  it("[dist.auth.missing refuses] [v1.errors.flat] [D-v2-envelope] an unknown key is refused", async () => {
    await using emulator = await open();
    for (const [ask, path] of [
      [distributorV1(emulator), "/partners"],
      [distributorV2(emulator), "/usage"],
    ] as const) {
      const missing = await ask("GET", path, { key: null });
      expect(missing.status).toBe(401);
      expect(missing.body).toEqual({
        status: "error",
        errorCode: "MISSING_API_KEY",
        message: expect.any(String),
      });
      expect(missing.headers.get("www-authenticate")).toBe("Bearer");
      expect(missing.headers.get("retry-after")).toBeNull();
      const malformed = await ask("GET", path, {
        key: null,
        headers: { authorization: emulator.keys.distributor_v2 },
      });
      expect(malformed.body.errorCode).toBe("MISSING_API_KEY");
      const unknown = await ask("GET", path, { key: "nobody" });
      expect(unknown).toMatchObject({ status: 401, body: { errorCode: "INVALID_API_KEY" } });
    }
  });

  it("[dist.auth.missing refuses] distributor APIs refuse organization keys, and vice versa", async () => {
    await using emulator = await open();
    const refused = await distributorV2(emulator)("GET", "/organizations", { key: emulator.keys.admin });
    expect(refused.body.errorCode).toBe("INVALID_API_KEY");
    expect((await emulator.ask("GET", "/ping", { key: emulator.keys.distributor_v2 })).status).toBe(401);
  });

  it("[dist.auth.missing holds refuses] a revoked key is invalid until it is reactivated", async () => {
    await using emulator = await open();
    const created = await emulator.control("POST", "/keys", { kind: "distributor" });
    const ask = () => distributorV2(emulator)("GET", "/organizations", { key: created.key });
    expect((await ask()).status).toBe(200);
    await emulator.control("PATCH", `/keys/${created.id}`, { status: "revoked" });
    expect((await ask()).body.errorCode).toBe("INVALID_API_KEY");
    await emulator.control("PATCH", `/keys/${created.id}`, { status: "active" });
    expect((await ask()).status).toBe(200);
  });

  it("[dist.auth.expired holds refuses] a key expires after 365 days by default", async () => {
    await using emulator = await open();
    const { key: forever } = await emulator.control("POST", "/keys", {
      kind: "distributor",
      expires_at: null,
    });
    const v2 = distributorV2(emulator);
    const days = 86_400;
    await emulator.advance(365 * days - 1);
    expect((await v2("GET", "/organizations")).status).toBe(200);
    await emulator.advance(1);
    const expired = await v2("GET", "/organizations");
    expect(expired).toMatchObject({ status: 401, body: { errorCode: "API_KEY_EXPIRED" } });
    expect((await v2("GET", "/organizations", { key: forever })).status).toBe(200);
  });

  it("[dist.auth.version holds refuses] a key for the other API version is refused", async () => {
    await using emulator = await open();
    const crossed = [
      await distributorV2(emulator)("GET", "/organizations", { key: emulator.keys.distributor_v1 }),
      await distributorV1(emulator)("GET", "/partners", { key: emulator.keys.distributor_v2 }),
    ];
    for (const refused of crossed) {
      expect(refused).toMatchObject({ status: 403, body: { errorCode: "API_VERSION_NOT_ALLOWED" } });
      expect(refused.headers.get("retry-after")).toBeNull();
      expect(refused.headers.get("x-ratelimit-reset")).toBeNull();
    }
    const both = await emulator.control("POST", "/keys", { kind: "distributor", versions: ["v1", "v2"] });
    expect((await distributorV2(emulator)("GET", "/organizations", { key: both.key })).status).toBe(200);
    expect((await distributorV1(emulator)("GET", "/partners", { key: both.key })).status).toBe(200);
  });

  it.each([
    ["v2", "GET", "/organizations", "organizations:read"],
    ["v2", "GET", "/organizations/tree", "organizations:read"],
    ["v2", "POST", "/organizations", "organizations:write"],
    ["v2", "DELETE", "/organizations/x", "organizations:delete"],
    ["v2", "PATCH", "/organizations/x/licenses", "licenses:write"],
    ["v2", "PATCH", "/organizations/x/license", "licenses:write"],
    ["v2", "GET", "/usage", "usage:read"],
    ["v2", "GET", "/organizations/x/billing-summary", "billing:read"],
    ["v1", "GET", "/partners", "partners:read"],
    ["v1", "POST", "/partners", "partners:write"],
    ["v1", "GET", "/partners/p", "partners:read"],
    ["v1", "PATCH", "/partners/p", "partners:write"],
    ["v1", "DELETE", "/partners/p", "partners:delete"],
    ["v1", "GET", "/partners/p/customers", "customers:read"],
    ["v1", "POST", "/partners/p/customers", "customers:write"],
    ["v1", "GET", "/customers/c", "customers:read"],
    ["v1", "DELETE", "/customers/c", "customers:delete"],
    ["v1", "PUT", "/customers/c/plan", "customers:write"],
    ["v1", "GET", "/usage", "usage:read"],
    ["v1", "GET", "/partners/p/billing", "billing:read"],
  ])(
    // plain-words: allow title-long
    "[dist.auth.permission holds refuses] [D-v1-permissions] [D-v2-permissions] the %s request %s %s requires the permission %s",
    async (version, method, path, permission) => {
      await using emulator = await open();
      const every = ["organizations", "licenses", "usage", "billing", "partners", "customers"].flatMap(
        (area) => ["read", "write", "delete"].map((action) => `${area}:${action}`),
      );
      const make = (permissions: string[]) =>
        emulator.control("POST", "/keys", { kind: "distributor", permissions });
      const ask = version === "v2" ? distributorV2(emulator) : distributorV1(emulator);
      const without = await make(every.filter((name) => name !== permission));
      const refused = await ask(method, path, { key: without.key });
      expect(refused).toMatchObject({ status: 403, body: { errorCode: "MISSING_PERMISSION" } });
      expect(refused.headers.get("retry-after")).not.toBeNull();
      const only = await make([permission]);
      expect((await ask(method, path, { key: only.key })).status).not.toBe(403);
    },
  );

  it("[dist.limits.1 holds refuses] [dist.limits.4 holds refuses] the 61st request is refused", async () => {
    await using emulator = await open();
    const { key } = await emulator.control("POST", "/keys", { kind: "distributor" });
    const v1 = distributorV1(emulator);
    const v2 = distributorV2(emulator);
    for (let count = 0; count < 30; count += 1) {
      expect((await v2("GET", "/organizations", { key })).status).toBe(200);
      // A request also counts if a later check refuses it.
      expect((await v1("GET", "/customers/nobody", { key })).status).toBe(404);
    }
    await emulator.advance(20);
    const refused = await v2("GET", "/organizations/tree", { key });
    expect(refused).toMatchObject({ status: 429, body: { errorCode: "RATE_LIMITED" } });
    expect(refused.headers.get("retry-after")).toBe("40");
    expect(refused.headers.get("x-ratelimit-reset")).toBe(String(startSeconds + 60));
    expect((await v2("GET", "/organizations")).status).toBe(200);
    await emulator.advance(39);
    expect((await v2("GET", "/organizations", { key })).status).toBe(429);
    await emulator.advance(1);
    expect((await v2("GET", "/organizations", { key })).status).toBe(200);
  });

  it("[dist.limits.1 holds refuses] a key's own limit overrides the deployment's limit", async () => {
    await using emulator = await open({ limits: { distributor: 2 } });
    const own = await emulator.control("POST", "/keys", { kind: "distributor", limits: { distributor: 3 } });
    const v2 = distributorV2(emulator);
    const count = async (key: string) => {
      let passed = 0;
      while ((await v2("GET", "/organizations", { key })).status === 200) passed += 1;
      return passed;
    };
    expect(await count(emulator.keys.distributor_v2)).toBe(2);
    expect(await count(own.key)).toBe(3);
  });

  it("[dist.limits.2] every authenticated response has Retry-After and X-RateLimit-Reset", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const headers = async (path: string) => {
      const { headers: all } = await v2("GET", path);
      return [all.get("retry-after"), all.get("x-ratelimit-reset")];
    };
    expect(await headers("/organizations")).toEqual(["60", String(startSeconds + 60)]);
    await emulator.advance(45);
    expect(await headers("/organizations?limit=0")).toEqual(["15", String(startSeconds + 60)]);
    await emulator.advance(15);
    expect(await headers("/organizations/tree")).toEqual(["60", String(startSeconds + 120)]);
  });

  it("[dist.limits.3 refuses] both APIs return 503 while the limiter's store is down", async () => {
    await using emulator = await open();
    const fault = await emulator.control("POST", "/faults", { kind: "limiter_down" });
    const refused = [
      await distributorV2(emulator)("POST", "/organizations", {
        body: { type: "msp", name: "A", externalOrganizationId: "a", license: { externalLicenseId: "l" } },
      }),
      await distributorV1(emulator)("GET", "/partners"),
    ];
    for (const refusal of refused) {
      expect(refusal).toMatchObject({ status: 503, body: { errorCode: "RATE_LIMIT_UNAVAILABLE" } });
      expect(refusal.headers.get("x-ratelimit-reset")).toBeNull();
    }
    await emulator.control("DELETE", `/faults/${fault.id}`);
    expect((await distributorV2(emulator)("GET", "/organizations")).body.data).toEqual([]);
  });

  it("[v1.health] [dist.limits.1] /health of v1 needs no key and has no limit", async () => {
    await using emulator = await open({ limits: { distributor: 1 } });
    await emulator.control("POST", "/faults", { kind: "limiter_down" });
    for (let count = 0; count < 5; count += 1) {
      const health = await distributorV1(emulator)("GET", "/health", { key: null });
      expect(health.status).toBe(200);
      expect(health.body).toEqual({ status: "ok", version: expect.any(String), timestamp: startTime });
      expect(health.headers.get("x-ratelimit-reset")).toBeNull();
    }
  });

  it("D-v2-order: a failure after execution returns INTERNAL_ERROR and keeps the changes", async () => {
    await using emulator = await open();
    const fault = await emulator.control("POST", "/faults", {
      kind: "error_after",
      operation: "orgs.create",
    });
    const failed = await distributorV2(emulator)("POST", "/organizations", {
      body: { type: "msp", name: "A", externalOrganizationId: "a", license: { externalLicenseId: "l" } },
    });
    expect(failed).toMatchObject({ status: 500, body: { errorCode: "INTERNAL_ERROR" } });
    await emulator.control("DELETE", `/faults/${fault.id}`);
    expect((await distributorV2(emulator)("GET", "/organizations")).body.data).toHaveLength(1);
    await createMsp(emulator, "b");
  });
});
