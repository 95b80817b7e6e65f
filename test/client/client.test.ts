import { describe, expect, it } from "vitest";
import { ConnectionError } from "../../src/base/transport.js";
import { toClientExit } from "../../src/cli/errors/exit-codes.js";
import { catchError, createPublicError, createStage, key } from "./fakes.js";

const id = "0123456789abcdef01234567";
const contact = { id, first_name: "Ada", shoe_size: 38 };
const lost = new ConnectionError("the connection was closed", true, "ECONNRESET");
const refused = new ConnectionError("the connection was refused", false, "ECONNREFUSED");
const create = { body: { group_id: id, first_name: "Ada" } };

describe("a request of the client", () => {
  it("[public.auth.1] a request has the key, a JSON body, and the operation's path and method", async () => {
    const { client, seen } = createStage([{ status: 201, body: { data: contact } }]);
    await client.call("contacts.create", create);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      method: "POST",
      url: "https://api.example.org/api/v1/contacts",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(create.body),
    });
  });

  it("the client returns the resource from a response's envelope, even with unknown fields", async () => {
    const { client } = createStage([{ body: { data: contact } }]);
    const response = await client.call("contacts.get", { path: { contact_id: id } });
    expect(response.data).toEqual(contact);
    expect(response.body).toEqual({ data: contact });
    expect(response.status).toBe(200);
  });

  it("a request omits undefined query values and encodes other values", async () => {
    const { client, seen } = createStage([
      { body: { data: [], meta: { has_more: false, next_cursor: null } } },
    ]);
    await client.call("contacts.list", { query: { group_id: undefined, cursor: "a b&c" } });
    expect(seen[0]?.url).toBe("https://api.example.org/api/v1/contacts?cursor=a+b%26c");
  });

  it("a request uses the path that a profile sets for the operation", async () => {
    const { client, seen } = createStage([{ body: { data: contact } }], {
      paths: { "contacts.get": "/people/{contact_id}" },
    });
    await client.call("contacts.get", { path: { contact_id: id } });
    expect(seen[0]?.url).toBe(`https://api.example.org/api/v1/people/${id}`);
  });

  it.each(["", ".", ".."])(
    "the client refuses the path parameter %j, which would change the path",
    async (contact_id) => {
      const { client, seen } = createStage([{ body: {} }]);
      const error = await catchError(client.call("contacts.delete", { path: { contact_id } }));
      expect(error).toMatchObject({ type: "configuration", code: "invalid_path_parameter", outcome: "none" });
      expect(seen).toEqual([]);
    },
  );

  it("the client accepts an empty success response", async () => {
    const { client } = createStage([{ status: 200, text: "" }]);
    const response = await client.call("contacts.delete", { path: { contact_id: id } });
    expect(response.body).toBeUndefined();
  });

  it.each([
    ["contacts.create", "unknown"],
    ["contacts.get", "none"],
    ["contacts.list", "none"],
  ] as const)(
    "a 204 without the body that %s requires is an invalid response",
    async (operation, outcome) => {
      const { client } = createStage([{ status: 204, text: "" }]);
      const input = operation === "contacts.create" ? create : { path: { contact_id: id } };
      const error = await catchError(client.call(operation, input, { attempts: 1 }));
      expect(error).toMatchObject({ code: "invalid_response", status: 204, outcome });
    },
  );

  it("the client accepts a 204 from an operation without a result", async () => {
    const { client } = createStage([{ status: 204, text: "" }]);
    expect((await client.call("contacts.delete", { path: { contact_id: id } })).status).toBe(204);
  });

  it("a request fails with a configuration error if no key is configured for its API", async () => {
    const { client, seen } = createStage([{ body: {} }], { targets: {} });
    expect(await catchError(client.call("ping"))).toMatchObject({ type: "configuration", code: "no_key" });
    expect(seen).toEqual([]);
  });

  it("a request is not sent to a remote host over plain HTTP", async () => {
    const { client, seen } = createStage([{ body: {} }], {
      targets: { public: { baseUrl: "http://api.example.org/api/v1", key } },
    });
    const error = await catchError(client.call("ping"));
    expect(error).toMatchObject({ type: "configuration", code: "insecure_address" });
    expect(error.message).not.toContain(key);
    expect(seen).toEqual([]);
  });

  it("the error for a key that can't be sent in a header does not show the key", async () => {
    const { client } = createStage([{ body: {} }], {
      targets: { public: { baseUrl: "https://api.example.org/api/v1", key: "two\nlines" } },
    });
    const error = await catchError(client.call("ping"));
    expect(error).toMatchObject({ type: "configuration", code: "invalid_key" });
    expect(error.message).not.toContain("lines");
  });

  it("an attempt ends at its timeout", async () => {
    const { client } = createStage([], {
      timeoutMilliseconds: 5,
      transport: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(new ConnectionError("ended", true)));
        }),
    });
    const error = await catchError(client.call("contacts.create", create));
    expect(error).toMatchObject({ type: "network", code: "timeout", outcome: "unknown", retryable: false });
  });

  it("an attempt ends at its timeout even if the transport ignores the signal", async () => {
    const { client } = createStage([], {
      timeoutMilliseconds: 5,
      transport: () => new Promise(() => undefined),
    });
    expect(await catchError(client.call("contacts.create", create))).toMatchObject({
      code: "timeout",
      outcome: "unknown",
    });
  });

  it("an aborted write in flight is unconfirmed, but an aborted read is not", async () => {
    const hanging = () => {
      const controller = new AbortController();
      const { client } = createStage([], {
        transport: (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal?.addEventListener("abort", () => reject(new ConnectionError("ended", true)));
            queueMicrotask(() => controller.abort(new Error("Ctrl-C")));
          }),
      });
      return { client, signal: controller.signal };
    };
    const mutation = hanging();
    expect(await catchError(mutation.client.call("contacts.create", create, mutation))).toMatchObject({
      code: "interrupted",
      outcome: "unknown",
    });
    const read = hanging();
    await expect(read.client.call("ping", {}, read)).rejects.toThrow("Ctrl-C");
  });
});

