import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Transport } from "../../src/base/transport.js";
import { ConnectionError } from "../../src/base/transport.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import { commandLine, connectedTo, type TestIo, temporaryFolder } from "../helpers/cli.js";
import { inheritedEnvironment } from "../helpers/environment.js";
import { createInstalledCli } from "../helpers/installed-cli.js";
import { connectOverStdio, createToolCall } from "../helpers/mcp.js";
import { openSeededEmulator } from "../helpers/templates.js";
import { openTestEmulator } from "../helpers/test-emulator.js";

const bin = fileURLToPath(new URL("../../bin/voxctl.js", import.meta.url));

function command(...argv: string[]) {
  const home = temporaryFolder();
  const env = {
    ...inheritedEnvironment(),
    HOME: home,
    VOXCTL_CONFIG_DIR: join(home, "config"),
    VOXCTL_DATA_DIR: join(home, "data"),
  };
  return { argv: [process.execPath, bin, "mcp", ...argv], env };
}

const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join("");
const parseReplies = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .sort((a, b) => a.id - b.id);
const listTools = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

describe("the MCP SDK's client with `voxctl mcp`", () => {
  it("with the 2026 protocol, an MCP client finds only read-only tools by default", async () => {
    const { client, stderr } = await connectOverStdio(command("--profile", "offline"), "2026-07-28");
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(20);
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
    const contacts = await client.callTool({ name: "contacts_list", arguments: { limit: 2 } });
    expect(contacts.structuredContent).toMatchObject({ data: [{}, {}], meta: { has_more: true } });
    const create = { name: "groups_create", arguments: { type: "contacts", name: "N" } };
    await expect(client.callTool(create)).rejects.toThrow("tool groups_create requires --allow-writes");
    expect(stderr()).toContain("--allow-writes");
    await expect(client.callTool({ name: "contact_list", arguments: {} })).rejects.toThrow(
      "tool contact_list not found; did you mean contacts_list?",
    );
  });

  it("with --allow-writes, an MCP client can create a group with the 2025 protocol", async () => {
    const { client } = await connectOverStdio(command("--profile", "offline", "--allow-writes"));
    // The emulator has keys for all APIs: 58 tools are from the Public API, and 21 from the distributor APIs.
    expect((await client.listTools()).tools).toHaveLength(79);
    const created = await client.callTool({
      name: "groups_create",
      arguments: { type: "contacts", name: "New" },
    });
    expect(created.structuredContent).toMatchObject({ data: { name: "New" } });
    const listed = await client.callTool({ name: "groups_list", arguments: { type: "contacts" } });
    expect(JSON.stringify(listed.structuredContent)).toContain('"New"');
    const again = await client.callTool({
      name: "groups_create",
      arguments: { type: "contacts", name: "New" },
    });
    expect([again.isError, again.structuredContent]).toMatchObject([
      true,
      { error: { code: "conflict", status: 409, outcome: "none" } },
    ]);
  });

  it("the error for a tool that is not enabled names its API", async () => {
    const ran = await createInstalledCli().run(["mcp", "--profile", "offline", "--api", "public"], {
      stdin: lines(createToolCall("distributor_organizations_list", {}, 1)),
    });
    const [missing] = parseReplies(ran.stdout);
    expect(missing.error.message).toContain(
      "tool distributor_organizations_list requires --api distributor-v2",
    );
  });

  it("`voxctl mcp` responds to every request from a pipe, even if the input ends at once", async () => {
    const ran = await createInstalledCli().run(["mcp", "--profile", "offline"], {
      stdin: lines(
        listTools,
        createToolCall("ping", {}, 2),
        createToolCall("contacts_list", { limit: 1 }, 3),
      ),
    });
    expect(ran.code).toBe(0);
    const [tools, ping, contacts] = parseReplies(ran.stdout);
    expect(tools.result.tools.length).toBeGreaterThan(20);
    expect(ping.result.structuredContent.data.ok).toBe(true);
    expect(contacts.result.structuredContent.data).toHaveLength(1);
  });
});

