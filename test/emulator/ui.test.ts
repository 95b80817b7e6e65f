import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { describe, expect, it } from "vitest";
import { openTestEmulator, type TestEmulator } from "../helpers/test-emulator.js";

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends a request like a browser: with cookies, `Host`, `Origin` and `Sec-Fetch-Site`, which fetch omits. */
function browse(
  emulator: TestEmulator,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
  body?: object,
): Promise<Reply> {
  const { port } = new URL(emulator.url);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: "127.0.0.1",
        port,
        path,
        method,
        headers: body ? { "content-type": "application/json", ...headers } : headers,
        agent: false,
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    request.on("error", reject);
    request.end(body && JSON.stringify(body));
  });
}

const ticket = async (emulator: TestEmulator): Promise<string> =>
  (await emulator.control("POST", "/ui-tickets")).path;

/** Returns the cookie as a browser sends it back. */
async function signIn(emulator: TestEmulator, headers: Record<string, string> = {}): Promise<string> {
  const reply = await browse(emulator, await ticket(emulator), headers);
  expect(reply.status).toBe(200);
  return reply.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
}

const page = "/_emulator/ui";
const own = { "x-emulator-ui": "1", "sec-fetch-site": "same-origin" };

describe("the web UI", () => {
  it("[emulator.control] a HEAD request to the page does not use up a ticket", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    const link = await ticket(emulator);
    const head = async (path: string, headers = {}) => {
      const { status, text } = await browse(emulator, path, headers, "HEAD");
      return [status, text];
    };
    expect(await head(page)).toEqual([401, ""]);
    expect(await head(link)).toEqual([200, ""]);
    const reply = await browse(emulator, link);
    expect(reply.status).toBe(200);
    const cookie = reply.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    expect(await head(`${page}/ui.js`, { cookie })).toEqual([200, ""]);
    expect(await head(`${page}/nowhere`, { cookie })).toEqual([404, ""]);
  });

  it("[emulator.control] the web UI requires a ticket or cookie", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    const { port } = new URL(emulator.url);
    for (const path of [
      page,
      `${page}?ticket=`,
      `${page}?ticket=wrong`,
      `${page}?ticket=${"x".repeat(43)}`,
    ]) {
      for (const cookie of ["", `emulator_ui_${port}=wrong`, `emulator_ui_${port}`]) {
        const reply = await browse(emulator, path, { cookie });
        expect([path, reply.status]).toEqual([path, 401]);
        expect(reply.text).toContain("voxctl open emulator");
        expect(reply.headers["set-cookie"]).toBeUndefined();
        expect(reply.headers["x-emulator-rule"]).toBe("emulator.control");
      }
    }
    for (const path of ["/ui.js", "/ui.css", "/nowhere"]) {
      expect([path, (await browse(emulator, page + path)).status]).toEqual([path, 401]);
    }
    const authorization = `Bearer ${emulator.instance.startLine.control_token}`;
    expect((await browse(emulator, page, { authorization })).status).toBe(401);
  });

  it("[emulator.control] a ticket is issued only with the control token", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    expect((await browse(emulator, "/_emulator/ui-tickets", {}, "POST", {})).status).toBe(401);
    const authorization = `Bearer ${emulator.keys.admin}`;
    expect((await browse(emulator, "/_emulator/ui-tickets", { authorization }, "POST", {})).status).toBe(401);
    const token = `Bearer ${emulator.instance.startLine.control_token}`;
    const made = await browse(emulator, "/_emulator/ui-tickets", { authorization: token }, "POST", {});
    expect(made.status).toBe(201);
    const { url, path } = JSON.parse(made.text).data;
    expect(url).toBe(emulator.url + path);
    expect((await browse(emulator, path)).status).toBe(200);
  });

  it("[emulator.control] a ticket opens the page once, for the browser that sent it", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    const link = await ticket(emulator);
    const first = await browse(emulator, link);
    expect(first.status).toBe(200);
    const again = await browse(emulator, link);
    expect(again.status).toBe(401);
    expect(again.headers["set-cookie"]).toBeUndefined();
    const cookie = first.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    // With the cookie, the same browser can open the link again.
    expect((await browse(emulator, link, { cookie })).status).toBe(200);
    expect((await browse(emulator, page, { cookie: `other=1; ${cookie}; more=2` })).status).toBe(200);
    const [firstTicket, secondTicket] = [await ticket(emulator), await ticket(emulator)];
    expect(firstTicket).not.toBe(secondTicket);
    expect((await browse(emulator, firstTicket)).status).toBe(200);
    expect((await browse(emulator, secondTicket)).status).toBe(200);
  });

  it("[emulator.control] the cookie is HttpOnly, same-site and limited to the emulator's paths", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    const { port } = new URL(emulator.url);
    const [cookie = ""] = (await browse(emulator, await ticket(emulator))).headers["set-cookie"] ?? [];
    const [pair = "", ...attributes] = cookie.split("; ");
    // Browsers send cookies to all ports of a host, so the cookie's name contains the port.
    expect(pair).toMatch(new RegExp(`^emulator_ui_${port}=[\\w-]{43}$`));
    expect(attributes.sort()).toEqual(["HttpOnly", "Path=/_emulator", "SameSite=Strict"]);
    expect(pair).not.toContain(emulator.instance.startLine.control_token);
  });

  it("the page runs only its own script, and allows no frames, caching or referrer", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    const cookie = await signIn(emulator);
    for (const path of [page, `${page}/ui.js`, `${page}/ui.css`, `${page}/nowhere`]) {
      for (const headers of [{ cookie }, undefined]) {
        const reply = await browse(emulator, path, headers);
        const policy = (reply.headers["content-security-policy"] as string).split("; ");
        expect(policy).toEqual(
          expect.arrayContaining([
            "default-src 'none'",
            "script-src 'self'",
            "connect-src 'self'",
            "frame-ancestors 'none'",
            "form-action 'none'",
            "base-uri 'none'",
            "require-trusted-types-for 'script'",
          ]),
        );
        expect(policy.join()).not.toContain("unsafe");
        expect(reply.headers).toMatchObject({
          "cache-control": "no-store",
          "referrer-policy": "no-referrer",
          "x-content-type-options": "nosniff",
          "x-frame-options": "DENY",
          "cross-origin-resource-policy": "same-origin",
        });
        expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
      }
    }
  });

  it("the web UI is one page, one script and one style sheet, of less than 200 kB in total", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    const cookie = await signIn(emulator);
    const [html, script, style] = await Promise.all(
      [page, `${page}/ui.js`, `${page}/ui.css`].map((path) => browse(emulator, path, { cookie })),
    );
    expect(
      [html?.headers, script?.headers, style?.headers].map((headers) => headers?.["content-type"]),
    ).toEqual(["text/html; charset=utf-8", "text/javascript; charset=utf-8", "text/css; charset=utf-8"]);
    for (const part of [html, script, style]) {
      expect(part?.status).toBe(200);
      expect(part?.text.length).toBeGreaterThan(300);
      // XML namespaces are URLs that are never requested.
      const text = part?.text.replace(/http:\/\/www\.w3\.org\/[\w/]+/g, "");
      expect(text).not.toMatch(
        /https?:\/\/|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/,
      );
    }
    const parts = [html, script, style].map((part) => Buffer.byteLength(part?.text ?? ""));
    expect(parts.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(200_000);
    expect((await browse(emulator, `${page}/nowhere`, { cookie })).status).toBe(404);
    expect((await browse(emulator, page, { cookie }, "POST", {})).status).toBe(404);
  });

  it("[emulator.control refuses] the web UI refuses requests from other origins and hosts", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    const { host, port } = new URL(emulator.url);
    const cookie = await signIn(emulator);
    const link = await ticket(emulator);
    for (const origin of ["http://evil.example", "null", `http://127.0.0.1:${Number(port) + 1}`]) {
      for (const path of [page, link, `${page}/ui.js`]) {
        expect([origin, (await browse(emulator, path, { host, origin, cookie })).status]).toEqual([
          origin,
          403,
        ]);
      }
    }
    expect((await browse(emulator, link, { host: `evil.example:${port}`, cookie })).status).toBe(403);
    expect((await browse(emulator, link, { host, origin: emulator.url })).status).toBe(200);
  });

  it("a session survives a reset, but is invalid for another emulator", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    await using otherEmulator = await openTestEmulator("over HTTP");
    const cookie = await signIn(emulator);
    await emulator.control("POST", "/reset", {});
    expect((await browse(emulator, page, { cookie })).status).toBe(200);
    const foreignCookie = cookie.replace(/_\d+=/, `_${new URL(otherEmulator.url).port}=`);
    expect((await browse(otherEmulator, page, { cookie: foreignCookie })).status).toBe(401);
  });
});

