import { describe, expect, it } from "vitest";
import type { Attempt, Sent } from "../../src/client/attempt.js";
import { refuse } from "../../src/client/observing.js";
import { createBucket } from "../../src/client/pacing.js";
import { type History, judge } from "../../src/client/retry.js";
import type { ClientEvent, ClientOptions } from "../../src/client/types.js";
import { catchError, created, createLimitedService, createRefusal, createStage, key } from "./fakes.js";

const whole = process.env["PROOF"] !== undefined;
const create = { body: { group_id: "0123456789abcdef01234567", first_name: "Ada" } };

describe("a 429 from the rate limiter", () => {
  it("[public.errors.2a] the client waits for Retry-After and repeats the write", async () => {
    const { client, seen, waits, events } = createStage([createRefusal({ "retry-after": "12" }), created]);
    await client.call("contacts.create", create);
    expect(seen).toHaveLength(2);
    expect(waits()).toEqual([12_000]);
    const cause = "the service requires this wait";
    expect(events).toContainEqual({ type: "wait", milliseconds: 12_000, reason: "limit", cause });
  });

  it("the wait event reports that the service specified no wait time", async () => {
    const { client, events } = createStage([createRefusal({}), created]);
    await client.call("contacts.create", create);
    const cause = "the service specified no wait time";
    expect(events).toContainEqual(expect.objectContaining({ type: "wait", reason: "limit", cause }));
  });

  it("the wait until X-RateLimit-Reset is measured from the server's Date, not the local clock", async () => {
    const date = "Mon, 02 Mar 2020 09:00:00 GMT";
    const reset = String(Date.parse(date) / 1000 + 7);
    const { client, waits } = createStage([
      createRefusal({
        date,
        "x-ratelimit-limit": "200",
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": reset,
      }),
      created,
    ]);
    await client.call("contacts.create", create);
    expect(waits()[0]).toBe(7_000);
    expect(waits().reduce((sum, wait) => sum + wait)).toBeLessThanOrEqual(7_100);
  });

  it("the wait until a date in Retry-After is measured from the response's Date", async () => {
    const { client, waits } = createStage([
      createRefusal({
        date: "Mon, 02 Mar 2020 09:00:00 GMT",
        "retry-after": "Mon, 02 Mar 2020 09:00:05 GMT",
      }),
      created,
    ]);
    await client.call("contacts.create", create);
    expect(waits()).toEqual([5_000]);
  });

  it("[public.errors.2b] [T12] the client retries a 429 without a wait time up to 3 times", async () => {
    const { client, seen, waits } = createStage([
      createRefusal({}),
      createRefusal({}),
      createRefusal({}),
      created,
    ]);
    await client.call("contacts.create", create);
    expect(waits()).toEqual([1050, 2100, 56_850]);
    expect((seen[3]?.at ?? 0) - (seen[0]?.at ?? 0)).toBe(60_000);
  });

  describe("a 429 with only X-RateLimit-Reset", () => {
    const at = Date.UTC(2026, 2, 2, 9);
    /** `Reset` is 10 s away by the machine's clock, but `byDate` seconds away by the response's `Date`. */
    const refusal = (byDate: number) =>
      createRefusal({
        date: new Date(at + 10_000 - byDate * 1000).toUTCString(),
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": String(at / 1000 + 10),
      });

    it.each([
      [40, 10_000],
      [4, 4_000],
      [7_210, 10_000],
      [-7_190, 10_000],
    ])(
      "[T12] the client waits the shortest plausible time if X-RateLimit-Reset is %i s after Date",
      async (byDate, wait) => {
        const { client, waits } = createStage([refusal(byDate), created]);
        await client.call("contacts.create", create);
        expect(waits()[0]).toBe(wait);
      },
    );

    it("[T12] the client increases its wait each time a wait was too short", () => {
      const state = createBucket({ limit: 200, windowSeconds: 60 });
      const waited: number[] = [];
      let now = 0;
      for (const left of [10, 6, 5]) {
        const limits = { remaining: 0, reset: at / 1000 + left, date: at / 1000 - 12 };
        state.refusedAt = [];
        const observed = { limits, declaresEnd: true, begunAt: now, receivedAt: now, wall: at };
        const { milliseconds } = refuse(state, observed, 0);
        waited.push(milliseconds);
        now += milliseconds;
      }
      expect(waited).toEqual([10_000, 18_000, 34_000]);
    });
  });

  it("[T12] a long Retry-After blocks other requests for at most one documented window", () => {
    const state = createBucket({ limit: 200, windowSeconds: 60 });
    const wait = refuse(
      state,
      {
        limits: { retryAfterMilliseconds: 7_200_000 },
        declaresEnd: true,
        begunAt: 0,
        receivedAt: 0,
        wall: 0,
      },
      0,
    );
    expect(wait).toEqual({ milliseconds: 7_200_000, hasDeclaredTime: true });
    expect(state.blockedUntil).toBe(60_000);
    expect(state.windowMilliseconds).toBe(60_000);
  });

  it("a 429 is a retryable error if the wait would be longer than the maximum", async () => {
    const { client, seen } = createStage([createRefusal({ "retry-after": "61" })]);
    const error = await catchError(client.call("contacts.create", create));
    expect(error).toMatchObject({
      type: "rate_limit",
      code: "rate_limit_exceeded",
      status: 429,
      retryable: true,
      outcome: "none",
      retryAfterMilliseconds: 61_000,
    });
    expect(seen).toHaveLength(1);
  });

  it("all waits of a request count toward the maximum wait", async () => {
    const { client, waits } = createStage([createRefusal({ "retry-after": "25" })]);
    expect(await catchError(client.call("contacts.create", create))).toMatchObject({ type: "rate_limit" });
    expect(waits()).toEqual([25_000, 25_000]);
  });

  it("if no maximum is set, the client waits until the end of the window", async () => {
    const refusals = Array.from({ length: 20 }, () => createRefusal({ "retry-after": "60" }));
    const { client, seen } = createStage([...refusals, created], {
      maxWaitMilliseconds: Number.POSITIVE_INFINITY,
    });
    await client.call("contacts.create", create);
    expect(seen).toHaveLength(21);
  });

  it("a 429 immediately causes an error if no wait is allowed", async () => {
    const { client, waits } = createStage([createRefusal({})]);
    const error = await catchError(client.call("contacts.create", create, { maxWaitMilliseconds: 0 }));
    expect(error).toMatchObject({ type: "rate_limit", outcome: "none" });
    expect(waits()).toEqual([]);
  });

  it("a read is repeated three times if the 429 contains no wait time", async () => {
    const { client, seen } = createStage([createRefusal({})]);
    expect(await catchError(client.call("ping"))).toMatchObject({ type: "rate_limit", retryable: true });
    expect(seen).toHaveLength(4);
  });

  it("[dist.limits.3] a write is repeated after a 503 of the distributor API's limiter", async () => {
    const down = {
      status: 503,
      body: { status: "error", errorCode: "RATE_LIMIT_UNAVAILABLE", message: "down" },
    };
    const { client, seen } = createStage([down, { body: { status: "success", data: {} } }], {
      targets: { "distributor-v2": { baseUrl: "https://api.example.org/api/distributor/v2", key } },
    });
    await client.request({ api: "distributor-v2", method: "POST", rawPath: "/organizations", body: {} });
    expect(seen).toHaveLength(2);
  });

  it("[T13] two refusals with the same Date show that an emulator's clock is stopped", async () => {
    const date = "Mon, 02 Mar 2026 09:00:00 GMT";
    const frozen = createRefusal({ date, "retry-after": "3", "x-emulator-world": "w1" });
    const { client, seen } = createStage([frozen]);
    const error = await catchError(client.call("contacts.create", create));
    expect(error).toMatchObject({ type: "rate_limit", retryable: true, outcome: "none" });
    expect(error.hint).toContain("voxctl emulator clock +60s");
    expect(seen).toHaveLength(2);
  });

  it("[T13] two refusals with the same Date from another service cause normal waits", async () => {
    const date = "Mon, 02 Mar 2026 09:00:00 GMT";
    const refusal = createRefusal({ date, "retry-after": "1" });
    const { client, waits } = createStage([refusal, refusal, created]);
    await client.call("contacts.create", create);
    expect(waits()).toEqual([1_000, 1_000]);
  });

  it("a wait ends if its signal is aborted", async () => {
    const controller = new AbortController();
    const { client } = createStage([createRefusal({ "retry-after": "3" })], {
      onEvent: (event) => {
        if (event.type === "wait") controller.abort(new Error("Ctrl-C"));
      },
    });
    await expect(client.call("contacts.create", create, { signal: controller.signal })).rejects.toThrow(
      "Ctrl-C",
    );
  });
});

