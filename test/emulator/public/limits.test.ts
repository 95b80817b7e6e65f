import { expect, it } from "vitest";
import { startTime } from "../../helpers/templates.js";
import { type Reply, type TestEmulator, testOnTransports } from "../../helpers/test-emulator.js";

const startSeconds = Date.parse(startTime) / 1000;

function limitHeaders(reply: Reply) {
  const number = (name: string) => {
    const value = reply.headers.get(name);
    return value === null ? null : Number(value);
  };
  return {
    limit: number("x-ratelimit-limit"),
    remaining: number("x-ratelimit-remaining"),
    reset: number("x-ratelimit-reset"),
    retryAfter: number("retry-after"),
  };
}

const read = (emulator: TestEmulator, key?: string) =>
  emulator.ask("GET", "/ping", key === undefined ? {} : { key });

testOnTransports("limits", (open) => {
  it("[public.limits.read] [public.limits.write] a key has 1000 reads and 200 writes per minute", async () => {
    await using emulator = await open();
    expect(limitHeaders(await read(emulator))).toMatchObject({ limit: 1000, remaining: 999 });
    for (const [method, path, remaining] of [
      ["POST", "/groups", 199],
      ["PATCH", "/groups/x", 198],
      ["DELETE", "/contacts/x", 197],
    ] as const) {
      expect(limitHeaders(await emulator.ask(method, path))).toMatchObject({ limit: 200, remaining });
    }
    expect(limitHeaders(await emulator.ask("GET", "/contacts"))).toMatchObject({
      limit: 1000,
      remaining: 998,
    });
  });

  it("[public.limits.write holds refuses] [public.errors.2a holds refuses] a 201st write fails", async () => {
    await using emulator = await open();
    const group_id = await emulator.groupId("contacts");
    const create = () => emulator.ask("POST", "/contacts", { body: { group_id, first_name: "Ada" } });
    for (let count = 1; count < 200; count += 1) await create();
    expect((await create()).status).toBe(201);
    const refused = await create();
    expect([refused.status, refused.body.error.code]).toEqual([429, "rate_limit_exceeded"]);
    expect(limitHeaders(refused)).toEqual({
      limit: 200,
      remaining: 0,
      reset: startSeconds + 60,
      retryAfter: 60,
    });
    expect(refused.headers.get("x-emulator-rule")).toBe("public.errors.2a");
    const { counts } = await emulator.control("GET", "/status");
    expect(counts.contacts).toBe(200);
    expect((await read(emulator)).status).toBe(200);
  });

  it("[public.limits.2] responses have three limit headers, and only a 429 has Retry-After", async () => {
    await using emulator = await open();
    const replies = [
      await read(emulator),
      await emulator.ask("POST", "/groups", { body: { type: "contacts", name: "N" } }),
      await emulator.ask("POST", "/groups", { body: { type: "contacts", name: "N" } }),
      await emulator.ask("POST", "/groups", { body: {} }),
      await emulator.ask("GET", "/groups/0123456789abcdef01234567"),
      await emulator.ask("POST", "/groups", { key: emulator.keys.viewer, body: {} }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 201, 409, 400, 404, 403]);
    for (const reply of replies) {
      const { limit, remaining, reset, retryAfter } = limitHeaders(reply);
      expect(limit).toBeGreaterThan(0);
      expect(remaining).toBeLessThan(limit ?? 0);
      expect(reset).toBe(startSeconds + 60);
      expect(retryAfter).toBeNull();
    }
  });

  it("[public.limits.3] 401s, 402s and unmatched routes have no limit headers and don't count", async () => {
    await using emulator = await open({ limits: { read: 1 } });
    const { organization_id } = emulator.instance.startLine;
    const replies = [
      await read(emulator, "wrong"),
      await emulator.ask("GET", "/nowhere"),
      await emulator.ask("PUT", "/ping"),
    ];
    await emulator.control("PATCH", `/organizations/${organization_id}`, { features: [] });
    replies.push(await read(emulator));
    await emulator.control("PATCH", `/organizations/${organization_id}`, { features: ["public_api"] });
    expect(replies.map(({ status }) => status)).toEqual([401, 404, 404, 402]);
    for (const reply of replies) {
      expect(limitHeaders(reply)).toEqual({ limit: null, remaining: null, reset: null, retryAfter: null });
    }
    expect((await read(emulator)).status).toBe(200);
    expect((await read(emulator)).status).toBe(429);
  });

  // plain-words: allow title-long
  it("[public.errors.3 holds refuses] [public.errors.2b holds refuses] [public.limits.3] a 429 while the limiter is down has no limit headers", async () => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: "limiter_down", times: 2 });
    for (let count = 0; count < 2; count += 1) {
      const refused = await emulator.ask("POST", "/groups", { body: { type: "contacts", name: "N" } });
      expect([refused.status, refused.body.error.code]).toEqual([429, "rate_limit_exceeded"]);
      expect(limitHeaders(refused)).toEqual({ limit: null, remaining: null, reset: null, retryAfter: null });
      expect(refused.headers.get("x-emulator-rule")).toBe("public.errors.3");
    }
    const created = await emulator.ask("POST", "/groups", { body: { type: "contacts", name: "N" } });
    expect([created.status, limitHeaders(created).remaining]).toEqual([201, 199]);
  });

  it("[public.limits.per-key holds refuses] each key has its own count", async () => {
    await using emulator = await open({ limits: { read: 2 } });
    for (const key of [emulator.keys.admin, emulator.keys.viewer, emulator.keys.legacy]) {
      expect(limitHeaders(await read(emulator, key)).remaining).toBe(1);
      expect(limitHeaders(await read(emulator, key)).remaining).toBe(0);
      expect((await read(emulator, key)).status).toBe(429);
    }
  });

  it("[public.limits.override holds refuses] a deployment's limits replace the defaults", async () => {
    await using emulator = await open({ limits: { read: 3, write: 4 } });
    expect(limitHeaders(await read(emulator))).toMatchObject({ limit: 3, remaining: 2 });
    expect(limitHeaders(await emulator.ask("POST", "/groups"))).toMatchObject({ limit: 4, remaining: 3 });
    const { id, key } = await emulator.control("POST", "/keys", { kind: "public", limits: { read: 1 } });
    expect(limitHeaders(await read(emulator, key))).toMatchObject({ limit: 1, remaining: 0 });
    expect((await read(emulator, key)).status).toBe(429);
    expect(limitHeaders(await emulator.ask("POST", "/groups", { key })).limit).toBe(4);
    await emulator.control("PATCH", `/keys/${id}`, { limits: { read: 5 } });
    expect(limitHeaders(await read(emulator, key))).toMatchObject({ limit: 5, remaining: 3 });
    await emulator.control("PATCH", `/keys/${id}`, { limits: null });
    expect(limitHeaders(await read(emulator, key))).toMatchObject({ limit: 3, remaining: 0 });
  });

  it("[D-window] a fixed window starts with its first counted request", async () => {
    await using emulator = await open({ limits: { read: 2 } });
    await emulator.advance(17.4);
    expect(limitHeaders(await read(emulator)).reset).toBe(startSeconds + 78);
    await emulator.advance(59);
    expect((await read(emulator)).status).toBe(200);
    await emulator.advance(0.999);
    const refused = await read(emulator);
    expect([refused.status, limitHeaders(refused).retryAfter]).toEqual([429, 1]);
    await emulator.advance(0.001);
    // The next window starts with the next request, not at the end of the previous window.
    expect(limitHeaders(await read(emulator))).toMatchObject({ remaining: 1, reset: startSeconds + 138 });
    await emulator.advance(1000);
    expect(limitHeaders(await read(emulator))).toMatchObject({ remaining: 1, reset: startSeconds + 1138 });
  });

  it("[D-window] Retry-After is in whole seconds and at least 1", async () => {
    await using emulator = await open({ limits: { read: 1 } });
    await read(emulator);
    for (const [advance, retryAfter] of [
      [0, 60],
      [0.001, 60],
      [0.998, 60],
      [0.001, 59],
      [57.5, 2],
      [1.499, 1],
    ] as const) {
      await emulator.advance(advance);
      const refused = await read(emulator);
      expect([advance, refused.status, limitHeaders(refused)]).toEqual([
        advance,
        429,
        { limit: 1, remaining: 0, reset: startSeconds + 60, retryAfter },
      ]);
    }
    await emulator.advance(0.001);
    expect((await read(emulator)).status).toBe(200);
  });

  it("[D-window] a limit of 0 refuses every request, with the limit's headers", async () => {
    await using emulator = await open({ limits: { read: 0 } });
    for (let count = 0; count < 2; count += 1) {
      const refused = await read(emulator);
      expect([refused.status, limitHeaders(refused)]).toEqual([
        429,
        { limit: 0, remaining: 0, reset: startSeconds + 60, retryAfter: 60 },
      ]);
    }
  });

  it("[D-window] a request after the time in Retry-After is accepted", async () => {
    await using emulator = await open({ limits: { read: 1 }, startTime: "2026-03-02T09:00:00.637Z" });
    await read(emulator);
    await emulator.advance(12.3);
    const { retryAfter, reset } = limitHeaders(await read(emulator));
    expect((reset ?? 0) * 1000).toBeGreaterThanOrEqual(Date.parse("2026-03-02T09:01:00.637Z"));
    await emulator.advance(retryAfter ?? 0);
    expect((await read(emulator)).status).toBe(200);
  });
});