describe("control requests from the web UI", () => {
  it("[emulator.control] the cookie authorizes the page's own control requests", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    const cookie = await signIn(emulator);
    const { host } = new URL(emulator.url);
    expect((await browse(emulator, "/_emulator/status", { cookie, ...own })).status).toBe(200);
    const moved = await browse(
      emulator,
      "/_emulator/clock",
      { cookie, ...own, host, origin: emulator.url },
      "PATCH",
      { advance_seconds: 60 },
    );
    expect(JSON.parse(moved.text).data.now).toBe("2026-03-02T09:01:00.000Z");
  });

  it("[emulator.control] the cookie authorizes control requests only from the emulator's page", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    const cookie = await signIn(emulator);
    const { host, port } = new URL(emulator.url);
    const body = { advance_seconds: 60 };
    const refusals: [string, Record<string, string>, number][] = [
      ["a form of another site", { cookie, "sec-fetch-site": "cross-site" }, 401],
      ["without the page's header", { cookie }, 401],
      ["without the page's header, from the origin", { cookie, host, origin: emulator.url }, 401],
      ["another port of this host", { cookie, ...own, "sec-fetch-site": "same-site" }, 401],
      ["another site", { cookie, ...own, "sec-fetch-site": "cross-site" }, 401],
      ["another origin", { cookie, ...own, origin: `http://127.0.0.1:${Number(port) + 1}` }, 403],
      ["no origin at all", { cookie, ...own, origin: "null" }, 403],
      ["no cookie", { ...own }, 401],
      ["a wrong cookie", { cookie: `${cookie}x`, ...own }, 401],
      [
        "the ticket as a cookie",
        { cookie: (await ticket(emulator)).replace(/.*=/, `emulator_ui_${port}=`), ...own },
        401,
      ],
    ];
    for (const [who, headers, status] of refusals) {
      const reply = await browse(emulator, "/_emulator/clock", headers, "PATCH", body);
      expect([who, reply.status]).toEqual([who, status]);
      expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
    }
    // Browsers send a preflight request before a custom header to another origin, and the emulator's response
    // does not allow the header.
    const preflight = await browse(
      emulator,
      "/_emulator/clock",
      { origin: "http://evil.example" },
      "OPTIONS",
    );
    expect(preflight.status).toBe(403);
    expect((await emulator.control("GET", "/clock")).now).toBe("2026-03-02T09:00:00.000Z");
  });

  it("[emulator.control] the cookie gives no access to the service's APIs", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    const cookie = await signIn(emulator);
    for (const path of ["/api/v1/ping", "/api/v1/contacts", "/api/distributor/v2/usage"]) {
      expect([path, (await browse(emulator, path, { cookie, ...own })).status]).toEqual([path, 401]);
    }
  });
});