describe("a 429 during the call cooldown", () => {
  // Tests only the retry policy; no request is sent.
  const sent: Sent = { api: "public", mutation: true, triggersCall: true, maxWaitMilliseconds: 60_000 };
  const first: History = { failures: 0, blindRefusals: 0, waitedMilliseconds: 0 };
  const now = { now: 0, draw: () => 0 };
  const declared = { ...now, refusal: { milliseconds: 17_000, hasDeclaredTime: true } };
  const createCooldown = (headers: Record<string, string> = {}): Attempt => ({
    type: "answered",
    status: 429,
    headers: { date: "Mon, 02 Mar 2026 09:00:00 GMT", ...headers },
    text: JSON.stringify(createRefusal({}).body),
    body: undefined,
  });
  const inAnHour = {
    "x-ratelimit-limit": "60",
    "x-ratelimit-remaining": "58",
    "x-ratelimit-reset": String(Date.UTC(2026, 2, 2, 10) / 1000),
  };

  it.each([{}, inAnHour])(
    "[public.errors.2a] during a cooldown, the client waits 60 s, not until the reset: %j",
    (headers) => {
      const verdict = judge(createCooldown(headers), sent, first, now);
      expect(verdict).toMatchObject({ type: "wait", milliseconds: 60_000, reason: "limit" });
    },
  );

  it("[T12] during a cooldown without Retry-After, the client waits at least a minute", () => {
    const usedUp = { ...inAnHour, "x-ratelimit-remaining": "0" };
    const refusal = { milliseconds: 4_000, hasDeclaredTime: true };
    expect(judge(createCooldown(usedUp), sent, first, { ...now, refusal })).toMatchObject({
      milliseconds: 60_000,
    });
  });

  it("if no wait is allowed, the error states how long the cooldown lasts", () => {
    const verdict = judge(createCooldown(inAnHour), { ...sent, maxWaitMilliseconds: 0 }, first, now);
    expect(verdict).toMatchObject({
      type: "fail",
      error: { type: "rate_limit", outcome: "none", retryAfterMilliseconds: 60_000 },
    });
  });

  it("the maximum wait for a cooldown is separate from the maximum wait for the rate limit", () => {
    const bounded = { ...sent, maxCooldownMilliseconds: 0 };
    const refused = judge(createCooldown(inAnHour), bounded, first, now);
    expect(refused).toMatchObject({ type: "fail", error: { type: "rate_limit", cooldown: true } });
    const usedUp = judge(createCooldown({ ...inAnHour, "retry-after": "17" }), bounded, first, declared);
    expect(usedUp).toMatchObject({ type: "wait", milliseconds: 17_000 });
  });

  it("[public.errors.3] a 429 that is caused by a limiter failure is not treated as a cooldown", () => {
    const refused = judge(createCooldown(), { ...sent, maxCooldownMilliseconds: 0 }, first, now);
    expect(refused).toMatchObject({ type: "fail", error: { type: "rate_limit", cooldown: false } });
  });

  it("[D-legacy-limit] during a legacy API cooldown, the client waits for the Retry-After time", () => {
    const verdict = judge(
      createCooldown({ "retry-after": "17" }),
      { ...sent, api: "legacy" },
      first,
      declared,
    );
    expect(verdict).toMatchObject({ type: "wait", milliseconds: 17_000 });
  });
});