describe("a read request", () => {
  it("a read is repeated after a lost connection, a 500, a 503 and an invalid response", async () => {
    const good = { body: { data: contact } };
    for (const bad of [
      lost,
      refused,
      createPublicError(500, "internal_error"),
      { status: 503, text: "<html>" },
      { cut: lost },
      { text: '{"data": <not' },
    ]) {
      const { client, seen } = createStage([bad, good]);
      const response = await client.call("contacts.get", { path: { contact_id: id } });
      expect(response.data).toEqual(contact);
      expect(seen).toHaveLength(2);
    }
  });

  it.each([
    [refused, "the connection to https://api.example.org failed: the connection was refused"],
    [{ status: 503, text: "<html>" } as const, "the service at https://api.example.org responded with 503"],
  ])("the wait event before a retry names the failure: %j", async (bad, cause) => {
    const { client, events } = createStage([bad, { body: { data: contact } }]);
    await client.call("contacts.get", { path: { contact_id: id } });
    expect(events).toContainEqual(expect.objectContaining({ type: "wait", reason: "retry", cause }));
  });

  it("a read fails after four attempts with increasing waits", async () => {
    const { client, seen, waits } = createStage([lost]);
    const error = await catchError(client.call("ping"));
    expect(error).toMatchObject({
      type: "network",
      code: "connection_failed",
      outcome: "none",
      retryable: true,
    });
    expect(seen).toHaveLength(4);
    expect(waits()).toEqual([250, 500, 1000]);
  });

  it.each([408, 425, 502, 503, 504])(
    "[T15] after status %i, a read is repeated three times, then fails with exit code 9",
    async (status) => {
      const { client, seen } = createStage([{ status, text: "<html>" }]);
      const error = await catchError(client.call("ping"));
      expect(seen).toHaveLength(4);
      expect(toClientExit(error)).toBe(9);
    },
  );

  it("a read is not repeated after a 404", async () => {
    const { client, seen } = createStage([
      createPublicError(404, "not_found", { "x-emulator-rule": "public.errors.4" }),
    ]);
    const error = await catchError(client.call("contacts.get", { path: { contact_id: id } }));
    expect(error).toMatchObject({
      type: "api",
      code: "not_found",
      status: 404,
      retryable: false,
      outcome: "none",
      rule: "public.errors.4",
    });
    expect(seen).toHaveLength(1);
  });

  it("a read is not repeated if the host's certificate is invalid", async () => {
    const bad = new ConnectionError("self-signed certificate", false, "DEPTH_ZERO_SELF_SIGNED_CERT");
    const { client, seen } = createStage([bad]);
    expect(await catchError(client.call("ping"))).toMatchObject({ type: "network", retryable: false });
    expect(seen).toHaveLength(1);
  });
});