describe("voxctl mcp", () => {
  function through(emulator: Parameters<typeof connectedTo>[0], wrap: (transport: Transport) => Transport) {
    return connectedTo({ ...emulator, startLine: emulator.startLine, transport: wrap(emulator.transport) });
  }

  async function ask(overrides: Overrides, ...messages: object[]) {
    const { runWith } = commandLine();
    const ran = await runWith(
      { overrides, stdin: lines(...messages) },
      "mcp",
      "--profile",
      "offline",
      "--allow-writes",
    );
    return { answers: parseReplies(ran.stdout) };
  }

  it("`voxctl mcp` fails if its responses can't be written because the disk is full", async () => {
    const full = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error("no space left"), { code: "ENOSPC" })),
    }).on("error", () => {});
    const before = (io: TestIo) => {
      io.stdout.write = full.write.bind(full) as typeof io.stdout.write;
    };
    const ran = await commandLine().runWith(
      { before, stdin: lines(listTools) },
      ...["mcp", "--profile", "offline"],
    );
    expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining("no space left on the disk")]);
  });

  it("`voxctl mcp` responds with a parse error to a line with invalid UTF-8", async () => {
    const create = lines(createToolCall("groups_create", { type: "contacts", name: "Gr\u00fcn" }, 7));
    const stdin = Buffer.concat([Buffer.from(create, "latin1"), Buffer.from(lines(listTools))]);
    const ran = await commandLine().runWith({ stdin }, "mcp", "--profile", "offline");
    const [refused, listed] = parseReplies(ran.stdout);
    expect(refused).toMatchObject({
      id: null,
      error: { code: -32700, message: expect.stringContaining("not valid UTF-8") },
    });
    expect(listed.result.tools.length).toBeGreaterThan(20);
  });

  it("`voxctl mcp` responds to invalid JSON and invalid messages", async () => {
    const stdin = `kein JSON\n\n{"id":7,"method":"x"}\n${lines(listTools)}{"jsonrpc":`;
    const ran = await commandLine().runWith({ stdin }, "mcp", "--profile", "offline");
    const outcomes = parseReplies(ran.stdout).map(({ id, error, result }) => [
      id,
      error?.code ?? result.tools.length > 20,
    ]);
    expect(outcomes).toEqual([
      [null, -32700],
      [null, -32700],
      [1, true],
      [7, -32600],
    ]);
  });

  it("`voxctl mcp` responds to a batch and to a request with an invalid id, method or params", async () => {
    const ping = { jsonrpc: "2.0", method: "ping" };
    const stdin = lines(
      { ...ping, id: { a: 1 } },
      { ...ping, id: null },
      [{ ...ping, id: 2 }],
      { ...ping, id: 3, method: 5 },
      { ...ping, id: 4, params: [1] },
      { ...ping, id: 5 },
    );
    const ran = await commandLine().runWith({ stdin }, "mcp", "--profile", "offline");
    const replies = parseReplies(ran.stdout);
    expect(replies.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32600],
      [null, -32600],
      [null, -32600],
      [3, -32600],
      [4, -32600],
      [5, undefined],
    ]);
    expect(replies[2].error.message).toContain("a batch is not supported");
  });

  it("`voxctl mcp` repeats a read after a lost response, but never a write", async () => {
    await using emulator = await openSeededEmulator({ seed: "empty", clock: "virtual" });
    const sent: string[] = [];
    const lost = new Set(["POST", "GET"]);
    const overrides = through(emulator, (transport) => async (url, request) => {
      sent.push(request.method);
      const response = await transport(url, request);
      if (lost.delete(request.method)) throw new ConnectionError("cut", true, "ECONNRESET");
      return response;
    });
    const create = createToolCall("groups_create", { type: "contacts", name: "N" }, 1);
    const { answers: written } = await ask(overrides, create);
    expect(written[0].result).toMatchObject({
      isError: true,
      structuredContent: {
        error: { outcome: "unknown", retryable: false, hint: expect.stringMatching(/check whether/i) },
      },
    });
    expect(sent).toEqual(["POST"]);
    const { answers: read } = await ask(overrides, createToolCall("groups_list", { type: "contacts" }, 1));
    expect(read[0].result.structuredContent.data.map((group: { name: string }) => group.name)).toEqual([
      "Default",
      "N",
    ]);
    expect(sent).toEqual(["POST", "GET", "GET"]);
  });

  it("`voxctl mcp` stays within the service's rate limit", async () => {
    await using emulator = await openSeededEmulator({ seed: "empty", clock: "virtual" });
    const statuses: number[] = [];
    const overrides = through(emulator, (transport) => async (url, request) => {
      const response = await transport(url, request);
      statuses.push(response.status);
      return response;
    });
    const started = emulator.clock.now();
    const { answers: all } = await ask(
      overrides,
      ...Array.from({ length: 210 }, (_, at) =>
        createToolCall("groups_create", { type: "contacts", name: `N ${at}` }, at),
      ),
    );
    expect(all.filter(({ result }) => result.isError)).toEqual([]);
    expect(statuses.filter((status) => status !== 201)).toEqual([]);
    expect(emulator.clock.now() - started).toBeGreaterThanOrEqual(60_000);
  });

  it("`voxctl mcp` uses a service's URL and key from the environment", async () => {
    await using emulator = await openTestEmulator("over HTTP");
    const env = { VOXCTL_BASE_URL: `${emulator.url}/api/v1`, VOXCTL_API_KEY: emulator.keys.editor };
    const { runWith } = commandLine({ env });
    const create = createToolCall("groups_create", { type: "glossaries", name: "N" });
    await runWith({ stdin: lines(create) }, "mcp", "--allow-writes");
    expect((await emulator.ask("GET", "/groups?type=glossaries")).body.data).toHaveLength(2);
  });

  it("`voxctl mcp` reports invalid arguments without sending a request", async () => {
    await using emulator = await openSeededEmulator({ seed: "empty" });
    let sent = 0;
    const overrides = through(emulator, (transport) => (url, request) => {
      sent += 1;
      return transport(url, request);
    });
    const { answers: all } = await ask(overrides, createToolCall("contacts_delete", { id: "x" }));
    expect(all[0].result.structuredContent.error).toEqual({
      code: "validation_failed",
      message: "contact_id is required",
      details: [
        { path: ["contact_id"], message: "is required" },
        { path: ["id"], message: "is not an accepted field" },
      ],
      status: null,
      retryable: false,
      outcome: "none",
      retry_after_seconds: null,
      hint: null,
    });
    expect(sent).toBe(0);
  });

  it("`voxctl mcp --allow-writes` requires --profile", async () => {
    const { run } = commandLine();
    const ran = await run("mcp", "--allow-writes");
    expect([ran.code, ran.stdout]).toEqual([12, ""]);
    expect(ran.stderr).toContain("--profile offline");
  });

  it("`voxctl mcp --allow-writes` requires --confirm with a production profile's name", async () => {
    const { run, runWith } = commandLine();
    expect((await run("profiles", "add", "live", "--offline", "--production")).code).toBe(0);
    const refused = await run("mcp", "--profile", "live", "--allow-writes");
    expect([refused.code, refused.stdout]).toEqual([12, ""]);
    expect(refused.stderr).toContain("--confirm=live");
    expect((await run("mcp", "--profile", "live", "--allow-writes", "--confirm=other")).code).toBe(2);
    for (const flags of [[], ["--allow-writes", "--confirm=live"]]) {
      const ran = await runWith({ stdin: lines(listTools) }, "mcp", "--profile", "live", ...flags);
      expect(ran.code).toBe(0);
      expect(parseReplies(ran.stdout)[0].result.tools).toHaveLength(flags.length > 0 ? 79 : 37);
    }
  });

  it("`voxctl mcp --api` offers only the tools of the specified distributor API", async () => {
    const emulator = await openSeededEmulator({ clock: "virtual" });
    const { runWith } = commandLine({ overrides: connectedTo(emulator) });
    const call = createToolCall("distributor_organizations_create", {
      type: "msp",
      name: "Elbe Systemhaus",
      externalOrganizationId: "elbe",
      license: { externalLicenseId: "elbe-base" },
    });
    const tree = createToolCall("distributor_organizations_tree", {}, 2);
    const again = createToolCall("distributor_organizations_create", { type: "msp" }, 3);
    const argv = ["mcp", "--profile", "offline", "--allow-writes", "--api", "distributor-v2"];
    const ran = await runWith({ stdin: lines(call) }, ...argv);
    expect(parseReplies(ran.stdout)[0].result.structuredContent).toMatchObject({
      status: "success",
      data: { type: "msp", externalOrganizationId: "elbe" },
    });
    const looked = parseReplies((await runWith({ stdin: lines(listTools, tree, again) }, ...argv)).stdout);
    expect(looked.find(({ id }) => id === 1).result.tools).toHaveLength(8);
    expect(looked.find(({ id }) => id === 2).result.structuredContent.data).toHaveLength(1);
    expect(looked.find(({ id }) => id === 3).result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "VALIDATION_ERROR", status: 400, outcome: "none" } },
    });
    await emulator.close();
  });

  it("`voxctl mcp` refuses an API without a key in the profile", async () => {
    const { run, runWith } = commandLine();
    const added = await runWith(
      { stdin: "k".repeat(20) },
      ...["profiles", "add", "live", "--url", "https://voice.example/api/v1", "--key-stdin", "--no-check"],
    );
    expect(added.code, added.stderr).toBe(0);
    const refused = await run("mcp", "--profile", "live", "--api", "distributor-v2");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('profile "live" has no key for the distributor-v2 API'),
    ]);
    expect(refused.stderr).toContain("voxctl profiles add live --api distributor-v2 --url URL");
    expect((await run("mcp", "--profile", "live", "--api", "distributor")).code).toBe(2);
  });

  it("`voxctl mcp` exits with the exit code of the signal that ends it", async () => {
    const { runWith } = commandLine();
    const stdin = new PassThrough();
    const ran = await runWith(
      {
        before: (io) => {
          io.stdin = stdin;
          io.stdout.once("data", () => io.signal("SIGTERM"));
          stdin.write(lines(listTools));
        },
      },
      "mcp",
      "--profile",
      "offline",
    );
    expect(ran.code).toBe(143);
    expect(parseReplies(ran.stdout)).toHaveLength(1);
  });
});
