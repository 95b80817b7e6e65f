import { expect, it } from "vitest";
import { ConnectionError } from "../../src/base/transport.js";
import { createContact } from "../helpers/records.js";
import {
  openTestEmulator,
  type Reply,
  type TestEmulator,
  testOnTransports,
} from "../helpers/test-emulator.js";

const create = (emulator: TestEmulator, name = "N") =>
  emulator.ask("POST", "/groups", { body: { type: "contacts", name } });

async function groupNames(emulator: TestEmulator): Promise<string[]> {
  const { data } = (await emulator.ask("GET", "/groups?type=contacts")).body;
  return data.map((group: { name: string }) => group.name);
}

/** Returns a digit for each request: 1 if the fault affected it, otherwise 0. */
async function strikes(
  emulator: TestEmulator,
  count: number,
  ask: () => Promise<Reply> = () => emulator.ask("GET", "/ping"),
): Promise<string> {
  let row = "";
  for (let index = 0; index < count; index += 1) row += (await ask()).status === 500 ? "1" : "0";
  return row;
}

testOnTransports("faults", (open) => {
  it("[emulator.faults] [public.errors.6 holds refuses] error_before refuses a request with 500", async () => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: "error_before", operation: "groups.create", times: 1 });
    const reply = await create(emulator);
    expect([reply.status, reply.body]).toEqual([
      500,
      { error: { code: "internal_error", message: expect.any(String), details: [] } },
    ]);
    expect(reply.headers.get("x-emulator-rule")).toBe("public.errors.6");
    expect(reply.headers.get("x-ratelimit-remaining")).toBe("199");
    expect(await groupNames(emulator)).toEqual(["Default"]);
    expect((await create(emulator)).status).toBe(201);
  });

  it("[emulator.faults] a fault for an operation that it can't affect is refused", async () => {
    await using emulator = await open();
    const add = (fault: string, operation: string) =>
      emulator.control("POST", "/faults", { kind: fault, operation });
    await expect(add("call_failure", "calls.create")).rejects.toThrow(
      "is not affected by call_failure; omit it, or use legacy.call",
    );
    await expect(add("index_failure", "contacts.create")).rejects.toThrow(
      "omit it, or use knowledge.create or knowledge.update",
    );
    expect(await add("call_failure", "legacy.call")).toMatchObject({ kind: "call_failure" });
    expect(await emulator.control("GET", "/faults")).toHaveLength(1);
  });

  it("[emulator.faults] error_after responds with 500 after the request is executed", async () => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: "error_after", operation: "groups.create", times: 1 });
    const reply = await create(emulator);
    expect([reply.status, reply.body.error.code]).toEqual([500, "internal_error"]);
    expect(await groupNames(emulator)).toEqual(["Default", "N"]);
  });

  it("[emulator.faults] fetch rejects if the connection drops before or after execution", async () => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: "drop_before", operation: "groups.create", times: 1 });
    await expect(create(emulator)).rejects.toThrow("fetch failed");
    expect(await groupNames(emulator)).toEqual(["Default"]);
    await emulator.control("POST", "/faults", { kind: "drop_after", operation: "groups.create", times: 1 });
    await expect(create(emulator)).rejects.toThrow("fetch failed");
    expect(await groupNames(emulator)).toEqual(["Default", "N"]);
  });

  it("[emulator.faults] truncate shortens the response body after the request is executed", async () => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: "truncate", operation: "groups.create", times: 1 });
    await expect(create(emulator)).rejects.toThrow("terminated");
    expect(await groupNames(emulator)).toEqual(["Default", "N"]);
  });

  it("[emulator.faults] garbage returns invalid JSON after the request is executed", async () => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: "garbage", operation: "groups.create", times: 1 });
    const reply = await create(emulator);
    expect([reply.status, reply.body]).toEqual([201, undefined]);
    expect(reply.bytes.length).toBeGreaterThan(0);
    expect(await groupNames(emulator)).toEqual(["Default", "N"]);
  });

  it("[emulator.faults] a delay advances the emulator's time before the response arrives", async () => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", {
      kind: "delay",
      delay_ms: 90_500,
      operation: "ping",
      times: 1,
    });
    const before = emulator.instance.clock.now();
    const reply = await emulator.ask("GET", "/ping");
    expect(reply.status).toBe(200);
    expect(emulator.instance.clock.now()).toBe(before + 90_500);
    expect(Date.parse(reply.headers.get("date") ?? "")).toBe(Math.floor((before + 90_500) / 1000) * 1000);
    await emulator.ask("GET", "/ping");
    expect(emulator.instance.clock.now()).toBe(before + 90_500);
  });

  it("[emulator.faults] a delay and an error can both apply to one request", async () => {
    await using emulator = await open();
    for (const fault of ["error_before", "error_after"]) {
      await emulator.control("POST", "/faults", { kind: "delay", delay_ms: 1000, times: 1 });
      await emulator.control("POST", "/faults", { kind: fault, times: 1 });
      const before = emulator.instance.clock.now();
      expect((await emulator.ask("GET", "/ping")).status).toBe(500);
      expect(emulator.instance.clock.now()).toBe(before + 1000);
    }
  });

  it("[emulator.faults] requests that the limiter refuses don't use up a fault", async () => {
    await using emulator = await open({ limits: { read: 1 } });
    await emulator.control("POST", "/faults", { kind: "error_before", skip: 1, times: 1 });
    expect((await emulator.ask("GET", "/ping")).status).toBe(200);
    expect((await emulator.ask("GET", "/ping")).status).toBe(429);
    expect((await emulator.ask("GET", "/ping", { key: "wrong" })).status).toBe(401);
    await emulator.advance(60);
    expect((await emulator.ask("GET", "/ping")).status).toBe(500);
  });

  it("[emulator.faults] a fault affects requests that match its operation, method, path and key", async () => {
    await using emulator = await open();
    const contact = await createContact(emulator);
    const { data: keys } = { data: await emulator.control("GET", "/keys") };
    const viewer = keys.find((key) => key.name === "viewer")?.id;
    const hits = async (aim: object) => {
      await emulator.control("DELETE", "/faults");
      await emulator.control("POST", "/faults", { kind: "error_before", ...aim });
      const replies = [
        await emulator.ask("GET", "/ping"),
        await emulator.ask("GET", "/contacts"),
        await emulator.ask("GET", `/contacts/${contact.id}`),
        await emulator.ask("PATCH", `/contacts/${contact.id}`, { body: {} }),
        await emulator.ask("GET", "/contacts?limit=1", { key: emulator.keys.viewer }),
      ];
      return replies.map(({ status }) => (status === 500 ? "1" : "0")).join("");
    };
    expect(await hits({})).toBe("11111");
    expect(await hits({ operation: "contacts.list" })).toBe("01001");
    expect(await hits({ method: "PATCH" })).toBe("00010");
    expect(await hits({ method: "patch" })).toBe("00010");
    expect(await hits({ path: "/api/v1/contacts" })).toBe("01001");
    expect(await hits({ path: "/api/v1/*" })).toBe("11001");
    expect(await hits({ path: "/api/v1/**" })).toBe("11111");
    expect(await hits({ path: "**/contacts/*" })).toBe("00110");
    expect(await hits({ path: "/api/v1/contact" })).toBe("00000");
    expect(await hits({ path: "/api/v1/contact?" })).toBe("00000");
    expect(await hits({ path: "/api/v1.contacts" })).toBe("00000");
    expect(await hits({ key_id: viewer })).toBe("00001");
    expect(await hits({ key_id: "viewer" })).toBe("00001");
    expect(await hits({ key_id: viewer, operation: "ping" })).toBe("00000");
    expect(await hits({ method: "GET", path: "**/contacts/*" })).toBe("00100");
  });

  it("[emulator.faults] a path pattern with many wildcards is matched in negligible time", async () => {
    await using emulator = await open();
    const path = `/api/v1/${"**a".repeat(300)}b`;
    await emulator.control("POST", "/faults", { kind: "error_before", path });
    expect((await emulator.ask("GET", `/${"a".repeat(2_000)}`)).status).toBe(404);
    expect((await emulator.ask("GET", `/contacts/${"a".repeat(2_000)}`)).status).toBe(400);
    expect((await emulator.ask("GET", `/contacts/${"a".repeat(2_000)}b`)).status).toBe(500);
  });

  it("[emulator.faults] a fault skips `skip` requests, and then affects `times` requests", async () => {
    await using emulator = await open();
    const { id } = await emulator.control("POST", "/faults", { kind: "error_before", skip: 2, times: 3 });
    expect(await strikes(emulator, 8)).toBe("00111000");
    expect(await emulator.control("GET", "/faults")).toMatchObject([
      { id, matched: 5, struck: 3, skip: 2, times: 3 },
    ]);
    await emulator.control("DELETE", `/faults/${id}`);
    expect(await emulator.control("GET", "/faults")).toEqual([]);
    await emulator.control("POST", "/faults", { kind: "error_before" });
    expect(await strikes(emulator, 3)).toBe("111");
    await emulator.control("DELETE", "/faults");
    expect(await strikes(emulator, 3)).toBe("000");
  });

  it("[emulator.faults] two single-use faults affect one request each", async () => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: "error_before", times: 1 });
    await emulator.control("POST", "/faults", { kind: "error_before", times: 1 });
    expect(await strikes(emulator, 3, () => emulator.ask("GET", "/groups/malformed"))).toBe("110");
  });

  it("[emulator.faults] of several faults, one affects a request, and the others are not used up", async () => {
    await using emulator = await open();
    const types = ["drop_after", "truncate", "garbage", "error_after", "error_before", "delay"];
    for (const kind of types)
      await emulator.control("POST", "/faults", {
        ...{ kind, operation: "ping", times: 1 },
        ...(kind === "delay" ? { delay_ms: 1 } : {}),
      });
    const struck = async () =>
      (await emulator.control("GET", "/faults"))
        .filter((fault: { struck: number }) => fault.struck === 1)
        .map((fault: { kind: string }) => fault.kind);
    expect((await emulator.ask("GET", "/ping")).status).toBe(500);
    expect(await struck()).toEqual(["error_before", "delay"]);
    expect((await emulator.ask("GET", "/ping")).status).toBe(500);
    expect(await struck()).toEqual(["error_after", "error_before", "delay"]);
    await expect(emulator.ask("GET", "/ping")).rejects.toThrow("fetch failed");
    await expect(emulator.ask("GET", "/ping")).rejects.toThrow("terminated");
    expect((await emulator.ask("GET", "/ping")).body).toBeUndefined();
    expect(await struck()).toEqual(types);
    expect((await emulator.ask("GET", "/ping")).body.data.ok).toBe(true);
  });

  it("[emulator.faults] a fault stops applying when it expires", async () => {
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: "error_before", expires_in_seconds: 10 });
    await emulator.advance(9.999);
    expect(await strikes(emulator, 1)).toBe("1");
    await emulator.advance(0.001);
    expect(await strikes(emulator, 1)).toBe("0");
  });

  it("[emulator.faults] with the same seed, a random fault affects the same requests", async () => {
    const run = async (randomSeed: number) => {
      await using emulator = await open({ randomSeed });
      await emulator.control("POST", "/faults", { kind: "error_before", probability: 0.5 });
      return await strikes(emulator, 60);
    };
    const first = await run(3);
    expect(await run(3)).toBe(first);
    expect(await run(4)).not.toBe(first);
    const struck = [...first].filter((mark) => mark === "1").length;
    expect(struck).toBeGreaterThan(15);
    expect(struck).toBeLessThan(45);
    await using emulator = await open();
    await emulator.control("POST", "/faults", { kind: "error_before", probability: 0 });
    expect(await strikes(emulator, 20)).toBe("0".repeat(20));
  });

  it("[emulator.faults] a fault that is invalid or could never apply is refused", async () => {
    await using emulator = await open();
    for (const plan of [
      {},
      { kind: "earthquake" },
      { kind: "delay" },
      { kind: "error_before", probability: 2 },
      { kind: "error_before", times: 0 },
      { kind: "error_before", skip: -1 },
      { kind: "error_before", colour: "blue" },
      // Each of the next faults could never apply, or has a delay that is longer than any client waits.
      { kind: "error_before", operation: "contacts" },
      { kind: "error_before", operation: "toString" },
      { kind: "error_before", method: "FETCH" },
      { kind: "error_before", path: "api/v1/contacts" },
      { kind: "error_before", path: `/${"x".repeat(1_000)}` },
      { kind: "error_before", times: 1e300 },
      { kind: "error_before", expires_in_seconds: 1e14 },
      { kind: "error_before", expires_in_seconds: 0 },
      { kind: "error_before", expires_in_seconds: 0.0004 },
      { kind: "delay", delay_ms: 1e15 },
      { kind: "error_after", delay_ms: 5 },
    ]) {
      await expect(emulator.control("POST", "/faults", plan)).rejects.toMatchObject({ status: 400 });
    }
    const forNobody = { kind: "error_before", key_id: "nobody" };
    await expect(emulator.control("POST", "/faults", forNobody)).rejects.toMatchObject({ status: 404 });
    await expect(emulator.control("DELETE", "/faults/none")).rejects.toMatchObject({ status: 404 });
  });
});

it("[emulator.faults] voxctl's transport reports a dropped connection as a ConnectionError", async () => {
  await using testEmulator = await openTestEmulator("in process");
  const { instance: emulator } = testEmulator;
  const send = () =>
    emulator.transport(`${emulator.startLine.base_url}/ping`, {
      method: "GET",
      headers: { authorization: `Bearer ${testEmulator.keys.admin}` },
    });
  for (const fault of ["drop_before", "drop_after"]) {
    await testEmulator.control("POST", "/faults", { kind: fault, times: 1 });
    await expect(send()).rejects.toBeInstanceOf(ConnectionError);
  }
  await testEmulator.control("POST", "/faults", { kind: "truncate", times: 2 });
  const cut = await send();
  expect(cut.status).toBe(200);
  await expect(cut.text()).rejects.toMatchObject({ name: "ConnectionError", maybeSent: true });
  const chunks: Uint8Array[] = [];
  const read = async () => {
    for await (const chunk of (await send()).body) chunks.push(chunk);
  };
  await expect(read()).rejects.toBeInstanceOf(ConnectionError);
  expect(Buffer.concat(chunks).toString()).toMatch(/^\{"data"/);
  expect(await (await send()).text()).toMatch(/^\{"data".*\}$/);
});