describe("a write request", () => {
  it("a write is sent only once and is unconfirmed if the response is lost", async () => {
    const { client, seen } = createStage([lost]);
    const error = await catchError(client.call("contacts.create", create));
    expect(error).toMatchObject({ type: "network", outcome: "unknown", retryable: false });
    expect(error.hint).toContain("check whether");
    expect(seen).toHaveLength(1);
  });

  it("a write that was never sent can be repeated", async () => {
    const { client, seen } = createStage([refused]);
    const error = await catchError(client.call("contacts.create", create));
    expect(error).toMatchObject({ type: "network", outcome: "none", retryable: true });
    expect(seen).toHaveLength(1);
  });

  it("[public.errors.6] after a 500, a write is not repeated before the state is read", async () => {
    const { client, seen } = createStage([createPublicError(500, "internal_error")]);
    const error = await catchError(client.call("contacts.create", create));
    expect(error).toMatchObject({
      type: "api",
      code: "internal_error",
      outcome: "unknown",
      retryable: false,
    });
    expect(seen).toHaveLength(1);
  });

  it("a write is not repeated after a gateway's 503", async () => {
    const { client, seen } = createStage([{ status: 503, text: "<html>busy</html>" }]);
    expect(await catchError(client.call("contacts.create", create))).toMatchObject({
      code: "http_503",
      outcome: "unknown",
    });
    expect(seen).toHaveLength(1);
  });

  it.each([408, 425, 502, 503, 504])(
    "[T15] a write is unconfirmed, not rejected, after a %i",
    async (status) => {
      const { client, seen } = createStage([{ status, text: "<html>" }]);
      const error = await catchError(client.call("contacts.create", create));
      expect(error).toMatchObject({ outcome: "unknown", status });
      expect(toClientExit(error)).toBe(75);
      expect(seen).toHaveLength(1);
    },
  );

  it("[T15] a proxy's 407 is not a rejection by the service", async () => {
    const { client } = createStage([{ status: 407, text: "<html>" }]);
    const error = await catchError(client.call("contacts.create", create));
    expect(error).toMatchObject({ type: "network", outcome: "none" });
    expect(toClientExit(error)).toBe(9);
  });

  it("a write is unconfirmed if its success response is truncated or invalid", async () => {
    for (const bad of [
      { status: 201, cut: lost },
      { status: 201, text: '{"data": <not' },
    ]) {
      const { client, seen } = createStage([bad]);
      const error = await catchError(client.call("contacts.create", create));
      expect(error).toMatchObject({
        type: "network",
        code: "invalid_response",
        outcome: "unknown",
        status: 201,
      });
      expect(seen).toHaveLength(1);
    }
  });

  it("an unreadable body is reported with its reason", async () => {
    const gzip = { "content-encoding": "gzip" };
    const endless = () => new Promise<never>(() => {});
    for (const [headers, text, timeoutMilliseconds, expected] of [
      [
        {},
        endless,
        20,
        { code: "timeout", message: expect.stringContaining("did not arrive completely in time") },
      ],
      [
        gzip,
        endless,
        10_000,
        { code: "invalid_response", message: expect.stringContaining("body is not valid gzip data") },
      ],
      [{}, () => Promise.reject(lost), 10_000, { message: expect.stringContaining(lost.message) }],
    ] as const) {
      const body = (async function* () {
        yield Buffer.from("not gzip");
      })();
      const transport = async () => ({ status: 201, headers, text, body });
      const { client } = createStage([], { transport, timeoutMilliseconds });
      const error = await catchError(client.call("contacts.create", create));
      expect(error).toMatchObject({ ...expected, type: "network", outcome: "unknown" });
    }
  });

  it("a write counts as rejected even if the error response is truncated", async () => {
    const { client } = createStage([{ status: 400, cut: lost }]);
    expect(await catchError(client.call("contacts.create", create))).toMatchObject({
      code: "http_400",
      outcome: "none",
    });
  });

  it("a write is not sent to the target of a redirect", async () => {
    const { client, seen } = createStage([
      { status: 307, headers: { location: `https://elsewhere.example/?k=${key}` } },
    ]);
    const error = await catchError(client.call("contacts.create", create));
    expect(error).toMatchObject({ type: "api", code: "redirected", status: 307, outcome: "none" });
    expect(error.message).toContain("https://elsewhere.example/?k=***");
    expect(seen).toHaveLength(1);
  });
});

