import { expect, it } from "vitest";
import { createAssistant, legacy } from "../../helpers/distributor.js";
import { createOtherOrganization } from "../../helpers/records.js";
import { startTime } from "../../helpers/templates.js";
import { type TestEmulator, testOnBothTransports } from "../../helpers/test-emulator.js";

const target = "+4930123456";

async function callable(emulator: TestEmulator) {
  const assistant = await createAssistant(emulator, emulator.keys.admin);
  const call = (fields: object = {}, key = emulator.keys.legacy) =>
    legacy(emulator)("POST", "/outbound/call", {
      key,
      body: { assistantPhoneNumber: assistant.phone_number, targetPhoneNumber: target, ...fields },
    });
  return { assistant, call };
}

testOnBothTransports("legacy API", (open) => {
  it("[legacy.call] a request with the assistant's number creates a call in the Public API", async () => {
    await using emulator = await open();
    const { assistant, call } = await callable(emulator);
    const triggered = await call({ details: "Ask for Ms Ahrens" });
    expect(triggered.status).toBe(200);
    expect(triggered.body).toEqual({
      status: "success",
      data: {
        callId: expect.stringMatching(/^[a-f0-9]{24}$/),
        assistantPhoneNumber: assistant.phone_number,
        targetPhoneNumber: target,
        timestamp: startTime,
      },
    });
    const detail = await emulator.ask("GET", `/calls/${triggered.body.data.callId}`);
    expect(detail.body.data).toMatchObject({ status: "queued", to: target, details: "Ask for Ms Ahrens" });
  });

  it("[legacy.assistant holds refuses] an unknown assistant number causes ASSISTANT_NOT_FOUND", async () => {
    await using emulator = await open();
    const { call } = await callable(emulator);
    const unknown = await call({ assistantPhoneNumber: "+49301000" });
    expect(unknown).toMatchObject({ status: 400, body: { status: "error", code: "ASSISTANT_NOT_FOUND" } });
    const { key } = await createOtherOrganization(emulator);
    expect(await call({}, key)).toMatchObject({ status: 400, body: { code: "ASSISTANT_NOT_FOUND" } });
    expect((await call({})).status).toBeLessThan(300);
  });

  it.each(["4930123456", "+49 30 123456", "+49301", "030123456", ""])(
    "[legacy.phone-format holds refuses] the number %j causes INVALID_PHONE_FORMAT",
    async (number) => {
      await using emulator = await open();
      const { call } = await callable(emulator);
      for (const field of ["assistantPhoneNumber", "targetPhoneNumber"]) {
        const refused = await call({ [field]: number });
        expect(refused).toMatchObject({ status: 400, body: { code: "INVALID_PHONE_FORMAT" } });
        expect(refused.headers.get("x-emulator-rule")).toBe("legacy.phone-format");
      }
      expect((await call({})).status).toBeLessThan(300);
    },
  );

  it("[legacy.german refuses] a non-German number is refused before the assistant is checked", async () => {
    await using emulator = await open();
    const { call } = await callable(emulator);
    for (const assistant of [{}, { assistantPhoneNumber: "+49301000" }]) {
      const refused = await call({ targetPhoneNumber: "+43123456789", ...assistant });
      expect(refused).toMatchObject({ status: 400, body: { code: "INVALID_TARGET_NUMBER" } });
    }
  });

  it("[legacy.details holds refuses] [D-legacy-words] more than 1,000 words are refused", async () => {
    await using emulator = await open();
    const { call } = await callable(emulator);
    const words = (count: number) => Array.from({ length: count }, () => "so").join("\n ");
    const refused = await call({ details: words(1_001) });
    expect(refused).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
    expect(refused.headers.get("x-emulator-rule")).toBe("legacy.details");
    expect((await call({ details: words(1_000) })).status).toBe(200);
  });

  it("[D-text holds refuses] details that are too long or can't be stored cause VALIDATION_ERROR", async () => {
    await using emulator = await open();
    const { call } = await callable(emulator);
    for (const details of ["a\u0000b", "a\ud800b", "d".repeat(100_001)]) {
      const refused = await call({ details });
      expect(refused).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
      expect(refused.headers.get("x-emulator-rule")).toBe("D-text");
    }
    expect((await call({ details: "d".repeat(100_000) })).status).toBe(200);
  });

  it("[legacy.call] missing, mistyped and unknown fields cause VALIDATION_ERROR", async () => {
    await using emulator = await open();
    const { call } = await callable(emulator);
    for (const fields of [
      { targetPhoneNumber: undefined },
      { assistantPhoneNumber: undefined },
      { targetPhoneNumber: 4930123456 },
      { details: 7 },
      { assistant_id: "x" },
    ]) {
      expect(await call(fields)).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
    }
  });

  it("[legacy.health] [D-legacy-health] /health returns status, version and time for any key", async () => {
    await using emulator = await open();
    const health = await legacy(emulator)("GET", "/health");
    expect(health.status).toBe(200);
    expect(health.body).toEqual({ status: "ok", version: expect.any(String), timestamp: startTime });
    expect((await legacy(emulator)("GET", "/health", { key: null })).status).toBe(401);
  });

  it("[legacy.auth refuses] a missing or invalid key returns MISSING_API_KEY or INVALID_API_KEY", async () => {
    await using emulator = await open();
    const ask = legacy(emulator);
    const missing = await ask("GET", "/health", { key: null });
    expect(missing).toMatchObject({ status: 401, body: { status: "error", code: "MISSING_API_KEY" } });
    const malformed = await ask("GET", "/health", { headers: { authorization: "Basic abc" } });
    expect(malformed.body.code).toBe("MISSING_API_KEY");
    const revoked = await emulator.control("POST", "/keys", { kind: "legacy" });
    await emulator.control("PATCH", `/keys/${revoked.id}`, { status: "revoked" });
    for (const key of ["nobody", emulator.keys.distributor_v2, revoked.key]) {
      const refused = await ask("GET", "/health", { key });
      expect(refused).toMatchObject({ status: 401, body: { code: "INVALID_API_KEY" } });
    }
  });

  it("[legacy.auth] D-keys: keys of any role are accepted, with or without a prefix", async () => {
    await using emulator = await open();
    const { call } = await callable(emulator);
    expect(emulator.keys.legacy).toMatch(/^vak_/);
    expect((await call({}, emulator.keys.viewer)).status).toBe(200);
    expect((await legacy(emulator)("GET", "/health", { key: emulator.keys.admin })).status).toBe(200);
    expect((await emulator.ask("GET", "/ping", { key: emulator.keys.legacy })).status).toBe(200);
  });

  it("[legacy.keys holds refuses] a key has a name, prefix and status, and can be revoked", async () => {
    await using emulator = await open();
    const created = await emulator.control("POST", "/keys", { kind: "legacy", name: "Switchboard" });
    const ask = async () => (await legacy(emulator)("GET", "/health", { key: created.key })).status;
    const listed = async () =>
      (await emulator.control("GET", "/keys")).find(({ id }: { id: string }) => id === created.id);
    expect(await listed()).toMatchObject({
      name: "Switchboard",
      prefix: created.key.slice(0, 8),
      status: "active",
      creator: expect.any(String),
    });
    expect(JSON.stringify(await listed())).not.toContain(created.key);
    expect(await ask()).toBe(200);
    await emulator.control("PATCH", `/keys/${created.id}`, { status: "revoked" });
    expect(await ask()).toBe(401);
    expect(await listed()).toMatchObject({ status: "revoked" });
    await emulator.control("PATCH", `/keys/${created.id}`, { status: "active" });
    expect(await ask()).toBe(200);
    await emulator.control("DELETE", `/keys/${created.id}`);
    expect(await ask()).toBe(401);
    expect(await listed()).toBeUndefined();
  });

  it("[legacy.limit holds refuses] D-legacy-limit: the 61st request in a minute is refused", async () => {
    await using emulator = await open();
    const ask = legacy(emulator);
    for (let count = 0; count < 60; count += 1) expect((await ask("GET", "/health")).status).toBe(200);
    await emulator.advance(15);
    const refused = await ask("GET", "/health");
    expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMIT_EXCEEDED" } });
    expect(refused.headers.get("retry-after")).toBe("45");
    expect((await ask("GET", "/health", { key: emulator.keys.admin })).status).toBe(200);
    await emulator.advance(45);
    expect((await ask("GET", "/health")).status).toBe(200);
  });

  it("[legacy.limit holds refuses] the deployment's limit applies, with Retry-After", async () => {
    await using emulator = await open({ limits: { legacy: 1 } });
    const ask = legacy(emulator);
    expect((await ask("GET", "/health")).status).toBe(200);
    expect((await ask("GET", "/health")).headers.get("retry-after")).toBe("60");
    await emulator.control("POST", "/faults", { kind: "limiter_down" });
    const down = await ask("GET", "/health", { key: emulator.keys.admin });
    expect(down).toMatchObject({ status: 429, body: { code: "RATE_LIMIT_EXCEEDED" } });
    expect(down.headers.get("retry-after")).toBeNull();
  });

  it("[legacy.limit holds refuses] D-cooldown: both APIs share one cooldown", async () => {
    await using emulator = await open();
    const { assistant, call } = await callable(emulator);
    expect((await call()).status).toBe(200);
    await emulator.advance(20);
    const refused = await call();
    expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMIT_EXCEEDED" } });
    expect(refused.headers.get("retry-after")).toBe("40");
    const trigger = () =>
      emulator.ask("POST", "/calls", { body: { assistant_id: assistant.id, to: target } });
    expect((await trigger()).status).toBe(429);
    await emulator.advance(40);
    expect((await trigger()).status).toBe(201);
    expect((await call()).status).toBe(429);
  });

  it("[legacy.failed holds refuses] a failed or blocked call returns CALL_FAILED", async () => {
    await using emulator = await open();
    const { assistant, call } = await callable(emulator);
    await emulator.control("POST", "/faults", { kind: "call_failure", times: 1 });
    expect(await call()).toMatchObject({ status: 500, body: { code: "CALL_FAILED" } });
    await emulator.control("PATCH", `/assistants/${assistant.id}`, { blocked_numbers: [target] });
    expect(await call()).toMatchObject({ status: 500, body: { code: "CALL_FAILED" } });
    expect((await emulator.ask("GET", "/calls")).body.data).toEqual([]);
    // A refused request does not start a cooldown.
    expect((await call({ targetPhoneNumber: "+4930999999" })).status).toBe(200);
  });

  it("[D-legacy-limit holds refuses] a blocked organization gets SUBSCRIPTION_REQUIRED", async () => {
    await using emulator = await open();
    const { call } = await callable(emulator);
    const { organization_id } = emulator.instance.startLine;
    const change = (body: object) => emulator.control("PATCH", `/organizations/${organization_id}`, body);
    await change({ features: ["public_api"] });
    expect(await call()).toMatchObject({ status: 402, body: { code: "SUBSCRIPTION_REQUIRED" } });
    expect((await legacy(emulator)("GET", "/health")).status).toBe(200);
    await change({ status: "blocked" });
    expect(await legacy(emulator)("GET", "/health")).toMatchObject({ status: 402 });
  });
});
