import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createAssistant, postAssistant } from "../../helpers/assistants.js";
import { type TestEmulator, testOnTransports } from "../../helpers/test-emulator.js";

const url = "https://praxis.example/hook";
const bearer = { type: "bearer", secret: "quite-secret-token" };
const full = { enabled: true, url, headers: { "X-Site": "Berlin" }, auth: bearer };
const shown = {
  enabled: true,
  url,
  headers: { "X-Site": "Berlin" },
  auth: { type: "bearer", has_secret: true },
};

async function patch(emulator: TestEmulator, id: string, pre_call_webhook: unknown, more: object = {}) {
  return emulator.ask("PATCH", `/assistants/${id}`, { body: { pre_call_webhook, ...more } });
}

async function result(emulator: TestEmulator, id: string, pre_call_webhook: unknown) {
  const { status, body, headers } = await patch(emulator, id, pre_call_webhook);
  return status === 200 ? body.data.pre_call_webhook : headers.get("x-emulator-rule");
}

testOnTransports("the pre-call webhook", (open) => {
  it("[public.operations.4c] [public.webhook.secrets] [emulator.log] credentials are hidden", async () => {
    await using emulator = await open();
    const created = await createAssistant(emulator, { pre_call_webhook: full });
    expect(created.pre_call_webhook).toEqual(shown);
    const read = await emulator.ask("GET", `/assistants/${created.id}`);
    const list = await emulator.ask("GET", "/assistants");
    expect(read.body.data.pre_call_webhook).toEqual(shown);
    const log = JSON.stringify(await emulator.control("GET", "/requests"));
    expect(JSON.stringify([read.body, list.body, log])).not.toContain(bearer.secret);
    // Responses don't contain the secret in encrypted form either.
    for (const assistant of [created, read.body.data, list.body.data[0]])
      expect(JSON.stringify(assistant)).not.toContain("credential");
  });

  it("[public.operations.4c refuses] a create with auth but no credential is refused", async () => {
    await using emulator = await open();
    const refused = await postAssistant(emulator, {
      pre_call_webhook: { enabled: false, auth: { type: "bearer" } },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details).toEqual([
      { path: ["pre_call_webhook", "auth", "secret"], message: expect.any(String) },
    ]);
    expect((await emulator.ask("GET", "/assistants")).body.data).toEqual([]);
  });

  it("[public.operations.4c] saving a webhook does not call its URL", async () => {
    let calls = 0;
    const server = createServer((_request, response) => {
      calls += 1;
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    try {
      await using emulator = await open();
      const local = { enabled: true, url: `http://127.0.0.1:${port}/hook` };
      const { id } = await createAssistant(emulator, { pre_call_webhook: local });
      expect((await patch(emulator, id, { ...local, headers: { a: "b" } })).status).toBe(200);
      await new Promise((resolve) => setImmediate(resolve));
      expect(calls).toBe(0);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  // plain-words: allow title-long
  it("[public.webhook.enabled holds refuses] [public.webhook.url holds refuses] [public.operations.7c holds refuses] a webhook requires `enabled` and, if true, `url`", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator, { pre_call_webhook: full });
    expect(await result(emulator, id, { url })).toBe("public.webhook.enabled");
    const withoutUrl = await patch(emulator, id, { enabled: true });
    expect(withoutUrl.status).toBe(400);
    expect(withoutUrl.headers.get("x-emulator-rule")).toBe("public.webhook.url");
    expect(withoutUrl.body.error.details).toEqual([
      { path: ["pre_call_webhook", "url"], message: "is required when enabled is true" },
    ]);
    expect(await result(emulator, id, { enabled: false })).toEqual({ ...shown, enabled: false });
  });

  // plain-words: allow title-long
  it("[public.operations.7a] [public.operations.7b] an omitted webhook is kept, and null removes it", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator, { pre_call_webhook: full });
    const renamed = await emulator.ask("PATCH", `/assistants/${id}`, { body: { name: "B" } });
    expect(renamed.body.data.pre_call_webhook).toEqual(shown);
    expect(await result(emulator, id, null)).toBeNull();
    // Without a stored credential, a PATCH can't omit the credential.
    expect(await result(emulator, id, { enabled: false, auth: { type: "bearer" } })).toBe(
      "public.operations.7g",
    );
  });

  it("[public.operations.7c] omitted fields of a webhook keep their values", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator, { pre_call_webhook: full });
    const otherUrl = "http://other.example/";
    expect(await result(emulator, id, { enabled: true, url: otherUrl })).toEqual({ ...shown, url: otherUrl });
  });

  it("[public.operations.7d] new headers replace all headers, and null clears them", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator, { pre_call_webhook: full });
    const replaced = await result(emulator, id, { enabled: false, headers: { "x-other": "1" } });
    expect(replaced).toHaveProperty("headers", { "x-other": "1" });
    expect(await result(emulator, id, { enabled: false, headers: null })).toMatchObject({ headers: {} });
  });

  it("[public.operations.7e] an omitted auth is kept, and null removes auth", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator, { pre_call_webhook: full });
    expect(await result(emulator, id, { enabled: false })).toMatchObject({ auth: shown.auth });
    expect(await result(emulator, id, { enabled: false, auth: null })).toMatchObject({ auth: null });
    expect(await result(emulator, id, { enabled: false, auth: { type: "bearer" } })).toBe(
      "public.operations.7g",
    );
  });

  it("[public.operations.7f] omitted auth fields are kept if the type stays the same", async () => {
    await using emulator = await open();
    const authTypes = [
      { sent: bearer, again: { type: "bearer" }, shows: { type: "bearer", has_secret: true } },
      {
        sent: { type: "basic", username: "praxis", password: "p:w" },
        again: { type: "basic" },
        shows: { type: "basic", username: "praxis", has_password: true },
      },
      {
        sent: { type: "api_key", header_name: "X-Key", secret: "k" },
        again: { type: "api_key", header_name: "X-Other" },
        shows: { type: "api_key", header_name: "X-Other", has_secret: true },
      },
    ];
    for (const { sent, again, shows } of authTypes) {
      const { id } = await createAssistant(emulator, { pre_call_webhook: { enabled: false, auth: sent } });
      expect(await result(emulator, id, { enabled: false, auth: again })).toMatchObject({ auth: shows });
    }
  });

  it("[public.operations.7g holds refuses] a new auth type replaces all previous auth fields", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator, { pre_call_webhook: full });
    const change = (auth: object) => result(emulator, id, { enabled: false, auth });
    for (const auth of [
      { type: "basic", username: "u" },
      { type: "basic", password: "p" },
      { type: "api_key", secret: "s" },
      { type: "api_key", header_name: "X-Key" },
    ]) {
      expect(await change(auth)).toBe("public.operations.7g");
    }
    expect(await change({ type: "basic", username: "u", password: "p" })).toMatchObject({
      auth: { type: "basic", username: "u", has_password: true },
    });
    expect(await change({ type: "none" })).toHaveProperty("auth", { type: "none" });
    // Neither the previous secret nor the previous user name was restored.
    expect(await change({ type: "bearer" })).toBe("public.operations.7g");
    expect(await change({ type: "basic", password: "p" })).toBe("public.operations.7g");
  });

  it("[public.operations.7h] a disabled webhook keeps its credential", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator, { pre_call_webhook: full });
    expect(await result(emulator, id, { enabled: false })).toEqual({ ...shown, enabled: false });
    expect(await result(emulator, id, { enabled: true, url, auth: { type: "bearer" } })).toEqual(shown);
  });

  it("[public.operations.7i holds refuses] [D-enterprise] an enterprise line refuses any webhook", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator, { pre_call_webhook: full });
    await emulator.control("PATCH", `/assistants/${id}`, { enterprise: true });
    for (const webhook of [null, shown, { enabled: false }]) {
      const refused = await patch(emulator, id, webhook, { name: "Never" });
      expect(refused.status).toBe(409);
      expect(refused.headers.get("x-emulator-rule")).toBe("public.operations.7i");
    }
    const renamed = await emulator.ask("PATCH", `/assistants/${id}`, { body: { language: "en" } });
    expect(renamed.body.data).toMatchObject({ name: "Empfang", language: "en", pre_call_webhook: shown });
  });

  it("[public.operations.7j holds refuses] [emulator.faults] a concurrent change causes a 409", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator, { pre_call_webhook: full });
    const plain = await createAssistant(emulator);
    await emulator.control("POST", "/faults", { kind: "webhook_race", times: 1 });
    // Only an update of a stored webhook uses up the fault.
    expect((await patch(emulator, plain.id, { enabled: false })).status).toBe(200);
    const raced = await patch(emulator, id, { enabled: true, url }, { name: "Never" });
    expect(raced.status).toBe(409);
    expect(raced.headers.get("x-emulator-rule")).toBe("public.operations.7j");
    const read = await emulator.ask("GET", `/assistants/${id}`);
    expect(read.body.data).toMatchObject({ name: "Empfang", pre_call_webhook: null });
    expect((await patch(emulator, id, full)).status).toBe(200);
    expect((await patch(emulator, id, { enabled: false })).status).toBe(200);
  });

  it("[public.operations.7k] the webhook from GET can be sent back without credentials", async () => {
    await using emulator = await open();
    for (const pre_call_webhook of [full, { enabled: false }, { enabled: false, auth: { type: "none" } }]) {
      const before = await createAssistant(emulator, { pre_call_webhook });
      expect(await result(emulator, before.id, before.pre_call_webhook)).toEqual(before.pre_call_webhook);
    }
    const { id } = await createAssistant(emulator, { pre_call_webhook: full });
    const none = await result(emulator, id, { ...shown, auth: { ...shown.auth, type: "none" } });
    expect(none).toHaveProperty("auth", { type: "none" });
  });

  it("[public.general.5b] [D-strict] header names are kept byte for byte, even __proto__", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const raw = '{"pre_call_webhook":{"enabled":false,"headers":{"__proto__":"a","X-cAse":"b"}}}';
    expect((await emulator.ask("PATCH", `/assistants/${id}`, { raw })).status).toBe(200);
    const read = await emulator.ask("GET", `/assistants/${id}`);
    expect(Object.entries(read.body.data.pre_call_webhook?.headers ?? {})).toEqual([
      ["__proto__", "a"],
      ["X-cAse", "b"],
    ]);
  });

  it("[D-webhook refuses] URLs, header names and values that can't be sent are refused", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    for (const webhook of [
      { enabled: true, url: "ftp://praxis.example/" },
      { enabled: true, url: "/hook" },
      { enabled: true, url: "https://user:pw@praxis.example/" },
      { enabled: true, url: `https://praxis.example/${"x".repeat(2048)}` },
      { enabled: false, headers: { "no token": "x" } },
      { enabled: false, headers: { Authorization: "x" } },
      { enabled: false, headers: { host: "x" } },
      { enabled: false, headers: { Connection: "x" } },
      { enabled: false, headers: { "x-a": "line\nbreak" } },
      { enabled: false, headers: { "x-a": 1 } },
      { enabled: false, auth: { type: "bearer", secret: "" } },
      { enabled: false, auth: { type: "digest", secret: "x" } },
      { enabled: false, auth: { secret: "x" } },
      { enabled: false, auth: { type: "bearer", secret: "x", password: "y" } },
      { enabled: false, other: true },
      { enabled: "yes" },
      "https://praxis.example/",
    ]) {
      expect([webhook, (await patch(emulator, id, webhook)).status]).toEqual([webhook, 400]);
    }
  });
});