describe("a request to a user-specified path", () => {
  it("a request to a user-specified path can only reach paths below the base URL", async () => {
    for (const rawPath of ["/openapi.json", "openapi.json", "//openapi.json"]) {
      const { client, seen } = createStage([{ body: { openapi: "3.1.0" } }]);
      const response = await client.request({ api: "public", method: "GET", rawPath });
      expect(seen[0]?.url).toBe("https://api.example.org/api/v1/openapi.json");
      expect(response.body).toEqual({ openapi: "3.1.0" });
    }
  });

  it("a user-specified path can't change the host, even if the base URL has no path", async () => {
    const { client, seen } = createStage([{ body: {} }], {
      targets: { legacy: { baseUrl: "https://api.example.org", key } },
    });
    await client.request({ api: "legacy", method: "GET", rawPath: ".evil.example/x" });
    expect(new URL(seen[0]?.url ?? "").host).toBe("api.example.org");
  });

  it("a request to a user-specified path returns the text of a response that is not JSON", async () => {
    const { client } = createStage([
      { text: "openapi: 3.1.0", headers: { "content-type": "application/yaml" } },
    ]);
    const response = await client.request({ api: "public", method: "GET", rawPath: "/openapi.yaml" });
    expect(response.body).toBe("openapi: 3.1.0");
  });

  it("a request to a user-specified path returns audio as a stream", async () => {
    const { client } = createStage([{ text: "fLaC", headers: { "content-type": "audio/flac" } }]);
    const response = await client.request({ api: "public", method: "GET", rawPath: "/calls/x/recording" });
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body as AsyncIterable<Uint8Array>) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe("fLaC");
  });

  it("the headers of a request to a user-specified path can't replace the key", async () => {
    const { client, seen } = createStage([{ body: {} }]);
    const headers = { Authorization: "Bearer other", "X-Trace": "1" };
    await client.request({ api: "public", method: "GET", rawPath: "/ping", headers });
    expect(seen[0]?.headers).toMatchObject({ authorization: `Bearer ${key}`, "x-trace": "1" });
  });
});

describe("the key of a client", () => {
  it("a secret that is a short word is masked only as a whole word", async () => {
    const refusalText = 'the key k is no key, nor is "k" in ?k=k; K is another';
    const refusal = { status: 401, body: { error: { code: "unauthorized", message: refusalText } } };
    const targets = { public: { baseUrl: "https://api.example.org/api/v1", key: "k" } };
    const { client } = createStage([refusal], { targets });
    const { message } = await catchError(client.call("contacts.create", create));
    expect(message).toContain('the key *** is no key, nor is "***" in ?***=***; K is another');
  });

  it("no event contains the key, even if the request or response repeats it", async () => {
    const { client, events } = createStage([{ body: { data: { echo: key } }, headers: { "x-echo": key } }]);
    await client.call("contacts.list", { query: { cursor: key }, body: { note: key } });
    expect(events.map((event) => event.type)).toEqual(["request", "response"]);
    expect(JSON.stringify(events)).not.toContain(key);
    expect(JSON.stringify(events)).toContain("***");
  });

  it("the key appears in no error, even if the service or the system quotes the key", async () => {
    const quoting = createPublicError(401, "unauthorized");
    const body = {
      error: { code: "unauthorized", message: `bad key ${key}`, details: [{ path: [key], message: key }] },
    };
    for (const reply of [{ ...quoting, body }, new ConnectionError(`can't send ${key}`, true)]) {
      const { client, events } = createStage([reply]);
      const error = await catchError(client.call("contacts.create", create));
      const { cause } = error;
      const errorText = JSON.stringify([
        error,
        error.message,
        error.stack,
        cause instanceof Error ? cause.message : "",
        events,
      ]);
      expect(errorText).not.toContain(key);
    }
  });
});

