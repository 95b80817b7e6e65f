import { describe, expect, it, vi } from "vitest";
import { createAssistant } from "../helpers/assistants.js";
import { unknownId } from "../helpers/records.js";
import { openTestEmulator, type TestEmulator, testOnTransports } from "../helpers/test-emulator.js";
import { startWebhookServer } from "../helpers/webhook-server.js";

const caller = "+4915112345678";

async function prepared(emulator: TestEmulator, pre_call_webhook?: object) {
  const prompt = await emulator.ask("POST", "/prompts", {
    body: {
      name: "P",
      kind: "answering",
      text: "Known: @preCallData. Again: @preCallData; not @preCallDatabase.",
    },
  });
  const assistant = await createAssistant(emulator, {
    prompt_id: prompt.body.data.id,
    ...(pre_call_webhook && { pre_call_webhook }),
  });
  const call = () =>
    emulator.control("POST", "/incoming-calls", { assistant_id: assistant.id, from: caller });
  return { assistant, call };
}

const filled = (data: string) => `Known: ${data}. Again: ${data}; not @preCallDatabase.`;

testOnTransports("an incoming call", (open) => {
  it("`webhook_example` determines the fields of an incoming call's webhook body", async () => {
    const hook = await startWebhookServer();
    hook.answer = (response) => response.end("ok");
    await using emulator = await open();
    const { assistant } = await prepared(emulator, { enabled: true, url: hook.url, auth: { type: "none" } });
    const webhook_example = { from: "text", assistant_id: "text", tenant: { name: "text", seats: 1 } };
    const placed = await emulator.control("POST", "/incoming-calls", {
      assistant_id: assistant.id,
      from: caller,
      webhook_example,
    });
    expect(placed.webhook?.error).toBeNull();
    expect(hook.received[0]?.body).toEqual({
      from: caller,
      assistant_id: assistant.id,
      tenant: { name: "text", seats: 1 },
    });
  });

  it("[public.events.2] [public.prompt.token] a call uses the response of the webhook", async () => {
    const hook = await startWebhookServer();
    hook.answer = (response) => response.end("Frau Sommer, $& geboren 1970");
    await using emulator = await open();
    const { assistant, call } = await prepared(emulator, {
      enabled: true,
      url: `${hook.url}?tenant=7`,
      headers: { "X-Tenant": "praxis-7" },
      auth: { type: "bearer", secret: "s3cret-token" },
    });
    // Saving does not call the webhook (public.operations.4c).
    expect(hook.received).toEqual([]);
    const placed = await call();
    expect(hook.received).toHaveLength(1);
    expect(hook.received[0]).toMatchObject({
      method: "POST",
      path: "/in?tenant=7",
      headers: {
        "content-type": "application/json",
        "x-tenant": "praxis-7",
        authorization: "Bearer s3cret-token",
      },
      body: {
        call_id: placed.call.id,
        assistant_id: assistant.id,
        from: caller,
        to: assistant.phone_number,
      },
    });
    expect(Object.keys(hook.received[0]?.body)).toEqual(["call_id", "assistant_id", "from", "to"]);
    expect(placed.prompt).toBe(filled("Frau Sommer, $& geboren 1970"));
    expect(placed.webhook).toMatchObject({
      request: {
        method: "POST",
        url: `${hook.url}?tenant=7`,
        headers: { "X-Tenant": "***", Authorization: "Bearer ***" },
      },
      response: { status: 200, body: "Frau Sommer, $& geboren 1970" },
      error: null,
    });
    expect(placed.call).toMatchObject({
      direction: "inbound",
      status: "ringing",
      from: caller,
      to: assistant.phone_number,
    });
    await emulator.advance(120);
    const later = await emulator.ask("GET", `/calls/${placed.call.id}`);
    expect(later.body.data).toMatchObject({ status: "completed", recording: { available: true } });
    expect(later.body.data.transcript[0]?.text).toBe(assistant.introduction);
    // The transcript is that of an incoming call: the caller has a question.
    expect(later.body.data.transcript[1]).toMatchObject({
      role: "user",
      text: "Guten Tag, ich habe eine Frage.",
    });
  });

  it.each([
    [{ type: "none" }, {}],
    [
      { type: "basic", username: "ada", password: "pass word" },
      { authorization: "Basic YWRhOnBhc3Mgd29yZA==" },
    ],
    [{ type: "api_key", header_name: "X-Our-Key", secret: "two words" }, { "x-our-key": "two words" }],
  ])("[public.events.2] [D-webhook] a call authenticates to its webhook with %o", async (auth, headers) => {
    const hook = await startWebhookServer();
    // The webhook returns the headers of its request, which contain secrets.
    hook.answer = (response) => response.end(JSON.stringify(hook.received.at(-1)?.headers));
    await using emulator = await open();
    const { call } = await prepared(emulator, { enabled: true, url: hook.url, auth });
    const placed = await call();
    expect(hook.received[0]?.headers).toMatchObject(headers);
    const text = JSON.stringify(placed);
    for (const secret of ["pass word", "YWRhOnBhc3Mgd29yZA==", "two words"])
      expect(text).not.toContain(secret);
    expect(JSON.stringify(await emulator.control("GET", "/requests"))).not.toContain("two words");
  });

  it("[public.events.2] a call sends no request if its webhook is missing or disabled", async () => {
    const hook = await startWebhookServer();
    await using emulator = await open();
    const { assistant, call } = await prepared(emulator);
    expect(await call()).toMatchObject({ webhook: null, prompt: filled(""), call: { direction: "inbound" } });
    await emulator.ask("PATCH", `/assistants/${assistant.id}`, {
      body: { pre_call_webhook: { enabled: true, url: hook.url } },
    });
    await emulator.ask("PATCH", `/assistants/${assistant.id}`, {
      body: { pre_call_webhook: { enabled: false } },
    });
    expect((await call()).webhook).toBeNull();
    expect(hook.received).toEqual([]);
    await emulator.ask("PATCH", `/assistants/${assistant.id}`, { body: { prompt_id: null } });
    expect((await call()).prompt).toBeNull();
  });

  it("[public.events.2] a call continues despite a failing webhook", async () => {
    const hook = await startWebhookServer();
    await using emulator = await open();
    const { call } = await prepared(emulator, { enabled: true, url: hook.url });
    const failures: [(typeof hook)["answer"], RegExp][] = [
      [(response) => response.writeHead(500).end("oops"), /^responded with 500$/],
      [(response) => response.writeHead(302, { location: "/other" }).end(), /redirects are not followed/],
      [(response) => response.end("x".repeat(65_537)), /longer than 64 KiB/],
      [(response) => response.destroy(), /socket hang up/],
    ];
    for (const [respond, reason] of failures) {
      hook.answer = respond;
      const outcome = await call();
      expect(outcome.webhook?.error).toMatch(reason);
      expect(outcome.prompt).toBe(filled(""));
      expect(outcome.call.status).toBe("ringing");
    }
    expect(hook.received).toHaveLength(4);
    hook.answer = (response) => response.end("y".repeat(65_536));
    expect((await call()).webhook?.error).toBeNull();
    hook.close();
    expect((await call()).webhook).toMatchObject({
      response: null,
      error: expect.stringContaining("ECONNREFUSED"),
    });
    expect((await emulator.ask("GET", "/calls")).body.data).toHaveLength(6);
  });

  it("[public.events.2] a call continues after a webhook response that violates HTTP", async () => {
    const hook = await startWebhookServer();
    await using emulator = await open();
    const { call } = await prepared(emulator, { enabled: true, url: hook.url });
    for (const bytes of [
      "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "nothing like HTTP\r\n\r\n",
      `HTTP/1.1 200 OK\r\nX-A: ${"a".repeat(100_000)}\r\n\r\n`,
    ]) {
      hook.answer = (response) => void response.socket?.end(bytes);
      const outcome = await call();
      expect([bytes.slice(0, 20), outcome.webhook?.error]).toEqual([bytes.slice(0, 20), expect.any(String)]);
      expect(outcome.call.status).toBe("ringing");
    }
  });

  it("an incoming call returns 404 for an unknown assistant, and 400 for an invalid caller", async () => {
    await using emulator = await open();
    const { assistant } = await prepared(emulator);
    const ask = (body: object) => emulator.control("POST", "/incoming-calls", body);
    await expect(ask({ assistant_id: unknownId, from: caller })).rejects.toMatchObject({ status: 404 });
    await expect(ask({ assistant_id: assistant.id, from: "0151" })).rejects.toMatchObject({ status: 400 });
    await expect(ask({ assistant_id: assistant.id })).rejects.toMatchObject({ status: 400 });
  });
});