describe("pacing of requests", () => {
  it("the client sends requests without waiting until the limit is reached", async () => {
    const { client, waits, seen } = createStage([created]);
    for (let index = 0; index < 200; index += 1) await client.call("contacts.create", create);
    expect(seen).toHaveLength(200);
    expect(waits()).toEqual([]);
  });

  it("[public.limits.write] the contract's limit applies before any response declares a limit", async () => {
    const service = createLimitedService({ limit: 200, headers: false });
    const client = service.client();
    expect(client.remaining("contacts.create")).toBe(200);
    for (let index = 0; index < 201; index += 1) await client.call("contacts.create", create);
    expect(service.refusals()).toBe(0);
  });

  it("[public.limits.2] the client waits until the window ends, to prevent a refusal", async () => {
    for (const latency of [0, 40]) {
      const service = createLimitedService({ limit: 20, before: 3, latency });
      const client = service.client();
      for (let index = 0; index < 100; index += 1) await client.call("contacts.create", create);
      expect(service.refusals()).toBe(0);
      // Five windows are sufficient, and no wait is much longer than its window.
      expect((service.times.at(-1) ?? 0) - (service.times[0] ?? 0)).toBeLessThan(5 * 61_500);
    }
  });

  it("the client takes the remaining limit from the last response", async () => {
    const service = createLimitedService({ limit: 200, before: 120 });
    const client = service.client();
    await client.call("contacts.create", create);
    expect(client.remaining("contacts.create")).toBe(79);
  });

  it("[public.limits.per-key] the client counts reads and writes separately for each key", async () => {
    const service = createLimitedService({ limit: 1 });
    const client = service.client();
    await client.call("contacts.create", create);
    expect(client.remaining("contacts.create")).toBe(0);
    expect(client.remaining("groups.delete")).toBe(0);
    expect(client.remaining("contacts.list")).toBe(1000);
  });

  it("the client doesn't send a request if the wait would be too long", async () => {
    const service = createLimitedService({ limit: 1 });
    const client = service.client({ maxWaitMilliseconds: 5_000 });
    await client.call("contacts.create", create);
    const error = await catchError(client.call("contacts.create", create));
    expect(error).toMatchObject({ type: "rate_limit", outcome: "none", retryable: true, status: undefined });
    expect(error.retryAfterMilliseconds).toBeGreaterThan(55_000);
    expect(service.times).toHaveLength(1);
  });

  it("several requests in flight stay within the declared limit", async () => {
    const service = createLimitedService({ limit: 30, before: 5 });
    const client = service.client({ maxWaitMilliseconds: Number.POSITIVE_INFINITY });
    await client.call("contacts.create", create);
    await Promise.all(Array.from({ length: 80 }, () => client.call("contacts.create", create)));
    expect(service.refusals()).toBe(0);
  });

  it("two clients share their request counts through a ledger that contains no keys", async () => {
    const service = createLimitedService({ limit: 200, before: 50 });
    const states = new Map<string, unknown>();
    const ledger: NonNullable<ClientOptions["ledger"]> = {
      update(bucket, step) {
        const known = states.get(bucket);
        const { state, result } = step(known === undefined ? undefined : structuredClone(known as never));
        states.set(bucket, JSON.parse(JSON.stringify(state)));
        return result;
      },
    };
    await service.client({ ledger }).call("contacts.create", create);
    expect(service.client({ ledger }).remaining("contacts.create")).toBe(149);
    expect(JSON.stringify([...states])).not.toContain(key);
  });
});

