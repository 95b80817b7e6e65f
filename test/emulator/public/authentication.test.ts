import { expect, it } from "vitest";
import { createContact, createOtherOrganization } from "../../helpers/records.js";
import { type TestEmulator, testOnTransports } from "../../helpers/test-emulator.js";

/** One request per operation, with the operation's required permission. */
const requests = [
  ["GET", "/contacts", "contacts:read"],
  ["POST", "/contacts", "contacts:write"],
  ["GET", "/contacts/{id}", "contacts:read"],
  ["PATCH", "/contacts/{id}", "contacts:write"],
  ["DELETE", "/contacts/{id}", "contacts:delete"],
  ["GET", "/groups", "groups:read"],
  ["POST", "/groups", "groups:write"],
  ["GET", "/groups/{id}", "groups:read"],
  ["PATCH", "/groups/{id}", "groups:write"],
  ["DELETE", "/groups/{id}", "groups:delete"],
] as const;

async function send(emulator: TestEmulator, method: string, path: string, key: string) {
  const body = method === "POST" || method === "PATCH" ? { body: { nothing: "known" } } : {};
  return emulator.ask(method, path.replace("{id}", "0123456789abcdef01234567"), { key, ...body });
}

testOnTransports("authentication", (open) => {
  it.each<[string, string | undefined]>([
    ["a missing header", undefined],
    ["an unknown key", "Bearer abcdefghijklmnopqrstuvwxyz0123456789-_ABCDE"],
    ["another scheme", "Basic YTpi"],
    ["the key without the word Bearer", "KEY"],
    ["Bearer without a key", "Bearer "],
    ["a second key", "Bearer KEY KEY"],
    ["a key and more text", "Bearer KEYx"],
  ])(
    "[public.auth.1 refuses] [public.auth.4 refuses] %s causes a 401 with WWW-Authenticate",
    async (_name, header) => {
      await using emulator = await open();
      const authorization = header?.replaceAll("KEY", emulator.keys.admin);
      for (const path of ["/ping", "/contacts"]) {
        const reply = await emulator.ask("GET", path, {
          key: null,
          ...(authorization !== undefined && { headers: { authorization } }),
        });
        expect([reply.status, reply.body.error.code]).toEqual([401, "unauthorized"]);
        expect(reply.headers.get("www-authenticate")).toBe("Bearer");
        expect(reply.headers.get("x-emulator-rule")).toBe("public.auth.4");
      }
    },
  );

  it("[public.auth.2 holds refuses] a key gives access only to its own organization", async () => {
    await using emulator = await open();
    const { key } = await createOtherOrganization(emulator);
    const { id } = await createContact(emulator);
    expect((await emulator.ask("GET", "/contacts", { key })).body.data).toEqual([]);
    expect((await emulator.ask("GET", `/contacts/${id}`, { key })).status).toBe(404);
    expect((await emulator.ask("GET", `/contacts/${id}`)).status).toBe(200);
    expect((await emulator.ask("GET", "/contacts")).body.data).toHaveLength(1);
  });

  it("[public.auth.3] [D-keys] a key has 43 characters, preceded by vak_ in a legacy key", async () => {
    await using emulator = await open();
    const created = await emulator.control("POST", "/keys", { kind: "public" });
    const legacy = await emulator.control("POST", "/keys", { kind: "legacy" });
    for (const key of [emulator.keys.admin, created.key]) expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
    for (const key of [emulator.keys.legacy, legacy.key]) expect(key).toMatch(/^vak_[A-Za-z0-9_-]{43}$/);
    for (const key of [created.key, legacy.key, emulator.keys.legacy]) {
      expect((await emulator.ask("GET", "/contacts", { key })).status).toBe(200);
    }
    // A key is invalid with an added prefix, or without its own prefix.
    expect((await emulator.ask("GET", "/ping", { key: `vak_${emulator.keys.admin}` })).status).toBe(401);
    expect((await emulator.ask("GET", "/ping", { key: emulator.keys.legacy.slice(4) })).status).toBe(401);
  });

  it("[D-keys] requests with keys of distributors and OAuth users return 401", async () => {
    await using emulator = await open();
    const oauth = await emulator.control("POST", "/keys", { kind: "oauth" });
    for (const key of [oauth.key, emulator.keys.distributor_v1, emulator.keys.distributor_v2]) {
      expect((await emulator.ask("GET", "/ping", { key })).status).toBe(401);
    }
  });

  it("[D-keys] [public.auth.4 holds refuses] a revoked key causes a 401 until it is active again", async () => {
    await using emulator = await open();
    const { id, key } = await emulator.control("POST", "/keys", { kind: "public" });
    const status = async () => (await emulator.ask("GET", "/ping", { key })).status;
    expect(await status()).toBe(200);
    await emulator.control("PATCH", `/keys/${id}`, { status: "revoked" });
    expect(await status()).toBe(401);
    await emulator.control("PATCH", `/keys/${id}`, { status: "active" });
    expect(await status()).toBe(200);
    await emulator.control("DELETE", `/keys/${id}`);
    expect(await status()).toBe(401);
  });

  it("[D-keys] a key is valid until the moment it expires", async () => {
    await using emulator = await open();
    const { id, key } = await emulator.control("POST", "/keys", {
      kind: "public",
      expires_at: "2026-03-02T10:00:00+00:30",
    });
    const status = async () => (await emulator.ask("GET", "/ping", { key })).status;
    await emulator.advance(29 * 60 + 59.999);
    expect(await status()).toBe(200);
    await emulator.advance(0.001);
    expect(await status()).toBe(401);
    await emulator.control("PATCH", `/keys/${id}`, { expires_at: null });
    expect(await status()).toBe(200);
  });

  it("[public.auth.5 refuses] [D-roles] each role has its permissions on every route", async () => {
    await using emulator = await open();
    const allowed = {
      admin: () => true,
      editor: () => true,
      caller: (permission: string) => permission.endsWith(":read"),
      viewer: (permission: string) => permission.endsWith(":read"),
    };
    for (const role of ["admin", "editor", "caller", "viewer"] as const) {
      for (const [method, path, permission] of requests) {
        const reply = await send(emulator, method, path, emulator.keys[role]);
        const expected = allowed[role](permission);
        expect([role, method, path, reply.status !== 403]).toEqual([role, method, path, expected]);
        if (expected) continue;
        expect(reply.body.error.code).toBe("forbidden");
        expect(reply.headers.get("x-emulator-rule")).toBe("public.auth.5");
      }
      expect((await emulator.ask("GET", "/ping", { key: emulator.keys[role] })).status).toBe(200);
    }
  });

  it("[D-roles] a list of permissions replaces the role and allows exactly its entries", async () => {
    await using emulator = await open();
    for (const [, , granted] of requests) {
      const { key } = await emulator.control("POST", "/keys", {
        kind: "public",
        role: "admin",
        permissions: [granted],
      });
      for (const [method, path, permission] of requests) {
        const reply = await send(emulator, method, path, key);
        expect([granted, method, path, reply.status !== 403]).toEqual([
          granted,
          method,
          path,
          granted === permission,
        ]);
      }
    }
  });

  // plain-words: allow title-long
  it("[public.auth.6 holds refuses] [D-features] requests return 402 without the `public_api` feature", async () => {
    await using emulator = await open();
    const { organization_id } = emulator.instance.startLine;
    await emulator.control("PATCH", `/organizations/${organization_id}`, { features: ["public_api"] });
    expect((await emulator.ask("GET", "/contacts")).status).toBe(200);
    await emulator.control("PATCH", `/organizations/${organization_id}`, {
      features: ["outbound_calls", "knowledge"],
    });
    for (const [method, path] of [["GET", "/ping"] as const, ...requests]) {
      const reply = await send(emulator, method, path, emulator.keys.admin);
      expect([path, reply.status, reply.body.error.code]).toEqual([path, 402, "subscription_required"]);
      expect(reply.headers.get("x-emulator-rule")).toBe("public.auth.6");
    }
  });

  it("[D-features holds refuses] a blocked organization gets a 402 until it is active again", async () => {
    await using emulator = await open();
    const { organization_id } = emulator.instance.startLine;
    const otherOrganization = await createOtherOrganization(emulator);
    await emulator.control("PATCH", `/organizations/${organization_id}`, { status: "blocked" });
    for (const [method, path] of [["GET", "/ping"] as const, ...requests]) {
      const reply = await send(emulator, method, path, emulator.keys.admin);
      expect([path, reply.status, reply.headers.get("x-emulator-rule")]).toEqual([path, 402, "D-features"]);
    }
    expect((await emulator.ask("GET", "/ping", { key: otherOrganization.key })).status).toBe(200);
    await emulator.control("PATCH", `/organizations/${organization_id}`, { status: "active" });
    expect((await emulator.ask("GET", "/ping")).status).toBe(200);
  });

  it("[D-org] [D-features] a new organization has all features except prompt_rating", async () => {
    await using emulator = await open();
    const usual = await emulator.control("POST", "/organizations", {});
    expect([...usual.features].sort()).toEqual([
      "knowledge",
      "mcp",
      "outbound_calls",
      "public_api",
      "statistics",
    ]);
    expect(usual.status).toBe("active");
    const bare = await emulator.control("POST", "/organizations", { name: "Bare", features: [] });
    expect(bare).toMatchObject({ name: "Bare", features: [] });
    const { key } = await emulator.control("POST", "/keys", { kind: "public", organization_id: bare.id });
    expect((await emulator.ask("GET", "/ping", { key })).status).toBe(402);
  });
});