// plain-words: allow title-long
it("[public.webhook.secrets] [public.operations.4c] a database copied without its key file lacks the secrets", async () => {
  const { openEmulator } = await import("../../../src/emulator/index.js");
  const folder = await mkdtemp(join(tmpdir(), "voxctl-"));
  const db = join(folder, "world.db");
  try {
    const ask = async (
      emulator: Awaited<ReturnType<typeof openEmulator>>,
      method: string,
      path: string,
      body?: unknown,
    ) => {
      const response = await emulator.fetch(
        new Request(`${emulator.startLine.base_url}${path}`, {
          method,
          headers: {
            authorization: `Bearer ${emulator.startLine.keys.admin}`,
            "content-type": "application/json",
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
      return JSON.parse(await response.text()).data;
    };
    let id: string;
    {
      await using emulator = await openEmulator({ db, seed: "empty" });
      const [voice] = await ask(emulator, "GET", "/voices");
      const fields = {
        name: "A",
        language: "de",
        voice_id: voice.id,
        company_name: "B",
        company_industry: "C",
      };
      const created = await ask(emulator, "POST", "/assistants", {
        ...fields,
        introduction: "",
        pre_call_webhook: full,
      });
      id = created.id;
      expect(await emulator.control("GET", "/status")).toMatchObject({ unreadable_secrets: 0 });
    }
    for (const file of [db, `${db}-wal`]) {
      const bytes = await readFile(file).catch(() => Buffer.alloc(0));
      // Headers are also encrypted, because they may contain tokens.
      for (const secret of [bearer.secret, ...Object.values(full.headers)])
        expect(bytes.includes(secret)).toBe(false);
    }
    await rm(`${db}.key`);
    await using copy = await openEmulator({ db });
    const count = Object.keys(full.headers).length;
    expect(await copy.control("GET", "/status")).toMatchObject({ unreadable_secrets: 1 + count });
    const names = Object.keys(full.headers).map((name) => [name, expect.stringContaining("unreadable")]);
    const read = await ask(copy, "GET", `/assistants/${id}`);
    expect(read.pre_call_webhook).toEqual({ ...shown, headers: Object.fromEntries(names) });
    const patch = (webhook: object) =>
      ask(copy, "PATCH", `/assistants/${id}`, { pre_call_webhook: { enabled: false, ...webhook } });
    // This PATCH omits the headers, so the headers remain unreadable.
    await patch({ auth: bearer });
    expect(await copy.control("GET", "/status")).toMatchObject({ unreadable_secrets: count });
    await patch({ headers: full.headers });
    expect(await copy.control("GET", "/status")).toMatchObject({ unreadable_secrets: 0 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
