import { expect, it } from "vitest";
import { unknownId } from "../../helpers/records.js";
import { type TestEmulator, testOnTransports } from "../../helpers/test-emulator.js";

/** The possible failures of renaming a group, in the order of the checks (D-order). */
const stages = [
  { wrong: "route", status: 404, rule: "D-order", limited: false },
  { wrong: "key", status: 401, rule: "public.auth.4", limited: false },
  { wrong: "gate", status: 402, rule: "D-features", limited: false },
  { wrong: "limit", status: 429, rule: "public.errors.2a", limited: true },
  { wrong: "permission", status: 403, rule: "public.auth.5", limited: true },
  { wrong: "id", status: 400, rule: "public.general.7", limited: true },
  { wrong: "body", status: 400, rule: "D-strict", limited: true },
  { wrong: "existence", status: 404, rule: "public.errors.4", limited: true },
  { wrong: "state", status: 409, rule: "D-group", limited: true },
] as const;
type Wrong = (typeof stages)[number]["wrong"];

async function rename(emulator: TestEmulator, wrong: readonly Wrong[]) {
  const has = (what: Wrong) => wrong.includes(what);
  const organization = await emulator.control("POST", "/organizations", {});
  const owner = await emulator.control("POST", "/keys", { kind: "public", organization_id: organization.id });
  const group = (
    await emulator.ask("POST", "/groups", { key: owner.key, body: { type: "contacts", name: "Customers" } })
  ).body.data;
  const created = await emulator.control("POST", "/keys", {
    kind: "public",
    organization_id: organization.id,
    role: has("permission") ? "viewer" : "admin",
    limits: has("limit") ? { write: 0 } : {},
  });
  if (has("gate"))
    await emulator.control("PATCH", `/organizations/${organization.id}`, { status: "blocked" });
  const id = has("id") ? "NONE" : has("existence") ? unknownId : group.id;
  return emulator.ask("PATCH", `/groups/${id}${has("route") ? "/more" : ""}`, {
    key: has("key") ? `${created.key}x` : created.key,
    body: { name: has("state") ? "Default" : "Clients", ...(has("body") && { colour: "blue" }) },
  });
}

testOnTransports("the order of the checks", (open) => {
  it("[D-order] a request changes the resource if every check passes", async () => {
    await using emulator = await open();
    const reply = await rename(emulator, []);
    expect([reply.status, reply.body.data.name]).toEqual([200, "Clients"]);
  });

  it.each(stages)(
    "[D-order] [public.limits.3] [D-window] a failed $wrong check returns $status ($rule)",
    async (stage) => {
      await using emulator = await open();
      const reply = await rename(emulator, [stage.wrong]);
      expect([reply.status, reply.headers.get("x-emulator-rule")]).toEqual([stage.status, stage.rule]);
      for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]) {
        expect([name, reply.headers.has(name)]).toEqual([name, stage.limited]);
      }
    },
  );

  const pairs = stages.flatMap((first, index) =>
    stages.slice(index + 1).map((second) => ({ first: first.wrong, second: second.wrong, ...first })),
  );
  it.each(pairs)(
    "[D-order] the $first check takes precedence over the $second check",
    async ({ first, second, status, rule }) => {
      await using emulator = await open();
      const reply = await rename(emulator, [first, second]);
      expect([reply.status, reply.headers.get("x-emulator-rule")]).toEqual([status, rule]);
    },
  );

  it("[D-order] if several checks fail, the first one determines the response", async () => {
    await using emulator = await open();
    const all = stages.map((stage) => stage.wrong);
    for (const [index, { status, rule }] of stages.entries()) {
      const reply = await rename(emulator, all.slice(index));
      expect([reply.status, reply.headers.get("x-emulator-rule")]).toEqual([status, rule]);
    }
  });

  it("[D-order] a missing permission takes precedence over a malformed query", async () => {
    await using emulator = await open();
    const viewerless = await emulator.control("POST", "/keys", { kind: "public", permissions: [] });
    expect((await emulator.ask("GET", "/contacts?limit=0", { key: viewerless.key })).status).toBe(403);
    expect((await emulator.ask("GET", "/contacts?limit=0")).status).toBe(400);
  });

  it("[D-order] a reference is checked after the resource itself", async () => {
    await using emulator = await open();
    const missing = await emulator.ask("PATCH", `/contacts/${unknownId}`, { body: { group_id: unknownId } });
    expect(missing.headers.get("x-emulator-rule")).toBe("public.errors.4");
  });

  it("[D-order] a request that the limiter allows is counted even if it fails", async () => {
    await using emulator = await open();
    const { key } = await emulator.control("POST", "/keys", { kind: "public", role: "viewer" });
    const remaining = async (...request: Parameters<typeof emulator.ask>) =>
      (await emulator.ask(...request)).headers.get("x-ratelimit-remaining");
    expect(await remaining("POST", "/groups", { key, body: {} })).toBe("199");
    expect(await remaining("POST", "/groups", { key: `${key}x`, body: {} })).toBeNull();
    expect(await remaining("PUT", "/groups", { key, body: {} })).toBeNull();
    expect(await remaining("DELETE", "/groups/NONE", { key })).toBe("198");
    expect(await remaining("GET", "/groups/NONE", { key })).toBe("999");
    expect(await remaining("GET", `/groups/${unknownId}`, { key })).toBe("998");
    expect(await remaining("GET", "/groups?limit=x", { key })).toBe("997");
  });
});