describe("a list request", () => {
  const page = (rows: unknown[], next: string | null) => ({
    body: { data: rows, meta: { has_more: next !== null, next_cursor: next } },
  });
  const all = async (rows: AsyncIterable<unknown>) => {
    const collected: unknown[] = [];
    for await (const row of rows) collected.push(row);
    return collected;
  };

  it("[public.general.9a] a list request follows the cursors to the end", async () => {
    const { client, seen } = createStage([page([1, 2], "c1"), page([3, 4], "c2"), page([5], null)]);
    expect(await all(client.items("contacts.list", { query: { group_id: id } }))).toEqual([1, 2, 3, 4, 5]);
    expect(seen.map((request) => new URL(request.url).searchParams.get("cursor"))).toEqual([
      null,
      "c1",
      "c2",
    ]);
    expect(seen.every((request) => request.url.includes(`group_id=${id}`))).toBe(true);
  });

  it("a list request stops at its limit and reports that more rows exist", async () => {
    const { client, seen } = createStage([page([1, 2], "c1"), page([3, 4], "c2")]);
    let more = 0;
    const rows = client.items("contacts.list", {}, { limit: 3, onMore: () => (more += 1) });
    expect(await all(rows)).toEqual([1, 2, 3]);
    expect(more).toBe(1);
    expect(seen).toHaveLength(2);
  });

  it("a list request reports no more rows if the limit is exactly the number of rows", async () => {
    const { client } = createStage([page([1, 2], null)]);
    let more = 0;
    expect(await all(client.items("contacts.list", {}, { limit: 2, onMore: () => (more += 1) }))).toEqual([
      1, 2,
    ]);
    expect(more).toBe(0);
  });

  it("a list request keeps only one page in memory", async () => {
    const { client, seen } = createStage([page([1, 2], "c1"), page([3], null)]);
    const rows = client.items("contacts.list");
    await rows.next();
    await rows.next();
    expect(seen).toHaveLength(1);
    await rows.next();
    expect(seen).toHaveLength(2);
  });

  it("[D-limit] a page size that was refused is not requested again", async () => {
    const refusal = {
      status: 400,
      body: {
        error: {
          code: "validation_failed",
          message: "bad",
          details: [{ path: ["limit"], message: "too large" }],
        },
      },
    };
    const { client, seen } = createStage([refusal, page([1], "c1"), page([2], null)]);
    expect(await all(client.items("contacts.list", {}, { pageSize: 500 }))).toEqual([1, 2]);
    expect(seen.map((request) => new URL(request.url).searchParams.get("limit"))).toEqual([
      "500",
      null,
      null,
    ]);
  });

  it("a list request fails if it is refused even without a page size", async () => {
    const { client } = createStage([createPublicError(400, "validation_failed")]);
    expect(await catchError(all(client.items("contacts.list", {}, { pageSize: 5 })))).toMatchObject({
      status: 400,
    });
  });

  it("a list request fails if more rows exist but the cursor is missing or repeated", async () => {
    const broken = { body: { data: [1], meta: { has_more: true, next_cursor: null } } };
    const { client } = createStage([broken]);
    expect(await catchError(all(client.items("contacts.list")))).toMatchObject({ code: "incomplete_list" });
    const turning = createStage([page([1], "c1")]);
    expect(await catchError(all(turning.client.items("contacts.list")))).toMatchObject({
      code: "incomplete_list",
    });
  });
});

describe("an error body", () => {
  it.each([
    [{ error: { code: "odd_code", message: "m" } }],
    [{ status: "error", errorCode: "odd_code", message: "m" }],
    [{ status: "error", code: "odd_code", message: "m" }],
  ])("[D-legacy-error] an error body is read in any of the three forms: %j", async (body) => {
    const { client } = createStage([{ status: 409, body }]);
    const error = await catchError(client.call("contacts.create", create));
    expect(error).toMatchObject({ code: "odd_code", message: "m", status: 409, retryable: false });
  });

  it("[public.errors.1] an error contains the details from the response", async () => {
    const details = [{ path: ["phone_numbers", 0], message: "must be a phone number" }];
    const { client } = createStage([
      { status: 400, body: { error: { code: "validation_failed", message: "m", details } } },
    ]);
    expect((await catchError(client.call("contacts.create", create))).details).toEqual(details);
  });
});