describe("data of the web UI", () => {
  it("limits show the remaining requests per key and bucket, and the end of each window", async () => {
    await using emulator = await openTestEmulator("in process", { limits: { write: 3 } });
    const find = async (name: string, bucket: string) =>
      (await emulator.control("GET", "/limits")).find(
        (row: { name: string; bucket: string }) => row.name === name && row.bucket === bucket,
      );
    const untouched = { limit: 3, remaining: 3, resets_at: null, window_seconds: 60, kind: "public" };
    expect(await find("admin", "write")).toMatchObject(untouched);
    for (let count = 0; count < 4; count += 1) await emulator.ask("POST", "/contacts", { body: {} });
    await emulator.ask("GET", "/contacts");
    await emulator.askHost("GET", "/api/distributor/v2/usage", { key: emulator.keys.distributor_v2 });
    const ends = "2026-03-02T09:01:00.000Z";
    expect(await find("admin", "write")).toMatchObject({ remaining: 0, resets_at: ends });
    expect(await find("admin", "read")).toMatchObject({ limit: 1000, remaining: 999, resets_at: ends });
    expect(await find("distributor_v2", "distributor")).toMatchObject({ limit: 60, remaining: 59 });
    expect(await find("editor", "write")).toMatchObject(untouched);
    expect(await find("legacy", "legacy")).toMatchObject({ limit: 60, remaining: 60, kind: "legacy" });
    await emulator.advance(60);
    expect(await find("admin", "write")).toMatchObject(untouched);
    // A key's own limits override the emulator's.
    const keys: { id: string; name: string }[] = await emulator.control("GET", "/keys");
    const editor = keys.find(({ name }) => name === "editor");
    await emulator.control("PATCH", `/keys/${editor?.id}`, { limits: { write: 7 } });
    expect(await find("editor", "write")).toMatchObject({ limit: 7, remaining: 7 });
  });

  it("limits on tool calls are listed separately for the key and the organization", async () => {
    await using emulator = await openTestEmulator("in process");
    await emulator.askHost("POST", "/mcp", {
      headers: { accept: "application/json, text/event-stream" },
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "groups_list", arguments: {} } },
    });
    const rows: { holder: string; bucket: string; remaining: number }[] = await emulator.control(
      "GET",
      "/limits",
    );
    const counted = rows.filter(({ bucket }) => bucket.startsWith("mcp_"));
    expect(counted.map(({ holder, bucket, remaining }) => [holder, bucket, remaining])).toEqual([
      ["key", "mcp_read", 999],
      ["organization", "mcp_read", 999],
    ]);
  });

  it("tables show the newest rows first, without secrets", async () => {
    await using emulator = await openTestEmulator("in process");
    const group_id = await emulator.groupId("contacts");
    for (const first_name of ["Anna", "Berta", "Cem"])
      await emulator.ask("POST", "/contacts", { body: { first_name, group_id } });
    const names = async (query: string) =>
      (await emulator.control("GET", `/tables/contacts${query}`)).map(
        (row) => JSON.parse(`{${row["members"]}`).first_name,
      );
    expect(await names("")).toEqual(["Cem", "Berta", "Anna"]);
    expect(await names("?limit=1&offset=1")).toEqual(["Berta"]);
    const [group] = await emulator.control("GET", "/tables/groups?limit=1");
    expect(group.created_at).toBe("2026-03-02T09:00:00.000Z");

    const text = JSON.stringify([
      await emulator.control("GET", "/tables/keys"),
      await emulator.control("GET", "/tables/world"),
    ]);
    expect(text).not.toContain("control_token");
    expect(text).toContain('"digest":"(32 bytes)"');
    for (const secret of [emulator.instance.startLine.control_token, ...Object.values(emulator.keys)])
      expect(text).not.toContain(secret);

    const headers = { "X-Token": "a token" };
    const url = "https://example.org";
    await emulator.ask("POST", "/tools", { body: { name: "t", url, headers, secret: "a secret" } });
    expect(await emulator.control("GET", "/tables/tools")).toMatchObject([{ headers: "***", secret: "***" }]);

    for (const name of ["nothing", "sqlite_schema", "contacts%22%20--", "Contacts"])
      await expect(emulator.control("GET", `/tables/${name}`)).rejects.toMatchObject({ status: 404 });
    await expect(emulator.control("GET", "/tables/contacts?limit=0")).rejects.toMatchObject({ status: 400 });
  });

  it("tables show a mask instead of stored secrets", async () => {
    await using emulator = await openTestEmulator("in process", { seed: "demo" });
    const tools = await emulator.control("GET", "/tables/tools");
    expect(new Set(tools.map((row) => row["secret"]))).toEqual(new Set([null, "***"]));
  });

  it("every table in the emulator's status can be opened", async () => {
    await using emulator = await openTestEmulator("in process", { seed: "demo" });
    const { counts } = await emulator.control("GET", "/status");
    for (const [name, count] of Object.entries(counts)) {
      const rows = await emulator.control("GET", `/tables/${name}?limit=1000`);
      expect([name, rows.length]).toEqual([name, Math.min(Number(count), 1000)]);
    }
  });

  it("[emulator.explain] the web UI lists each API rule with its text, and all operations", async () => {
    await using emulator = await openTestEmulator("in process");
    const rules = await emulator.control("GET", "/rules");
    expect(rules).toContainEqual({
      id: "emulator.control",
      kind: "promise",
      refuses: true,
      text: expect.stringContaining("requires its token"),
    });
    const refused = await emulator.ask("POST", "/contacts", { body: {} });
    const rule = refused.headers.get("x-emulator-rule");
    expect(rules.map(({ id }: { id: string }) => id)).toContain(rule);
    const operations = await emulator.control("GET", "/operations");
    expect(operations).toContainEqual({
      name: "contacts.create",
      surface: "public",
      method: "POST",
      path: "/contacts",
      summary: expect.any(String),
    });
  });
});
