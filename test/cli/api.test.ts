import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { serve } from "../client/network.js";
import { commandLine, connectedTo, type TestIo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function api() {
  const emulator = await openSeededEmulator({ seed: "empty" });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  return {
    ...shell,
    emulator,
    api: (...argv: string[]) => shell.run("api", ...argv, "--profile", "offline"),
  };
}

async function deployment(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const port = await serve(answer);
  const env = { VOXCTL_BASE_URL: `http://127.0.0.1:${port}/api/v1`, VOXCTL_API_KEY: "k" };
  const shell = commandLine({ env });
  return { ...shell, api: (...argv: string[]) => shell.run("api", ...argv) };
}

describe("voxctl api", () => {
  test.each([
    [["GET", "/contact"], "did you mean /contacts?"],
    [["GET", "/knowledge"], "did you mean /knowledge-items?"],
    [["GET", "/assistant/65f1a0b2c3d4e5f601234567"], "did you mean /assistants/{assistant_id}?"],
    [["GET", "/organizations"], "--api distributor-v2"],
    [["PUT", "/contacts", "--data", "{}"], "/contacts supports only GET, POST"],
    [["GET", "/zzzzzzzz"], "use a path in the public API: /ping, /groups"],
  ])("`voxctl api` %j fails and suggests a path, a method or an API", async (argv, hint) => {
    const { api: call } = await api();
    const { code, stderr } = await call(...argv);
    expect(code).toBe(4);
    expect(stderr).toContain(hint);
  });

  test("`voxctl api` sends GET if only a path is specified", async () => {
    const { api: call } = await api();
    expect((await call("/groups?limit=1")).json.data).toHaveLength(1);
    expect((await call("/ping", "-i")).json.status).toBe(200);
    const lacking = await call("DELETE");
    expect([lacking.code, lacking.stderr]).toEqual([2, expect.stringContaining("missing argument: <path>")]);
  });

  test("`voxctl api` writes a recording's bytes, but only the status and headers with --include", async () => {
    const emulator = await openSeededEmulator({ seed: "demo" });
    const shell = commandLine({ overrides: connectedTo(emulator) });
    const { base_url, keys } = emulator.startLine;
    const headers = { authorization: `Bearer ${keys["admin"]}` };
    const { json: calls } = await shell.run("calls", "list", "--all", "--profile", "offline");
    const { id } = calls.find((call: { recording: { available: boolean } }) => call.recording.available);
    const sent = await (await emulator.fetch(`${base_url}/calls/${id}/recording`, { headers })).arrayBuffer();
    const argv = ["api", `/calls/${id}/recording`, "--profile", "offline"];
    const pieces: Buffer[] = [];
    const before = (io: TestIo) => io.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    expect((await shell.runWith({ before }, ...argv)).code).toBe(0);
    expect(Buffer.concat(pieces).equals(Buffer.from(sent))).toBe(true);
    const head = await shell.run(...argv, "--include");
    expect(head.json).toMatchObject({ status: 200, body: null });
    expect((await shell.run(...argv, "-o", "json")).stderr).toContain("which has no fields");
    const shown = await shell.runWith({ terminal: 80 }, ...argv);
    expect([shown.code, shown.stdout]).toEqual([12, ""]);
  });

  test("on a terminal, `voxctl api` doesn't print an empty body as null", async () => {
    const { runWith } = await deployment((_, response) => void response.writeHead(204).end());
    const bare = await runWith({ terminal: 80 }, "api", "GET", "/x");
    expect([bare.code, bare.stdout, bare.stderr]).toEqual([0, "", "The response has no body.\n"]);
    const { stdout } = await runWith({ terminal: 80 }, "api", "GET", "/x", "--include");
    expect(stdout).toMatch(/^HTTP 204\n(.+: .+\n)+\n$/);
  });

  test.each([
    ["application/zip", "UEsDBP/+AIAK"],
    ["text/csv; charset=iso-8859-1", "TfxsbGVyCg=="],
    ["application/x-yaml", "YTogw7wK"],
  ])("`voxctl api` writes a body of the type %s unchanged", async (type, base64) => {
    const { runWith } = await deployment((_, response) => {
      response.writeHead(200, { "content-type": type });
      response.end(Buffer.from(base64, "base64"));
    });
    const pieces: Buffer[] = [];
    const before = (io: TestIo) =>
      io.stdout.on("data", (piece: Buffer | string) => pieces.push(Buffer.from(piece)));
    expect((await runWith({ before }, "api", "/x")).code).toBe(0);
    expect(Buffer.concat(pieces).toString("base64")).toBe(base64);
  });

  test.each([["--all"], ["-o", "json"], ["--include"]])(
    "`voxctl api` returns without waiting for a body that it won't print: %s",
    async (...flags) => {
      const { api: call } = await deployment((_, response) => {
        response.writeHead(200, { "content-type": "audio/flac" });
        response.flushHeaders();
      });
      const running = vi.spyOn(globalThis, "setTimeout");
      onTestFinished(() => running.mockRestore());
      expect((await call("/x", ...flags)).code).toBe(flags[0] === "--include" ? 0 : 2);
      const timers = running.mock.results.map(({ value }) => value);
      expect(timers.filter((timer) => timer.hasRef() && !timer._destroyed)).toEqual([]);
    },
  );

  test("`voxctl api` suggests no other path for an unknown ID", async () => {
    const { api: call } = await api();
    const { code, stderr } = await call("GET", "/contacts/65f1a0b2c3d4e5f601234567");
    expect(code).toBe(4);
    expect(stderr).not.toContain("known");
  });

  test("`voxctl api` prints the body unchanged, including the envelope", async () => {
    const { api: call } = await api();
    const response = await call("get", "groups", "--query", "limit=2", "--query", "type=contacts");
    expect(response.json).toMatchObject({
      data: [{ type: "contacts" }],
      meta: { has_more: false, next_cursor: null },
    });
  });

  test("`voxctl api` accepts a path with or without the API's prefix, and with a query", async () => {
    const { api: call } = await api();
    for (const path of ["/groups?limit=1", "groups?limit=1", "/api/v1/groups?limit=1"]) {
      expect((await call("GET", path)).json.data).toHaveLength(1);
    }
  });

  test("`voxctl api` sends every query parameter and header, even repeated ones", async () => {
    const { api: call } = await deployment((request, response) =>
      response.end(JSON.stringify({ url: request.url, tag: request.headers["x-tag"] })),
    );
    const headers = ["-H", "X-Tag: a", "-H", "X-Tag: b"];
    const ran = await call("/x?tag=a&tag=b&ask=why?&__proto__=1", "--query", "tag=c", ...headers);
    expect(ran.json).toEqual({ url: "/api/v1/x?tag=a&tag=b&tag=c&ask=why%3F&__proto__=1", tag: "a, b" });
    const { json } = await call("POST", "/x?tag=a&tag=b", "--dry-run");
    expect(json).toEqual([{ method: "POST", path: "/x?tag=a&tag=b" }]);
  });

  test("`voxctl api` refuses a path with #", async () => {
    const { api: call } = await api();
    const { code, stderr } = await call("/groups/65f1a0b2c3d4e5f601234567#x?limit=1");
    expect([code, stderr]).toEqual([2, expect.stringContaining("write # as %23")]);
  });

  test.each(["../../_emulator/status", "/contacts/%2e%2e/.%2E/x", "a\\..\\..\\x"])(
    "`voxctl api` refuses the path %s, which leaves the API's base URL",
    async (path) => {
      const { code, stderr } = await commandLine().run("api", "GET", path, "--profile", "offline");
      expect([code, stderr]).toEqual([2, expect.stringContaining("the path is outside the API's base URL")]);
    },
  );

  test("`voxctl api` sends the body of --data", async () => {
    const { api: call } = await api();
    const made = await call("POST", "/groups", "--data", '{"type":"contacts","name":"Suppliers"}');
    expect(made.json.data).toMatchObject({ name: "Suppliers" });
    expect((await call("PATCH", `/groups/${made.json.data.id}`, "--data", '{"name":1}')).code).toBe(5);
  });

  test("`voxctl api` requires --yes for a DELETE request", async () => {
    const { api: call } = await api();
    const { id } = (await call("POST", "/groups", "--data", '{"type":"contacts","name":"X"}')).json.data;
    expect((await call("DELETE", `/groups/${id}`)).code).toBe(12);
    expect((await call("DELETE", `/groups/${id}`, "--yes")).json).toEqual({ data: {} });
  });

  test("`voxctl api --dry-run` prints the request", async () => {
    const { api: call } = await api();
    expect((await call("DELETE", "/groups/x", "--query", "a=b c", "--dry-run")).json).toEqual([
      { method: "DELETE", path: "/groups/x?a=b+c" },
    ]);
  });

  test.each([
    [["FETCH", "/groups"], "invalid method"],
    [["GET", "https://evil.example/api/v1/groups"], "expected a path such as /contacts"],
    [["GET", "/groups", "--query", "limit"], "key=value"],
    [["GET", "/groups", "-H", "Authorization: Bearer x"], "the key comes from the profile"],
    [["GET", "/groups", "-H", "nothing"], "Name: value"],
    [["GET", "/groups", "-H", "Expect: 100-continue"], "--header can't set expect"],
    [["GET", "/groups", "-H", "Content-Length: 5"], "--header can't set content-length"],
    [["GET", "/groups", "-H", "X-Name: \u4f60"], 'invalid --header "x-name"'],
    [["POST", "/groups", "--data", "{"], "JSON"],
    [["POST", "/groups", "--data", "@nowhere.json"], "can't be read"],
    [["GET", "/groups", "--api", "other"], "distributor-v2"],
  ])("%j is a usage error: %s", async (argv, hint) => {
    const { api: call } = await api();
    const refused = await call(...argv);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(hint);
  });

  test("`voxctl api --all` prints the rows of all pages as one list", async () => {
    const { api: call } = await api();
    const all = (await call("GET", "/groups", "--query", "limit=200")).json.data;
    const paged = await call("GET", "/groups?limit=2", "--all");
    expect(paged.json).toEqual(all);
    // Like other programs, accept a path without a leading slash.
    expect((await call("groups", "--all")).json).toEqual(all);
    expect((await call("get")).stderr).toContain("missing argument: <path>");
    expect(all.length).toBeGreaterThan(2);
    expect((await call("POST", "/groups", "--all", "--data", "{}")).code).toBe(2);
    const ping = await call("GET", "/ping", "--all");
    expect([ping.code, ping.stderr]).toEqual([
      2,
      expect.stringContaining("the response from /ping is not a list"),
    ]);
  });

  test("--include prints the status and headers in a JSON document, or as HTTP on a terminal", async () => {
    const { api: call, runWith } = await api();
    const { json } = await call("GET", "/ping", "--include");
    expect(json).toMatchObject({ status: 200, body: { data: { ok: true } } });
    expect(json.headers["x-ratelimit-limit"]).toBeDefined();
    const shown = await runWith(
      { terminal: 100 },
      "api",
      "GET",
      "/ping",
      "--include",
      "--profile",
      "offline",
    );
    expect(shown.stdout).toMatch(/^HTTP 200\n(.+: .+\n)+\n\{/);
  });

  test("--include also prints the status and headers of an error", async () => {
    const { api: call } = await api();
    const missing = await call("GET", `/contacts/${"0".repeat(24)}`, "--include");
    expect(missing.code).toBe(4);
    expect(missing.json).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    expect(missing.json.headers["content-type"]).toContain("application/json");
    expect(missing.stderr).toContain("not_found");
  });

  test("`voxctl api` sends requests only to the profile's host, regardless of the path", async () => {
    const { api: call, emulator } = await api();
    for (const path of ["//evil.example/x", "/../../x", "\\\\evil.example\\x"]) {
      const ran = await call("GET", path);
      expect([2, 4]).toContain(ran.code);
    }
    const requests = (await emulator.control("GET", "/requests")) as { path: string }[];
    for (const { path } of requests) expect(path).toMatch(/^\//);
  });
});