describe("the time limit and the target of a pre-call webhook", () => {
  it("[public.events.2] a call waits at most 5 s for its webhook", async () => {
    const hook = await startWebhookServer();
    hook.answer = (response) => void response.writeHead(200).write("…");
    const limit = AbortSignal.timeout.bind(AbortSignal);
    // Shortens each second of a time limit to 20 ms.
    const limits = vi.spyOn(AbortSignal, "timeout").mockImplementation((time) => limit(time / 50));
    await using emulator = await openTestEmulator("in process");
    const { call } = await prepared(emulator, { enabled: true, url: hook.url });
    const waiting = call();
    expect((await emulator.ask("GET", "/ping")).status).toBe(200);
    expect(await waiting).toMatchObject({
      webhook: { response: null, error: "no response within 5 s" },
      prompt: filled(""),
    });
    expect(limits).toHaveBeenCalledWith(5_000);
  });

  it("[public.events.2] only an emulator on loopback calls private webhook addresses by default", async () => {
    const hook = await startWebhookServer();
    await using emulator = await openTestEmulator("in process");
    const { assistant, call } = await prepared(emulator);
    const aim = (url: string) =>
      emulator.ask("PATCH", `/assistants/${assistant.id}`, {
        body: { pre_call_webhook: { enabled: true, url } },
      });
    const open = await emulator.instance.listen({ port: 0, host: "0.0.0.0" });
    for (const host of [
      "127.0.0.1",
      "localhost",
      "127.1",
      "0x7f000001",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "0.0.0.0",
      "10.1.2.3",
      "172.31.0.1",
      "192.168.1.1",
      "169.254.169.254",
      "[fe80::1]",
      "[fd00::1]",
      "2130706433",
      "017700000001",
      "127.0.0.1.",
      "[::127.0.0.1]",
      "[64:ff9b::7f00:1]",
      "[2002:7f00:1::]",
      "[fec0::1]",
    ]) {
      await aim(`http://${host}:${hook.port}/in`);
      expect([host, (await call()).webhook?.error]).toEqual([
        host,
        expect.stringContaining("loopback or private address"),
      ]);
    }
    expect(hook.received).toEqual([]);
    await open.close();
    await aim(hook.url);
    expect((await call()).webhook?.error).toBeNull();
    const allowed = await emulator.instance.listen({ port: 0, host: "0.0.0.0", allowPrivateWebhooks: true });
    expect((await call()).webhook?.error).toBeNull();
    const closed = await emulator.instance.listen({ port: 0, allowPrivateWebhooks: false });
    expect((await call()).webhook?.error).toContain("loopback or private address");
    await Promise.all([allowed.close(), closed.close()]);
  });
});