describe("pacing of a bulk run", () => {
  async function run(service: ReturnType<typeof createLimitedService>, rows: number, expected = rows) {
    const events: ClientEvent[] = [];
    const client = service.client({
      maxWaitMilliseconds: Number.POSITIVE_INFINITY,
      onEvent: (event) => events.push(event),
    });
    const pace = client.paced("contacts.create", { expected });
    for (let row = 0; row < rows; row += 1) {
      const turn = await pace.turn();
      await client.call("contacts.create", create, { turn });
    }
    const [first = 0] = service.times;
    return {
      duration: (service.times.at(-1) ?? 0) - first,
      refusals: service.refusals(),
      events,
      client,
      pace,
    };
  }

  const count = whole ? 1_000 : 300;
  it.each(whole ? [0, 1, 2, 17] : [0, 2])(
    `a bulk run takes at most ${0.306 * count} s for ${count} writes after %i other writes`,
    async (before) => {
      for (const latency of whole ? [0, 15] : [15]) {
        const { duration, refusals } = await run(
          createLimitedService({ limit: 200, before, latency }),
          count,
        );
        expect(refusals).toBe(0);
        expect(duration).toBeLessThanOrEqual(306 * count);
        expect(duration).toBeGreaterThanOrEqual(299 * count);
      }
    },
  );

  /** The limit is 200 writes per minute, of which two are reserved for other clients. */
  const spacing = 60_000 / 198;

  it("a run that would exceed the limit spaces its requests evenly", async () => {
    const service = createLimitedService({ limit: 200 });
    const { pace } = await run(service, 100, 1000);
    const gaps = service.times.slice(1).map((time, index) => time - (service.times[index] ?? 0));
    for (const gap of gaps) expect(gap).toBeCloseTo(spacing, 2);
    expect(pace.intervalMilliseconds).toBe(spacing);
  });

  it("a run with spaced requests keeps its schedule even if requests are slow", async () => {
    const service = createLimitedService({ limit: 200, latency: 120 });
    const { duration } = await run(service, 100, 1000);
    expect(duration).toBeCloseTo(99 * spacing, 0);
  });

  it("a run doesn't space its requests if at least 10 remain in the rate-limit window", async () => {
    const service = createLimitedService({ limit: 200 });
    const { duration, pace } = await run(service, 190);
    expect(duration).toBe(0);
    expect(pace.intervalMilliseconds).toBe(0);
  });

  it("100 concurrent requests cause fewer than 115 updates of the ledger", async () => {
    const service = createLimitedService({ limit: 200 });
    let steps = 0;
    const states = new Map<string, unknown>();
    const ledger: NonNullable<ClientOptions["ledger"]> = {
      update(bucket, step) {
        steps += 1;
        const { state, result } = step(states.get(bucket) as never);
        states.set(bucket, state);
        return result;
      },
    };
    const client = service.client({ ledger });
    await client.call("contacts.create", create);
    const pace = client.paced("contacts.create", { expected: 100 });
    steps = 0;
    for (let round = 0; round < 5; round += 1) {
      const turns = [];
      for (let request = 0; request < 20; request += 1) turns.push(await pace.turn());
      await Promise.all(turns.map((turn) => client.call("contacts.create", create, { turn })));
    }
    expect(steps).toBeLessThan(115);
    expect(client.remaining("contacts.create")).toBe(99);
  });

  it("a run spaces all its requests if fewer than 10 would remain in the window", async () => {
    const { duration } = await run(createLimitedService({ limit: 200 }), 191);
    expect(duration).toBeCloseTo(190 * spacing, 0);
  });

  it("requests are spaced as soon as a response shows that the run exceeds the window's limit", async () => {
    const service = createLimitedService({ limit: 200, before: 150 });
    const { duration, refusals } = await run(service, 100);
    expect(refusals).toBe(0);
    expect(duration).toBeGreaterThan(29_000);
  });

  it("a run changes its pace if the service declares a different limit", async () => {
    const service = createLimitedService({ limit: 20 });
    const { pace, refusals } = await run(service, 30);
    expect(pace.intervalMilliseconds).toBeCloseTo(60_000 / 18);
    expect(refusals).toBe(0);
  });

  it("requests are no longer spaced once the declared limit suffices for the run", async () => {
    const service = createLimitedService({ limit: 2000 });
    const { pace, duration, refusals } = await run(service, 1000);
    expect(pace.intervalMilliseconds).toBe(0);
    expect(duration).toBe(0);
    expect(refusals).toBe(0);
  });

  it("requests stay spaced while the declared limit alternates between 200 and 190", async () => {
    const service = createLimitedService({ limit: 200 });
    const client = service.client({ maxWaitMilliseconds: Number.POSITIVE_INFINITY });
    const pace = client.paced("contacts.create", { expected: 300 });
    for (let row = 0; row < 300; row += 1) {
      service.declare(row % 2 === 0 ? 200 : 190);
      await client.call("contacts.create", create, { turn: await pace.turn() });
      expect(pace.intervalMilliseconds).toBeGreaterThan(0);
    }
    expect(service.refusals()).toBe(0);
  });

  it("a run with spaced requests is never refused while other clients also write", async () => {
    const service = createLimitedService({ limit: 200 });
    const client = service.client({ maxWaitMilliseconds: Number.POSITIVE_INFINITY });
    const pace = client.paced("contacts.create", { expected: 600 });
    for (let row = 0; row < 600; row += 1) {
      await client.call("contacts.create", create, { turn: await pace.turn() });
      if (row % 50 === 25) service.others(5);
    }
    expect(service.refusals()).toBe(0);
  });

  it("a bulk run can release a reserved request that it has not sent", async () => {
    const service = createLimitedService({ limit: 200, before: 100 });
    const { client, pace } = await run(service, 1);
    expect(client.remaining("contacts.create")).toBe(99);
    const turn = await pace.turn();
    expect(client.remaining("contacts.create")).toBe(98);
    turn.release();
    turn.release();
    expect(client.remaining("contacts.create")).toBe(99);
  });

  it("a reservation covers only one request", async () => {
    const service = createLimitedService({ limit: 2 });
    const client = service.client({ maxWaitMilliseconds: 0 });
    const turn = await client.paced("contacts.create", { expected: 1 }).turn();
    await client.call("contacts.create", create, { turn });
    await client.call("contacts.create", create, { turn });
    expect(await catchError(client.call("contacts.create", create, { turn }))).toMatchObject({
      type: "rate_limit",
    });
  });
});
